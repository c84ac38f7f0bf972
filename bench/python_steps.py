#!/usr/bin/env python3
"""What stepping from Python costs: the beam of 20 480 tetrahedra, stepped one by one from Python with its
positions read after each step, against the library alone. Both make the same bits, so each step is compared with
itself: by the fastest of several rounds, which alternate.

    PYTHONPATH=build/python /usr/bin/python3 bench/python_steps.py build/bench/bench_steps [--rounds N] [--threads N]

prints a JSON document; the bar is 2 %."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import pliant

BAR = 1.02
SCENE = {
    "time": {"dt": 0.005, "duration": 1},
    "integrator": "be",
    "materials": {"jelly": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
    "bodies": [{"name": "beam", "material": "jelly",
                "mesh": {"box": {"size": [8, 1, 1], "cells": [64, 8, 8], "element": "tet4"}},
                "pin": [{"box": {"min": [-4.01, -1, -1], "max": [-3.99, 1, 1]}},
                        {"box": {"min": [3.99, -1, -1], "max": [4.01, 1, 1]}}]}],
}


def steps_of_python(path, steps, threads):
    simulation = pliant.Simulation(path, threads=threads)
    seconds = []
    for _ in range(steps):
        begin = time.perf_counter()
        simulation.step()
        simulation.positions.min()
        seconds.append(time.perf_counter() - begin)
    return simulation.hash, seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stepper")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    library, python, hashes = [], [], set()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "beam.json"
        path.write_text(json.dumps(SCENE))
        for _ in range(options.rounds):
            said = json.loads(subprocess.run([options.stepper, str(path), str(options.steps), str(options.threads)],
                                             capture_output=True, text=True, check=True).stdout)
            library.append(said["seconds"])
            state, seconds = steps_of_python(path, options.steps, options.threads)
            python.append(seconds)
            hashes |= {said["hash"], state}
    fastest = [sum(map(min, zip(*rounds))) / options.steps for rounds in (library, python)]
    print(json.dumps({"benchmark": "python_steps", "threads": options.threads, "steps": options.steps,
                      "library_step_ms": 1e3 * fastest[0], "python_step_ms": 1e3 * fastest[1],
                      "python_over_library": fastest[1] / fastest[0], "bar": BAR, "same_bits": len(hashes) == 1},
                     indent=1))
    return 0 if len(hashes) == 1 else 1


sys.exit(main())
