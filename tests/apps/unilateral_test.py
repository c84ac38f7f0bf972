"""Contact by complementarity with rigid bodies, joints and whatever else there is."""

import csv
import math

import pliant_cli

FLOOR = {"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}
MARGIN = 1e-4
G = 9.81


def box(name="box", size=(0.2, 0.2, 0.2), at=(0, 0, 0), **more):
    """With the centre of its lowest face at a place, the margin above it."""
    return {"name": name, "type": "rigid", "mesh": {"box": {"size": list(size), "cells": [1, 1, 1]}}, "density": 1000,
            "transform": {"translate": [at[0], at[1] + size[1] / 2 + 1.001 * MARGIN, at[2]]}, **more}


def ball(name="ball", radius=0.1, at=(0, 0, 0), **more):
    return {"name": name, "type": "rigid", "mesh": {"sphere": {"radius": radius, "size": 0.06}}, "density": 1000,
            "transform": {"translate": list(at)}, **more}


def scene(bodies, constraints=(), duration=0.5, integrator="be", dt=0.005, obstacles=(FLOOR,), contact=None, **more):
    return {"name": "unilateral", "time": {"dt": dt, "duration": duration}, "integrator": integrator, "materials": {},
            "bodies": bodies, "constraints": list(constraints), "obstacles": list(obstacles),
            "contact": {"method": "unilateral", "distance": MARGIN, **(contact or {})}, **more}


class Unilateral(pliant_cli.ProgramTest):
    def rows(self, value):
        with open(f"{self.run_scene(value)}/history.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_the_floor_bears_what_stands_on_it_whatever_the_ratio_of_masses(self):
        for formulation in ("affine", "se3"):
            boxes = [box("light", formulation=formulation),
                     box("heavy", (0.1, 0.1, 0.1), (0.01, 0.2 + 1.001 * MARGIN, 0), density=8e6, formulation=formulation)]
            value = scene(boxes, duration=0.5, dt=0.01)
            value["probes"] = [{"name": "l", "force_on": "light"}, {"name": "h", "force_on": "heavy"},
                               {"name": "p", "body": "heavy", "point": [0, 0.25, 0]}]
            rows = self.rows(value)
            last = rows[-1]
            self.assertAlmostEqual(self.place(last, "l")[1], 8 * G, delta=8 * G)  # a difference of 8e4 N
            self.assertAlmostEqual(self.place(last, "h")[1], 8000 * G, delta=1e-5 * 8000 * G)
            self.assertLess(math.dist(self.place(rows[0]), self.place(last)), 1e-5)
            self.assertLess(float(last["kinetic"]), 1e-9)
            self.assertGreater(min(float(row["min_gap"]) for row in rows[1:]), 0.99 * MARGIN)
            self.assertLess(max(float(row["primal"]) for row in rows[1:]), 1e-9)

    def test_coulombs_law_on_a_slope(self):
        # Gravity is tilted by atan 0.5 instead of the floor: μ = 0.51 holds, μ = 0.4 slides with g cos α (0.5 − 0.4).
        cosine = 1 / math.hypot(1, 0.5)
        for mu, acceleration in ((0.51, 0), (0.4, G * cosine * 0.1)):
            value = scene([box(size=(0.4, 0.1, 0.2))], duration=1, contact={"friction": mu})
            value["gravity"] = [0.5 * G * cosine, -G * cosine, 0]
            rows = self.probed_rows(value, p=("box", (0, 0.05, 0)))
            way = self.place(rows[-1])[0] - self.place(rows[0])[0]
            self.assertAlmostEqual(way, acceleration / 2, delta=max(1e-6, 0.01 * acceleration))

    def test_friction_of_obstacles_and_pairs_is_their_own(self):
        sticky = dict(FLOOR, friction=0.6)
        value = scene([box(size=(0.4, 0.1, 0.2))], duration=0.3, obstacles=[sticky])
        value["gravity"] = [0.5 * G, -G, 0]
        rows = self.probed_rows(value, p=("box", (0, 0.05, 0)))
        self.assertLess(abs(self.place(rows[-1])[0]), 1e-6)
        value["contact"]["pairs"] = [{"a": "box", "b": "floor", "friction": 0}]
        rows = self.probed_rows(value, p=("box", (0, 0.05, 0)))
        self.assertAlmostEqual(self.place(rows[-1])[0], 0.5 * G * 0.09 / 2, delta=0.01)

    def test_restitution_is_what_parts_of_what_met(self):
        for e in (0, 0.5, 0.9):
            value = scene([ball(at=(0, 0.6, 0))], duration=0.8, integrator="trbdf2", dt=0.002, contact={"restitution": e})
            rows = self.probed_rows(value, p=("ball", (0, 0.6, 0)))
            heights = [self.place(row)[1] for row in rows]
            lowest = min(range(len(heights)), key=heights.__getitem__)
            drop, rise = 0.6 - heights[lowest], max(heights[lowest:]) - heights[lowest]
            self.assertAlmostEqual(rise, e * e * drop, delta=0.02 * drop)

    def test_bodies_that_meet_keep_their_momentum(self):
        for e, speeds in ((0, (1, 1)), (1, (0, 2))):
            a = box("a", initial={"velocity": [2, 0, 0]})
            b = box("b", at=(0.3, 0, 0))
            value = scene([a, b], duration=0.2, integrator="trbdf2", obstacles=[], gravity=[0, 0, 0], contact={"restitution": e})
            value["probes"] = [{"name": n, "body": n, "point": [x, 0.1, 0]} for n, x in (("a", 0), ("b", 0.3))]
            rows = self.rows(value)
            self.assertAlmostEqual(float(rows[-1]["px"]), 16, delta=1e-9)
            for name, speed in zip("ab", speeds):
                way = self.place(rows[-1], name)[0] - self.place(rows[-11], name)[0]
                self.assertAlmostEqual(way / 0.05, speed, delta=1e-3)

    def test_a_pendulum_that_meets_a_wall_keeps_its_joint(self):
        wall = {"name": "wall", "plane": {"point": [-0.12, 0, 0], "normal": [1, 0, 0]}}
        for integrator in ("be", "bdf2", "trbdf2", "generalized-alpha"):
            for formulation in ("affine", "se3"):
                body = ball(at=(0.5, 1, 0), formulation=formulation)
                hinge = {"type": "hinge", "between": ["ball", [0, 1, 0], "world", [0, 1, 0]], "axis": [0, 0, 1]}
                value = scene([body], [hinge], duration=0.8, integrator=integrator, dt=0.01, obstacles=[wall])
                rows = self.probed_rows(value, p=("ball", (0.5, 1, 0)))
                for row in rows:
                    at = self.place(row)
                    self.assertAlmostEqual(math.dist(at, (0, 1, 0)), 0.5, delta=2e-8, msg=(integrator, formulation))
                    self.assertAlmostEqual(at[2], 0, delta=1e-8)
                self.assertGreater(min(float(row["min_gap"]) for row in rows if row["min_gap"]), 0.9 * MARGIN)
                across = [self.place(row)[0] for row in rows]
                self.assertAlmostEqual(min(across), -0.02, delta=0.003)  # where the ball meets the wall
                self.assertLess(max(across[across.index(min(across)):]), 0.022)  # nothing bounced

    def test_limits_and_contact_decide_together_who_bears(self):
        # A bar on a hinge falls on a prop: at one height the limit stops it first, at the other the prop does.
        hinge = {"type": "hinge", "between": ["bar", [0, 0.5, 0], "world", [0, 0.5, 0]], "axis": [0, 0, 1], "limits": [-0.3, 1]}
        bar = {"name": "bar", "type": "rigid", "mesh": {"box": {"size": [1, 0.1, 0.1], "cells": [1, 1, 1]}}, "density": 1000,
               "transform": {"translate": [0.5, 0.5, 0]}}
        for top, bears in ((0.0, False), (0.35, True)):
            prop = {"name": "prop", "plane": {"point": [0, top, 0], "normal": [0, 1, 0]}}
            value = scene([bar], [hinge], duration=1, dt=0.01, obstacles=[prop])
            rows = self.probed_rows(value, p=("bar", (1, 0.45, 0)))
            touches = int(rows[-1]["contacts"]) > 0
            self.assertEqual(touches, bears)
            end = self.place(rows[-1])
            if bears:
                self.assertAlmostEqual(end[1], top + MARGIN, delta=1e-3 * MARGIN)
            else:
                self.assertAlmostEqual(math.atan2(end[1] - 0.5, end[0]) + math.atan2(0.05, 1), -0.3, delta=1e-7)
            self.assertLess(float(rows[-1]["kinetic"]), 1e-8)

    def test_a_chain_with_a_heavy_end_lies_down(self):
        links = [box(f"link {k}", (0.04, 0.2, 0.04), (0, 0.3 + 0.2 * k, 0)) for k in range(5)]
        links[0]["density"] = 1e6
        joints = [{"type": "ball", "between": [f"link {k}", [0, 0.3 + 0.2 * k + 0.0001001, 0], f"link {k - 1}", [0, 0.3 + 0.2 * k + 0.0001001, 0]]} for k in range(1, 5)]
        value = scene(links, joints, duration=1.5, dt=0.01, contact={"friction": 0.5})
        value["contact"]["groups"] = [[f"link {k}", f"link {k + 1}"] for k in range(4)]
        value["bodies"][4]["initial"] = {"velocity": [0.3, 0, 0.1]}
        rows = self.probed_rows(value, p=("link 4", (0, 1.2, 0)))
        self.assertGreater(min(float(row["min_gap"]) for row in rows if row["min_gap"]), 0)
        self.assertLess(self.place(rows[-1])[1], 0.9)
        self.assertLess(float(rows[-1]["total"]), float(rows[0]["total"]))

    def test_soft_bodies_and_cloth_meet_rigid_ones(self):
        value = scene([box(at=(0, 0.35, 0))], duration=0.6, dt=0.01, integrator="trbdf2")
        value["materials"] = {"soft": {"model": "stable-neo-hookean", "young": 2e4, "poisson": 0.4, "density": 1000},
                              "fabric": {"model": "stvk", "young": 1e4, "poisson": 0.3, "density": 200}}
        value["bodies"] += [{"name": "cushion", "mesh": {"box": {"size": [0.4, 0.2, 0.4], "cells": [4, 2, 4]}}, "material": "soft",
                             "transform": {"translate": [0, 0.1 + 2 * MARGIN, 0]}, "damping": [{"model": "rayleigh", "beta": 0.02}]},
                            {"name": "sheet", "type": "cloth", "mesh": {"sheet": {"size": [0.5, 0.5], "cells": [8, 8]}},
                             "material": "fabric", "thickness": 0.002, "transform": {"translate": [0, 0.6, 0]}}]
        value["contact"]["friction"] = 0.3
        rows = self.rows(value)
        self.assertGreater(min(float(row["min_gap"]) for row in rows if row["min_gap"]), 0)
        self.assertGreater(max(int(row["contacts"]) for row in rows), 10)
        self.assertLess(float(rows[-1]["total"]), float(rows[0]["total"]))

    def test_qp_takes_rigid_bodies_but_no_constraints(self):
        value = scene([box(at=(0, 0.01, 0))], duration=0.3, contact={"method": "qp", "friction": 0.3})
        rows = self.probed_rows(value, p=("box", (0, 0.11 + 1.001 * MARGIN, 0)))
        self.assertAlmostEqual(self.place(rows[-1])[1], 0.1 + MARGIN, delta=2e-5)
        value["constraints"] = [{"type": "distance", "between": ["box", [0, 0.1, 0], "world", [0, 1, 0]]}]
        self.refuse_scene(2, value, ["qp", "unilateral"])

    def test_an_equilibrium_is_refused(self):
        self.write("s.json", scene([box()]))
        self.refuse(2, "static", "s.json", "--out", "o", words=["unilateral", "barrier"])


if __name__ == "__main__":
    pliant_cli.main()
