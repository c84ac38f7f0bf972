"""Small scenes that the tests of the Python module share, and the programs they are compared with.

Test files take the program and, where it is built, the one that steps by the library alone as their first
arguments, and end with `pliant_scenes.main()`."""

import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

program, stepper = "", ""


def main():
    global program, stepper
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM STEPPER [unittest options]")
    program, stepper = os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1)
    logging.getLogger("pliant").setLevel(logging.ERROR)
    unittest.main()


def beam(element="tet4", cells=(6, 2, 2), **changes):
    """A bar of 0.6 m, held at one end, that swings under gravity."""
    document = {
        "time": {"dt": 0.01, "duration": 0.1, "output_dt": 0.05},
        "integrator": "be",
        "materials": {"jelly": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
        "bodies": [{"name": "bar", "material": "jelly",
                    "mesh": {"box": {"size": [0.6, 0.2, 0.2], "cells": list(cells), "element": element}},
                    "pin": [{"box": {"min": [-0.31, -1, -1], "max": [-0.29, 1, 1]}}]}],
        "probes": [{"name": "tip", "body": "bar", "point": [0.3, 0, 0]}],
    }
    document.update(changes)
    return document


def falling_boxes():
    """Two boxes that fall onto a floor and rub."""
    box = {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]}}
    return {
        "time": {"dt": 0.01, "duration": 0.2},
        "integrator": "be",
        "materials": {"jelly": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
        "bodies": [{"name": "lower", "material": "jelly", "mesh": box,
                    "initial": {"velocity": [0.5, -0.5, 0]}},
                   {"name": "upper", "material": "jelly", "mesh": box,
                    "transform": {"translate": [0.03, 0.25, 0.02]}, "initial": {"velocity": [0, -1, 0]}}],
        "contact": {"method": "barrier", "friction": 0.3},
        "obstacles": [{"name": "floor", "plane": {"point": [0, -0.12, 0], "normal": [0, 1, 0]}}],
    }


def chain():
    """A rigid bar on a hinge."""
    return {
        "time": {"dt": 0.01, "duration": 0.2},
        "integrator": "bdf2",
        "materials": {},
        "bodies": [{"name": "bar", "type": "rigid", "density": 500,
                    "mesh": {"box": {"size": [0.4, 0.1, 0.1], "cells": [2, 1, 1]}}}],
        "constraints": [{"name": "joint", "type": "ball", "between": ["bar", [-0.2, 0, 0], "world", [-0.2, 0, 0]]}],
    }


class SceneTest(unittest.TestCase):
    """A test with a folder of its own, which is the current one."""

    def setUp(self):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) and "TMPDIR" not in os.environ else None
        self.folder = tempfile.mkdtemp(prefix="pliant-python-", dir=memory)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)

    def write(self, document, name="scene.json"):
        with open(name, "w", encoding="utf-8") as file:
            json.dump(document, file)
        return name

    def run_program(self, *words):
        # What the interpreter may have to load before all else, the program has in itself.
        plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        return subprocess.run([program, *words], capture_output=True, text=True, timeout=120, env=plain)

    def summary(self, folder):
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            return json.load(file)
