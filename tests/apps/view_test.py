"""`pliant view` and `pliant run --view` as a user starts and ends them. What the server says to a
page is tested in tests/view."""

import json
import os
import re
import select
import shutil
import signal
import socket
import tempfile
import time
import unittest
import unittest.mock
import urllib.error
import urllib.request

import pliant_cli

SCENE = {
    "name": "bar", "time": {"dt": 0.01, "duration": 0.1, "output_dt": 0.05}, "integrator": "be",
    "materials": {"m": {"model": "stable-neo-hookean", "young": 1e5}},
    "bodies": [{"name": "bar", "mesh": {"box": {"size": [2, 1, 1], "cells": [2, 1, 1]}}, "material": "m",
                "pin": [{"box": {"min": [-2, -1, -1], "max": [-0.9, 1, 1]}}]}]}
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32,})\n")


def fetch(address, path=""):
    base, token = address.split("/?")
    try:
        with urllib.request.urlopen(f"{base}/{path}?{token}", timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class View(pliant_cli.ProgramTest):
    def setUp(self):
        super().setUp()
        self.state = tempfile.mkdtemp(prefix="pliant-state-")
        self.addCleanup(shutil.rmtree, self.state, ignore_errors=True)
        changed = unittest.mock.patch.dict(os.environ, XDG_STATE_HOME=self.state)
        changed.start()
        self.addCleanup(changed.stop)

    def serve(self, *arguments):
        """Starts the program and returns it with the address that it prints first."""
        process = self.start(*arguments)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        ready, _, _ = select.select([process.stdout], [], [], 60)
        line = process.stdout.readline().decode() if ready else ""
        self.assertRegex(line, ADDRESS, process.stderr.read().decode() if not line else "")
        return process, line.strip()

    def end(self, process, number=signal.SIGINT):
        process.send_signal(number)
        began = time.monotonic()
        process.communicate(timeout=20)
        self.assertLess(time.monotonic() - began, 10, "it ends promptly")
        return process.returncode

    def session(self, address):
        status, body = fetch(address, "session")
        self.assertEqual(status, 200)
        return json.loads(body)

    def test_a_scene_is_simulated_without_writing_anything(self):
        scene = self.write("scene.json", SCENE)
        process, address = self.serve("view", scene, "--port", "0")
        hello = self.session(address)
        self.assertEqual((hello["mode"], hello["title"], hello["control"]), ("live", "bar", True))
        self.assertEqual(fetch(address)[0], 200)
        self.assertEqual(fetch(address, "../scene.json")[0], 404)
        self.assertEqual(fetch(address[:-4] + "zzzz", "session")[0], 403)
        self.assertEqual(self.end(process), 130)
        self.assertEqual(os.listdir(self.folder), ["scene.json"])

    def test_results_are_replayed_side_by_side(self):
        self.run_scene(SCENE, out="a")
        self.run_scene(SCENE, "--set", "integrator=sdirk2", out="b")
        process, address = self.serve("view", "a", "b", "--port", "0")
        hello = self.session(address)
        self.assertEqual(hello["mode"], "replay")
        self.assertEqual([run["integrator"] for run in hello["runs"]], ["be", "sdirk2"])
        self.assertEqual(hello["runs"][0]["times"], [0, 0.05, 0.1])
        status, frame = fetch(address, "runs/1/frames/2")
        self.assertEqual((status, frame[:4]), (200, b"PLTF"))
        self.assertEqual(self.end(process, signal.SIGTERM), 143)

    def test_a_folder_of_scenes_is_a_gallery(self):
        os.makedirs(self.path("scenes", "thumbnails"))
        self.write("scenes/bar.json", SCENE)
        self.write("scenes/wrong.json", "{")
        self.write("scenes/thumbnails/bar.png", b"\x89PNG\r\n")
        for arguments in ([], ["scenes"]):
            process, address = self.serve("view", *arguments, "--port", "0")
            scenes = self.session(address)["scenes"]
            self.assertEqual([scene["name"] for scene in scenes], ["bar", "wrong"])
            self.assertEqual([scene["thumbnail"] for scene in scenes], [True, False])
            self.assertEqual(fetch(address, "thumbnails/0"), (200, b"\x89PNG\r\n"))
            self.assertEqual(fetch(address, "thumbnails/1")[0], 404)
            self.assertEqual(self.end(process), 130)

    def test_run_with_a_viewer_writes_the_same_results_and_ends_by_itself(self):
        plain = self.run_scene(SCENE, out="plain")
        process, address = self.serve("run", "scene.json", "--view", "--port", "0", "--out", "viewed")
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        hashes = []
        for folder in (plain, self.path("viewed")):
            with open(os.path.join(folder, "summary.json")) as file:
                hashes.append(json.load(file)["state_hash"])
        self.assertEqual(hashes[0], hashes[1])

    def test_the_address_stays_the_same_over_a_restart_on_the_same_port(self):
        scene, port = self.write("scene.json", SCENE), str(free_port())
        said = []
        for arguments in (["view", scene], ["view", scene], ["run", scene, "--view"]):
            process, address = self.serve(*arguments, "--port", port)
            said.append(address)
            self.end(process)
        self.assertEqual(len(set(said)), 1, said)
        kept = self.path(self.state, "pliant", f"view-127.0.0.1-{port}.token")
        self.assertEqual(os.stat(kept).st_mode & 0o777, 0o600)
        os.chmod(kept, 0o644)
        process, address = self.serve("view", scene, "--port", port, "--quiet")
        self.assertNotIn(address, said)
        process.send_signal(signal.SIGINT)
        words = process.communicate(timeout=20)[1].decode()
        self.assertIn("warning", words)
        self.assertIn("open to others", words)
        self.assertEqual(os.stat(kept).st_mode & 0o777, 0o600)

    def test_without_a_place_to_keep_it_the_token_is_new_every_time(self):
        scene, port, said = self.write("scene.json", SCENE), str(free_port()), []
        os.environ.update(XDG_STATE_HOME="relative", HOME="")
        for _ in range(2):
            process, address = self.serve("view", scene, "--port", port)
            said.append(address)
            process.send_signal(signal.SIGINT)
            self.assertIn("XDG_STATE_HOME", process.communicate(timeout=20)[1].decode())
        self.assertNotEqual(*said)
        self.assertEqual(os.listdir(self.folder), ["scene.json"])
        self.assertEqual(os.listdir(self.state), [])

    def test_bad_requests_are_refused_in_words(self):
        self.refuse(2, "view", "nowhere", words=["nowhere"])
        self.refuse(2, "view", "nowhere.json", words=["nowhere.json"])
        os.environ["PLIANT_SCENES"] = self.path("nowhere")  # else those that came with the program are shown
        self.addCleanup(os.environ.pop, "PLIANT_SCENES")
        self.refuse(2, "view", words=["scenes/"])
        self.refuse(2, "view", self.write("scene.json", SCENE), "--port", "70000", words=["--port"])
        self.refuse(2, "view", "scene.json", "--host", "no.such.host.invalid", words=["--host"])
        self.refuse(2, "view", "scene.json", "scene.json", words=["one scene runs at a time"])
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            self.refuse(2, "view", "scene.json", "--port", port, words=[port, "taken"])
            self.refuse(2, "run", "scene.json", "--view", "--port", port, words=[port, "taken"])
        self.assertFalse(os.path.exists(self.path("out")), "a run that is refused leaves no folder")


if __name__ == "__main__":
    pliant_cli.main()
