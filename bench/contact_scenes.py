#!/usr/bin/env python3
"""Contact with friction at the size of real things: scenes in series of sizes, each run for some steps by a program, and
what a step in contact cost: Newton iterations, iterations of the linear solver, seconds on the clock and of processor
time, memory. Results are data with the commit; --against puts the same of another program beside them, run in turn.

    bench/contact_scenes.py [NAME …] [--integrator be …] [--size 1 …] [--threads N] [--set key.path=value …]
                            [--against PROGRAM] [--out FILE]
    make bench-contact

The armadillo is Debian's (libcgal-demo); tools/get_meshes.sh brings it."""
import argparse
import csv
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
mesh = root / "build" / "meshes" / "armadillo.off"
soft = {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000}
floor = {"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}


def scene(bodies, materials, contact, steps, dt=0.01, **more):
    return {"time": {"dt": dt, "duration": steps * dt, "output_dt": 1e9}, "materials": materials, "bodies": bodies,
            "contact": {"method": "barrier"} | contact, **more}


def box(name, size, cells, at, material="soft", **more):
    return {"name": name, "mesh": {"box": {"size": size, "cells": cells}}, "material": material,
            "transform": {"translate": at}, **more}


def armadillo(size):
    """Hits the floor with 4 m/s; at size 1 13 068 tetrahedra."""
    body = {"name": "armadillo", "mesh": {"surface": str(mesh), "size": 6 / size}, "material": "soft",
            "transform": {"scale": 0.01, "translate": [0, 0.57, 0]}, "initial": {"velocity": [0, -4, 0]}}
    return scene([body], {"soft": soft}, {"friction": 0.4}, 20, obstacles=[floor])


def boxes(size):
    """One block on another on a floor, settling from a small gap, friction 1: 5 760 tetrahedra at size 1."""
    n = round(8 * size)
    bodies = [box("lower", [1, 1, 1], [n, n, n + n // 4], [0, 0.502, 0]),
              box("upper", [1, 1, 1], [n, n, n], [0.1, 1.506, 0.1])]
    return scene(bodies, {"soft": soft | {"young": 1e6}}, {"friction": 1}, 30, obstacles=[floor])


def balls(size):
    """A heap of soft balls, friction 0.4; eight of them."""
    bodies = [{"name": f"ball-{i}-{j}-{k}", "mesh": {"sphere": {"radius": 0.25, "size": 0.09 / size}}, "material": "soft",
               "transform": {"translate": [0.52 * i + 0.13 * (k % 2), 0.26 + 0.5 * k, 0.52 * j + 0.13 * (k % 2)]},
               "initial": {"velocity": [0, -2, 0]}}
              for k in range(2) for i in range(2) for j in range(2)]
    return scene(bodies, {"soft": soft}, {"friction": 0.4}, 30, obstacles=[floor])


def cards(size):
    """A house of cards, stiff and thin, that stands by friction and is hit by a ball."""
    n = round(10 * size)
    card = lambda name, x, y, angle: {
        "name": name, "mesh": {"box": {"size": [0.02, 1, 0.7], "cells": [1, n, round(0.7 * n)]}}, "material": "card",
        "transform": {"translate": [x, y, 0], "rotate": [0, 0, angle]}}
    bodies = [card("left", -0.27, 0.487, -25), card("right", 0.27, 0.487, 25), card("third", 0.83, 0.487, -25),
              card("fourth", 1.37, 0.487, 25),
              box("deck", [1.5, 0.02, 0.7], [round(1.5 * n), 1, round(0.7 * n)], [0.55, 0.979, 0], "card"),
              {"name": "ball", "mesh": {"sphere": {"radius": 0.15, "size": 0.08}}, "material": "card",
               "transform": {"translate": [-1.0, 0.6, 0]}, "initial": {"velocity": [8, 0, 0]}}]
    card_law = {"model": "stable-neo-hookean", "young": 1e8, "poisson": 0.3, "density": 600}
    return scene(bodies, {"card": card_law}, {"friction": 0.5}, 30, obstacles=[floor])


def mats(size):
    """A mat that falls on the edges of knives, with friction."""
    n = round(24 * size)
    knives = [{"name": f"knife-{k}", "box": {"center": [0.3 * (k - 1), 0.3, 0], "size": [0.01, 0.6, 1.4]}} for k in range(3)]
    return scene([box("mat", [1.2, 0.06, 1.2], [n, 2, n], [0, 0.64, 0], initial={"velocity": [0, -1, 0]})],
                 {"soft": soft | {"young": 2e4}}, {"friction": 0.3}, 30, obstacles=knives)


def rollers(size):
    """A soft block is drawn through the gap of two turning rollers by friction."""
    n = round(10 * size)
    turn = lambda x, w: {"name": "left" if x < 0 else "right", "capsule": {"from": [x, 0, -0.6], "to": [x, 0, 0.6], "radius": 0.3},
                         "motion": {"angular_velocity": [0, 0, w], "center": [x, 0, 0]}}
    return scene([box("block", [0.7, 0.7, 0.5], [n, n, round(0.7 * n)], [0, 0.66, 0])], {"soft": soft},
                 {"friction": 0.6}, 40, obstacles=[turn(-0.5, -3), turn(0.5, 3)])


SCENES = {f.__name__: f for f in (armadillo, boxes, balls, cards, mats, rollers)}


def run(program, description, threads, settings):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pliant-bench-"))
    try:
        (folder / "scene.json").write_text(json.dumps(description))
        words = [program, "run", folder / "scene.json", "--out", folder / "out", "--quiet", "--threads", threads]
        for setting in settings:
            words += ["--set", setting]
        begun = time.monotonic()
        process = subprocess.Popen([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            return {"status": process.returncode, "said": said.strip()[-300:], "wall": round(wall, 2)}
        summary = json.loads((folder / "out" / "summary.json").read_text())
        with (folder / "out" / "history.csv").open() as file:
            rows = list(csv.DictReader(file))[1:]
        touching = [row for row in rows if int(row["contacts"]) > 0] or rows
        mean = lambda name: sum(float(row[name] or 0) for row in touching) / len(touching)
        return {"status": 0, "steps": len(rows), "touching": len(touching), "newton": round(mean("newton"), 2),
                "linear": round(mean("linear"), 1), "contacts": round(mean("contacts"), 1),
                "step_ms": round(mean("wall_ms"), 2), "wall": round(wall, 2), "cpu": round(used.ru_utime + used.ru_stime, 2),
                "memory_mb": round(used.ru_maxrss / 1024), "total_energy": float(rows[-1]["total"]),
                "state_hash": summary.get("state_hash")}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SCENES)}; all by default")
    parser.add_argument("--integrator", action="append")
    parser.add_argument("--size", type=float, action="append", help="1: thousands of elements; times as many a side")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--steps", type=int, help="in place of each scene's own")
    parser.add_argument("--set", action="append", default=[], dest="settings", metavar="KEY=VALUE")
    parser.add_argument("--program", default=str(root / "build" / "pliant"))
    parser.add_argument("--against", help="another program, run in turn with this one")
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in SCENES]:
        sys.exit(f"contact_scenes: no scene {unknown[0]}; there are {', '.join(SCENES)}")
    commit = subprocess.run(["git", "-C", str(root), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    results = []
    for name in options.names or SCENES:
        if name == "armadillo" and not mesh.exists():
            subprocess.run([str(root / "tools" / "get_meshes.sh")], check=True)
        for size in options.size or [1]:
            for integrator in options.integrator or ["be", "trbdf2"]:
                description = SCENES[name](size) | {"name": name, "integrator": integrator}
                if options.steps:
                    description["time"]["duration"] = options.steps * description["time"]["dt"]
                row = {"scene": name, "size": size, "integrator": integrator, "threads": options.threads}
                row |= run(options.program, description, options.threads, options.settings)
                if options.against:
                    row["against"] = run(options.against, description, options.threads, options.settings)
                results.append(row)
                print(json.dumps(row), flush=True)
    if options.out:
        data = {"commit": commit.stdout.strip(), "machine": platform.machine(), "cores": os.cpu_count(),
                "settings": options.settings, "results": results}
        options.out.write_text(json.dumps(data, indent=1) + "\n")
    sys.exit(any(row["status"] for row in results))


if __name__ == "__main__":
    main()
