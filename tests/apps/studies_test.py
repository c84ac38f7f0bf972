"""curves, converge, compare and modes: what they print and leave, and what they refuse."""

import csv
import math
import os
import xml.etree.ElementTree as xml

import pliant_cli
from pliant_cli import beam, history

LENGTH, HEIGHT, WIDTH = 2.0, 0.1, 0.15  # m
YOUNG, DENSITY = 1e7, 1000.0


class Study(pliant_cli.ProgramTest):
    def table(self, *parts):
        with open(self.path(*parts), newline="") as file:
            return list(csv.DictReader(file))

    def assert_figure(self, *parts):
        """Both forms are there and whole, unless the program was built without plots."""
        path = self.path(*parts)
        if "without plots" in self.said:
            self.assertFalse(os.path.exists(path + ".png"))
            return
        xml.parse(path + ".svg")
        with open(path + ".png", "rb") as file:
            png = file.read()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(png[-8:-4], b"IEND")

    def study(self, *arguments):
        self.said = self.succeed(*arguments).out
        return self.said


class Curves(Study):
    def test_damping_of_backward_euler_is_that_of_its_formula(self):
        said = self.study("curves", "--integrators", "be,bdf2,esdirk43", "--out", "curves")
        rows = self.table("curves", "curves.csv")
        self.assertEqual({row["integrator"] for row in rows}, {"be", "bdf2", "esdirk43"})
        for row in rows:
            if row["integrator"] == "be":
                x = float(row["h_omega"])
                self.assertAlmostEqual(float(row["damping"]), math.log(1 + x * x) / x, delta=1e-10)
        for name in ("damping", "damping-log", "dispersion"):
            self.assert_figure("curves", name)
        self.assertIn("esdirk43", said)

    def test_all_and_the_usual_ones(self):
        self.study("curves")
        self.assertTrue(os.path.exists(self.path("out", "curves", "curves.csv")))
        self.study("curves", "--integrators", "all", "--out", "all")
        self.assertGreater(len({row["integrator"] for row in self.table("all", "curves.csv")}), 20)

    def test_wrong_names_are_answered(self):
        self.refuse(2, "curves", "--integrators", "be,sdrik2", words=["sdrik2", "sdirk2"])


class Converge(Study):
    def scene(self):
        self.write("scene.json", beam(dt=0.02, steps=8, cells=[2, 1, 1], young=1e4))

    def test_orders_come_out(self):
        self.scene()
        said = self.study("converge", "scene.json", "--integrators", "be,sdirk2", "--dt",
                          "0.02,0.01,0.005", "--out", "study", "--quiet")
        rows = self.table("study", "converge.csv")
        self.assertEqual(len(rows), 6)
        last = {row["integrator"]: float(row["order_q"]) for row in rows if row["dt"] == "0.005"}
        self.assertAlmostEqual(last["be"], 1, delta=0.2)
        self.assertAlmostEqual(last["sdirk2"], 2, delta=0.2)
        self.assertIn("reference: esdirk43 at 0.000625 s", said)
        for name in ("convergence", "work-precision"):
            self.assert_figure("study", name)

    def test_what_cannot_run_is_said_before_the_reference(self):
        self.write("scene.json", dict(beam(dt=0.02, steps=8), contact={"method": "barrier"}))
        words = ("converge", "scene.json", "--dt", "0.02", "--out", "study", "--integrators")
        said = self.refuse(2, *words, "be,rk4", words=["--integrators rk4:", "contact"])
        self.assertNotIn("reference:", said.err)
        self.refuse(2, *words, "be", "--reference", "rk4", words=["--reference rk4:"])
        self.assertFalse(os.path.exists(self.path("study")))

    def test_mistakes_are_answered(self):
        self.scene()
        words = ("converge", "scene.json", "--integrators")
        self.refuse(2, *words, "be", "--dt", "0.03", words=["0.03", "0.16"])
        self.refuse(2, *words, "be", "--dt", "fast", words=["fast"])
        self.refuse(2, *words, "sdrik2", "--dt", "0.02", words=["--integrators sdrik2:", "sdirk2"])
        self.refuse(2, *words, "be", "--dt", "0.02", "--reference", "sdrik2",
                    words=["--reference sdrik2:", "sdirk2"])
        self.refuse(2, *words, "be", words=["--dt"])


