"""Constraints as users write them: what they hold, and what is said where they cannot."""

import csv
import json
import math

import pliant_cli


def bob(name="bob", x=0.0, y=0.0):
    return {"name": name, "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}}, "material": "stiff",
            "transform": {"translate": [x, y, 0]}}


ROD = {"type": "distance", "name": "rod", "between": ["bob", [1, 0, 0], "world", [0, 0, 0]]}


def scene(constraints, bodies=None, integrator="trbdf2", duration=0.5, **more):
    return {"name": "tied", "time": {"dt": 0.01, "duration": duration}, "integrator": integrator,
            "materials": {"stiff": {"model": "stable-neo-hookean", "young": 1e7, "poisson": 0.3, "density": 1000}},
            "bodies": bodies or [bob(x=1)], "constraints": constraints,
            "probes": [{"name": "p", "body": "bob", "point": [1, 0, 0]}], **more}


class Constraints(pliant_cli.ProgramTest):
    def rows(self, value):
        out = self.run_scene(value)
        with open(f"{out}/history.csv", newline="") as file:
            return list(csv.DictReader(file))

    def place(self, row):
        return [float(row[f"p.{axis}"]) for axis in "xyz"]

    def test_a_rod_keeps_its_length_while_its_bob_swings_down(self):
        rows = self.rows(scene([ROD]))
        for row in rows:
            self.assertAlmostEqual(math.hypot(*self.place(row)), 1, delta=1e-9)
        # A pendulum of 1 m let go at a right angle has fallen by 0.8 m or so after half a second.
        self.assertLess(self.place(rows[-1])[1], -0.7)

    def test_stabilised_constraints_do_not_drift(self):
        # One linear solve a step misses a rod by (h v)²/2ℓ, more and more.
        solver = {"type": "linear"}
        missed = []
        for stabilize in (False, True):
            rows = self.rows(scene([ROD], integrator="be", duration=2, solver=dict(solver, stabilize=stabilize)))
            missed.append(max(abs(math.hypot(*self.place(row)) - 1) for row in rows))
        self.assertGreater(missed[0], 3e-4)
        self.assertLess(missed[1], 1e-11)
        # Methods that solve stages to their end keep their answer, but for the velocity across the rod.
        ends = [self.place(self.rows(scene([ROD], solver={"stabilize": s}))[-1]) for s in (False, True)]
        self.assertLess(math.dist(*ends), 2e-3)
        self.refuse_scene(2, scene([], solver={"stabilize": True}), ["stabilize", "no constraints"])

    def test_minres_finds_what_factors_find(self):
        chain = [bob(f"bob {k}", x=0.2 * (k + 1)) for k in range(4)]
        rods = [{"type": "distance", "between": [f"bob {k}", [0.2 * (k + 1), 0, 0], f"bob {k - 1}" if k else "world", [0.2 * k, 0, 0]]}
                for k in range(4)]
        ends = []
        for linear in ("auto", "minres"):
            value = scene(rods, chain, integrator="bdf2", duration=0.3, solver={"linear": linear})
            value["probes"] = [{"name": "p", "body": "bob 3", "point": [0.8, 0, 0]}]
            ends.append(self.place(self.rows(value)[-1]))
        self.assertLess(math.dist(*ends), 1e-7)
        self.refuse_scene(2, scene([], solver={"linear": "minres"}), ["minres", "constraints", "pcg"])

    def test_a_line_lets_slide_and_a_point_holds(self):
        slide = {"type": "line", "between": ["bob", [1, 0, 0], "world", [1, 0, 0]], "axis": [0, 2, 0]}
        last = self.place(self.rows(scene([slide], duration=0.2))[-1])
        self.assertAlmostEqual(last[0], 1, delta=1e-9)
        self.assertAlmostEqual(last[1], -0.5 * 9.81 * 0.2 ** 2, delta=1e-3)
        hold = {"type": "point", "between": ["bob", [1, 0, 0], "world", [1, 0, 0]]}
        last = self.place(self.rows(scene([hold], duration=0.2))[-1])
        self.assertAlmostEqual(math.dist(last, (1, 0, 0)), 0, delta=1e-9)

    def test_a_compliance_is_a_spring(self):
        # At rest it would be longer by m g C = 0.0098 m; let go it swings to twice that.
        spring = {"type": "distance", "between": ["bob", [0, -1, 0], "world", [0, 0, 0]], "compliance": 1e-3}
        value = scene([spring], [bob(y=-1)], duration=1)
        value["probes"] = [{"name": "p", "body": "bob", "point": [0, -1, 0]}]
        lowest = min(self.place(row)[1] for row in self.rows(value))
        self.assertAlmostEqual(lowest, -1 - 2 * 9.81e-3, delta=5e-4)

    def test_a_start_at_which_it_does_not_hold_is_named_with_the_distance(self):
        self.refuse_scene(3, scene([dict(ROD, rest=0.75)]), ['"rod" does not hold at the start', "0.25 m"])
        self.refuse_scene(3, scene([{"type": "point", "between": ["bob", [1, 0, 0], "world", [1, 0.5, 0]]}]),
                          ["0.5 m"])
        for kind in ("point", "ball"):  # along all axes together
            self.refuse_scene(3, scene([{"type": kind, "between": ["bob", [1, 0, 0], "world", [1.04, -0.12, 0.03]]}]),
                              ["it is 0.13 m off"])

    def test_what_cannot_be_is_refused_with_its_place(self):
        for constraint, words in [
                (dict(ROD, between=["bib", [1, 0, 0], "world", [0, 0, 0]]), ["/constraints/0/between", '"bob"']),
                (dict(ROD, between=[[1, 0, 0], "bob", "world", [0, 0, 0]]), ["/constraints/0/between", "[body,"]),
                (dict(ROD, between=["bob", [9, 0, 0], "world", [0, 0, 0]]), ["/constraints/0/between", "outside"]),
                (dict(ROD, compliance=-1), ["/constraints/0/compliance"]),
                (dict(ROD, axis=[1, 0, 0]), ["/constraints/0/axis", "line, plane"]),
                (dict(ROD, type="plane"), ["axis"]),
                (dict(ROD, type="rope"), ["rope", "distance"]),
                (dict(ROD, between=["bob", [1, 0, 0], "world", [1, 0, 0]]), ["in one place", '"point"'])]:
            self.refuse_scene(2, scene([constraint]), words)

    def test_without_an_integrator_one_is_taken_that_keeps_them(self):
        value = scene([ROD])
        del value["integrator"]
        for row in self.rows(value):
            self.assertAlmostEqual(math.hypot(*self.place(row)), 1, delta=1e-9)

    def test_methods_that_do_not_keep_constraints_are_refused_by_name(self):
        for method in ("sdirk2", "midpoint", "rk4", "ros3pl", "siere"):
            self.refuse_scene(2, scene([ROD], integrator=method), [method, "trbdf2"])
        self.refuse_scene(2, scene([ROD], solver={"type": "admm"}), ["admm", "newton"])
        self.refuse_scene(2, scene([ROD], integrator={"type": "generalized-alpha", "rho_inf": 1}), ["rho_inf", "0.9"])

    def test_studies_refuse_them_as_runs_do(self):
        path = self.write("tied.json", scene([ROD], duration=0.1))
        self.refuse(2, "converge", path, "--dt", "0.02,0.01", "--integrators", "rk4", "--reference", "esdirk43",
                    words=["rk4", "constraints"])

    def refuse_scene(self, code, value, words):
        self.write("refused.json", json.dumps(value))
        self.refuse(code, "run", "refused.json", "--out", "refused", "--force", words=words)


if __name__ == "__main__":
    pliant_cli.main()
