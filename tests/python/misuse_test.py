"""Whatever is done to a simulation by chance, the answer is an exception at most: never a dead interpreter."""

import logging
import os
import random
import subprocess
import sys

import numpy as np
import pliant
import pliant_scenes as scenes

ODD = [None, True, -1, 0, 1, 2, 10 ** 12, 1.5, float("nan"), float("inf"), "", "x", "time.dt", "bodies.0", b"x", [], [1],
       [[1, 2], [3]], {}, {"a": 1}, np.zeros(0), np.zeros((63, 3)), np.full(189, np.nan), np.array(["a"]), object(),
       lambda *given: given, lambda *given: 1 / 0, pliant.Potential([0]), int, 3j]
FILE = os.path.abspath(__file__)
VALUES = [0, 1e300, np.nan, -np.inf, 1e-300, 0.1]
EXPECTED = (pliant.Error, TypeError, ValueError, AttributeError)


def misuse(simulation, name, rng):
    found = getattr(simulation, name)
    if callable(found):
        given = [rng.choice(ODD) for _ in range(rng.randrange(3))]
        many = name in ("step", "advance") and given and isinstance(given[0], (int, float)) and given[0] > 5
        if not many:
            found(*given)
    elif rng.random() < 0.5:
        setattr(simulation, name, rng.choice(ODD))
    elif isinstance(found, np.ndarray) and found.flags.writeable and found.size:
        found.flat[rng.randrange(found.size)] = rng.choice(VALUES)


def play(seed, count):
    rng = random.Random(seed)
    documents = [scenes.beam(), scenes.falling_boxes(), scenes.chain()]
    simulations = [pliant.Simulation(document) for document in documents]
    names = [name for name in dir(pliant.Simulation) if not name.startswith("__")]
    refused = 0
    for _ in range(count):
        number = rng.randrange(len(simulations))
        name = rng.choice(names)
        try:
            misuse(simulations[number], name, rng)
        except EXPECTED:
            refused += 1
        if name == "close":
            simulations[number] = pliant.Simulation(documents[number])
    print("refused", refused)


class Misuse(scenes.SceneTest):
    def test_nothing_ends_the_interpreter(self):
        for seed in range(3):
            said = subprocess.run([sys.executable, "-W", "ignore", FILE, "--play", str(seed), "600"],
                                  capture_output=True, text=True, timeout=200)
            self.assertEqual(said.returncode, 0, f"seed {seed}: {said.stderr[-2000:]}")
            self.assertGreater(int(said.stdout.split()[-1]), 100)


if __name__ == "__main__":
    if sys.argv[1] == "--play":
        logging.getLogger("pliant").setLevel(logging.CRITICAL)
        play(int(sys.argv[2]), int(sys.argv[3]))
    else:
        scenes.main()