class Compare(Study):
    def test_runs_stand_side_by_side(self):
        self.write("scene.json", beam(steps=6))
        said = self.study("compare", "scene.json", "--vary", "integrator=be,trbdf2", "--vary",
                          "time.dt=0.01,0.005", "--reference", "trbdf2, dt = 0.005", "--out",
                          "study", "--quiet")
        rows = {row["run"]: row for row in self.table("study", "compare.csv")}
        self.assertEqual(len(rows), 4)
        self.assertIn("trbdf2, dt = 0.005", said)
        self.assertEqual(float(rows["trbdf2, dt = 0.005"]["probes_rms"]), 0)
        self.assertEqual(int(rows["be, dt = 0.01"]["common_times"]), 7)
        self.assertLess(float(rows["trbdf2, dt = 0.01"]["probes_rms"]),
                        float(rows["be, dt = 0.005"]["probes_rms"]))
        folder = self.path("study", "integrator=be,time.dt=0.005")
        run = history(folder)
        self.assertEqual(len(run), 13)
        self.assertAlmostEqual(float(rows["be, dt = 0.005"]["total"]), run[-1]["total"])
        for name in ("energy", "kinetic", "elastic", "probe-tip"):
            self.assert_figure("study", name)
        self.assertTrue(os.path.exists(os.path.join(folder, "frames", "frame_000000.vtu")))

    def test_mistakes_are_answered_before_anything_runs(self):
        self.write("scene.json", beam(steps=2))
        words = ("compare", "scene.json", "--out", "study")
        self.refuse(2, *words, words=["--vary"])
        self.refuse(2, *words, "--vary", "integrator", words=["integrator"])
        self.refuse(2, *words, "--vary", "integrator=be,be", words=["twice"])
        self.refuse(2, *words, "--vary", "integrator=be,sdrik2",
                    words=["--vary integrator=sdrik2:", "sdirk2"])
        self.refuse(2, *words, "--vary", "integrator=be", "--reference", "nowhere",
                    words=["nowhere"])
        self.assertFalse(os.path.exists(self.path("study")))

    def test_what_cannot_run_is_said_before_the_first_run(self):
        self.write("scene.json", dict(beam(steps=2), contact={"method": "barrier"}))
        words = ("compare", "scene.json", "--out", "study", "--vary")
        self.refuse(2, *words, "integrator=be,rk4", words=["--vary integrator=rk4:", "contact"])
        # Said of the body, which no option set.
        rigid = beam(steps=2)
        rigid["bodies"].append({"name": "ball", "type": "rigid", "density": 500,
                                "mesh": {"sphere": {"radius": 0.3, "size": 0.3}},
                                "transform": {"translate": [0, 3, 0]}})
        self.write("scene.json", rigid)
        self.refuse(2, *words, "solver.type=newton,admm",
                    words=["--vary solver.type=admm", "bodies/1"])
        self.assertFalse(os.path.exists(self.path("study")))

    def test_forces_are_no_distances(self):
        scene = beam(steps=6)
        scene["obstacles"] = [{"name": "floor",
                               "plane": {"point": [0, -0.51, 0], "normal": [0, 1, 0]}}]
        scene["contact"] = {"method": "barrier", "distance": 0.05}
        words = ("compare", "scene.json", "--vary", "time.dt=0.01,0.005", "--reference", "0.005",
                 "--quiet", "--out")
        self.write("scene.json", scene)
        said = self.study(*words, "places")
        self.assertNotIn("forces rms", said)
        places = self.table("places", "compare.csv")[0]
        scene["probes"].append({"name": "push", "force_on": "beam"})
        self.write("scene.json", scene)
        self.assertIn("forces rms (N)", self.study(*words, "both"))
        both = self.table("both", "compare.csv")[0]
        self.assertGreater(float(places["probes_rms"]), 0)
        self.assertEqual(both["probes_rms"], places["probes_rms"])
        self.assertEqual(places["forces_rms"], "")
        self.assertGreater(float(both["forces_rms"]), 1)  # the floor carries part of 40 kN
        for name in ("probe-tip", "probe-push"):
            self.assert_figure("both", name)

    def test_results_that_are_there_stay(self):
        self.write("scene.json", beam(steps=1))
        words = ("compare", "scene.json", "--vary", "integrator=be", "--out", "study", "--quiet")
        self.succeed(*words)
        said = self.refuse(2, *words, words=["--force"])
        self.assertNotIn("--resume", said.err)  # compare has none
        self.succeed(*words, "--force")

    def test_a_run_that_fails_is_said_and_the_others_count(self):
        self.write("scene.json", beam(steps=40, young=1e9))
        outcome = self.pliant("compare", "scene.json", "--vary", "integrator=rk4,be", "--set",
                              "time.min_dt=0.009", "--out", "study", "--quiet")
        self.assertEqual(outcome.status, 4, outcome)
        status = {row["run"]: row["status"] for row in self.table("study", "compare.csv")}
        self.assertEqual(status, {"rk4": "failed", "be": "done"})
        self.assertIn("rk4", outcome.err)


