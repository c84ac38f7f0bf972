"""Volumes, read by VTK, meshio and h5py: cells, positions and values are those of the frames, bit
for bit."""

import os

import h5py
import meshio
import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

import exported
import pliant_cli
from exported import FRAMES, ExportTest
from pliant_cli import read_frame

# The numbers of cells in a mixed topology, by the XDMF specification: VTK's number and nodes.
MIXED = {6: (10, 4), 9: (12, 8), 0x26: (24, 10)}


def unmixed(topology):
    """The cells of a mixed topology, each VTK's type and its points."""
    cells, at = [], 0
    while at < len(topology):
        kind, nodes = MIXED[topology[at]]
        cells.append((kind, *topology[at + 1:at + 1 + nodes]))
        at += 1 + nodes
    return cells


class Volumes(ExportTest):
    def cells_of(self, k):
        """The cells of a frame as sets of (type, points) with their stress and body."""
        frame = self.frames[k]
        cells = numpy.split(numpy.array(frame["connectivity"]), frame["offsets"][:-1])
        return {(kind, *nodes): (stress, body) for kind, nodes, stress, body in
                zip(frame["types"], cells, frame["von_mises"], frame["body"])}

    def test_legacy_files_by_vtk_itself(self):
        folder = self.export("vtk", out="vtk")
        self.assertEqual(sorted(os.listdir(folder)),
                         [f"frame_{k:06}.vtk" for k in range(FRAMES)] + ["frames.vtk.series"])
        self.assertGreater(self.moved(), 0.01)
        for k in range(FRAMES):
            reader = vtk.vtkUnstructuredGridReader()
            reader.SetFileName(f"{folder}/frame_{k:06}.vtk")
            reader.ReadAllScalarsOn()
            reader.ReadAllVectorsOn()
            reader.Update()
            grid = reader.GetOutput()
            numpy.testing.assert_array_equal(vtk_to_numpy(grid.GetPoints().GetData()),
                                             self.points[k])
            velocity = vtk_to_numpy(grid.GetPointData().GetArray("velocity"))
            numpy.testing.assert_array_equal(velocity.ravel(), self.frames[k]["velocity"])
            values = {name: vtk_to_numpy(grid.GetCellData().GetArray(name))
                      for name in ("von_mises", "body", "det_F")}
            found = {}
            for c in range(grid.GetNumberOfCells()):
                ids = grid.GetCell(c).GetPointIds()
                nodes = [ids.GetId(i) for i in range(ids.GetNumberOfIds())]
                found[(grid.GetCellType(c), *nodes)] = (values["von_mises"][c], values["body"][c])
            self.assertEqual(found, self.cells_of(k))
            self.assertGreater(values["det_F"].min(), 0.5)
            self.assertEqual(grid.GetFieldData().GetArray("TIME").GetValue(0), self.times[k])

    def test_legacy_files_by_meshio(self):
        folder = self.export("vtk", out="vtk")
        mesh = meshio.read(f"{folder}/frame_000003.vtk")
        numpy.testing.assert_array_equal(mesh.points, self.points[3])
        self.assertEqual(sum(len(block.data) for block in mesh.cells), len(self.cells_of(3)))

    def check_series(self, path, expected):
        """The light data: its times, and a reader that is not ours for those cells it knows."""
        with meshio.xdmf.TimeSeriesReader(path) as reader:
            points, cells = reader.read_points_cells()  # of the first frame
            times = [reader.read_data(k)[0] for k in range(reader.num_steps)]
            stress = [reader.read_data(k)[2]["von_mises"] for k in range(reader.num_steps)]
        self.assertEqual(times, expected)
        return points, cells, stress

    def test_xdmf_of_mixed_cells(self):
        if not self.has_xdmf():
            return
        self.export("xdmf", out="a.xdmf")
        with h5py.File(self.path("a.h5")) as file:
            self.check_storage(file)
            topology, body = list(file["cells/topology"]), file["cells/body"][:]
            for k in range(FRAMES):
                group = file[f"frame_{k:06}"]
                numpy.testing.assert_array_equal(group["points"], self.points[k])
                numpy.testing.assert_array_equal(group["velocity"][:].ravel(),
                                                 self.frames[k]["velocity"])
                values = zip(group["von_mises"], body)
                self.assertEqual(dict(zip(unmixed(topology), values)), self.cells_of(k))

    def test_xdmf_of_mixed_cells_by_meshio(self):
        if not self.has_xdmf():
            return
        two = exported.scene()
        two["bodies"].pop()  # meshio does not know tet10 among mixed cells
        folder = self.run_scene(two)
        self.succeed("export", folder, "--to", "xdmf", "--out", "two.xdmf")
        _, cells, stress = self.check_series(self.path("two.xdmf"), self.times)
        last = read_frame(f"{folder}/frames/frame_{FRAMES - 1:06}.vtu")
        self.assertEqual({block.type: len(block.data) for block in cells},
                         {"hexahedron": 16, "tetra": last["types"].count(10)})
        self.assertEqual(sorted(numpy.concatenate(stress[-1])), sorted(last["von_mises"]))

    def test_xdmf_of_one_body(self):
        if not self.has_xdmf():
            return
        path = self.export("xdmf", "--body", "beam", "--frames", "-2:", out="b.xdmf")
        points, [block], _ = self.check_series(path, self.times[-2:])
        self.assertEqual((block.type, len(block.data)), ("hexahedron", 16))
        # The beam comes first among the points; 4 × 2 × 2 cells of 5 × 3 × 3 points.
        numpy.testing.assert_array_equal(points, self.points[-2][:45])

    def has_xdmf(self):
        """Whether it is built; where it is not, it says so."""
        if os.environ["PLIANT_HDF5"] == "OFF":
            self.refuse(2, "export", self.result, "--to", "xdmf", words=["PLIANT_HDF5"])
        return os.environ["PLIANT_HDF5"] != "OFF"

    def check_storage(self, file):
        self.assertEqual(sorted(file), ["cells"] + [f"frame_{k:06}" for k in range(FRAMES)])
        points = file["frame_000000/points"]
        self.assertEqual((points.compression, points.dtype), ("gzip", numpy.float64))
        self.assertIsNotNone(points.chunks)


if __name__ == "__main__":
    pliant_cli.main()
