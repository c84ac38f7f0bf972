#!/usr/bin/env python3
"""What stepping from Python costs: the beam of 20 480 tetrahedra, stepped one by one from Python with its positions
read after each step. The time of all that stands against what the library's own step took within it, which no
neighbour on the machine disturbs: that ratio has the bar of 2 %. Beside it, as far as a busy machine lets it be
measured, the same steps of a program that is C++ alone, by the fastest of several rounds; both make the same bits.

    PYTHONPATH=build/python /usr/bin/python3 bench/python_steps.py build/bench/bench_steps [--rounds N] [--threads N]

prints a JSON document."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import pliant

BAR = 1.02
WARM_UP = 3  # steps in which memory comes for the first time
SCENE = {
    "time": {"dt": 0.005, "duration": 1},
    "integrator": "be",
    "materials": {"jelly": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.4, "density": 1000}},
    "bodies": [{"name": "beam", "material": "jelly",
                "mesh": {"box": {"size": [8, 1, 1], "cells": [64, 8, 8], "element": "tet4"}},
                "pin": [{"box": {"min": [-4.01, -1, -1], "max": [-3.99, 1, 1]}},
                        {"box": {"min": [3.99, -1, -1], "max": [4.01, 1, 1]}}]}],
}


class Measured:
    """Wall seconds of the library's steps, of the same with all that Python adds, and of the processor."""

    def __init__(self, path, steps, threads):
        simulation = pliant.Simulation(path, threads=threads)
        self.within, self.around, self.processor = [], [], []
        for _ in range(steps):
            begin, processor = time.perf_counter(), time.process_time()
            report = simulation.step()
            simulation.positions[-1, 1]
            self.around.append(time.perf_counter() - begin)
            self.processor.append(time.process_time() - processor)
            self.within.append(report.seconds)
        self.hash = simulation.hash


def fastest(rounds):
    """Of each step, in ms on average."""
    best = list(map(min, zip(*rounds)))[WARM_UP:]
    return 1e3 * sum(best) / len(best)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stepper")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    library, python = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "beam.json"
        path.write_text(json.dumps(SCENE))
        for _ in range(options.rounds):
            words = [options.stepper, str(path), str(options.steps), str(options.threads)]
            library.append(json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout))
            python.append(Measured(path, options.steps, options.threads))
    same = len({one["hash"] for one in library} | {one.hash for one in python}) == 1
    # Each step against itself, so that what disturbs one disturbs both sides; the median over all.
    ratios = sorted(around / within for one in python
                    for around, within in list(zip(one.around, one.within))[WARM_UP:])
    ratio = ratios[len(ratios) // 2]
    print(json.dumps({"benchmark": "python_steps", "threads": options.threads, "steps": options.steps,
                      "step_ms": fastest([one.within for one in python]),
                      "step_from_python_ms": fastest([one.around for one in python]),
                      "python_over_library": ratio, "bar": BAR, "holds": ratio <= BAR,
                      "processor_ms": fastest([one.processor for one in python]),
                      "processor_of_cpp_ms": fastest([one["seconds"] for one in library]), "same_bits": same}, indent=1))
    return 0 if same else 1


sys.exit(main())
