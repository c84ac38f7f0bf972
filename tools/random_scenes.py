#!/usr/bin/env python3
"""Scenes that nobody wrote: two bodies of any kind, with any integrator, solver, law, element, damping, contact and now
and then a constraint, a few steps each. Every one must run within its time, be refused for a reason that `pliant list
refusals` has (or touch something at its start), or end in words; and none may make energy without a word.

    random_scenes.py build/pliant --count 300 --seed 1        exit 1 if one does otherwise
    random_scenes.py build/pliant --seed 1 --only 17 --keep F  one of them, its scene written to F
    ... --write FILE.json                                      how many did what, kept with the commit"""
import argparse
import collections
import concurrent.futures
import csv
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

LAWS = ("linear corotated fixed-corotated stvk neo-hookean stable-neo-hookean mooney-rivlin arap spline orthotropic").split()
EXPLAINED = 0.01  # of the largest energy: more from nothing must be said
TOO_LONG = 60     # s, on any machine


def law(rng, name):
    young = 10 ** rng.uniform(3.5, 7)
    if name == "orthotropic":
        return {"model": name, "young": [young, 0.5 * young, 2 * young], "poisson": [0.2, 0.25, 0.1],
                "shear": [0.3 * young] * 3, "density": 1000}
    return {"model": name, "young": young, "poisson": rng.choice([0.0, 0.3, 0.45]), "density": rng.choice([200, 1000, 5000])}


def damping(rng, kind):
    base = {"model": "strain-rate", "psi": 50.0, "phi": 20.0}
    if rng.random() < 0.5:
        return []
    if kind == "rigid":
        return [{"model": "rayleigh", "alpha": 0.5}]
    choices = [{"model": "rayleigh", "alpha": 0.2, "beta": 1e-3}, base, {"model": "drag", "drag": 0.5},
               {"model": "power-law", "p": rng.choice([0, 0.5, 2, 3]), "strength": 50, "base": base},
               {"model": "spline", "over": "rate", "knots": [[0, 0.1], [1, 1], [10, 2]], "base": base}]
    if kind == "solid":
        choices += [{"model": "rayleigh", "beta": 1e-3, "implicit": True}, {"model": "principal-strain", "beta": 1e-3},
                    {"model": "modal", "ratio": 0.05, "modes": 4}]
    return [rng.choice(choices)]


def body(rng, name, height, names, small):
    kind = rng.choice(["solid"] * 5 + ["cloth", "cable", "rigid", "frames"])
    out = {"name": name, "transform": {"translate": [rng.uniform(-0.05, 0.05), height, rng.uniform(-0.05, 0.05)],
                                       "rotate": [rng.uniform(-30, 30) for _ in range(3)]}}
    velocity = [rng.uniform(-1, 1), rng.uniform(-3, 0), rng.uniform(-1, 1)]
    out["initial"] = {"velocity": velocity}
    if kind == "cloth":
        out |= {"type": "cloth", "thickness": 0.004, "mesh": {"sheet": {"size": [0.4, 0.4], "cells": [2, 2] if small else [4, 4]}},
                "material": names["cloth"]}
    elif kind == "cable":
        out |= {"type": "cable", "radius": 0.01, "mesh": {"cable": {"from": [-0.2, 0, 0], "to": [0.2, 0, 0], "segments": 6}},
                "material": names["solid"]}
    else:
        box = {"box": {"size": [0.3, 0.2, 0.25], "cells": [1, 1, 1] if small else [2, 1, 2],
                       "element": rng.choice(["tet4", "tet10", "hex8"])}}
        mesh = box if small else rng.choice([box, {"sphere": {"radius": 0.15, "size": 0.12}}])
        if kind == "rigid":
            out |= {"type": "rigid", "mesh": mesh, "density": rng.choice([200, 1000, 8000])}
            if rng.random() < 0.5:
                out["formulation"] = rng.choice(["affine", "se3"])
        else:
            out |= {"mesh": mesh, "material": names["solid"]}
            if kind == "frames":
                out |= {"type": "frames", "frames": 3}
    made = damping(rng, kind)
    if made:
        out["damping"] = made
    return out


def make_scene(seed, lists, small=False):
    rng = random.Random(seed)
    laws = rng.choice(LAWS)
    names = {"solid": "soft", "cloth": "silk"}
    method = rng.choice(["none", "barrier", "barrier", "qp", "unilateral", "admm"])
    dt = rng.choice([0.002, 0.01, 0.03])
    steps = 12 if small else 25
    scene = {"name": f"random-{seed}", "time": {"dt": dt, "duration": steps * dt, "output_dt": steps * dt},
             "integrator": rng.choice(lists["integrators"]),
             "materials": {"soft": law(rng, laws),
                           "silk": {"model": "stvk", "young": 1e5, "poisson": 0.3, "density": 300}},
             "bodies": [body(rng, "one", 0.2, names, small), body(rng, "two", 0.5 if small else 0.7, names, small)]}
    if rng.random() < 0.3:
        scene["solver"] = {"type": rng.choice(["linear", "admm"])}
    if method == "admm":
        scene["solver"] = {"type": "admm"}
        scene["integrator"] = rng.choice(["be", "bdf2", "sdirk2", "trbdf2", scene["integrator"]])
    if method != "none":
        scene["contact"] = {"method": method, "friction": rng.choice([0, 0.3, 1])}
        if method == "admm":
            scene["contact"] |= {"self": False, "groups": [["one", "two"]]}
        scene["obstacles"] = [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]
    if rng.random() < 0.25:
        one, two = (b["transform"]["translate"] for b in scene["bodies"])
        kind = rng.choice(["distance", "distance", "ball", "compliant"])
        if kind == "ball" and all(b.get("type") == "rigid" for b in scene["bodies"]):
            middle = [(a + b) / 2 for a, b in zip(one, two)]
            scene["constraints"] = [{"type": "ball", "between": ["two", middle, "one", middle]}]
        else:
            scene["constraints"] = [{"type": "distance", "between": ["two", two, "one", one]}]
        if kind == "compliant":
            scene["constraints"][0]["compliance"] = 1e-5
        if rng.random() < 0.7:
            scene["integrator"] = rng.choice("be bdf2 trbdf2 trbdf2b esdirk32 esdirk43 generalized-alpha".split())
    if rng.random() < 0.1:
        scene["time"] = {"dt": "auto", "duration": 0.05 if small else 0.1, "output_dt": 0.05}
    return scene


