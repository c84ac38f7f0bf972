"""A short run of three bodies of different elements, exported and compared with its own frames.

The frames are read by pliant_cli.read_frame, which shares no code with the program.
"""

import os
import shutil
import tempfile

import numpy

import pliant_cli
from pliant_cli import beam, read_frame

BODIES = ("beam", "block", "ball 2")
FRAMES = 5


def scene():
    """A hex8 beam that swings, a tet4 block and a tet10 ball that fall, well apart."""
    result = beam(element="hex8", cells=[4, 2, 2], steps=8, output_dt=0.02, name="three bodies")
    for name, x, mesh in (
            ("block", 5, {"box": {"size": [1, 1, 1], "cells": [2, 1, 1], "element": "tet4"}}),
            ("ball 2", 8, {"sphere": {"radius": 1, "size": 0.8, "element": "tet10"}})):
        result["bodies"].append({"name": name, "mesh": mesh, "material": "jelly",
                                 "transform": {"translate": [x, 1, 0]},
                                 "initial": {"angular_velocity": [0, 0, 5]}})
    return result


class ExportTest(pliant_cli.ProgramTest):
    """All tests of a class share one run, in `self.result`."""

    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.mkdtemp(prefix="pliant-test-", dir=pliant_cli.temporary_place())
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        run = cls("run_shared")
        run.setUp()
        run.run_scene(scene(), out=f"{cls.shared}/result")
        run.doCleanups()
        cls.result = f"{cls.shared}/result"
        names = sorted(os.listdir(f"{cls.result}/frames"))
        cls.frames = [read_frame(f"{cls.result}/frames/{name}") for name in names]
        cls.points = [numpy.array(frame["Points"]).reshape(-1, 3) for frame in cls.frames]
        cls.times = [frame["TimeValue"][0] for frame in cls.frames]
        assert len(cls.frames) == FRAMES

    def run_shared(self):
        """The name under which setUpClass makes itself a test to run the program with."""

    def export(self, kind, *arguments, out):
        self.succeed("export", self.result, "--to", kind, "--out", out, *arguments)
        return self.path(out)

    def places_of(self, vertices, tolerance=1e-6):
        """For each vertex at the start, which point of the frames it is. Single precision moves
        coordinates below 10 m by 5e-7 m at most; no two points are nearer than 1e-3 m."""
        distance = numpy.linalg.norm(self.points[0][None] - vertices[:, None], axis=2)
        places = distance.argmin(axis=1)
        self.assertLess(distance[range(len(vertices)), places].max(), tolerance)
        return places

    def moved(self):
        """How far the points go from the first frame to the last, so that nothing passes by
        standing still."""
        return numpy.abs(self.points[-1] - self.points[0]).max()
