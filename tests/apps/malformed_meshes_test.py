"""Mesh files with mistakes, made by seeded mutation of good ones in every format that is read:
always an answer in words, never a crash, a hang, or success with nonsense."""

import os
import random
import re

import pliant_cli
from pliant_cli import beam, guarded

ALLOWED = (0, 2, 3)
PER_FORMAT = 14

TEXT = ("--ascii",)
VOLUMES = {"msh": (), "text.msh": TEXT, "mesh": (), "vtu": (), "vtk": (), "text.vtk": TEXT}
SURFACES = {"off": (), "obj": (), "stl": (), "text.stl": TEXT, "ply": (), "text.ply": TEXT}
ODD_NUMBERS = [b"nan", b"inf", b"-1", b"0", b"1e999", b"4294967296", b"18446744073709551615",
               b"-9999999999999",
               b"99999999", b"1e-400", b"0x7", b"1.5", b"word", b""]

NODE_FILE = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
ELE_FILE = "1 4 0\n1 1 2 3 4\n"


def mutate(chance, content):
    kind = chance.choice(["truncate", "flip", "number", "number", "insert", "lines", "words"])
    at = chance.randrange(len(content))
    if kind == "truncate":
        return kind, content[:at]
    if kind == "flip":
        changed = bytearray(content)
        for _ in range(chance.randrange(1, 9)):
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        return kind, bytes(changed)
    if kind == "number":
        found = list(re.finditer(rb"(?<![\w.])-?\d[\d.e+-]*", content))
        if found:
            match = chance.choice(found)
            odd = chance.choice(ODD_NUMBERS)
            return kind, content[:match.start()] + odd + content[match.end():]
    if kind == "insert":
        return kind, content[:at] + bytes(chance.randrange(256) for _ in range(8)) + content[at:]
    lines = content.split(b"\n")
    i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
    if kind == "lines":
        lines[i], lines[j] = lines[j], lines[i]
    else:
        del lines[i]
    return kind, b"\n".join(lines)