class Modes(Study):
    def bar(self, cells, pin):
        scene = beam(materials={"jelly": {"model": "linear", "young": YOUNG, "poisson": 0.3,
                                          "density": DENSITY}}, pin=pin, probes=[])
        scene["bodies"][0]["mesh"]["box"] = {"size": [LENGTH, HEIGHT, WIDTH], "cells": cells,
                                             "element": "tet10"}
        return scene

    def clamped(self, cells=(24, 1, 1)):
        return self.bar(list(cells), [{"plane": {"point": [-0.9999, 0, 0], "normal": [-1, 0, 0]}}])

    def test_a_cantilever_rings_as_beam_theory_says(self):
        self.write("scene.json", self.clamped())
        self.study("modes", "scene.json", "-k", "4", "--out", "modes")
        rows = self.table("modes", "modes.csv")
        self.assertEqual(len(rows), 4)
        for row, thickness in zip(rows, (HEIGHT, WIDTH)):
            # Euler and Bernoulli; shear lowers it by about a percent.
            wanted = 3.516015 / (2 * math.pi * LENGTH**2) * math.sqrt(
                YOUNG * thickness**2 / (12 * DENSITY))
            self.assertAlmostEqual(float(row["frequency_hz"]) / wanted, 1, delta=0.02)
        for k in range(1, 5):
            frame = pliant_cli.read_frame(self.path("modes", f"mode_{k:03}.vtu"))
            self.assertEqual(len(frame["mode"]), len(frame["Points"]))
        self.assert_figure("modes", "frequencies")

    def test_a_free_bar_has_six_rigid_modes(self):
        self.write("scene.json", self.bar([8, 1, 1], []))
        said = self.study("modes", "scene.json", "-k", "8", "--out", "modes")
        kinds = [row["kind"] for row in self.table("modes", "modes.csv")]
        self.assertEqual(kinds, ["rigid"] * 6 + ["oscillating"] * 2)
        self.assertEqual(said.count("rigid"), 6)

    def test_about_the_equilibrium_and_against_another_mesh(self):
        self.write("scene.json", beam(cells=[8, 1, 1], young=1e6))
        self.write("fine.json", beam(cells=[16, 2, 2], young=1e6))
        rest = self.study("modes", "scene.json", "-k", "2", "--out", "rest")
        bent = self.study("modes", "scene.json", "-k", "2", "--out", "bent", "--static")
        self.assertNotEqual(rest.splitlines()[1], bent.splitlines()[1])
        both = self.study("modes", "scene.json", "-k", "2", "--out", "both", "--compare",
                          "fine.json")
        self.assertRegex(both.splitlines()[1], r"\+\d+\.\d+ %")  # a coarse mesh is too stiff

    def test_mistakes_are_answered(self):
        self.write("scene.json", beam(pin=[]))
        self.refuse(4, "modes", "scene.json", "--static", words=["no equilibrium"])
        self.refuse(2, "modes", "scene.json", "-k", "0")
        self.refuse(2, "modes", "none.json", words=["none.json"])


class Lists(Study):
    def test_integrators_come_with_what_their_steps_say(self):
        said = self.study("list", "integrators")
        line = {words[0]: " ".join(words) for words in map(str.split, said.splitlines()) if words}
        self.assertIn("L-stable 0.69 1", line["be"])  # d/ω = log 2
        self.assertIn("hω < 2 ", line["verlet"])
        markdown = self.study("list", "integrators", "--markdown")
        self.assertIn("| sdirk2 |", markdown)
        self.refuse(2, "list", "materials", "--markdown", words=["integrators"])

    def test_refusals_are_listed_with_what_the_program_says(self):
        said = self.study("list", "refusals")
        self.assertIn('contact method "admm" needs solver admm, not …', said)
        table = self.study("list", "refusals", "--markdown").splitlines()
        self.assertEqual({line.count(" | ") for line in table[2:]}, {1})
        self.assertEqual(2 * (len(table) - 2) + 1, len(said.strip().splitlines()))


if __name__ == "__main__":
    pliant_cli.main()
