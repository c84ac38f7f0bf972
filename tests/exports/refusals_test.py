"""What `pliant export` refuses, and what it leaves behind."""

import os
import re
import resource

import pliant_cli
from exported import FRAMES, ExportTest
from pliant_cli import limit

KILOBYTE = 1024


class Refusals(ExportTest):
    def formats(self):
        names = re.findall(r"(?m)^(\w+) ", self.succeed("export", "--list").out)
        hidden = [] if os.environ["PLIANT_HDF5"] != "OFF" else ["xdmf"]
        return [name for name in names if name not in hidden]

    def test_every_listed_format_is_written_and_listed_twice(self):
        listed = self.succeed("list", "exports").out
        self.assertGreater(len(self.formats()), 7)
        for name in self.formats():
            self.assertRegex(listed, rf"(?m)^ +{name} ")
            self.succeed("export", self.result, "--to", name, "--out", f"{name}/", "--frames", "0:2")
            self.assertGreater(len(os.listdir(self.path(name))), 0)

    def test_the_default_is_a_folder_inside_the_results(self):
        for name, file in (("glb", "three bodies.glb"), ("stl", "stl/frame_000000.stl")):
            said = self.succeed("export", self.result, "--to", name, "--frames", "0").out
            path = f"{self.result}/export/{file}"
            self.assertTrue(os.path.exists(path))
            self.assertIn("1 frame in 1 file", said)

    def test_wrong_words_are_answered_with_right_ones(self):
        for words, arguments in (
                (['unknown format "gltb"', 'did you mean "glb"'], ("--to", "gltb")),
                (["--to FORMAT", "--list"], ()),
                (['no body "bean"', 'did you mean "beam"'], ("--to", "glb", "--body", "bean")),
                ([f"numbered 0 to {FRAMES - 1}"], ("--to", "glb", "--frames", "17")),
                (["first:end:step"], ("--to", "glb", "--frames", "a:b")),
                (["first:end:step"], ("--to", "glb", "--frames", "1:2:3:4")),
                (["1 or more"], ("--to", "glb", "--frames", "::0")),
                (["names none"], ("--to", "glb", "--frames", "3:3")),
                (["a.obj", "ends in .glb"], ("--to", "glb", "--out", "a.obj")),
                (["a.stl", "ends in .obj"], ("--to", "obj", "--frames", "-1", "--out", "a.stl")),
                (["a.h5", "ends in .ply"], ("--to", "ply", "--frames", "-1", "--out", "a.h5")),
                (['unknown format "usd"', "known: glb, gltf, obj"], ("--to", "usd")),
                (['unknown format "abc"', "known: glb, gltf, obj"], ("--to", "abc")),
                (['unknown format "fbx"', "known: glb, gltf, obj"], ("--to", "fbx")),
                (["a.obj", "one file holds one frame"], ("--to", "obj", "--out", "a.obj"))):
            self.refuse(2, "export", self.result, *arguments, words=words)
        self.refuse(2, "export", "--to", "glb", words=["which result folder"])
        self.refuse(2, "export", "no/such", "--to", "glb", words=["no/such"])
        self.refuse(2, "export", self.folder, "--to", "glb", words=[self.folder])
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_is_there_is_kept_without_force(self):
        for name, out, there in (("glb", "a.glb", "a.glb"), ("gltf", "a.gltf", "a.bin"),
                                 ("mdd", "m.mdd", "m.obj"), ("ply", "ply", "ply/frame_000004.ply")):
            os.makedirs(os.path.dirname(self.path(there)), exist_ok=True)
            self.write(there, "precious")
            command = ("export", self.result, "--to", name, "--out", out, "--frames", "0:2")
            self.refuse(2, *command, words=[there, "--force"])
            with open(self.path(there)) as file:
                self.assertEqual(file.read(), "precious")
            self.succeed(*command, "--force")
        # Frames of a longer export would be taken for a part of this one.
        self.assertEqual(sorted(os.listdir(self.path("ply"))),
                         ["frame_000000.ply", "frame_000001.ply"])

    def test_a_disk_that_is_full(self):
        for name in self.formats():
            size = 2 * KILOBYTE if name in ("obj", "ply", "stl", "vtk") else 8 * KILOBYTE
            self.refuse(5, "export", self.result, "--to", name, "--out", f"{name}/",
                        words=["cannot be written"], before=limit(resource.RLIMIT_FSIZE, size))
            left = os.listdir(self.path(name))
            self.assertEqual([file for file in left if "partial" in file], [], name)
            self.assertNotIn(f"three bodies.{name}", left)


if __name__ == "__main__":
    pliant_cli.main()