class MalformedMeshes(pliant_cli.ProgramTest):
    def setUp(self):
        super().setUp()
        self.succeed("mesh", "make", "box", "size=[4,1,1]", "cells=[4,1,1]", "-o", "box.msh")
        self.succeed("mesh", "make", "sheet", "size=[1,1]", "cells=[3,3]", "-o", "sheet.msh")

    def samples(self):
        """Every format that is read, with a good file of it."""
        files = {}
        for source, kinds in (("box.msh", VOLUMES), ("sheet.msh", SURFACES)):
            for ending, flags in kinds.items():
                name = f"good.{ending}"
                self.succeed("mesh", "convert", source, "-o", name, *flags)
                with open(self.path(name), "rb") as file:
                    files[ending] = file.read()
        return files

    def answer(self, what, *arguments):
        outcome = self.pliant(*arguments, **guarded())
        self.assertIn(outcome.status, ALLOWED, f"{what}: {outcome}")
        if outcome.status != 0:
            self.assertTrue(outcome.err.strip(), f"{what}: says nothing")
            self.assertNotIn("bug of ours", outcome.err, what)
        return outcome

    def check(self, name, what):
        outcome = self.answer(what, "mesh", "info", name)
        if outcome.status == 0:
            self.assertIsNone(re.search(r"\b(nan|inf)\b", outcome.out), f"{what}: {outcome}")
        else:
            self.assertIn(os.path.splitext(name)[0], outcome.err, what)
        return outcome.status

    def test_every_sample_is_fine(self):
        for ending in self.samples():
            self.assertEqual(self.check(f"good.{ending}", ending), 0)

    def test_mutated_files(self):
        chance = random.Random(11)
        statuses = []
        for ending, content in self.samples().items():
            for k in range(PER_FORMAT):
                kind, changed = mutate(chance, content)
                name = f"bad.{ending}"
                self.write(name, changed)
                statuses.append(self.check(name, f"{ending} {k} {kind}"))
        self.assertGreater(statuses.count(2), len(statuses) // 3)

    def test_mutated_tetgen_files(self):
        chance = random.Random(12)
        for k in range(PER_FORMAT):
            node, ele = NODE_FILE.encode(), ELE_FILE.encode()
            if k % 2:
                kind, node = mutate(chance, node)
            else:
                kind, ele = mutate(chance, ele)
            self.write("bad.node", node)
            self.write("bad.ele", ele)
            self.check("bad.ele", f"tetgen {k} {kind}")

    def test_mutated_files_in_a_scene(self):
        chance = random.Random(13)
        scene = beam()
        scene["bodies"][0]["mesh"] = {"file": "bad.msh"}
        self.write("scene.json", scene)
        with open(self.path("box.msh"), "rb") as file:
            binary = file.read()
        self.succeed("mesh", "convert", "box.msh", "-o", "text.msh", "--ascii")
        with open(self.path("text.msh"), "rb") as file:
            text = file.read()
        for k in range(20):
            kind, changed = mutate(chance, binary if k % 2 else text)
            self.write("bad.msh", changed)
            self.answer(f"scene {k} {kind}", "check", "scene.json")

    def test_mutated_files_convert_or_not(self):
        chance = random.Random(14)
        files = self.samples()
        for k in range(20):
            ending = chance.choice(list(files))
            kind, changed = mutate(chance, files[ending])
            self.write(f"bad.{ending}", changed)
            outcome = self.answer(f"{ending} {k} {kind}", "mesh", "convert", f"bad.{ending}",
                                  "-o", "new.vtu")
            if outcome.status == 0:
                self.assertEqual(self.check("new.vtu", f"{ending} {k} {kind}, converted"), 0)
                os.remove(self.path("new.vtu"))
            else:
                self.assertFalse(os.path.exists(self.path("new.vtu")))

    def test_surfaces_that_cannot_be_filled(self):
        good = self.path("cube.off")
        cube = ["OFF", "8 6 0"] + [f"{x} {y} {z}" for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        sides = ["4 0 2 3 1", "4 4 5 7 6", "4 0 1 5 4", "4 2 6 7 3", "4 0 4 6 2", "4 1 3 7 5"]
        self.write("cube.off", "\n".join(cube + sides) + "\n")
        self.succeed("mesh", "fill", good, "--size", 0.5, "-o", "cube.msh")
        self.write("open.off", "\n".join(["OFF", "8 5 0"] + cube[2:] + sides[:5]) + "\n")
        self.refuse(2, "mesh", "fill", "open.off", "--size", 0.5, "-o", "no.msh",
                    words=["open.off"])
        self.refuse(2, "mesh", "fill", good, "--size", -1, "-o", "no.msh")
        self.refuse(2, "mesh", "fill", good, "--size", 1e-9, "-o", "no.msh", words=["1e-09"])
        self.refuse(2, "mesh", "fill", good, "-o", "no.msh", words=["--size"])
        self.refuse(2, "mesh", "fill", "box.msh", "--size", 0.5, "-o", "no.msh", words=["box.msh"])
        self.assertFalse(os.path.exists(self.path("no.msh")))

    def test_inverted_and_flat_elements(self):
        self.write("two.ele", "2 4 0\n1 1 2 3 4\n2 1 2 3 5\n")
        nodes = NODE_FILE.replace("4 3 0 0\n1", "5 3 0 0\n1")
        self.write("two.node", nodes + "5 0 0 -1\n")
        self.refuse(3, "mesh", "info", "two.ele", words=["two.", "inverted"])
        self.write("two.node", nodes + "5 1 1 0\n")
        self.refuse(3, "mesh", "info", "two.ele", words=["two."])
        self.write("all.node", NODE_FILE.replace("4 0 0 1", "4 0 0 -1"))
        self.write("all.ele", ELE_FILE)
        self.assertIn("inside out", self.succeed("mesh", "info", "all.ele").err)


if __name__ == "__main__":
    pliant_cli.main()
