"""Coarse bodies that move like fine ones, as a user meets them: what a run leaves, that it resumes, what is refused,
`pliant coarsen`, `pliant modes --compare` and the distance of vertices in `pliant compare --reference`."""

import csv
import os

import pliant_cli
from pliant_cli import history, summary

HELD = {"box": {"min": [-1.01, -1, -1], "max": [-0.99, 1, 1]}}
END = {"box": {"min": [0.99, -1, -1], "max": [1.01, 1, 1]}}


def bar(cells=(6, 2, 2), model="stable-neo-hookean", steps=20, integrator="be", **coarsen):
    body = {"name": "bar", "material": "rubber",
            "mesh": {"box": {"size": [2, 0.5, 0.4], "cells": list(cells)}},
            "pin": [HELD, dict(END, motion={"angular_velocity": [3, 0, 0]}, until=0.05)]}
    if coarsen:
        body["coarsen"] = coarsen
    return {"time": {"dt": 0.01, "duration": steps * 0.01, "output_dt": 0.05}, "integrator": integrator,
            "materials": {"rubber": {"model": model, "young": 2e5, "poisson": 0.4, "density": 1000}},
            "bodies": [body], "probes": [{"name": "tip", "body": "bar", "point": [1, 0, 0]}]}


class Coarse(pliant_cli.ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["PLIANT_CACHE"] = self.path("cache")
        self.addCleanup(os.environ.pop, "PLIANT_CACHE")

    def run_bar(self, out, *words, **scene):
        self.write("scene.json", bar(**scene))
        return self.succeed("run", "scene.json", "--out", out, "--force", *words)

    def test_a_run_says_what_was_corrected(self):
        self.run_bar("out", refine=2, modes=6)
        rows = history(self.path("out"))
        self.assertEqual({row["correction"] for row in rows}, {1.0})
        self.assertGreaterEqual(min(row["modes_known"] for row in rows), 0.5)
        self.assertGreaterEqual(min(row["modes_crossed"] for row in rows), 0)
        said = summary(self.path("out"))
        self.assertGreater(said["mode_refreshes"], 10)
        self.assertTrue(any("eigenfit corrects 6 modes" in note for note in said["notes"]), said)
        self.assertEqual(len(os.listdir(self.path("cache"))), 2)  # with both pins, and with one

    def test_the_corrected_bar_is_nearer_to_the_fine_one(self):
        self.write("fine.json", bar(cells=(12, 4, 4)))
        self.succeed("run", "fine.json", "--out", "fine")
        self.write("scene.json", bar(refine=2, modes=6))
        self.write("plain.json", bar())
        self.succeed("compare", "scene.json", "--vary", "integrator=be", "--reference", "fine", "--out", "with")
        self.succeed("compare", "plain.json", "--vary", "integrator=be", "--reference", "fine", "--out", "without")
        errors = {}
        for out in ("with", "without"):
            with open(self.path(out, "compare.csv"), newline="") as file:
                errors[out] = next(csv.DictReader(file))
        self.assertGreater(int(errors["with"]["vertices"]), 100)
        for name in ("vertices_rms", "vertices_largest", "probes_rms"):
            self.assertLess(float(errors["with"][name]), float(errors["without"][name]), name)

    def test_a_resumed_run_is_the_same_to_the_last_bit(self):
        for refresh in (1, "auto"):
            for integrator in ("sdirk2", "siere"):
                self.run_bar("whole", refine=2, modes=4, refresh=refresh, integrator=integrator)
                self.run_bar("parts", "--set", "time.duration=0.08", refine=2, modes=4, refresh=refresh,
                             integrator=integrator)
                self.succeed("run", "scene.json", "--out", "parts", "--resume")
                self.assertEqual(summary(self.path("whole"))["state_hash"],
                                 summary(self.path("parts"))["state_hash"], (refresh, integrator))

    def test_a_corrected_bar_falls_onto_the_floor(self):
        # Never through it, and without energy from nowhere; with friction it lies still in the end.
        scene = bar(steps=60, refine=2, modes=6)
        del scene["bodies"][0]["pin"]
        scene["bodies"][0]["transform"] = {"translate": [0, 0.35, 0], "rotate": [0, 0, 10]}
        scene["obstacles"] = [{"name": "floor", "plane": {"point": [0, -0.3, 0], "normal": [0, 1, 0]}}]
        scene["contact"] = {"method": "barrier", "friction": 0.3}
        del scene["probes"]
        for integrator in ("be", "bdf2", "trbdf2", "sdirk2"):
            scene["integrator"] = integrator
            self.write("scene.json", scene)
            self.succeed("run", "scene.json", "--out", integrator)
            rows = history(self.path(integrator))
            gaps = [row["min_gap"] for row in rows if row["min_gap"] is not None]
            self.assertGreater(len(gaps), 10, integrator)
            self.assertGreater(min(gaps), 0, integrator)
            self.assertEqual({row["correction"] for row in rows}, {1.0})
            start = rows[0]["total"]
            fallen = 1000 * 0.4 * 9.81 * 0.4  # J: what the energies are measured by
            self.assertLess(max(row["total"] for row in rows), start + 0.01 * fallen, integrator)

    def test_a_corrected_bar_lands_by_qp_like_one_of_the_modulus_it_has_then(self):
        # Of a linear bar with every mode at a quarter of its stiffness the modulus is a quarter of what it was, for
        # the matrix of the programs, too.
        def places(out, young, **coarsen):
            scene = bar(cells=(2, 1, 1), model="linear", steps=40, **coarsen)
            del scene["bodies"][0]["pin"]
            scene["bodies"][0]["transform"] = {"translate": [0, 0.1, 0], "rotate": [0, 0, 5]}
            scene["obstacles"] = [{"name": "floor", "plane": {"point": [0, -0.3, 0], "normal": [0, 1, 0]}}]
            scene["contact"] = {"method": "qp", "friction": 0.3}
            scene["materials"]["rubber"]["young"] = young
            scene["probes"] = [{"name": "end", "body": "bar", "point": [0.95, 0.2, 0.1]}]
            self.write("scene.json", scene)
            self.succeed("run", "scene.json", "--out", out)
            return [[row[key] for key in ("end.x", "end.y", "end.z")] for row in history(self.path(out))]

        soft, corrected, stiff = places("soft", 5e4), places("corrected", 2e5, ratios=[0.25] * 30), places("stiff", 2e5)

        def apart(one, other):
            return max(abs(a - b) for x, y in zip(one, other) for a, b in zip(x, y))

        self.assertGreater(apart(soft, stiff), 1e-3)
        self.assertLess(apart(soft, corrected), 1e-6)

    def test_every_damping_goes_with_a_correction(self):
        # The motion dies out faster than without; the first mode of the bar is 6 Hz.
        def swing(out, damping):
            scene = bar(steps=60, refine=2, modes=6, integrator="trbdf2")
            scene["bodies"][0]["pin"] = [HELD]
            scene["bodies"][0]["initial"] = {"velocity": [0, 0, 1]}
            scene["gravity"] = [0, 0, 0]
            scene["bodies"][0]["damping"] = damping
            self.write("scene.json", scene)
            self.succeed("run", "scene.json", "--out", out, "--force")
            return history(self.path(out))[-1]["total"]

        free = swing("free", [])
        self.assertGreater(free, 1)
        for damping in ({"model": "rayleigh", "alpha": 1, "beta": 0.005}, {"model": "strain-rate", "psi": 300, "phi": 300},
                        {"model": "principal-strain", "beta": 0.005},
                        {"model": "power-law", "p": 1.5, "strength": 50, "base": {"model": "rayleigh", "beta": 0.01}},
                        {"model": "spline", "knots": [[0.7, 40], [1, 20], [1.3, 40]], "base": {"model": "strain-rate", "psi": 20}},
                        {"model": "drag", "drag": 2}):
            with self.subTest(damping["model"]):
                damped = swing("damped", [damping])
                self.assertLess(damped, 0.9 * free, damping)
                self.assertGreater(damped, 0)

    def test_ratios_of_one_change_nothing(self):
        self.run_bar("plain")
        self.run_bar("ones", ratios=[1, 1, 1])
        self.assertEqual(summary(self.path("plain"))["state_hash"], summary(self.path("ones"))["state_hash"])

    def test_dac_goes_with_admm(self):
        self.run_bar("out", "--set", "solver.type=admm", method="dac", refine=2, steps=3)
        self.assertIn("dac scales its stiffness", str(summary(self.path("out"))["notes"]))
        self.write("scene.json", bar(refine=2))
        self.refuse(2, "run", "scene.json", "--set", "solver.type=admm", words=["admm", "eigenfit"])

    def test_a_damaged_cache_is_made_again(self):
        self.run_bar("out", refine=2, modes=4, steps=2)
        for name in os.listdir(self.path("cache")):
            with open(self.path("cache", name), "r+b") as file:
                file.truncate(100)
        said = self.run_bar("again", refine=2, modes=4, steps=2)
        self.assertIn("computed again", said.out + said.err)
        self.assertEqual(summary(self.path("out"))["state_hash"], summary(self.path("again"))["state_hash"])

    def test_it_stops_where_it_is_told_to(self):
        # So heavy that it hangs far down from its end within a second, stretched to stiffer modes; the same bar goes on
        # where it may.
        scene = bar(refine=2, modes=8, steps=100)
        scene["materials"]["rubber"]["young"] = 1000
        scene["gravity"] = [0, -60, 0]
        scene["bodies"][0]["pin"] = [HELD]
        scene["bodies"][0]["coarsen"]["on_failure"] = "stop"
        self.write("scene.json", scene)
        outcome = self.pliant("run", "scene.json", "--out", "out")
        self.assertEqual(outcome.status, 4, outcome)
        self.assertIn("known again", outcome.err)
        self.assertIn("told to stop", outcome.err)
        stopped = len(history(self.path("out")))
        self.assertTrue(1 < stopped < 101, stopped)
        self.succeed("run", "scene.json", "--set", "bodies.0.coarsen.on_failure=warn", "--out", "warned")
        self.assertEqual(len(history(self.path("warned"))), 101)

    def test_mistakes_are_named(self):
        def refused(words, **coarsen):
            self.write("scene.json", bar(**coarsen))
            self.refuse(2, "check", "scene.json", words=words)

        refused(["/coarsen/methd", "did you mean"], methd="dac", refine=2)
        refused(["/coarsen/method", "did you mean"], method="eigenfitt", refine=2)
        refused(["fine", "refine", "ratios"], modes=3)
        refused(["modes are wanted"], refine=2, modes=900)
        refused(["does not lie where"], fine={"box": {"size": [2, 0.5, 4], "cells": [12, 4, 4]}})
        refused(["no more than the coarse"], fine={"box": {"size": [2, 0.5, 0.4], "cells": [2, 1, 1]}})
        scene = bar(refine=2)
        scene["bodies"][0]["pin"] = [{"nodes": [0, 1, 2]}]
        self.write("scene.json", scene)
        self.refuse(2, "check", "scene.json", words=["nodes by number"])
        scene = bar(fine={"box": {"size": [2, 0.5, 0.4], "cells": [11, 4, 4]}})
        scene["bodies"][0]["pin"] = [{"box": {"min": [-0.34, -1, -1], "max": [-0.33, 1, 1]}}]
        self.write("scene.json", scene)
        self.refuse(2, "check", "scene.json", words=["fine mesh", "pin"])

    def test_a_coarser_mesh_is_proposed_and_runs(self):
        self.write("scene.json", bar(cells=(16, 4, 4), steps=2))
        said = self.succeed("coarsen", "scene.json", "-k", "5", "--most", "4").out
        self.assertIn("passes", said)
        line = next(line for line in said.splitlines() if line.strip().startswith("pliant run"))
        settings = [word for word in line.split("--set ")[1:]]
        self.assertEqual(len(settings), 2, line)
        words = [word for setting in settings for word in ("--set", setting.strip().strip("'"))]
        self.succeed("run", "scene.json", "--out", "proposed", *words)
        self.refuse(2, "coarsen", "scene.json", "--body", "baar", words=["did you mean \"bar\""])

    def test_modes_are_paired_with_those_of_a_fine_mesh(self):
        self.write("scene.json", bar())
        self.write("fine.json", bar(cells=(12, 4, 4)))
        said = self.succeed("modes", "scene.json", "-k", "4", "--compare", "fine.json", "--out", "modes").out
        self.assertIn("4 of 4 shapes of the fine mesh are known again", said)
        with open(self.path("modes", "overlap.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 4)
        for k, row in enumerate(rows):
            self.assertGreater(max(abs(float(row[f"fine_{j + 1}"])) for j in range(4)), 0.9)

    def test_the_frequencies_of_a_corrected_scene_are_the_fine_ones(self):
        self.write("scene.json", bar(model="linear", refine=2, modes=4))
        self.write("fine.json", bar(cells=(12, 4, 4), model="linear"))

        def frequencies(scene, out):
            self.succeed("modes", scene, "-k", "4", "--out", out)
            with open(self.path(out, "modes.csv"), newline="") as file:
                return [float(row["frequency_hz"]) for row in csv.DictReader(file)]

        for ours, fine in zip(frequencies("scene.json", "ours"), frequencies("fine.json", "fine")):
            self.assertAlmostEqual(ours / fine, 1, places=7)


if __name__ == "__main__":
    pliant_cli.main()
