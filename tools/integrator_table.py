#!/usr/bin/env python3
"""The tables of docs/which-integrator.md from bench/results/integrators.json, as Markdown.

    integrator_table.py            print
    integrator_table.py --write    put them between the marks in docs/which-integrator.md"""
import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
page = root / "docs" / "which-integrator.md"
data = json.loads((root / "bench" / "results" / "integrators.json").read_text())
rows = data["work_precision"]
begin, end = "<!-- from bench/results/integrators.json -->\n", "<!-- end -->\n"


def cell(row):
    return f"{row['error_q']:.0e} / {row['ms']:.0f}" if row["ok"] else "unstable"


def table(linear):
    steps = sorted({row["h"] for row in rows[linear]}, reverse=True)
    lines = ["| | " + " | ".join(f"{1e3 * h:g} ms" for h in steps) + " | energy at 5 ms, J/kg |",
             "|---|" + "---|" * (len(steps) + 1)]
    names = list(dict.fromkeys(row["integrator"] for row in rows[linear]))
    for name in names:
        own = {row["h"]: row for row in rows[linear] if row["integrator"] == name}
        energy = own[0.005].get("energy_change") if own[0.005]["ok"] else None
        lines.append(f"| `{name}` | " + " | ".join(cell(own[h]) for h in steps) +
                     f" | {f'{energy:.0e}' if energy is not None else ''} |")
    return "\n".join(lines) + "\n"


def costs():
    lines = ["| | " + " | ".join(f"`{name}`" for name in data["cost_over_be"]["cholesky"] if name != "be_ms_per_step") + " |"]
    lines.append("|---" * (lines[0].count("|") - 1) + "|")
    for linear, values in data["cost_over_be"].items():
        lines.append(f"| `{linear}` | " + " | ".join(f"{v:.2f}" for k, v in values.items() if k != "be_ms_per_step") + " |")
    return "\n".join(lines) + "\n"


text = (begin + "Error of positions after one second, relative to how far the beam moved / milliseconds, with `cholesky`:\n\n" +
        table("cholesky") + "\nThe same with `auto`:\n\n" + table("auto") +
        "\nCost of a step at 5 ms over that of `be`, 2 560 tetrahedra:\n\n" + costs() + end)
if "--write" in sys.argv:
    old = page.read_text()
    page.write_text(old[: old.index(begin)] + text + old[old.index(end) + len(end):])
else:
    print(text, end="")
