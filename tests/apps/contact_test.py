"""Contact where several things happen in one scene: what goes on far away changes nothing."""

import struct

import pliant_cli

SOFT = {"m": {"model": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000}}


def solid(name, size, at, **more):
    return {"name": name, "material": "m", "mesh": {"box": {"size": size, "cells": [1, 1, 1]}},
            "transform": {"translate": at}, **more}


def rigid(name, at, **more):
    return {"name": name, "type": "rigid", "mesh": {"box": {"size": [0.3, 0.1, 0.1], "cells": [1, 1, 1]}},
            "density": 1000, "transform": {"translate": at}, **more}


def plane(height):
    return {"name": "floor", "plane": {"point": [0, height, 0], "normal": [0, 1, 0]}}


def scene(bodies, obstacles, contact, dt=0.01, duration=0.5, integrator="be", **more):
    return {"name": "contact", "time": {"dt": dt, "duration": duration, "output_dt": 0.1}, "integrator": integrator,
            "materials": SOFT, "bodies": bodies, "obstacles": obstacles, "contact": contact, **more}


class FarAway(pliant_cli.ProgramTest):
    def test_edges_cross_nothing_while_a_pinned_body_closes_in_on_an_obstacle(self):
        # A bar falls across another, edge on edge; 5 m away something prescribed is near a floor and comes nearer.
        for method in ("qp", "unilateral"):
            bars = [solid("low", [0.1, 0.1, 1.0], [0, 0.5, 0], pin=[{"all": True}]),
                    solid("up", [1.0, 0.1, 0.1], [0, 0.9, 0])]
            press = solid("press", [0.2, 0.2, 0.2], [5, -4.891, 0],
                          pin=[{"all": True, "motion": {"velocity": [0, -0.005, 0]}}])
            ends = []
            for bodies in (bars, bars + [press]):
                rows = self.probed_rows(scene(bodies, [plane(-5)], {"method": method, "distance": 0.01}), p=("up", (0, 0.9, 0)))
                ends.append(self.place(rows[-1])[1])
            self.assertGreater(ends[0], 0.59)
            self.assertAlmostEqual(ends[1], ends[0], delta=1e-6)

    def test_a_limit_that_is_left_does_not_pull_while_something_else_rests(self):
        # An arm rests on the limit of its hinge until a force lifts it.
        lifted = {}
        for integrator in ("be", "bdf2"):
            arm = rigid("arm", [0.2, 2, 0])
            value = scene([arm, rigid("box", [3, 0.2, 0])], [plane(0)], {"method": "unilateral"}, dt=0.005, duration=0.8,
                          integrator=integrator)
            value["constraints"] = [{"type": "hinge", "between": ["arm", [0, 2, 0], "world", [0, 2, 0]],
                                     "axis": [0, 0, 1], "limits": [0, 1.5]}]
            value["forces"] = [{"point": {"body": "arm", "all": True,
                                          "curve": [[0, 0, 0, 0], [0.4, 0, 0, 0], [0.41, 0, 36, 0], [10, 0, 36, 0]]}}]
            lifted[integrator] = self.place(self.probed_rows(value, p=("arm", (0.35, 2, 0)))[-1])[1]
        self.assertGreater(lifted["be"], 2.2)
        self.assertAlmostEqual(lifted["bdf2"], lifted["be"], delta=0.02)

    def test_jointed_bodies_fall_on_a_floor_while_an_obstacle_moves(self):
        pair = [rigid("a", [0, 1, 0]), rigid("b", [0.4, 1, 0])]
        far = {"name": "far", "box": {"center": [10, 5, 0], "size": [0.2, 0.2, 0.2]}, "motion": {"velocity": [0.1, 0, 0]}}
        value = scene(pair, [plane(0), far], {"method": "barrier"})
        value["constraints"] = [{"type": "ball", "between": ["a", [0.2, 1, 0], "b", [0.2, 1, 0]]}]
        folder = self.run_scene(value)
        self.assertEqual(pliant_cli.summary(folder)["retries"], 0)

    def test_a_moving_obstacle_pushes_jointed_bodies(self):
        pair = [rigid("a", [0, 1, 0]), rigid("b", [0.4, 1, 0])]
        wall = {"name": "wall", "box": {"center": [-0.3, 1, 0], "size": [0.2, 0.4, 0.4]}, "motion": {"velocity": [2, 0, 0]}}
        value = scene(pair, [wall], {"method": "barrier"}, gravity=[0, 0, 0], dt=0.02, duration=0.5)
        value["constraints"] = [{"type": "ball", "between": ["a", [0.2, 1, 0], "b", [0.2, 1, 0]]}]
        rows = self.probed_rows(value, p=("a", (-0.15, 1, 0)))
        self.assertGreater(self.place(rows[-1])[0], 0.8)  # the wall's face has come to −0.2 + 1
        self.assertGreater(min(float(row["min_gap"]) for row in rows if row["min_gap"]), 0)


class Redundant(pliant_cli.ProgramTest):
    def test_friction_by_qp_ends_where_rows_that_say_the_same_share_their_force(self):
        # Coarse balls that meet off-centre: several pairs of the same two triangles push one way.
        def ball(name, at, velocity):
            return {"name": name, "material": "m", "mesh": {"sphere": {"radius": 0.1, "size": 0.05}},
                    "transform": {"translate": at}, "initial": {"velocity": velocity}}
        balls = [ball("left", [-0.15, 0, 0], [1, 0, 0]), ball("right", [0.15, 0.05, 0], [-1, 0, 0])]
        value = scene(balls, [], {"method": "qp", "friction": 0.2}, dt=0.005, duration=0.2, integrator="sdirk2",
                      gravity=[0, 0, 0])
        value["materials"] = {"m": {"model": "neo-hookean", "young": 5e4, "poisson": 0.4, "density": 1000}}
        folder = self.run_scene(value)
        self.assertEqual(pliant_cli.summary(folder)["retries"], 0)
        self.assertGreater(max(row["contacts"] for row in pliant_cli.history(folder)), 3)


class Folding(pliant_cli.ProgramTest):
    def test_what_a_cache_folds_keeps_its_distance_at_the_fold(self):
        # A flat sheet whose middle comes up like a tent under a coarse block, which meets the tip alone.
        corners = [(-1, 0, -1), (1, 0, -1), (1, 0, 1), (-1, 0, 1), (0, 0, 0)]
        self.write("sheet.obj", "".join("v %g %g %g\n" % c for c in corners) + "f 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n")
        frames = [[*corners[:4], (0, 0.1 * min(1, k / 8), 0)] for k in range(17)]
        header = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, 5, 0.0, 1.0, len(frames))
        self.write("sheet.pc2", header + b"".join(struct.pack("<3f", *p) for frame in frames for p in frame))
        sheet = {"name": "sheet", "mesh": "sheet.obj", "motion": {"cache": "sheet.pc2", "dt": 0.05}}
        block = solid("block", [1.5, 0.2, 1.5], [0.05, 0.15, 0.03], damping=[{"model": "rayleigh", "alpha": 5}])
        value = scene([block], [sheet], {"method": "barrier", "distance": 0.005, "self": False}, duration=0.8)
        rows = pliant_cli.history(self.run_scene(value))
        self.assertGreater(min(row["min_gap"] for row in rows if row["min_gap"] is not None), 0.1 * 0.005)


if __name__ == "__main__":
    pliant_cli.main()
