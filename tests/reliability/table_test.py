"""tools/verify_reliability.py with a program that answers as it is told: what is run, in which order, and what is kept."""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(sys.argv.pop(1))
SCENES = ("falls", "rests", "rolls", "turns")
# Answers with the outcome that the file answers.json has for a scene, and keeps a list of what it ran.
PROGRAM = '''#!/usr/bin/env python3
import json, pathlib, sys
here = pathlib.Path(__file__).parent
combination = lambda scene, contact: {"scene": scene, "contact": contact, "integrator": "be", "h": 0.01, "mu": 0.5, "jitter": 0}
if sys.argv[1] == "--list":
    for scene in SCENES:
        print(json.dumps(combination(scene, "qp" if scene == "turns" else "barrier")))
    sys.exit()
scene, contact = sys.argv[2:4]
with (here / "ran").open("a") as file:
    file.write(scene + "\\n")
outcome = json.loads((here / "answers.json").read_text()).get(scene, "passed")
if "--kept" in sys.argv and outcome == "out of time":
    pathlib.Path(sys.argv[sys.argv.index("--kept") + 1]).mkdir(parents=True, exist_ok=True)
if outcome == "crash":
    sys.exit("it fell over")
print(json.dumps(combination(scene, contact) | {"outcome": outcome, "failure": "" if outcome == "passed" else "as told", "steps": 10,
      "newton_per_step": 3.5, "retries": 0, "redone": 1, "min_gap": None, "seconds": 0.1}))
'''


class Table(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.here = pathlib.Path(self.folder.name)
        program = self.here / "program"
        program.write_text(PROGRAM.replace("SCENES", repr(SCENES)))
        program.chmod(0o755)

    def tearDown(self):
        self.folder.cleanup()

    def verify(self, *more, **answers):
        """Exit status, scenes in the order they were run, rows by scene, summary."""
        (self.here / "answers.json").write_text(json.dumps(answers))
        ran = self.here / "ran"
        ran.unlink(missing_ok=True)
        files = {"--program": "program", "--results": "results.jsonl", "--table": "table.csv", "--summary": "summary.json"}
        words = [word for option, name in files.items() for word in (option, str(self.here / name))]
        answer = subprocess.run([sys.executable, str(TOOL), *words, *more], capture_output=True, text=True)
        self.assertNotIn("Traceback", answer.stderr)
        with (self.here / "table.csv").open(newline="") as file:
            rows = {row["scene"]: row for row in csv.DictReader(file)}
        order = ran.read_text().split() if ran.exists() else []
        return answer.returncode, order, rows, json.loads((self.here / "summary.json").read_text())

    def change_commit(self, *scenes):
        """As if the results of these were of an older commit."""
        lines = [json.loads(text) for text in (self.here / "results.jsonl").read_text().splitlines()]
        for line in lines:
            if line["scene"] in scenes:
                line["commit"] = "older"
        (self.here / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def test_all_that_pass_are_kept_and_not_run_again(self):
        status, order, rows, summary = self.verify()
        self.assertEqual(status, 0)
        self.assertEqual(sorted(order), sorted(SCENES))
        self.assertEqual({row["outcome"] for row in rows.values()}, {"passed"})
        self.assertEqual((summary["run"], summary["passed"], summary["not_run"]), (4, 4, 0))
        self.assertEqual(summary["by_scene"]["falls"]["newton_per_step"], 3.5)
        self.assertEqual(self.verify()[1], [])

    def test_the_table_alone_is_enough_to_go_on_from(self):
        self.verify()
        (self.here / "results.jsonl").unlink()
        status, order, rows, _ = self.verify()
        self.assertEqual((status, order, len(rows)), (0, [], 4))

    def test_what_fails_or_crashes_is_said(self):
        status, _, rows, summary = self.verify(falls="failed", rolls="crash")
        self.assertEqual(status, 1)
        self.assertEqual((summary["failed"], summary["passed"]), (2, 2))
        self.assertEqual(rows["falls"]["failure"], "as told")
        self.assertIn("it fell over", rows["rolls"]["failure"])

    def test_out_of_time_is_due_with_more_time_only(self):
        self.verify("--seconds", "10", rests="out of time")
        self.assertEqual(self.verify("--seconds", "10")[1], [])
        status, order, rows, summary = self.verify("--seconds", "20")
        self.assertEqual((status, order), (0, ["rests"]))
        self.assertEqual((rows["rests"]["limit"], rows["falls"]["limit"]), ("20", "10"))
        self.assertEqual(summary["out_of_time"], 0)

    def test_what_is_kept_goes_on_and_is_dropped_once_it_has_ended(self):
        kept = ("--seconds", "10", "--kept", str(self.here / "kept"))
        self.verify(*kept, rests="out of time")
        self.assertEqual([path.name for path in self.here.glob("kept/*/*")], ["rests_barrier_be_0.01_0.5_0"])
        self.assertEqual(self.verify(*kept, rests="out of time")[1], ["rests"])
        status, order, rows, summary = self.verify(*kept)
        self.assertEqual((status, order, rows["rests"]["outcome"]), (0, ["rests"], "passed"))
        self.assertEqual(list(self.here.glob("kept/*/*")), [])

    def test_missing_first_then_what_did_not_pass_then_older_ones(self):
        self.verify("--scene", "falls", "--scene", "rests", "--scene", "rolls", rests="failed")
        self.change_commit("falls", "rests")
        order = self.verify()[1]
        self.assertEqual(order, ["turns", "rests", "falls"])

    def test_nothing_left_of_the_budget_runs_nothing(self):
        _, order, rows, summary = self.verify("--budget", "-1")
        self.assertEqual((order, rows, summary["not_run"]), ([], {}, 4))

    def test_methods_of_contact_are_told_apart(self):
        _, order, rows, summary = self.verify("--contact", "qp")
        self.assertEqual((order, {row["contact"] for row in rows.values()}), (["turns"], {"qp"}))
        self.verify()
        summary = self.verify()[3]
        self.assertEqual({name: row["run"] for name, row in summary["by_contact"].items()}, {"barrier": 3, "qp": 1})
        self.assertEqual(sorted(summary["by_scene"]), ["falls", "rests", "rolls", "turns by qp"])

    def test_a_table_from_before_there_were_other_methods_is_of_a_barrier(self):
        self.verify()
        table = self.here / "table.csv"
        with table.open(newline="") as file:
            rows = list(csv.DictReader(file))
        old = [{name: value for name, value in row.items() if name != "contact"} for row in rows if row["contact"] == "barrier"]
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(old[0]))
            writer.writeheader()
            writer.writerows(old)
        (self.here / "results.jsonl").unlink()
        status, order, rows, _ = self.verify()
        self.assertEqual((status, order), (0, ["turns"]))
        self.assertEqual({scene: row["contact"] for scene, row in rows.items()},
                         {"falls": "barrier", "rests": "barrier", "rolls": "barrier", "turns": "qp"})

    def test_shards_take_turns(self):
        first, second = self.verify("--shard", "1/2")[1], self.verify("--shard", "2/2")[1]
        self.assertEqual((sorted(first), sorted(second)), (["falls", "rolls"], ["rests", "turns"]))


if __name__ == "__main__":
    unittest.main()
