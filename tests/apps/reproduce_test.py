"""`pliant reproduce`: the list of cases, what a case leaves in its folder, and that the cases come out as the data of the
documentation say (bench/results/cases.csv, tools/case_table.py).

PLIANT_CASES=long runs those of LONG in their short form, names run these; without it those of QUICK."""

import csv
import json
import os
import pathlib

import pliant_cli

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "bench" / "results"

# Some ten seconds each on one core.
QUICK = """damping-curves stiff-scalar si-diverges barrier-shapes velocity-contact heavy-cable swinging-cable
    numerical-stiffening""".split()
# Up to some minutes: `make verify`.
LONG = """soft-beam-energy stiffness-cost big-tree eigen-gap clamped-beam beam-convergence jello thick-cloth extreme
    bouncing-ball suspended duck-party sliding-block leaning-block spinning-ball spinning-beam momentum-damping
    damping-order power-law spline-damping cloth-swing restitution terrain drape admm-vs-newton stiff-sheet rigid-chain
    hinge-chain ragdoll conditioning compliant-fem stiff-triangles orthotropic-patch four-bodies bow trampoline knee
    linear-creature large-deformation twisted-bar shaken-arap released-leg heterogeneous mode-crossing stiffness-error
    eigenfit-cost""".split()
CHOSEN = os.environ.get("PLIANT_CASES", "")
CASES = LONG if CHOSEN == "long" else CHOSEN.split() or QUICK

# What fails, each with its reason. A figure that holds again is to be taken off.
MISSED = json.loads((RESULTS / "missed_figures.json").read_text())
# Figures about processor time: what else the machine does may turn them, so that both verdicts pass here.
TIMED = {"jello": ["processor time"], "thick-cloth": ["processor time"], "stiffness-cost": ["cost at", "dearest"],
         "eigenfit-cost": ["over one of"]}


def is_timed(case, figure):
    return any(words in figure for words in TIMED.get(case, []))


def recorded(case):
    """The verdicts that the data has."""
    with open(RESULTS / "cases.csv", newline="") as file:
        return {row["figure"]: row["verdict"] for row in csv.DictReader(file) if row["case"] == case and row["form"] == "short"}


class Reproduce(pliant_cli.ProgramTest):
    def test_every_case_is_run_by_make_test_or_make_verify(self):
        lines = self.succeed("reproduce", "list").out.splitlines()
        self.assertEqual(lines[0].split()[:2], ["case", "paper"])
        names = [line.split()[0] for line in lines[1:]]
        self.assertEqual(sorted(names), sorted(QUICK + LONG))
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(self.succeed("reproduce").out.splitlines(), lines)

    def test_an_unknown_case_gets_a_suggestion(self):
        self.refuse(2, "reproduce", "damping-curve",
                    words=['unknown case "damping-curve"', 'did you mean "damping-curves"'])

    def figures(self, name, timeout=120):
        """What a case has left, after the status and the last line were held to it."""
        outcome = self.pliant("reproduce", name, "--out", "out", "--quiet", "--threads", "1", timeout=timeout)
        self.assertIn(outcome.status, (0, 4), outcome)
        self.assertIn(name, outcome.out)
        with open(self.path("out", name, "figures.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        failing = [row["figure"] for row in rows if row["verdict"] == "FAILS" or row["ours"].startswith("failed: ")]
        last = outcome.out.splitlines()[-1]
        self.assertEqual(outcome.status, 4 if failing else 0, last)
        if failing:
            self.assertTrue(last.startswith(f"1 of 1 case fails: {name} ("), last)
            for figure in failing:
                self.assertIn(figure, last)
        else:
            self.assertEqual(last, "the case: every figure that is judged holds")
        return rows

    def assert_as_recorded(self, name, timeout=120):
        rows = self.figures(name, timeout)
        self.assertTrue(any(row["verdict"] != "shown" for row in rows), rows)
        sure = [row for row in rows if not is_timed(name, row["figure"])]
        self.assertEqual({row["figure"]: row["verdict"] for row in sure},
                         {figure: v for figure, v in recorded(name).items() if not is_timed(name, figure)})
        failing = {row["figure"] for row in sure if row["verdict"] == "FAILS"}
        self.assertEqual(failing, {figure for figure in MISSED.get(name, {}) if not is_timed(name, figure)})

    def test_a_case_leaves_its_tables_report_and_pictures(self):
        self.figures("damping-curves")
        folder = self.path("out", "damping-curves")
        there = set(os.listdir(folder))
        self.assertTrue({"figures.csv", "damping-table.csv", "report.md"} <= there, there)
        with open(os.path.join(folder, "report.md"), encoding="utf-8") as file:
            report = file.read()
        self.assertTrue(report.startswith("# damping-curves\n"))
        self.assertIn("ASCHER Figure 3", report)
        if "damping.png" in there:  # a build with plots
            with open(os.path.join(folder, "damping.png"), "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")

    def test_the_cases_come_out_as_recorded(self):
        for name in CASES:
            with self.subTest(name):
                self.assert_as_recorded(name, timeout=1800)


if __name__ == "__main__":
    pliant_cli.main()
