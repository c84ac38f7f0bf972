"""Cloth and cables as a user runs them: answers that beam theory gives, contact, and refusals."""

import math

import pliant_cli
from pliant_cli import history, probe

G = 9.81


def scene(body, **changes):
    material = {"model": "stvk", "young": 1e6, "poisson": 0.0, "density": 1000}
    material.update(changes.pop("material", {}))
    made = {"time": {"dt": 0.01, "duration": 0.1, "output_dt": 0.01}, "integrator": "be",
            "materials": {"m": material}, "bodies": [dict({"material": "m"}, **body)]}
    made.update(changes)
    return made


def cloth(size=(1.0, 0.1), cells=(40, 4), **changes):
    return dict({"name": "sheet", "type": "cloth", "thickness": 0.01,
                 "mesh": {"sheet": {"size": list(size), "cells": list(cells)}}}, **changes)


def cable(segments=50, **changes):
    return dict({"name": "rope", "type": "cable", "radius": 0.01,
                 "mesh": {"cable": {"from": [0, 0, 0], "to": [1, 0, 0], "segments": segments}}},
                **changes)


class Thin(pliant_cli.ProgramTest):
    def settle(self, made, name="end"):
        """Where the probe is in equilibrium."""
        self.write("scene.json", made)
        self.succeed("static", "scene.json", "--out", "result", "--force", "--quiet")
        return probe(history(self.path("result"))[-1], name)

    def test_a_clamped_cable_sags_by_beam_theory(self):
        radius, young, density = 0.01, 1e9, 1000
        wanted = density * math.pi * radius**2 * G / (8 * young * math.pi * radius**4 / 4)
        made = scene(cable(pin=[{"nodes": [0, 1]}]), material={"young": young},
                     probes=[{"name": "end", "body": "rope", "point": [1, 0, 0]}])
        # One of fifty segments is held, so that 0.98 + 0.01 m hang out, to the fourth power.
        self.assertLess(wanted, 0.05)
        self.assertAlmostEqual(-self.settle(made)[1], wanted * 0.99**4, delta=0.02 * wanted)

    def test_bending_replaces_that_of_the_material(self):
        made = scene(cable(pin=[{"nodes": [0, 1]}], bending=20.0), material={"young": 1e9},
                     probes=[{"name": "end", "body": "rope", "point": [1, 0, 0]}])
        wanted = 1000 * math.pi * 1e-4 * G / (8 * 20.0)
        self.assertAlmostEqual(-self.settle(made)[1], wanted * 0.99**4, delta=0.02 * wanted)

    def test_a_clamped_wide_plate_sags_by_plate_theory(self):
        """Hinges are exact for cylinders on equilateral triangles, and a wide plate bends to one; the
        sides of a narrow one may curl, which makes it softer than theory has it."""
        columns, rows, edge = 20, 80, 0.05
        height = edge * math.sqrt(0.75)
        points = [(height * i, 0, edge * (j + 0.5 * (i % 2))) for j in range(rows + 1)
                  for i in range(columns + 1)]
        faces = []
        for j in range(rows):
            for i in range(columns):
                a, b = i + (columns + 1) * j, i + 1 + (columns + 1) * j
                c, d = a + columns + 1, b + columns + 1
                faces += [(a, c, b), (b, c, d)] if i % 2 == 0 else [(a, c, d), (a, d, b)]
        text = "".join(f"v {x:.17g} {y} {z:.17g}\n" for x, y, z in points)
        self.write("plate.obj", text + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))
        thickness, young, length = 0.01, 1e10, height * (columns - 0.5)
        wanted = 1000 * thickness * G * length**4 / (8 * young * thickness**3 / 12)
        self.assertLess(wanted, 0.05)
        tip = [height * columns, 0, edge * rows / 2]
        for model in ("quadratic", "shell"):
            made = scene({"name": "plate", "type": "cloth", "thickness": thickness,
                          "mesh": {"file": "plate.obj"}, "bending_model": model,
                          "pin": [{"box": {"min": [-1, -1, -1], "max": [1.01 * height, 1, 9]}}]},
                         material={"young": young},
                         probes=[{"name": "end", "body": "plate", "point": tip}])
            self.assertAlmostEqual(-self.settle(made)[1] / wanted, 1, delta=0.03, msg=model)

    def test_a_hanging_sheet_stretches_by_its_weight(self):
        made = scene(cloth(pin=[{"plane": {"point": [0, 0.499, 0], "normal": [0, 1, 0]}}],
                           transform={"rotate": [0, 0, 90]}),
                     probes=[{"name": "end", "body": "sheet", "point": [0, -0.5, 0]}])
        wanted = 1000 * G / (2 * 1e6)
        self.assertAlmostEqual(-0.5 - self.settle(made)[1], wanted, delta=0.02 * wanted)

    def test_mass_is_density_times_thickness_times_area(self):
        folder = self.run_scene(scene(cloth(pin=[])))
        row = history(folder)[-1]
        self.assertAlmostEqual(row["py"], -1000 * 0.01 * 0.1 * G * 0.1, places=9)

    def test_cloth_keeps_its_thickness_from_what_it_lies_on(self):
        made = scene(cloth(size=(0.4, 0.4), cells=(8, 8), transform={"translate": [0, 0.02, 0]}),
                     contact={"method": "barrier", "distance": 0.002},
                     obstacles=[{"name": "floor", "plane": {"point": [0, 0, 0],
                                                            "normal": [0, 1, 0]}}],
                     probes=[{"name": "middle", "body": "sheet", "point": [0, 0.02, 0]}])
        made["time"]["duration"] = 0.3
        rows = history(self.run_scene(made))
        height = probe(rows[-1], "middle")[1]
        self.assertGreater(height, 0.005)
        self.assertLess(height, 0.0071)
        self.assertGreater(rows[-1]["contacts"], 0)

    def test_friction_holds_cloth_that_touches_a_ball_in_many_places(self):
        slope = math.radians(20)
        place = [0.304 * math.sin(slope), 0.304 * math.cos(slope), 0]
        made = scene(cloth(size=(0.1, 0.1), cells=(4, 4), thickness=0.002, bending=1e-5,
                           transform={"rotate": [0, 0, -20], "translate": place}),
                     contact={"method": "barrier", "distance": 0.004, "friction": 1.0},
                     obstacles=[{"name": "ball", "sphere": {"center": [0, 0, 0], "radius": 0.3}}],
                     material={"young": 1e5, "density": 300})
        made["time"]["duration"] = 0.3
        mass = 300 * 0.002 * 0.01
        row = history(self.run_scene(made))[-1]
        self.assertLess(math.hypot(row["px"], row["py"]) / mass, 1e-4)
        made["contact"]["friction"] = 0.0
        row = history(self.run_scene(made))[-1]
        self.assertGreater(math.hypot(row["px"], row["py"]) / mass, 0.5)

    def test_every_law_of_cloth_and_every_method_run(self):
        for law in ("stvk", "stable-neo-hookean", "strain-limited"):
            for integrator in ("bdf2", "trbdf2", "sdirk2", "esdirk43"):
                made = scene(cloth(cells=(10, 2), pin=[{"nodes": [0]}]), material={"model": law},
                             integrator=integrator)
                row = history(self.run_scene(made))[-1]
                self.assertGreater(row["kinetic"], 0)
                self.assertEqual(row["retries"], 0, f"{law} {integrator}")

    def refused(self, made, *words):
        self.write("scene.json", made)
        self.refuse(2, "run", "scene.json", words=words)

    def test_what_makes_no_sense_is_refused_in_words(self):
        self.refused(scene(cloth(), material={"model": "arap"}), "cloth cannot be of", "stvk")
        self.refused(scene(dict(cloth(), type="solid", thickness=1)), "thickness")
        box = {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}
        self.refused(scene(dict(cloth(), mesh=box)), "cloth needs triangles", "solid elements")
        self.refused(scene(dict(cable(), mesh=box)), "cable needs segments")
        self.refused(scene({"name": "b", "mesh": cloth()["mesh"]}), "solid needs solid elements")
        self.refused(scene({"name": "b", "mesh": box},
                           material={"model": "strain-limited"}), "only cloth")
        self.refused(scene(cloth(), material={"model": "strain-limited", "limits": [1.1, 1.2]}),
                     "limits")
        self.refused(scene(cloth(thickness=-1)), "thickness")
        for model in ({"model": "principal-strain", "beta": 1e-3},
                      {"model": "rayleigh", "beta": 1e-3, "implicit": True}):
            for body in (cloth, cable):
                self.refused(scene(body(damping=[model])), "acts on solids", "strain-rate")
        self.run_scene(scene(cloth(damping=[{"model": "rayleigh", "beta": 1e-3},
                                            {"model": "drag", "drag": 0.5}])))

    def test_cloth_and_cables_are_damped_by_rates_of_strain(self):
        models = [{"model": "strain-rate", "psi": 1e4, "phi": 1e4},
                  {"model": "power-law", "p": 2, "strength": 1e3,
                   "base": {"model": "strain-rate", "psi": 1e4}},
                  {"model": "spline", "knots": [[0.9, 4], [1, 0], [1.1, 4]],
                   "base": {"model": "strain-rate", "psi": 1e4}}]
        for body in (cloth, cable):
            for solver in ("newton", "admm"):
                rows = history(self.run_scene(scene(
                    body(damping=models, pin=[{"nodes": [0, 1]}]),
                    solver={"type": solver, "iterations": 30 if solver == "admm" else 0})))
                self.assertGreater(rows[-1]["dissipated"], 0)

    def test_what_bends_runs_by_admm(self):
        admm = {"type": "admm", "iterations": 20}
        for body in (cable(pin=[{"nodes": [0, 1]}]),
                     cloth(bending_model="shell", damping=[{"model": "rayleigh", "beta": 1e-3}])):
            rows = history(self.run_scene(scene(body, solver=admm)))
            self.assertGreater(rows[-1]["linear"], 0)

    def test_acceleration_is_a_small_number_of_iterations(self):
        self.refused(scene(cloth(), solver={"type": "admm", "acceleration": 21}), "acceleration")
        rows = history(self.run_scene(scene(cloth(pin=[{"nodes": [0, 1]}]),
                                            solver={"type": "admm", "acceleration": 6})))
        self.assertEqual(rows[-1]["unconverged"], 0)

    def test_sheets_with_broken_triangles_are_refused_by_number(self):
        points = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 2 0 0\n"
        for faces, word in (("f 1 4 3\nf 1 2 5\n", "1"), ("f 1 4 3\nf 1 4 3\n", "1")):
            self.write("sheet.obj", points + faces)
            self.refused(scene(dict(cloth(), mesh={"file": "sheet.obj"})), word)


if __name__ == "__main__":
    pliant_cli.main()
