"""Where the energy of a run went, and what becomes of steps that make some from nothing; runs that get nowhere end."""

import json
import os

import pliant_cli
from pliant_cli import ProgramTest, beam, history


def exploding(**changes):
    """A stiff beam by an explicit method, with steps somewhat too long for it."""
    return {**beam(cells=[3, 1, 1], dt=0.03, steps=5, integrator="verlet"), **changes}


class Energy(ProgramTest):
    def summary(self, folder):
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            return json.load(file)

    def words(self, folder):
        with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as file:
            return [json.loads(line)["text"] for line in file]

    def test_the_columns_say_where_it_went(self):
        scene = beam(cells=[3, 1, 1], dt=0.01, steps=40, integrator="be",
                     damping=[{"model": "rayleigh", "alpha": 1, "beta": 2e-3}])
        rows = history(self.run_scene(scene))
        for row in rows:
            left = row["work"] - row["damped"] - row["rubbed"] + row["created"]
            self.assertAlmostEqual(row["total"] - rows[0]["total"], left, delta=1e-9 * abs(rows[-1]["external"]))
            self.assertAlmostEqual(row["dissipated"], row["damped"] + row["rubbed"] - row["created"], delta=1e-9)
        self.assertGreater(rows[-1]["damped"], 0)
        self.assertLess(rows[-1]["created"], 0)  # backward Euler takes its share
        self.assertEqual(self.summary(self.path("result"))["energy_created"]["total"], 0)

    def test_energy_from_nothing_is_said_with_time_amount_method_and_cure(self):
        folder = self.run_scene(exploding())
        said = [text for text in self.words(folder) if "from nothing" in text]
        self.assertTrue(said)
        self.assertLess(len(said), 4)  # not at every step
        for word in ("verlet has made", "J from nothing", "%", "shorter steps", '"energy": "redo"'):
            self.assertIn(word, said[0])
        created = self.summary(folder)["energy_created"]
        self.assertGreater(created["total"], 0)
        self.assertGreater(created["worst_step"], 0)
        self.assertGreater(created["time"], 0)
        self.assertAlmostEqual(max(row["created"] for row in history(folder)), created["total"],
                               delta=1e-5 * created["total"])

    def test_off_says_nothing(self):
        folder = self.run_scene(exploding(energy="off"))
        self.assertFalse([text for text in self.words(folder) if "from nothing" in text])
        self.assertGreater(self.summary(folder)["energy_created"]["total"], 0)

    def test_stop_ends_the_run_before_that_step(self):
        self.write("scene.json", exploding(energy="stop"))
        self.refuse(4, "run", "scene.json", "--quiet", "--out", "result",
                    words=['is not taken, by "energy": "stop"', "verlet has made"])
        summary, rows = self.summary(self.path("result")), history(self.path("result"))
        self.assertEqual(summary["status"], "failed")
        self.assertEqual(rows[-1]["step"], summary["steps"])
        self.assertLess(rows[-1]["created"], 0.011 * max(r["kinetic"] + r["elastic"] for r in rows))

    def test_redo_makes_such_steps_with_be(self):
        folder = self.run_scene(exploding(energy="redo"))
        rows = history(folder)
        self.assertGreater(sum(row["redone"] for row in rows), 0)
        most = max(row["kinetic"] + row["elastic"] for row in rows)
        self.assertLess(self.summary(folder)["energy_created"]["total"], 0.01 * most)

    def test_what_rests_is_not_blamed_for_rounding(self):
        arm = {"time": {"dt": 0.01, "duration": 0.1}, "materials": {}, "integrator": "generalized-alpha",
               "bodies": [{"name": "arm", "type": "rigid", "density": 500,
                           "mesh": {"box": {"size": [0.6, 0.1, 0.1], "cells": [1, 1, 1]}}}],
               "constraints": [{"type": "hinge", "between": ["arm", [0, 0, 0], "world", [0, 0, 0]], "axis": [0, 0, 1]}]}
        rows = history(self.run_scene(arm))
        self.assertEqual(sum(row["redone"] + row["retries"] for row in rows), 0)

    def test_a_run_that_gets_nowhere_ends_in_words(self):
        scene = beam(cells=[3, 1, 1], dt=0.05, steps=10)
        scene["solver"] = {"max_iterations": 1, "tolerance": 1e-12, "max_work": 20}
        self.write("scene.json", scene)
        self.refuse(4, "run", "scene.json", "--quiet", "--out", "result", words=["it gets nowhere", "solver.max_work"])
        self.assertEqual(self.summary(self.path("result"))["status"], "failed")

    def test_the_choices_are_named(self):
        self.refuse_scene(2, exploding(energy="redoo"), ["energy", 'did you mean "redo"'])


if __name__ == "__main__":
    pliant_cli.main()
