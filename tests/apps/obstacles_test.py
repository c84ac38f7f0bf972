"""Obstacles in result folders, starts that intersect, and the force of contact, as users meet them.
Files are read back by VTK."""

import glob
import json
import math
import os

import vtk
from vtk.util.numpy_support import vtk_to_numpy

import pliant_cli


def cube(name="cube", y=0.5, **more):
    return {"name": name, "mesh": {"box": {"size": [1, 1, 1], "cells": [2, 2, 2], "element": "hex8"}},
            "material": "soft", "transform": {"translate": [0, y, 0]}, **more}


FLOOR = {"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}


def scene(bodies, obstacles=(FLOOR,), duration=0.02, dt=0.01, **more):
    contact = {"method": "barrier", **more.pop("contact", {})}
    return {"name": "obstacles", "time": {"dt": dt, "duration": duration, "output_dt": dt}, "integrator": "be",
            "materials": {"soft": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.3, "density": 100}},
            "bodies": bodies, "contact": contact, "obstacles": list(obstacles), **more}


def read(path):
    reader = vtk.vtkXMLPolyDataReader() if path.endswith(".vtp") else vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def points(data):
    return vtk_to_numpy(data.GetPoints().GetData())


class Obstacles(pliant_cli.ProgramTest):
    def test_contact_within_admm_takes_obstacles_and_names_what_it_does_not_take(self):
        admm = {"solver": {"type": "admm"}, "contact": {"method": "admm", "self": False}}
        out = self.run_scene(scene([cube(y=0.55)], duration=0.3, **admm))
        self.assertGreater(points(read(sorted(glob.glob(f"{out}/frames/*.vtu"))[-1]))[:, 1].min(), 0)

        def refused(words, bodies=None, **changes):
            made = scene(bodies or [cube(y=0.6)], **{**admm, **changes})
            self.write("scene.json", made)
            self.refuse(2, "check", "scene.json", words=words)

        refused(["/contact/self", "newton"], contact={"method": "admm"})
        refused(["/contact/groups", "\"top\"", "newton"], [cube(y=0.6), cube("top", y=2)])
        refused(["needs solver admm", "barrier"], solver={"type": "newton"})
        refused(["midpoint", "trbdf2"], integrator="midpoint")

    def test_what_is_pinned_is_not_pushed_through_anything_by_any_method(self):
        rising = dict(FLOOR, motion={"velocity": [0, 1, 0]})
        pinned = cube(y=0.51, pin=[{"box": {"min": [-1, -1, -1], "max": [1, 0.1, 1]}}])
        everywhere = {"box": {"min": [-9, -9, -9], "max": [9, 9, 9]}}
        other = cube("other", y=-0.51, pin=[everywhere])
        driven = cube(y=0.51, pin=[{**everywhere, "motion": {"velocity": [0, -1, 0]}}])
        for method in ("barrier", "qp", "unilateral", "admm"):
            contact = {"method": method, **({"self": False} if method == "admm" else {})}
            solver = {"solver": {"type": "admm"}} if method == "admm" else {}
            self.write("scene.json", scene([pinned], [rising], duration=0.1, contact=contact, **solver))
            self.refuse(4, "run", "scene.json", "--out", f"out-{method}", words=['"cube"', '"floor"'])
            if method != "admm":  # under which bodies do not meet
                self.write("scene.json", scene([driven, other], [], duration=0.1, contact=contact))
                self.refuse(4, "run", "scene.json", "--out", f"two-{method}", words=['"cube"', '"other"'])

    def test_obstacles_that_contact_cannot_meet_are_named(self):
        def refused(shape, words):
            self.write("scene.json", scene([cube(y=0.6)], [{"name": "it", **shape}]))
            self.refuse(2, "check", "scene.json", words=["#/obstacles/0", *words])

        self.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 2 0 0\nf 1 3 2\nf 1 2 4\n")
        refused({"mesh": "flat.obj"}, ["flat.obj", "triangle 1", "no area"])
        refused({"mesh": "none.obj"}, ["none.obj", "does not exist", self.folder])
        refused({"mesh": "."}, ["is a folder"])
        refused({"box": {"center": [0, -5e15, 0], "size": [1e16, 1e16, 1e16]}}, ["a plane has no size"])
        refused({"sphere": {"center": [0, -1e16, 0], "radius": 1e16}}, ["2e+16 m"])
        far = dict(FLOOR, plane={"point": [0, 0, 0], "normal": [0, 1e300, 0]})  # any length but zero
        self.write("scene.json", scene([cube(y=0.6)], [far]))
        self.succeed("check", "scene.json")

    def test_what_begins_inside_of_something_solid_is_said(self):
        small = {"name": "small", "material": "soft", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}}}
        big = {"center": [0, 0, 0], "size": [3, 3, 3]}
        for bodies, obstacles, words in (
                ([cube(y=0), small], [], '"small" begins inside of "cube"'),
                ([cube(y=0)], [dict(FLOOR, plane={"point": [0, -9, 0], "normal": [0, 1, 0]}), {"name": "block", "box": big}],
                 '"cube" begins inside of "block"'),
                ([cube(y=0)], [{"name": "ball", "sphere": {"center": [0, 0, 0], "radius": 0.1}}],
                 '"ball" begins inside of "cube"'),
                ([cube(y=0.6)], [FLOOR], None)):
            self.write("scene.json", scene(bodies, obstacles))
            said = self.succeed("check", "scene.json")
            self.assertIn(words or "", said.out + said.err)
            self.assertEqual("inside" in said.out + said.err, words is not None)

    def test_what_is_said_twice_or_does_nothing_is_named(self):
        def refused(words, **contact):
            self.write("scene.json", scene([cube(y=0.6)], contact=contact))
            self.refuse(2, "check", "scene.json", words=words)

        rubs = {"a": "cube", "b": "floor", "friction": 0.1}
        refused(["/contact/pairs/1", "already"], pairs=[rubs, {"a": "floor", "b": "cube", "friction": 5}])
        refused(["/contact/pairs/0", "obstacle"], pairs=[{"a": "floor", "b": "floor", "friction": 1}])
        refused(["/contact/groups/0/1", "already"], groups=[["cube", "cube"]])
        refused(["/contact/restitution"], method="qp", restitution=1)
        self.write("scene.json", scene([cube(y=0.6)], contact={"pairs": [rubs], "groups": [["cube", "floor"]]}))
        self.succeed("check", "scene.json")

    def test_the_summary_has_the_smallest_gap_of_the_run(self):
        out = self.run_scene(scene([cube(y=0.55)], duration=0.3))
        gaps = [float(row["min_gap"]) for row in pliant_cli.history(out)]
        self.assertEqual(pliant_cli.summary(out)["smallest_gap"], min(gaps))
        self.assertLess(min(gaps), gaps[0])

    def test_obstacles_at_rest_are_one_file_and_moving_ones_one_per_frame(self):
        ball = {"name": "ball", "sphere": {"center": [3, 1, 0], "radius": 0.5}}
        out = self.run_scene(scene([cube(y=0.6)], [FLOOR, ball]))
        files = glob.glob(f"{out}/obstacles/*.vtp")
        self.assertEqual([os.path.basename(f) for f in files], ["obstacles_000000.vtp"])
        drawn = read(files[0])
        which = vtk_to_numpy(drawn.GetCellData().GetArray("obstacle"))
        self.assertEqual(set(which), {0, 1})
        self.assertTrue(os.path.exists(f"{out}/obstacles.pvd"))

        moving = dict(ball, motion={"velocity": [2, 0, 0]})
        out = self.run_scene(scene([cube(y=0.6)], [FLOOR, moving]))
        self.assertEqual(len(glob.glob(f"{out}/obstacles/*.vtp")), 3)
        first, last = (points(read(f"{out}/obstacles/obstacles_00000{k}.vtp")) for k in (0, 2))
        way = (last - first)[4:]  # behind the floor's four points
        self.assertLess(abs(way - [2 * 0.02, 0, 0]).max(), 1e-12)

    def test_obstacles_do_not_count_as_nodes_of_bodies(self):
        path = self.write("scene.json", scene([cube(y=0.6)]))
        self.assertIn("27 nodes", self.succeed("check", path).out)
        out = self.run_scene(scene([cube(y=0.6)]))
        with open(f"{out}/summary.json") as file:
            self.assertEqual(json.load(file)["nodes"], 27)

    def test_a_start_that_intersects_is_told_by_pair_place_and_depth(self):
        path = self.write("scene.json", scene([cube("low", 0.45), cube("high", 1.4)]))
        words = ('2 pairs', '"low" and "floor" intersect, 0.05 m deep', '"high"', 'allow_initial_intersections',
                 "intersections.vtp")
        self.refuse(3, "run", path, "--out", "bad", "--quiet", words=words)
        self.assertEqual([n for n in os.listdir(self.path("bad"))], ["intersections.vtp"])
        found = read(self.path("bad", "intersections.vtp"))
        self.assertGreater(found.GetNumberOfPolys(), 8)
        body = vtk_to_numpy(found.GetCellData().GetArray("body"))
        pair = vtk_to_numpy(found.GetCellData().GetArray("pair"))
        self.assertEqual(set(body), {0, 1})
        self.assertEqual(set(pair), {0, 1})
        # Nothing but the lower cube meets the floor: the triangles around its lower points.
        floor = max(set(pair), key=lambda k: (body[pair == k] == 0).all())
        corners = points(found).reshape(-1, 3, 3)[pair == floor]
        self.assertLess(corners[:, :, 1].min(axis=1).max(), 0)
        # The folder is as good as empty for the next run.
        self.succeed("run", self.write("scene.json", scene([cube(y=0.6)])), "--out", "bad", "--quiet")
        self.assertFalse(os.path.exists(self.path("bad", "intersections.vtp")))
        self.refuse(3, "check", self.write("scene.json", scene([cube(y=0.45)])), words=("0.05 m deep",))
        self.refuse(3, "check", self.path("scene.json"), "--out", "why", words=("why/intersections.vtp",))
        self.assertTrue(os.path.exists(self.path("why", "intersections.vtp")))

    def test_a_cube_that_stands_exactly_on_the_floor_runs_where_it_may_be_lifted(self):
        standing = scene([cube(y=0.5), cube("on top", y=1.5)])
        self.refuse(3, "run", self.write("scene.json", standing), "--out", "no", "--quiet",
                    words=("touch", "allow_initial_intersections"))
        standing["contact"]["allow_initial_intersections"] = True
        out = self.run_scene(standing, out="yes")
        with open(f"{out}/summary.json") as file:
            summary = json.load(file)
        self.assertEqual(summary["status"], "done")
        self.assertIn('"cube" by', summary["notes"][0])
        with open(f"{out}/log.jsonl") as file:
            self.assertIn("moved apart", file.read())
        gaps = [float(row["min_gap"]) for row in pliant_cli.history(out) if row["min_gap"]]
        self.assertGreater(min(gaps), 0)
        # Both cubes went up, undeformed, by about the activation distance.
        start = points(read(f"{out}/frames/frame_000000.vtu"))
        delta = 1e-3 * math.sqrt(1 + 4 + 1)
        self.assertGreater(start[:, 1].min(), 0)
        self.assertLess(start[:, 1].min(), 2 * delta)
        self.assertAlmostEqual(start[:27, 1].max() - start[:27, 1].min(), 1, places=12)

    def test_what_cannot_be_moved_apart_is_refused(self):
        deep = scene([cube("a", 1), cube("b", 1.4)], contact={"allow_initial_intersections": True})
        self.refuse(3, "run", self.write("scene.json", deep), "--out", "no", "--quiet",
                    words=('"a" and "b"', "could not be moved apart"))

    def test_moving_apart_is_advised_only_where_it_succeeds(self):
        advice = '"allow_initial_intersections": true'
        shallow = self.refuse(3, "check", self.write("scene.json", scene([cube(y=0.45)])), words=(advice,))
        deep = self.refuse(3, "check", self.write("scene.json", scene([cube(y=0.1)])), words=("place them apart", "a tenth"))
        self.assertNotIn(advice, deep.err)
        self.assertNotIn("place them apart", shallow.err)

    def test_a_formula_is_an_obstacle_that_holds(self):
        bowl = {"name": "bowl", "implicit": "y - 0.3*(x^2 + z^2)", "bounds": {"min": [-2, -1, -2], "max": [2, 1.5, 2]},
                "size": 0.25}
        out = self.run_scene(scene([cube(y=0.9)], [bowl], duration=0.6, dt=0.02))
        drawn = read(f"{out}/obstacles/obstacles_000000.vtp")
        edges = vtk.vtkFeatureEdges()
        edges.SetInputData(drawn)
        edges.FeatureEdgesOff()
        edges.Update()
        self.assertEqual(edges.GetOutput().GetNumberOfCells(), 0)  # neither open nor manifold twice
        last = read(sorted(glob.glob(f"{out}/frames/*.vtu"))[-1])
        inside = vtk.vtkSelectEnclosedPoints()
        inside.SetInputData(last)
        inside.SetSurfaceData(drawn)
        inside.Update()
        for k in range(last.GetNumberOfPoints()):
            self.assertEqual(inside.IsInside(k), 0, k)
        self.assertLess(points(last)[:, 1].mean(), 0.9)
        self.refuse(2, "check", self.write("scene.json", scene([cube(y=0.9)], [dict(bowl, implicit="1 + x^2")])),
                    words=("/obstacles/0/implicit", "nowhere negative"))

    def test_the_force_on_a_body_at_rest_is_its_weight(self):
        resting = scene([cube(damping=[{"model": "rayleigh", "alpha": 20, "beta": 0.01}])], duration=2, dt=0.02,
                        contact={"allow_initial_intersections": True},
                        probes=[{"name": "push", "force_on": "cube"}])
        out = self.run_scene(resting)
        row = pliant_cli.history(out)[-1]
        weight = 100 * 9.81
        self.assertAlmostEqual(float(row["push.y"]) / weight, 1, delta=1e-3)  # what still moves
        self.assertLess(abs(float(row["push.x"])) + abs(float(row["push.z"])), 1e-3 * weight)
        last = read(sorted(glob.glob(f"{out}/frames/*.vtu"))[-1])
        force = vtk_to_numpy(last.GetPointData().GetArray("contact_force"))
        self.assertAlmostEqual(force[:, 1].sum(), float(row["push.y"]), delta=1e-9 * weight)
        # Only the points at the floor are pushed.
        self.assertEqual(abs(force[points(last)[:, 1] > 0.4]).max(), 0)

    def test_without_contact_the_force_is_zero(self):
        free = scene([cube()], [], probes=[{"name": "push", "force_on": "cube"}])
        del free["contact"]
        out = self.run_scene(free)
        self.assertEqual({float(row["push.y"]) for row in pliant_cli.history(out)}, {0.0})
        self.assertIsNone(read(f"{out}/frames/frame_000000.vtu").GetPointData().GetArray("contact_force"))


if __name__ == "__main__":
    pliant_cli.main()
