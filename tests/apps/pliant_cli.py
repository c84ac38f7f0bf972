"""Runs the program as a user does, in a temporary folder, and reads what it leaves there.

Test files take the program as their first argument and end with `pliant_cli.main()`.
"""

import csv
import json
import math
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
import zlib

program = ""
ROOMY = 64 << 20  # bytes; no test writes nearly as much


def main():
    global program
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM [unittest options]")
    program = os.path.abspath(sys.argv.pop(1))
    unittest.main()


class Outcome:
    def __init__(self, status, out, err, seconds):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds

    def __str__(self):
        said = self.out[-2000:] + self.err[-2000:]
        return f"exit {self.status} after {self.seconds:.1f} s\n{said}"


def limit(kind, amount):
    """A function for `before` that limits a resource of the program."""
    return lambda: resource.setrlimit(kind, (amount, amount))


def guarded():
    """Options that keep a run on bad input within 4 GiB of memory and 10 seconds; sanitizers need
    far more of both."""
    if os.environ.get("PLIANT_SANITIZE"):
        return {"timeout": 100}
    return {"before": limit(resource.RLIMIT_AS, 4 << 30), "timeout": 10}


def temporary_place():
    """Memory where there is enough: results are synchronised to disk often, which is slow there."""
    memory = "/dev/shm"
    if "TMPDIR" in os.environ or not os.access(memory, os.W_OK):
        return None
    return memory if shutil.disk_usage(memory).free > ROOMY else None


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own, in which the program runs."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="pliant-test-", dir=temporary_place())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, content):
        """A file with the text, the bytes or, of anything else, the JSON; returns its path."""
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content)
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def start(self, *arguments, before=None):
        return subprocess.Popen(
            [program, *map(str, arguments)], cwd=self.folder, preexec_fn=before,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def pliant(self, *arguments, before=None, timeout=120):
        began = time.monotonic()
        with self.start(*arguments, before=before) as process:
            try:
                out, err = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                self.fail(f"still running after {timeout} s: {arguments}\n{err.decode()[-2000:]}")
        return Outcome(process.returncode, out.decode(errors="replace"),
                       err.decode(errors="replace"), time.monotonic() - began)

    def succeed(self, *arguments, **options):
        outcome = self.pliant(*arguments, **options)
        self.assertEqual(outcome.status, 0, f"{arguments}: {outcome}")
        return outcome

    def refuse(self, status, *arguments, words=(), **options):
        """The program ends with `status` and one line that says why, with all of `words` in it."""
        outcome = self.pliant(*arguments, **options)
        self.assertEqual(outcome.status, status, f"{arguments}: {outcome}")
        self.assertTrue(outcome.err.strip(), f"{arguments}: says nothing")
        for word in words:
            self.assertIn(word, outcome.err)
        return outcome

    def probed_rows(self, value, **probes):
        """Rows of history.csv of a run with probes, each (body, point)."""
        value["probes"] = [{"name": name, "body": body, "point": list(point)} for name, (body, point) in probes.items()]
        with open(f"{self.run_scene(value)}/history.csv", newline="") as file:
            return list(csv.DictReader(file))

    def refuse_scene(self, code, value, words):
        self.write("refused.json", value)
        self.refuse(code, "run", "refused.json", "--out", "refused", "--force", words=words)

    @staticmethod
    def place(row, name="p"):
        return [float(row[f"{name}.{axis}"]) for axis in "xyz"]

    def run_scene(self, scene, *arguments, out="result", **options):
        """Writes and runs a scene; returns the result folder."""
        path = self.write("scene.json", scene)
        self.succeed("run", path, "--quiet", "--force", "--out", out, *arguments, **options)
        return self.path(out)

    def assert_frames_whole(self, folder, unlisted=0):
        """The index lists the frames that are there, but for `unlisted` of the last at most; all
        are whole, and no file is partial."""
        index = xml.parse(f"{folder}/animation.pvd")
        listed = [entry.get("file") for entry in index.iter("DataSet")]
        there = sorted("frames/" + name for name in os.listdir(f"{folder}/frames"))
        self.assertEqual(listed, there[:len(listed)])
        self.assertGreaterEqual(len(listed), max(1, len(there) - unlisted))
        for name in there:
            points = read_frame(os.path.join(folder, name))["Points"]
            self.assertTrue(all(map(math.isfinite, points)), name)
        for place, _, names in os.walk(folder):
            self.assertEqual([name for name in names if "partial" in name], [], place)


def beam(**changes):
    """A small clamped beam along x, 4 × 1 × 1 m; changes are top-level keys of the scene, and
    `cells`, `element`, `model`, `young`, `pin`, `damping`, `dt`, `steps`, `output_dt`."""
    dt, steps = changes.pop("dt", 0.01), changes.pop("steps", 4)
    body = {
        "name": "beam",
        "mesh": {"box": {"size": [4, 1, 1], "cells": changes.pop("cells", [4, 1, 1]),
                         "element": changes.pop("element", "tet4")}},
        "material": "jelly",
        "pin": changes.pop("pin", [{"plane": {"point": [-1.999, 0, 0], "normal": [-1, 0, 0]}}]),
        "damping": changes.pop("damping", []),
    }
    material = {"model": changes.pop("model", "stable-neo-hookean"),
                "young": changes.pop("young", 1e5), "poisson": 0.4, "density": 1000}
    scene = {
        "time": {"dt": dt, "duration": steps * dt, "output_dt": changes.pop("output_dt", dt)},
        "integrator": "be",
        "materials": {"jelly": material},
        "bodies": [body],
        "probes": [{"name": "tip", "body": "beam", "point": [2, 0.5, 0.5]}],
    }
    scene.update(changes)
    return scene


def history(folder):
    """The rows of history.csv, each a dictionary of numbers; None where there is none."""
    with open(f"{folder}/history.csv", newline="") as file:
        return [{key: float(value) if value else None for key, value in row.items()}
                for row in csv.DictReader(file)]


def lasting_history(folder):
    """history.csv as text, without the column that differs from run to run."""
    with open(f"{folder}/history.csv", newline="") as file:
        rows = list(csv.reader(file))
    column = rows[0].index("wall_ms")
    return "\n".join(",".join(row[:column] + row[column + 1:]) for row in rows)


def history_rows(folder):
    """How many steps are in history.csv at the moment."""
    try:
        with open(f"{folder}/history.csv", "rb") as file:
            return max(0, file.read().count(b"\n") - 2)
    except FileNotFoundError:
        return 0


def summary(folder):
    with open(f"{folder}/summary.json") as file:
        return json.load(file)


def log(folder):
    with open(f"{folder}/log.jsonl") as file:
        return [json.loads(line) for line in file]


def probe(row, name="tip"):
    return [row[f"{name}.{axis}"] for axis in "xyz"]


def checkpoints(folder):
    names = sorted(os.listdir(folder))
    return [f"{folder}/{name}" for name in names if name.startswith("checkpoint")]


FORMATS = {"Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}


def read_frame(path):
    """The arrays of a .vtu file by name; every compressed block is read."""
    with open(path, "rb") as file:
        content = file.read()
    head, mark, tail = content.partition(b'<AppendedData encoding="raw">\n_')
    if not mark or not tail.endswith(b"</AppendedData>\n</VTKFile>\n"):
        raise ValueError(f"{path}: is not whole")
    tree = xml.fromstring(head.decode() + "</VTKFile>")
    arrays = {}
    for array in tree.iter("DataArray"):
        kind = FORMATS[array.get("type")]
        if array.get("format") == "ascii":
            arrays[array.get("Name")] = tuple(map(float, array.text.split()))
            continue
        values = inflate_blocks(tail, int(array.get("offset")))
        arrays[array.get("Name")] = struct.unpack(f"<{len(values) // struct.calcsize(kind)}{kind}",
                                                  values)
    piece = tree.find(".//Piece")
    if len(arrays["Points"]) != 3 * int(piece.get("NumberOfPoints")):
        raise ValueError(f"{path}: has {len(arrays['Points'])} coordinates")
    return arrays


def inflate_blocks(data, offset):
    blocks, size, last = struct.unpack_from("<3Q", data, offset)
    sizes = struct.unpack_from(f"<{blocks}Q", data, offset + 24)
    begin, whole = offset + 24 + 8 * blocks, b""
    for k, length in enumerate(sizes):
        block = zlib.decompress(data[begin:begin + length])
        wanted = last if last and k == blocks - 1 else size
        if len(block) != wanted:
            raise ValueError(f"block {k} has {len(block)} bytes, not {wanted}")
        whole += block
        begin += length
    return whole


def wait_for(condition, process, timeout=60):
    """Until the condition holds, or the process has ended; says whether it holds."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if condition():
            return True
        if process.poll() is not None:
            return condition()
        time.sleep(0.002)
    return False
