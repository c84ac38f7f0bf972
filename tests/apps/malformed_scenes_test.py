"""Scenes with mistakes, made by seeded mutation of a good one: always an answer in words and one of
the promised exit statuses, never a crash, a hang, or success with nonsense."""

import copy
import json
import math
import random

import pliant_cli
from pliant_cli import beam, guarded, history

ALLOWED = (0, 2, 3, 4, 5)

WRONG = [
    None, True, False, "", "word", "NaN", "inf", "../../x", "\u0000", "é" * 300,
    -1, 0, 1, 0.5, -0.5, 1e9, 1e-300, 1e-320, 1e300, -1e300, 1.7976931348623157e308,
    2**31, 2**63, 2**64, -2**63, 10**30,
    [], {}, [[]], [1], [1, 2, 3, 4], {"a": 1}, [None] * 3, [1e300] * 3, [0, 0, 0], [-1, -1, -1],
    ["x", "y", "z"], [1e-200] * 3, [1000000, 1000000, 1000000]]


def rich():
    """A small scene that uses most of what there is."""
    scene = beam(
        steps=2, cells=[2, 1, 1], integrator={"type": "sdirk2"},
        damping=[{"model": "rayleigh", "alpha": 0.1, "beta": 1e-4},
                 {"model": "power-law", "p": 2, "strength": 10, "conserve_momentum": True,
                  "base": {"model": "rayleigh", "beta": {"field": "1e-4*(x > 0)"}}},
                 {"model": "spline", "knots": [[0.5, 2], [1, 1]], "second_order": True,
                  "base": {"model": "strain-rate", "psi": 1, "phi": 2}}],
        pin=[{"plane": {"point": [-1.999, 0, 0], "normal": [-1, 0, 0]}},
             {"box": {"min": [1.9, -1, -1], "max": [2.1, 1, 1]}, "axes": "yz",
              "motion": {"velocity": [0, 0.1, 0], "angular_velocity": [0, 0, 0.1],
                         "center": [0, 0, 0]}, "until": 0.01},
             {"sphere": {"center": [2, 0.5, 0.5], "radius": 0.1}, "from": 0.01,
              "motion": {"curve": [[0, 0, 0, 0], [1, 0, 0.1, 0]]}}],
        solver={"type": "newton", "tolerance": 1e-6, "max_iterations": 20, "linear": "cholesky"},
        forces=[{"wind": {"velocity": [0, 0, 1], "drag": 1.2}},
                {"point": {"body": "beam", "nodes": [0, 1], "force": [0, 1, 0]}},
                {"pressure": {"body": "beam", "all": True, "curve": [[0, 0], [1, 10]]}}],
        name="rich", gravity=[0, -9.81, 0])
    scene["materials"]["stiff"] = {"model": "neo-hookean", "young": {"field": "1e5 + 1e4*(x > 0)"},
                                   "poisson": 0.3, "density": 900}
    scene["materials"]["rubber"] = {"model": "mooney-rivlin", "c10": 1e4, "c01": 1e3, "bulk": 1e6,
                                    "density": 1000}
    scene["bodies"][0].update(
        transform={"scale": 1, "rotate": [0, 0, 0], "translate": [0, 0, 0]},
        initial={"velocity": [0, 0, 0], "angular_velocity": [0, 0, 0],
                 "deform": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
        mass="consistent", point_masses=[{"point": [0, 0, 0], "mass": 1}])
    scene["bodies"].append({"name": "ball", "mesh": {"sphere": {"radius": 0.5, "size": 0.6}},
                            "material": "stiff"})
    scene["bodies"].append({"name": "ring", "material": "rubber",
                            "mesh": {"torus": {"radius": 1, "tube": 0.4, "size": 1}}})
    return scene


def places(value, path=()):
    """The paths of everything in a JSON document, the document itself left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield path + (key,)
        if isinstance(item, (dict, list)):
            yield from places(item, path + (key,))


def parent(document, path):
    for key in path[:-1]:
        document = document[key]
    return document


def mutate(chance, document):
    """One mistake at a random place; returns what was done."""
    path = chance.choice(list(places(document)))
    where, key = parent(document, path), path[-1]
    kind = chance.choice(["replace", "replace", "replace", "remove", "rename", "scale", "double"])
    if kind == "remove":
        del where[key]
    elif kind == "rename" and isinstance(where, dict):
        where[chance.choice([key + "s", key[:-1], key.upper(), "x", ""])] = where.pop(key)
    elif kind == "scale" and isinstance(where[key], (int, float)):
        where[key] *= chance.choice([-1, 0, 1e-9, 1e9, 1e30, 1e150, 1e-150])
    elif kind == "double" and isinstance(where, list):
        where.insert(0, copy.deepcopy(where[key]))
    else:
        where[key] = chance.choice(WRONG)
    return f"{kind} {'/'.join(map(str, path))}"


def break_text(chance, text):
    """Mistakes that are no longer JSON, or hardly."""
    at = chance.randrange(len(text))
    kind = chance.randrange(6)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + bytes(chance.randrange(256) for _ in range(4)) + text[at:]
    if kind == 2:
        return text[:at] + bytes([chance.randrange(256)]) + text[at + 1:]
    if kind == 3:
        odd = chance.choice([b"NaN", b"1e999", b"-Infinity", b"0x10", b"1e-400"])
        return text.replace(b"0.1", odd, 1)
    if kind == 4:
        return text[:at] + text[at:at + 20] + text[at:]
    return text.replace(b":", chance.choice([b"::", b"=", b""]), chance.randrange(1, 5))


SPECIAL = {
    "nothing": b"",
    "a number": b"7",
    "only a comment": b"// nothing\n",
    "nested a million deep": b"[" * 1000000,
    "objects nested deep": b'{"a":' * 100000 + b"1" + b"}" * 100000,
    "nested just too deep": b'{"description": ' + b"[" * 65 + b"]" * 65 + b"}",
    "a long string": b'{"name": "' + b"x" * 5000000 + b'"}',
    "duplicate keys": b'{"time": {}, "time": {}}',
    "random bytes": bytes(random.Random(1).randrange(256) for _ in range(4096)),
    "a zip file": b"PK\x03\x04" + bytes(100),
    "UTF-16": json.dumps(beam()).encode("utf-16"),
    "a byte-order mark": b"\xef\xbb\xbf" + b"{}",
    "lone surrogate": b'{"name": "\\ud800"}',
    "open comment": b"{} /* never closed",
}


class MalformedScenes(pliant_cli.ProgramTest):
    def check(self, content, what):
        self.write("scene.json", content)
        outcome = self.pliant("run", "scene.json", "--out", "result", "--force", "--quiet",
                              "--threads", 1, **guarded())
        self.assertIn(outcome.status, ALLOWED, f"{what}: {outcome}")
        if outcome.status == 0:
            for row in history(self.path("result")):
                for name, value in row.items():
                    self.assertTrue(value is None or math.isfinite(value),
                                    f"{what}: {name} is {value}")
        else:
            self.assertTrue(outcome.err.strip(), f"{what}: says nothing")
            self.assertNotIn("bug of ours", outcome.err, what)
        return outcome.status

    def test_the_scene_itself_is_fine(self):
        self.assertEqual(self.check(rich(), "unchanged"), 0)

    def test_single_mistakes(self):
        chance = random.Random(7)
        statuses = []
        for k in range(170):
            scene = rich()
            what = f"mistake {k}: {mutate(chance, scene)}"
            statuses.append(self.check(scene, what))
        self.assertGreater(statuses.count(2), 60)  # guards against mutations that do nothing
        self.assertGreater(statuses.count(0), 5)

    def test_several_mistakes(self):
        chance = random.Random(8)
        for k in range(30):
            scene = rich()
            what = [mutate(chance, scene) for _ in range(4)]
            self.check(scene, f"mistakes {k}: {what}")

    def test_broken_text(self):
        chance = random.Random(9)
        text = json.dumps(rich(), indent=1).encode()
        for k in range(50):
            self.check(break_text(chance, text), f"text {k}")

    def test_special_files(self):
        for what, content in SPECIAL.items():
            self.assertEqual(self.check(content, what), 2, what)

    def test_absurd_counts_are_refused_before_memory_is_taken(self):
        for change in ("bodies.0.mesh.box.cells=[1000000000,1,1]",
                       "bodies.0.mesh.box.cells=[1000000,1000000,1000000]",
                       "bodies.0.mesh.box.cells=[2000,2000,2000]",
                       'bodies.0.mesh={"sphere":{"radius":1,"size":1e-9}}',
                       'bodies.0.mesh={"torus":{"radius":1e9,"tube":1,"size":1e-3}}',
                       'bodies.0.mesh={"capsule":{"radius":1,"length":1e300,"size":1}}',
                       'bodies.0.mesh={"sdf":{"sphere":{"radius":1}},"size":1e-7}'):
            self.write("scene.json", beam())
            self.refuse(2, "check", "scene.json", "--set", change,
                        words=[f"--set {change}"], **guarded())

    def test_sizes_beyond_the_range_of_numbers_are_refused(self):
        # Points may be finite where volumes, masses or energies no longer are.
        self.write("scene.json", beam(probes=[]))
        for change in ("bodies.0.mesh.box.size=[1e300,1,1]", "bodies.0.mesh.box.size=[4,1,1.7e308]",
                       "materials.jelly.density=1e308", "bodies.0.initial.velocity=[0,1e200,0]"):
            self.refuse(2, "run", "scene.json", "--set", change, **guarded())

    def test_absurd_times_end(self):
        for change in ("time.dt=1e300", "time.dt=1e-300", "time.duration=1e300",
                       "time.output_dt=1e300", "time.min_dt=1e300", "time.output_dt=1e-300"):
            self.write("scene.json", beam(steps=1))
            outcome = self.pliant("check", "scene.json", "--set", change, **guarded())
            self.assertIn(outcome.status, (0, 2), f"{change}: {outcome}")


if __name__ == "__main__":
    pliant_cli.main()
