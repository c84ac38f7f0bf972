"""Creatures from closed surfaces: filled with tetrahedra, held by their feet, and dropped into motion.

Takes the folder of meshes (tools/get_meshes.sh) from the environment as PLIANT_MESHES; without it the
armadillo of Debian's libcgal-demo alone is meshed, coarsely."""

import os
import re
import tarfile

import pliant_cli
from pliant_cli import history

ARCHIVE = "/usr/share/doc/libcgal-demo/data.tar.gz"


class Creatures(pliant_cli.ProgramTest):
    def surfaces(self):
        folder = os.environ.get("PLIANT_MESHES")
        if folder:
            return {name: os.path.join(folder, name) for name in ("armadillo.off", "bunny.obj")}
        with tarfile.open(ARCHIVE) as archive:
            member = next(m for m in archive if m.name.endswith("/armadillo.off"))
            data = archive.extractfile(member).read()
        return {"armadillo.off": self.write("armadillo.off", data)}

    def fill(self, surface, tets):
        self.succeed("mesh", "fill", surface, "--tets", tets, "-o", "creature.vtu", timeout=300)
        return self.succeed("mesh", "info", "creature.vtu").out

    def check_creature(self, surface, tets):
        info = self.fill(surface, tets)
        count = int(re.search(r"tet4\s+(\d+)", info).group(1))
        self.assertAlmostEqual(count / tets, 1, delta=0.2)
        smallest = float(re.search(r"dihedral\s+([\d.]+)", info).group(1))
        self.assertGreater(smallest, 5, info)
        low, high = (list(map(float, part.split(","))) for part in
                     re.search(r"box\s+\[(.*?)\] to \[(.*?)\]", info).groups())
        size = max(h - l for l, h in zip(low, high))
        feet = low[1] + 0.05 * (high[1] - low[1])
        scene = {"time": {"dt": 0.005, "duration": 0.05, "output_dt": 0.05}, "integrator": "sdirk2",
                 "gravity": [0, -9.81 * size, 0],
                 "materials": {"jelly": {"model": "stable-neo-hookean", "young": 2e5 * size * size,
                                         "poisson": 0.45, "density": 1000}},
                 "bodies": [{"name": "creature", "material": "jelly", "mesh": {"file": "creature.vtu"},
                             "pin": [{"plane": {"point": [0, feet, 0], "normal": [0, -1, 0]}}]}]}
        rows = history(self.run_scene(scene, timeout=300))
        self.assertEqual(len(rows), 11)
        # It begins to sink: what gravity gives goes into motion and strain, and next to nothing is lost.
        self.assertLess(float(rows[-1]["external"]), 0)
        self.assertGreater(float(rows[-1]["kinetic"]), 0)
        self.assertLess(abs(float(rows[-1]["total"])), 0.05 * abs(float(rows[-1]["external"])))
        self.assertGreater(float(rows[-1]["min_det"]), 0)

    def test_a_creature_is_filled_and_moves(self):
        sizes = (5000, 50000) if os.environ.get("PLIANT_MESHES") else (5000,)
        for name, surface in self.surfaces().items():
            for tets in sizes:
                with self.subTest(name=name, tets=tets):
                    self.check_creature(surface, tets)


if __name__ == "__main__":
    pliant_cli.main()