def judge(code, error, took, folder, refusals):
    """What happened, in a word, and what is wrong with it."""
    text = error.strip()
    if code == -1:
        history = folder / "history.csv"
        steps = history.read_text().count("\n") if history.exists() else 0
        goes_on = steps > 50 and time.time() - history.stat().st_mtime < TOO_LONG / 4
        return ("slow", "") if goes_on else ("hangs", "it did not end in time")
    if code == 3:
        return "touches", "" if re.search(r"intersect|touch", text) else "refused without a reason"
    if code == 2:
        # Each problem of a scene has its line; where one is on the list the others may follow from it.
        known = any(refusal.search(text) for refusal in refusals)
        return "refused", "" if known else f"refused for what is on no list: {text[-300:]}"
    if code not in (0, 4):
        return "crashes", f"status {code}: {text[-300:]}"
    summary = json.loads((folder / "summary.json").read_text()) if (folder / "summary.json").exists() else None
    if code == 4:
        reason = summary["reason"] if summary else text
        return ("fails", "") if len(reason) > 20 else ("fails", "it failed without a reason")
    with open(folder / "history.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    most = max(float(r["kinetic"]) + float(r["elastic"]) + float(r["contact"]) for r in rows)
    created = summary.get("energy_created", {"total": 0})["total"]
    said = "J from nothing" in (folder / "log.jsonl").read_text()
    if created > EXPLAINED * most * 1.001 and not said:
        return "grows", f"{created:.3g} J from nothing of {most:.3g} J, and not a word"
    return ("warns", "") if said else ("runs", "")


def run_one(options, lists, seed):
    scene = make_scene(seed, lists, options.small)
    with tempfile.TemporaryDirectory() as place:
        path, folder = pathlib.Path(place) / "scene.json", pathlib.Path(place) / "out"
        path.write_text(json.dumps(scene))
        begun = time.monotonic()
        try:
            done = subprocess.run([options.program, "run", path, "--out", folder, "--threads", "1", "--quiet"],
                                  capture_output=True, text=True, timeout=TOO_LONG)
            code, error = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            code, error = -1, ""
        took = time.monotonic() - begun
        what, wrong = judge(code, error, took, folder, lists["refusals"])
        return seed, scene, what, wrong, took, error.strip()


def names_of(program, what):
    """The first column of `pliant list`, below its heading."""
    lines = subprocess.run([program, "list", what, "--markdown"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [match.group(1) for line in lines if (match := re.match(r"\| ([a-z][\w-]+) \| [A-Za-z-]+ \| +\d", line))]


def refusals_of(program):
    """What `pliant list refusals` says, as patterns: dots stand for what a scene says."""
    lines = subprocess.run([program, "list", "refusals", "--markdown"], capture_output=True, text=True, check=True).stdout.splitlines()
    words = [line.split(" | ")[1].removesuffix(" |") for line in lines[2:]]
    return [re.compile(re.escape(why).replace("…", ".*")) for why in words]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--small", action="store_true", help="bodies of a few elements, half the steps: a fraction of a second each")
    parser.add_argument("--keep", type=pathlib.Path, help="the scenes of what went wrong, or the one that is asked for")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.program = options.program.resolve()
    lists = {"integrators": names_of(options.program, "integrators"), "refusals": refusals_of(options.program)}
    first = 100000 * options.seed
    seeds = [first + options.only] if options.only is not None else range(first, first + options.count)
    counts, slowest, wrong = collections.Counter(), [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, scene, what, problem, took, error in pool.map(lambda s: run_one(options, lists, s), seeds):
            counts[what] += 1
            slowest.append((took, seed - first, what))
            if options.verbose or problem:
                integrator, method = scene["integrator"], scene.get("contact", {}).get("method", "none")
                print(f"{seed - first}: {what} after {took:.1f} s ({integrator}, {method}, {scene['time']['dt']}) "
                      f"{problem or error[:200]}", flush=True)
            if problem:
                wrong += 1
            if options.keep and (problem or options.only is not None):
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{seed - first}.json").write_text(json.dumps(scene, indent=1))
    slowest.sort(reverse=True)
    print(f"{len(seeds)} scenes: " + ", ".join(f"{n} {what}" for what, n in counts.most_common()))
    print("slowest: " + ", ".join(f"{number} ({took:.1f} s, {what})" for took, number, what in slowest[:5]))
    if options.write:
        options.write.write_text(json.dumps({"seed": options.seed, "scenes": len(seeds), **counts, "wrong": wrong}, indent=1) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
