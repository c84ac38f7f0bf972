#!/usr/bin/env python3
"""The papers' figures beside ours, in the documentation, from the data that runs have left: bench/results/cases.csv has
every figure of every case with its verdict and the commit it was run at, bench/results/missed_figures.json why one fails.
In docs/papers.md the table of cases and what fails, in docs/reproduce*.md the figures of one paper each.

    case_table.py PLIANT            fails if a page is not what the data and the program's list of cases say, or if a
                                    figure fails without a reason or has one and holds; a case without results is
                                    "not run" in the table, and fails where it is run (tests/apps/reproduce_test.py)
    case_table.py PLIANT --write    writes the pages
    case_table.py --collect FOLDER [--full] [--commit HASH] [CASE…]
                                    takes the results of `pliant reproduce CASE --out FOLDER` into the data: of all
                                    cases that are there, or of these; run at this commit unless told another"""
import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
data = root / "bench" / "results" / "cases.csv"
reasons = root / "bench" / "results" / "missed_figures.json"
faults = root / "bench" / "results" / "broken_engine.json"
COLUMNS = ["case", "form", "figure", "paper", "ours", "verdict", "commit"]
PAGES = {"ASCHER": "reproduce.md#ascher", "LOESCHNER": "reproduce-loeschner.md", "BROWN": "reproduce-brown.md",
         "TOURNIER": "reproduce.md#tournier", "CHEN": "reproduce-chen.md"}
CONTACT = {"barrier-shapes", "velocity-contact", "bouncing-ball", "suspended", "duck-party", "sliding-block",
           "leaning-block", "spinning-ball"}
WORDS = {"holds": ("holds", "hold"), "FAILS": ("**FAILS**", "**FAIL**"), "shown": ("shown", "shown")}


def read():
    with open(data, newline="") as file:
        return list(csv.DictReader(file))


def collect(folder, names, form, commit):
    commit = commit or subprocess.run(["git", "describe", "--always", "--dirty"], cwd=root, capture_output=True, text=True,
                            check=True).stdout.strip()
    rows = read() if data.exists() else []
    taken = []
    for path in sorted(folder.glob("*/figures.csv")):
        case = path.parent.name
        if names and case not in names:
            continue
        with open(path, newline="") as file:
            new = [{"case": case, "form": form, "commit": commit, **row} for row in csv.DictReader(file)]
        rows = [row for row in rows if (row["case"], row["form"]) != (case, form)] + new
        taken.append(case)
    rows.sort(key=lambda row: (row["case"], row["form"] == "full"))  # figures of a case stay in their order
    with open(data, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    missing = sorted(set(names) - set(taken))
    print(f"{len(taken)} cases at {commit}" + (f"; no results of {', '.join(missing)}" if missing else ""))
    return 1 if missing else 0


def cases_of(pliant):
    """Name, paper and title of each, in the program's order."""
    text = subprocess.run([pliant, "reproduce", "list"], capture_output=True, text=True, check=True).stdout
    return [re.match(r"(\S+)\s{2,}(.+?)\s{2,}(.+)", line).groups() for line in text.splitlines()[1:]]


def count(rows):
    """"3 hold, 1 FAILS"."""
    parts = []
    for verdict, (one, many) in WORDS.items():
        if n := sum(row["verdict"] == verdict for row in rows):
            parts.append(f"{n} {one if n == 1 else many}")
    return ", ".join(parts)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in rows]) + "\n"


def page_of(case, paper):
    return ("contact", "reproduce-contact.md") if case in CONTACT else (paper.split()[0], PAGES[paper.split()[0]])


def overview(cases, rows, why):
    left = [name for name, _, _ in cases if not any(row["case"] == name for row in rows)]
    text = f"There are {len(cases)} cases; of their figures, in short forms, {count(rows)}."
    text += f" {len(left)} have not been run since their verdicts changed.\n\n" if left else "\n\n"
    text += table(["case", "paper", "what is done", "verdicts", "figures"],
                  [[f"`{name}`", paper, title, count([r for r in rows if r["case"] == name]) or "not run",
                    "[{}]({})".format(*page_of(name, paper))] for name, paper, title in cases])
    failing = [row for row in rows if row["verdict"] == "FAILS"]
    text += "\n## What fails\n\n" + table(
        ["case", "figure", "the paper", "ours", "why"],
        [[f"`{r['case']}`", r["figure"], r["paper"], r["ours"], why.get(r["case"], {}).get(r["figure"], "")] for r in failing])
    return text


def found_out():
    """What tools/break_engine.py has found: each fault and the figures that fail by it."""
    return table(["what is wrong", "case", "figure that fails then", "ours"],
                 [[fault["what"] if k == 0 else "", f"`{f['case']}`", f["figure"], f["ours"]]
                  for fault in json.loads(faults.read_text()).values() for k, f in enumerate(fault["fails"])])


def figures(paper, cases, rows):
    own = [name for name, source, _ in cases if source.split()[0] == paper]
    return table(["case", "figure", "the paper", "ours", "verdict"],
                 [[f"`{name}`" if k == 0 else "", r["figure"], r["paper"], r["ours"], WORDS[r["verdict"]][0]]
                  for name in own for k, r in enumerate(r for r in rows if r["case"] == name)])


def made(text, parts):
    """`text` with each <!-- PART: made by tools/case_table.py --> … <!-- end --> filled anew."""
    def fill(match):
        return match.group(1) + "\n" + parts[match.group(2)] + "\n<!-- end -->"
    return re.sub(r"(<!-- ([\w ]+): made by tools/case_table\.py -->)\n.*?<!-- end -->", fill, text, flags=re.S)


def wrong_data(cases, rows, why):
    names = {name for name, _, _ in cases}
    wrong = [f"{data.name}: {name} is no case" for name in sorted({row["case"] for row in rows} - names)]
    failing = {(row["case"], row["figure"]) for row in rows if row["verdict"] == "FAILS"}
    run = {row["case"] for row in rows}
    given = {(case, figure) for case, of in why.items() for figure in of if case in run or case not in names}
    wrong += [f"{reasons.name}: why does {figure!r} of {case} fail?" for case, figure in sorted(failing - given)]
    wrong += [f"{reasons.name}: {figure!r} of {case} does not fail" for case, figure in sorted(given - failing)]
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--collect", type=pathlib.Path)
    parser.add_argument("--commit")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.collect:
        return collect(options.collect, options.names, "full" if options.full else "short", options.commit)
    cases = cases_of(str(pathlib.Path(options.names[0]).resolve()))
    rows = [row for row in read() if row["form"] == "short"]
    why = json.loads(reasons.read_text())
    parts = {"cases": overview(cases, rows, why), "faults": found_out()} | {paper: figures(paper, cases, rows) for paper in PAGES}
    wrong, filled = wrong_data(cases, rows, why), 0
    for page in sorted((root / "docs").glob("*.md")):
        text = page.read_text()
        new = made(text, parts)
        filled += text.count(": made by tools/case_table.py -->")
        if options.write:
            page.write_text(new)
        elif new != text:
            wrong.append(f"docs/{page.name} is out of date: run tools/case_table.py build/pliant --write")
    if filled < 2:
        wrong.append(f"only {filled} parts of pages are made of the data: are the marks still right?")
    print("\n".join(wrong) if wrong else f"cases: {len(cases)}, {len(rows)} figures; the pages agree with the data")
    return 1 if wrong else 0


sys.exit(main())
