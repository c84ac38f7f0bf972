#!/usr/bin/env python3
"""The whole product of reliability scenes, methods of contact, integrators, steps, frictions and jitters, in shards that can be interrupted.

Every combination appends one line of JSON to a results file. At the end (and after an interruption) they go into
bench/results/reliability.csv, the last result of each combination with the commit it is of, and
bench/results/reliability.json says how all of them went. What the table has for this commit is passed over, unless it
ran out of a shorter time; those that it does not have come first, then those that did not pass, then those of older commits.
With --kept a combination that runs out of time leaves checkpoints in a folder, and the next call goes on from there.

    tools/verify_reliability.py [--shard 1/4] [--seconds 300] [--budget 3600] [--scene NAME]... [--contact METHOD]... [--sample N] [--kept FOLDER]
"""
import argparse
import csv
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent
keys = ("scene", "contact", "integrator", "h", "mu", "jitter")
figures = ("steps", "newton_per_step", "retries", "redone", "min_gap", "seconds")
columns = (*keys, "outcome", "commit", "limit", *figures, "failure")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shard", default="1/1", help="i/n: every n-th combination, beginning with the i-th")
    parser.add_argument("--seconds", type=float, default=600, help="for one combination; longer ones count as out of time")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds in all; the rest is left for later")
    parser.add_argument("--scene", action="append", default=[], help="only scenes of this name; may be repeated")
    parser.add_argument("--contact", action="append", default=[], help="only contact by this method; may be repeated")
    parser.add_argument("--sample", type=int, help="so many combinations, chosen at random with a fixed seed")
    parser.add_argument("--kept", type=pathlib.Path, help="a folder for what is to go on; each commit has its own in it")
    parser.add_argument("--program", type=pathlib.Path, default=root / "build" / "tests" / "reliability" / "reliability")
    parser.add_argument("--results", type=pathlib.Path, default=root / "build" / "reliability.jsonl")
    parser.add_argument("--table", type=pathlib.Path, default=root / "bench" / "results" / "reliability.csv")
    parser.add_argument("--summary", type=pathlib.Path, default=root / "bench" / "results" / "reliability.json")
    return parser.parse_args()


def commit():
    """Of the sources that decide the outcome, with a mark where they differ from it."""
    said = lambda *words: subprocess.run(["git", *words], cwd=root, capture_output=True, text=True).stdout.strip()
    changed = said("status", "--porcelain", "--untracked-files=no", "--", "src", "tests/reliability")
    return said("log", "-1", "--format=%h", "--", "src", "tests/reliability") + ("+changes" if changed else "")


def key_of(line):
    return (line["scene"], line["contact"], line["integrator"], float(line["h"]), float(line["mu"]), int(line["jitter"]))


def number(text):
    return float(text) if text else None


def with_contact(line):
    """Results from before there were other methods are of a barrier."""
    return {"contact": "barrier"} | line


def read_table(options):
    """The last result of each combination: of the table, then of the lines that were added since."""
    table = {}
    if options.table.exists():
        with options.table.open(newline="") as file:
            for row in csv.DictReader(file):
                row.update({name: number(row[name]) for name in ("limit", *figures)})
                row = with_contact(row)
                table[key_of(row)] = row
    if options.results.exists():
        for text in options.results.read_text().splitlines():
            line = with_contact(json.loads(text))
            table[key_of(line)] = line
    return table


def write_table(options, table, everything):
    with options.table.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for combination in everything:
            if (row := table.get(key_of(combination))) is not None:
                rounded = {name: f"{float(f'{row[name]:.4g}'):g}" for name in ("limit", *figures) if row.get(name) is not None}
                writer.writerow(combination | {name: row.get(name) for name in columns[len(keys):]} | rounded)


def kept_folder(options, combination, now):
    return options.kept and options.kept / now / "_".join(str(combination[k]) for k in keys)


def is_due(row, now, options, kept):
    if row is None or row["commit"] != now:
        return True
    return row["outcome"] == "out of time" and (row["limit"] < options.seconds or bool(kept and kept.exists()))


def urgency(row):
    return 0 if row is None else 1 if row["outcome"] != "passed" else 2


def run_one(options, combination, kept):
    """In a process of its own: what crashes, fails alone."""
    seconds = options.seconds
    command = [str(options.program), "--run", *(str(combination[k]) for k in keys), "--seconds", str(seconds)]
    if kept:
        command += ["--kept", str(kept)]
    began = time.monotonic()
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=10 * seconds + 60)
        if answer.stdout:
            return json.loads(answer.stdout)
        failure = f"ended with status {answer.returncode}: {answer.stderr.strip()[-200:]}"
        outcome = "failed"
    except subprocess.TimeoutExpired:
        failure, outcome = "does not answer", "out of time"
    return combination | {"outcome": outcome, "failure": failure, "steps": 0, "seconds": time.monotonic() - began}


