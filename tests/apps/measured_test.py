"""Tensions, forces and torques that the history records, and the work of what drives constraints, against
what mechanics says of them; threads in frames and pictures."""

import math
import os
import re

import pliant_cli

G = 9.81
MASS = 2.5


def box(**more):
    return {"name": "box", "type": "rigid", "mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [1, 1, 1]}},
            "mass_total": MASS, **more}


def scene(**more):
    return {"time": {"dt": 0.005, "duration": 0.5, "output_dt": 0.1}, "integrator": "trbdf2",
            "materials": {}, "bodies": [box()], **more}


class Measured(pliant_cli.ProgramTest):
    def rows(self, value, *arguments):
        return pliant_cli.history(self.run_scene(value, *arguments))

    def at_rest(self, value):
        self.succeed("static", self.write("s.json", value), "--quiet", "--force", "--out", "rest")
        return pliant_cli.history(self.path("rest"))[-1]

    def test_what_hangs_pulls_with_its_weight(self):
        # On an elastic tendon, on a spring and on a rod.
        ends = ["box", [0, 0.1, 0], "world", [0, 1.1, 0]]
        path = [["box", [0, 0.1, 0]], ["world", [0, 1.1, 0]]]
        threads = {"tendon 1": {"forces": [{"tendon": {"path": path, "stiffness": 1000}}]},
                   "line": {"forces": [{"spring": {"between": ends, "stiffness": 500, "name": "line"}}]},
                   "rod": {"constraints": [{"type": "distance", "name": "rod", "between": ends}]}}
        for name, what in threads.items():
            row = self.at_rest(scene(probes=[{"name": "pull", "tension_of": name}], **what))
            self.assertAlmostEqual(row["pull"] / (MASS * G), 1, delta=1e-6, msg=name)

    def test_a_muscle_pulls_as_its_law_says(self):
        # Fully active at its best length, between points that do not move.
        muscle = {"path": [["box", [0, 0.1, 0]], ["world", [0, 0.6, 0]]], "strength": 70, "activation": 0.5, "name": "biceps"}
        value = scene(bodies=[box(pin=[{"all": True}])], forces=[{"muscle": muscle}],
                      probes=[{"name": "pull", "tension_of": "biceps"}])
        self.assertAlmostEqual(self.rows(value)[-1]["pull"], 35, delta=1e-6)

    def test_a_cable_carries_what_hangs_below(self):
        cells, radius, density, length = 20, 0.01, 1000, 2
        cable = {"name": "rope", "type": "cable", "mesh": {"cable": {"from": [0, 0, 0], "to": [0, -length, 0], "segments": cells}},
                 "material": "hemp", "radius": radius, "pin": [{"box": {"min": [-1, -1e-3, -1], "max": [1, 1, 1]}}]}
        value = {"time": {"dt": 0.01, "duration": 0.1}, "bodies": [cable],
                 "materials": {"hemp": {"model": "stvk", "young": 1e8, "density": density}},
                 "probes": [{"name": "most", "tension_of": "rope"},
                            {"name": "middle", "tension_of": "rope", "point": [0, -1.05, 0]}]}
        row = self.at_rest(value)
        line = density * math.pi * radius ** 2 * G  # N/m
        half = 0.5 * length / cells  # of a segment's weight hangs on its upper node
        self.assertAlmostEqual(row["most"] / (line * (length - half)), 1, delta=1e-4)
        self.assertAlmostEqual(row["middle"] / (line * (length - 1 - half)), 1, delta=1e-4)

    def test_a_pendulum_pulls_by_its_weight_and_its_speed(self):
        length = 0.8
        value = scene(constraints=[{"type": "distance", "name": "rod", "between": ["box", [0, 0, 0], "world", [length, 0, 0]]}],
                      probes=[{"name": "pull", "tension_of": "rod"}, {"name": "at", "body": "box", "point": [0, 0, 0]},
                              {"name": "held", "force_of": "rod"}])
        worst = 0
        for row in self.rows(value, "--set", "time.dt=0.002")[1:]:
            x, y, _ = pliant_cli.probe(row, "at")
            speed = math.hypot(row["px"], row["py"]) / MASS
            wanted = MASS * G * -y / length + MASS * speed ** 2 / length
            worst = max(worst, abs(row["pull"] - wanted))
            # The force is the tension, towards the hook.
            hx, hy, hz = pliant_cli.probe(row, "held")
            self.assertAlmostEqual(math.hypot(hx, hy, hz), abs(row["pull"]), delta=1e-9 * MASS * G)
            self.assertAlmostEqual((hx * (length - x) - hy * y) / length, row["pull"], delta=1e-6 * MASS * G)
        self.assertLess(worst, 1e-8 * MASS * G)

    def test_a_fixed_joint_bears_weight_and_torque(self):
        arm = 0.6
        value = scene(constraints=[{"type": "fixed", "name": "wall", "between": ["box", [-arm, 0, 0], "world", [-arm, 0, 0]]}],
                      probes=[{"name": "push", "force_of": "wall"}, {"name": "turn", "torque_of": "wall"}])
        for row in (self.at_rest(value), self.rows(value)[-1]):
            for got, wanted in zip(pliant_cli.probe(row, "push"), (0, MASS * G, 0)):
                self.assertAlmostEqual(got, wanted, delta=1e-4 * MASS * G)
            for got, wanted in zip(pliant_cli.probe(row, "turn"), (0, 0, MASS * G * arm)):
                self.assertAlmostEqual(got, wanted, delta=1e-4 * MASS * G)

    def motor(self, dt, duration=1.0, **drive):
        hinge = {"type": "hinge", "name": "shoulder", "between": ["box", [-0.5, 0, 0], "world", [-0.5, 0, 0]],
                 "axis": [0, 0, 1], "motor": drive}
        value = scene(constraints=[hinge], probes=[{"name": "at", "body": "box", "point": [0, 0, 0]}])
        value["time"] = {"dt": dt, "duration": duration, "output_dt": duration}
        return self.rows(value)

    def test_a_motor_that_lifts_gives_the_energy(self):
        # What it did is what the box gained, to second order in the step; where it starts with a jerk, to first.
        curve = [[0, 0], [0.2, 0], [0.8, 1.2], [1, 1.2]]
        for drive, falls in (({"curve": curve}, 0.27), ({"curve": curve, "compliance": 1e-3}, 0.4), ({"speed": 1.2}, 0.55)):
            off = []
            for dt in (0.005, 0.0025):
                rows = self.motor(dt, **drive)
                lifted = MASS * G * (rows[-1]["at.y"] - rows[0]["at.y"])
                self.assertGreater(lifted, 11)
                gained = rows[-1]["total"] - rows[0]["total"]
                self.assertAlmostEqual(rows[-1]["work"] / gained, 1, delta=2e-3, msg=str(drive))
                off.append(abs(rows[-1]["dissipated"]))
            self.assertLess(off[1], falls * off[0], str(drive))
            if drive == {"curve": curve}:  # from rest to rest: m g h
                self.assertAlmostEqual(rows[-1]["work"] / lifted, 1, delta=1e-5)

    def test_a_motor_too_weak_gives_what_it_can(self):
        # It holds out with its torque while the box sinks: the torque times the angle.
        rows = self.motor(0.005, 0.5, curve=[[0, 0], [1, 1.2]], max=8.0)
        angle = math.atan2(rows[-1]["at.y"], rows[-1]["at.x"] + 0.5)
        self.assertLess(angle, -0.5)
        self.assertAlmostEqual(rows[-1]["work"] / (8.0 * angle), 1, delta=1e-4)
        self.assertLess(abs(rows[-1]["dissipated"]), 1e-4 * abs(rows[-1]["work"]))

    def test_frequencies_of_pendulums(self):
        # A rigid box that hangs beside its middle: ω² = m g d/(I + m d²).
        arm, side = 0.5, 0.2
        value = scene(constraints=[{"type": "hinge", "name": "hook", "between": ["box", [0, arm, 0], "world", [0, arm, 0]],
                                    "axis": [0, 0, 1]}])
        wanted = math.sqrt(G * arm / (side ** 2 / 6 + arm ** 2)) / (2 * math.pi)
        for kind in ("affine", "se3"):
            value["bodies"][0]["formulation"] = kind
            self.succeed("modes", self.write("s.json", value), "--static", "--out", "m", "-k", "3")
            with open(self.path("m", "modes.csv")) as file:
                rows = file.read().split("\n")[1:-1]
            self.assertEqual(len(rows), 1)
            self.assertAlmostEqual(float(rows[0].split(",")[1]) / wanted, 1, delta=1e-5, msg=kind)

    def test_threads_stand_beside_the_frames(self):
        value = scene(forces=[{"tendon": {"path": [["box", [0, 0.1, 0]], ["world", [0.3, 0.5, 0]], ["world", [0, 1, 0]]],
                                          "tension": 20}}],
                      constraints=[{"type": "distance", "between": ["box", [0, 0, 0], "world", [1, 0, 0]]}])
        folder = self.run_scene(value)
        frames = len(os.listdir(f"{folder}/frames"))
        self.assertEqual(len(os.listdir(f"{folder}/threads")), frames)
        with open(f"{folder}/threads.pvd") as file:
            self.assertEqual(len(re.findall("threads/threads_", file.read())), frames)
        # Begun anew without them they are gone.
        del value["forces"], value["constraints"]
        folder = self.run_scene(value)
        self.assertFalse(os.path.exists(f"{folder}/threads.pvd"))
        self.assertFalse(os.path.isdir(f"{folder}/threads") and os.listdir(f"{folder}/threads"))

    def test_what_cannot_be_measured_is_said(self):
        rod = {"type": "distance", "name": "rod", "between": ["box", [0, 0, 0], "world", [1, 0, 0]]}
        spring = {"spring": {"between": ["box", [0, 0, 0], "world", [1, 0, 0]], "stiffness": 5, "name": "coil"}}
        for probe, words in (({"tension_of": "rodd"}, ["#/probes/0/tension_of", "rodd", "rod"]),
                             ({"tension_of": "box"}, ["#/probes/0/tension_of", "box"]),
                             ({"tension_of": "coil", "point": [0, 0, 0]}, ["#/probes/0/point", "all along"]),
                             ({"force_of": "coil"}, ["#/probes/0/force_of", "coil"]),
                             ({"torque_of": "rods"}, ["#/probes/0/torque_of", "rod"]),
                             ({"tension_of": "rod", "force_of": "rod"}, ["#/probes/0"])):
            value = scene(forces=[spring], constraints=[rod], probes=[{"name": "p", **probe}])
            self.refuse(2, "check", self.write("s.json", value), words=words)
        value = scene(forces=[spring, spring])
        self.refuse(2, "check", self.write("s.json", value), words=["#/forces/1", "coil", "unique"])


if __name__ == "__main__":
    pliant_cli.main()
