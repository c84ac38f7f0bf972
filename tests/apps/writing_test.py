"""Results that cannot be written: exit 5, frames so far whole, and --resume goes on."""

import os
import resource
import subprocess

import pliant_cli
from pliant_cli import beam, history_rows, lasting_history, limit, summary

KILOBYTE = 1024


class Writing(pliant_cli.ProgramTest):
    def check_goes_on(self, folder, reference):
        """After the failure nothing is torn; with room again, the run goes on to the same end."""
        self.assertGreater(history_rows(folder), 0)
        self.assert_frames_whole(folder, unlisted=1)  # the disk may fill up just before the index
        self.assertFalse(os.path.exists(f"{folder}/summary.json"))
        self.succeed("run", "scene.json", "--out", folder, "--quiet", "--resume")
        self.assertEqual(lasting_history(folder), lasting_history(reference))
        self.assertEqual(summary(folder)["state_hash"], summary(reference)["state_hash"])
        self.assert_frames_whole(folder)

    def test_a_history_that_may_not_grow(self):
        reference = self.run_scene(beam(steps=60), out="reference")
        self.assertGreater(os.path.getsize(f"{reference}/history.csv"), 12 * KILOBYTE)
        self.refuse(5, "run", "scene.json", "--out", "result", "--quiet", words=["history.csv"],
                    before=limit(resource.RLIMIT_FSIZE, 8 * KILOBYTE))
        self.check_goes_on(self.path("result"), reference)

    def test_a_frame_that_may_not_be_written(self):
        self.write("scene.json", beam(cells=[12, 4, 4], steps=2))
        self.refuse(5, "run", "scene.json", "--out", "result", "--quiet", words=["frame_000000"],
                    before=limit(resource.RLIMIT_FSIZE, 4 * KILOBYTE))
        self.assertEqual(os.listdir(self.path("result", "frames")), [])
        self.succeed("run", "scene.json", "--out", "result", "--quiet", "--resume")
        self.assert_frames_whole(self.path("result"))

    def test_words_that_nobody_takes(self):
        for command in (["schema"], ["list"], ["list", "contact"], ["--help"]):
            with open("/dev/full", "wb") as full:
                outcome = subprocess.run([pliant_cli.program, *command], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(outcome.returncode, 5, command)
            self.assertIn("No space left", outcome.stderr)

    def test_a_full_disk(self):
        # A small file system of our own needs rights that not everyone has; where it cannot be
        # had, the limits above are the test.
        reference = self.run_scene(beam(cells=[8, 2, 2], steps=60), out="reference")
        disk = self.path("disk")
        os.mkdir(disk)
        mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", disk]
        if subprocess.run(mount, capture_output=True).returncode != 0:
            return
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        result = os.path.join(disk, "result")
        self.refuse(5, "run", "scene.json", "--out", result, "--quiet", words=["result/", "space"])
        self.assertGreater(len(os.listdir(f"{result}/frames")), 2)
        subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
        self.check_goes_on(result, reference)

    def test_a_place_that_is_not_a_folder(self):
        self.write("scene.json", beam())
        self.write("file", "not a folder")
        self.refuse(5, "run", "scene.json", "--out", "file/result", words=["file"])
        outcome = self.pliant("run", "scene.json", "--out", "file")
        self.assertIn(outcome.status, (2, 5), outcome)
        self.assertEqual(os.path.getsize(self.path("file")), len("not a folder"))

    def test_a_mesh_that_may_not_be_written(self):
        self.refuse(5, "mesh", "make", "box", "size=[1,1,1]", "cells=[8,8,8]", "-o", "box.msh",
                    words=["box.msh"], before=limit(resource.RLIMIT_FSIZE, KILOBYTE))
        self.assertEqual(os.listdir(self.folder), [])
        self.refuse(5, "mesh", "make", "box", "size=[1,1,1]", "cells=[1,1,1]", "-o", "no/box.msh",
                    words=["no/box.msh"])


if __name__ == "__main__":
    pliant_cli.main()
