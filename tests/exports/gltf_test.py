"""Animated glTF: valid for the Khronos Group's validator, read by Assimp, and at the time of each
frame the positions of that frame."""

import json
import os
import struct
import subprocess

import numpy

import pliant_cli
from exported import BODIES, FRAMES, ExportTest

KINDS = {5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3}


def read_glb(path):
    """The JSON and the buffer of a .glb file (glTF 2.0, section 4)."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON" and size % 4 == 0
    size_bin, kind_bin = struct.unpack_from("<I4s", data, 20 + size)
    assert kind_bin == b"BIN\0" and 28 + size + size_bin == len(data)
    return json.loads(data[20:20 + size]), data[28 + size:]


def read_accessor(document, buffer, number):
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    width = WIDTHS[accessor["type"]]
    values = numpy.frombuffer(buffer, KINDS[accessor["componentType"]], accessor["count"] * width,
                              view["byteOffset"] + accessor["byteOffset"])
    return values.reshape(-1, width).astype(float)


class Gltf(ExportTest):
    def validate(self, path):
        run = subprocess.run(["node", os.environ["PLIANT_GLTF_VALIDATOR"], path],
                             capture_output=True, text=True, check=True)
        report = json.loads(run.stdout)
        counts = report["issues"]
        self.assertEqual((counts["numErrors"], counts["numWarnings"]), (0, 0), counts)
        return report["info"]

    def test_files_are_valid(self):
        for name, arguments in (("a.glb", ()), ("one.glb", ("--frames", "-1")),
                                ("part.glb", ("--frames", "1::2", "--body", "ball 2"))):
            info = self.validate(self.export("glb", *arguments, out=name))
            self.assertEqual(info["hasMorphTargets"], name != "one.glb")
            self.assertEqual(info["animationCount"], 0 if name == "one.glb" else 1)
        info = self.validate(self.export("gltf", out="with blanks.gltf"))
        self.assertEqual(info["totalVertexCount"], self.validate(self.path("a.glb"))["totalVertexCount"])

    def test_at_each_time_the_points_are_those_of_the_frame(self):
        document, buffer = read_glb(self.export("glb", out="a.glb"))
        self.assertGreater(self.moved(), 0.01)
        [animation] = document["animations"]
        [sampler] = animation["samplers"]
        times = read_accessor(document, buffer, sampler["input"])[:, 0]
        numpy.testing.assert_allclose(times, self.times, rtol=1e-6)
        weights = read_accessor(document, buffer, sampler["output"]).reshape(FRAMES, FRAMES - 1)
        self.assertEqual([mesh["name"] for mesh in document["meshes"]], list(BODIES))
        for mesh in document["meshes"]:
            [primitive] = mesh["primitives"]
            base = read_accessor(document, buffer, primitive["attributes"]["POSITION"])
            targets = [read_accessor(document, buffer, target["POSITION"])
                       for target in primitive["targets"]]
            places = self.places_of(base)
            for k in range(FRAMES):
                shown = base + sum(w * target for w, target in zip(weights[k], targets))
                # Two roundings to single precision of coordinates below 10 m.
                numpy.testing.assert_allclose(shown, self.points[k][places], atol=1e-6)

    def test_normals_point_outwards_and_follow_the_motion(self):
        document, buffer = read_glb(self.export("glb", "--body", "ball 2", out="a.glb"))
        [primitive] = document["meshes"][0]["primitives"]
        normals = read_accessor(document, buffer, primitive["attributes"]["NORMAL"])
        normals += read_accessor(document, buffer, primitive["targets"][-1]["NORMAL"])
        places = self.places_of(
            read_accessor(document, buffer, primitive["attributes"]["POSITION"]))
        points = self.points[-1][places]
        outwards = points - points.mean(axis=0)
        outwards /= numpy.linalg.norm(outwards, axis=1)[:, None]
        # A coarse ball: vertex normals are off by less than its facets are, 30 degrees or so.
        self.assertGreater((normals * outwards).sum(axis=1).min(), numpy.cos(numpy.radians(35)))

    def test_assimp_reads_it(self):
        path = self.export("glb", out="a.glb")
        said = subprocess.run(["assimp", "info", path], capture_output=True, text=True, check=True).stdout
        self.assertRegex(said, r"Meshes: +3\n")
        self.assertRegex(said, r"Materials: +[3-9]\n")
        for name in BODIES:
            self.assertIn(name, said)


if __name__ == "__main__":
    pliant_cli.main()
