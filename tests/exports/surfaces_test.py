"""Surfaces and vertex caches, read by meshio, VTK and Assimp, or by the few lines that describe the
format; positions are those of the frames."""

import os
import re
import struct
import subprocess

import meshio
import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

import pliant_cli
from exported import BODIES, FRAMES, ExportTest

NAMES = [f"frame_{k:06}" for k in range(FRAMES)]


def polygons(reader, path):
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


class Surfaces(ExportTest):
    def check_names(self, folder, extension):
        self.assertEqual(sorted(os.listdir(folder)), [name + extension for name in NAMES])

    def volume(self, points, triangles):
        a, b, c = (points[triangles[:, i]] for i in range(3))
        return (a * numpy.cross(b, c)).sum() / 6

    def test_obj_holds_all_digits(self):
        folder = self.export("obj", out="obj")
        self.check_names(folder, ".obj")
        self.assertGreater(self.moved(), 0.01)
        places = None
        for k, name in enumerate(NAMES):
            mesh = meshio.read(f"{folder}/{name}.obj")
            if places is None:
                places = self.places_of(mesh.points, tolerance=1e-15)
            numpy.testing.assert_array_equal(mesh.points, self.points[k][places])
        # Closed and facing outwards: 4 m³ of beam, 1 m³ of block and less than a ball of 4.19 m³.
        volume = self.volume(meshio.read(f"{folder}/{NAMES[0]}.obj").points, mesh.cells_dict["triangle"])
        self.assertGreater(volume, 4 + 1 + 2.5)
        self.assertLess(volume, 4 + 1 + 4.19)
        with open(f"{folder}/{NAMES[0]}.obj") as file:
            self.assertEqual(re.findall(r"(?m)^g (.*)$", file.read()), list(BODIES))

    def test_ply_carries_velocity_and_stress(self):
        folder = self.export("ply", out="ply")
        self.check_names(folder, ".ply")
        for k, name in enumerate(NAMES):
            mesh = meshio.read(f"{folder}/{name}.ply")
            if k == 0:
                places = self.places_of(mesh.points)
            numpy.testing.assert_array_equal(mesh.points, self.points[k][places].astype("f4"))
            velocity = numpy.array(self.frames[k]["velocity"]).reshape(-1, 3)[places]
            for i, axis in enumerate(("vx", "vy", "vz")):
                numpy.testing.assert_array_equal(mesh.point_data[axis], velocity[:, i].astype("f4"))
            numpy.testing.assert_allclose(mesh.point_data["von_mises"],
                                          self.mean_stress(k)[places], rtol=1e-6)
        self.assertGreater(mesh.point_data["von_mises"].max(), 1)
        self.assertEqual(polygons(vtk.vtkPLYReader(), f"{folder}/{NAMES[0]}.ply").GetNumberOfPoints(),
                         len(mesh.points))

    def mean_stress(self, k):
        """Of the cells around each point, from the frame's own cells."""
        frame = self.frames[k]
        ends = list(frame["offsets"])
        cells = numpy.split(numpy.array(frame["connectivity"]), ends[:-1])
        total, count = numpy.zeros(len(self.points[k])), numpy.zeros(len(self.points[k]))
        for stress, nodes in zip(frame["von_mises"], cells):
            total[nodes] += stress
            count[nodes] += 1
        return total / count

    def test_stl_holds_every_triangle(self):
        folder = self.export("stl", out="stl")
        self.check_names(folder, ".stl")
        path = self.export("stl", "--frames", "2", out="one.stl")
        with open(path, "rb") as one, open(f"{folder}/{NAMES[2]}.stl", "rb") as same:
            self.assertEqual(one.read(), same.read())
        grid = polygons(vtk.vtkSTLReader(), path)
        corners = vtk_to_numpy(grid.GetPoints().GetData())
        known = {tuple(point) for point in self.points[2].astype("f4")}
        self.assertEqual({tuple(point) for point in corners} - known, set())
        obj = meshio.read(self.export("obj", "--frames", "2", out="one.obj"))
        self.assertEqual(grid.GetNumberOfCells(), len(obj.cells_dict["triangle"]))

    def test_assimp_reads_them(self):
        for kind in ("obj", "ply", "stl"):
            path = self.export(kind, "--frames", "0", "--body", "beam", out=f"one.{kind}")
            said = subprocess.run(["assimp", "info", path], capture_output=True, text=True, check=True).stdout
            # 4 × 2 × 2 cells have 40 quadrilaterals outside.
            self.assertRegex(said, r"Faces: +80\n", kind)

    def test_mdd_is_big_endian_times_and_positions(self):
        path = self.export("mdd", out="a.mdd")
        with open(path, "rb") as file:
            data = file.read()
        rest = meshio.read(self.path("a.obj"))
        frames, points = struct.unpack_from(">ii", data)
        self.assertEqual((frames, points), (FRAMES, len(rest.points)))
        times = struct.unpack_from(f">{frames}f", data, 8)
        numpy.testing.assert_allclose(times, self.times, rtol=1e-6)
        self.assertEqual(len(data), 8 + 4 * frames + 12 * frames * points)
        self.check_cache(struct.unpack_from(f">{3 * frames * points}f", data, 8 + 4 * frames), rest)

    def test_pc2_is_little_endian_positions(self):
        path = self.export("pc2", "--frames", "::2", out="a.pc2")
        with open(path, "rb") as file:
            data = file.read()
        rest = meshio.read(self.path("a.obj"))
        sign, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
        self.assertEqual((sign, version, start, rate), (b"POINTCACHE2\0", 1, 0, 1))
        self.assertEqual((points, samples), (len(rest.points), 3))
        self.assertEqual(len(data), 32 + 12 * samples * points)
        self.check_cache(struct.unpack_from(f"<{3 * samples * points}f", data, 32), rest, step=2)

    def check_cache(self, numbers, rest, step=1):
        """The cache moves the vertices of the .obj, in their order."""
        places = self.places_of(rest.points, tolerance=1e-15)
        for positions, points in zip(numpy.array(numbers).reshape(-1, len(places), 3),
                                     self.points[::step]):
            numpy.testing.assert_array_equal(positions, points[places].astype("f4"))


if __name__ == "__main__":
    pliant_cli.main()