def scene_of(line):
    return line["scene"] + ("" if line["contact"] == "barrier" else " by " + line["contact"])


def counted(lines, name_of):
    table = {}
    for line in lines:
        row = table.setdefault(name_of(line), {"run": 0, "passed": 0, "failed": 0, "out of time": 0})
        row["run"] += 1
        row[line["outcome"]] += 1
    return table


def scene_figures(lines):
    """Per scene: how it went, and what it took."""
    table = counted(lines, scene_of)
    for scene, row in table.items():
        own = [line for line in lines if scene_of(line) == scene and line["steps"] > 0 and line.get("newton_per_step") is not None]
        if not own:
            continue
        steps = sum(line["steps"] for line in own)
        row["steps"] = steps
        row["newton_per_step"] = round(sum(line["newton_per_step"] * line["steps"] for line in own) / steps, 2)
        row["retries"] = sum(line["retries"] for line in own)
        row["redone"] = sum(line["redone"] for line in own)
        gaps = [line["min_gap"] for line in own if line["min_gap"] is not None]
        row["min_gap"] = min(gaps) if gaps else None
    return table


def summarise(options, table, everything, now):
    path = options.summary
    lines = [row for combination in everything if (row := table.get(key_of(combination))) is not None]
    failed = [line for line in lines if line["outcome"] != "passed"]
    commits = {}
    for line in lines:
        commits[line["commit"]] = commits.get(line["commit"], 0) + 1
    summary = {
        "what": "scenes of reliability, with what each method of contact promises checked after every step",
        "commits": commits,
        "combinations": len(everything),
        "run": len(lines),
        "not_run": len(everything) - len(lines),
        "passed": len(lines) - len(failed),
        "failed": sum(line["outcome"] == "failed" for line in failed),
        "out_of_time": sum(line["outcome"] == "out of time" for line in failed),
        "seconds": round(sum(line["seconds"] for line in lines), 1),
        "by_contact": counted(lines, lambda line: line["contact"]),
        "by_integrator": counted(lines, lambda line: line["integrator"]),
        "by_scene": scene_figures(lines),
        "not_passed": [{k: line[k] for k in (*keys, "outcome", "failure", "limit", "steps", "commit")} for line in failed],
    }
    path.write_text(json.dumps(summary, indent=1) + "\n")
    print(f"{summary['run']} of {summary['combinations']} combinations run, {commits.get(now, 0)} of them for {now}: "
          f"{summary['passed']} passed, {summary['failed']} failed, {summary['out_of_time']} out of time; {path.name}")
    return summary["failed"] + summary["out_of_time"]


def main():
    options = arguments()
    listed = subprocess.run([str(options.program), "--list"], capture_output=True, text=True, check=True).stdout
    everything = [json.loads(line) for line in listed.splitlines()]
    now = commit()
    table = read_table(options)
    part, parts = (int(x) for x in options.shard.split("/"))
    chosen = everything[part - 1::parts]
    if options.scene:
        chosen = [c for c in chosen if c["scene"] in options.scene]
    if options.contact:
        chosen = [c for c in chosen if c["contact"] in options.contact]
    random.Random(0).shuffle(chosen)
    if options.sample:
        chosen = chosen[:options.sample]
    chosen = [c for c in chosen if is_due(table.get(key_of(c)), now, options, kept_folder(options, c, now))]
    chosen.sort(key=lambda c: urgency(table.get(key_of(c))))
    began = time.monotonic()
    try:
        for combination in chosen:
            if time.monotonic() - began > options.budget:
                break
            kept = kept_folder(options, combination, now)
            line = {"commit": now, "limit": options.seconds} | run_one(options, combination, kept)
            if kept and line["outcome"] != "out of time":
                shutil.rmtree(kept, ignore_errors=True)
            with options.results.open("a") as file:
                file.write(json.dumps(line) + "\n")
                file.flush()
                os.fsync(file.fileno())
            if line["outcome"] != "passed":
                print(" ".join(str(line[k]) for k in keys), line["outcome"], line["failure"], flush=True)
    except KeyboardInterrupt:
        print("interrupted; the next call goes on from here")
    table = read_table(options)  # other shards write the same lines
    write_table(options, table, everything)
    return 1 if summarise(options, table, everything, now) else 0


if __name__ == "__main__":
    sys.exit(main())
