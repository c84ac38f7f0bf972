"""Scenes as documents of Python: read, changed, checked, refused."""

import ast
import json
import math
import os
import pathlib
import subprocess
import sys

import numpy as np
import pliant
import pliant_scenes as scenes


class Documents(scenes.SceneTest):
    def test_set_is_the_set_of_the_command_line(self):
        scene = pliant.Scene(scenes.beam())
        scene.set("time.dt", 0.005).set("bodies.0.mesh.box.cells", (4, 1, 1)).set("gravity.1", -1)
        scene["integrator"] = "bdf2"
        path = self.write(scenes.beam())
        self.run_program("run", path, "--out", "out", "--quiet", "--set", "time.dt=0.005", "--set",
                         "bodies.0.mesh.box.cells=[4,1,1]", "--set", "gravity.1=-1", "--set", "integrator=bdf2")
        self.assertEqual(scene.run().hash, self.summary("out")["state_hash"])

    def test_a_scene_does_not_change_the_dict_it_is_from(self):
        document = scenes.beam()
        scene = pliant.Scene(document)
        scene["time"]["dt"] = 0.5
        scene.set("integrator", "bdf2")
        self.assertEqual(document, scenes.beam())
        other = scene.copy()
        other["time"]["dt"] = 0.25
        self.assertEqual(scene["time"]["dt"], 0.5)

    def test_numpy_tuples_and_paths_are_values_too(self):
        scene = pliant.Scene(scenes.beam(gravity=np.array([0, -9.81, 0])))
        scene["time"]["dt"] = np.float64(0.01)
        scene["bodies"][0]["mesh"]["box"]["cells"] = np.array([6, 2, 2])
        self.assertEqual(scene.resolved["gravity"], [0, -9.81, 0])
        self.assertEqual(scene.run().hash, pliant.Scene(scenes.beam()).run().hash)

    def test_resolved_has_the_defaults(self):
        resolved = pliant.Scene(scenes.beam()).resolved
        self.assertEqual(resolved["gravity"], [0, -9.81, 0])
        self.assertEqual(pliant.Scene(resolved).resolved, resolved)
        path = self.write(scenes.beam())
        pliant.Scene.load(path).run(out="out")
        with open("out/scene.json", encoding="utf-8") as file:
            self.assertEqual(json.load(file), resolved)

    def test_check_says_what_it_is(self):
        words = pliant.Scene(scenes.beam()).check()
        self.assertIn("scene is fine: 1 body, 63 nodes, 10 steps of 0.01 s with be", words)

    def test_files_are_found_beside_the_scene(self):
        os.mkdir("deep")
        self.assertEqual(self.run_program("mesh", "make", "box", "size=[0.2,0.2,0.2]", "cells=[1,1,1]", "-o",
                                          "deep/cube.msh").returncode, 0)
        document = scenes.beam()
        document["bodies"][0].update(mesh={"file": "cube.msh"}, pin=[])
        del document["probes"]
        path = self.write(document, "deep/scene.json")
        self.assertEqual(pliant.Simulation(path).bodies["bar"].node_count, 8)


class Refusals(scenes.SceneTest):
    def refused(self, document, words, kind=pliant.InputError):
        with self.assertRaises(kind) as caught:
            pliant.Scene(document, name="scene.json").check()
        self.assertIn(words, str(caught.exception))
        return str(caught.exception)

    def test_the_words_are_those_of_the_command_line(self):
        document = scenes.beam()
        document["materials"]["jelly"]["poisson"] = 0.5
        document["bodies"][0]["tpye"] = "solid"
        said = self.refused(document, "scene.json#/materials/jelly/poisson")
        outcome = self.run_program("check", self.write(document))
        self.assertEqual(outcome.returncode, 2)
        self.assertEqual(outcome.stderr.strip(), "pliant: " + said)

    def test_values_that_no_scene_can_hold(self):
        for value, words in [(math.nan, "scene.json#/time/dt: must be a finite number, got nan"),
                             (math.inf, "scene.json#/time/dt: must be a finite number, got inf"),
                             (object(), "scene.json#/time/dt: a object is nothing that a scene can hold"),
                             (10 ** 30, "beyond what a scene can hold"),
                             (1j, "a complex is nothing"), (b"x", "a bytes is nothing"), ({1, 2}, "a set is nothing"),
                             ("fast", "scene.json#/time/dt"), (-1, "scene.json#/time/dt"), (None, "scene.json#/time/dt"),
                             (np.array([math.nan]), "scene.json#/time/dt/0: must be a finite number")]:
            document = scenes.beam()
            document["time"]["dt"] = value
            with self.subTest(value=value):
                self.refused(document, words)
        self.refused(scenes.beam(**{"bodies": []}), "scene.json#/bodies")
        self.refused({1: 2}, "keys must be strings, got 1")

    def test_a_document_that_holds_itself(self):
        document = scenes.beam()
        document["bodies"].append(document["bodies"])
        scene = pliant.Scene(scenes.beam())
        scene.document = document
        with self.assertRaisesRegex(pliant.InputError, "nested deeper than 64"):
            scene.check()

    def test_what_is_no_document(self):
        for value in (3, "scene.json", ["x"], np.zeros(3)):
            with self.assertRaisesRegex(pliant.InputError, "a scene must be a dict"):
                pliant.Scene(value)
        with self.assertRaisesRegex(pliant.InputError, "nowhere.json"):
            pliant.Scene.load("nowhere.json")
        with open("broken.json", "w", encoding="utf-8") as file:
            file.write('{"a": 1, "a": 2}')
        with self.assertRaisesRegex(pliant.InputError, "broken.json, line 1"):
            pliant.Scene.load("broken.json")

    def test_infeasible_starts(self):
        document = scenes.falling_boxes()
        document["bodies"][1]["transform"]["translate"] = [0.05, 0.1, 0]
        with self.assertRaisesRegex(pliant.InfeasibleStart, "touches or intersects"):
            pliant.Simulation(document)
        with self.assertRaisesRegex(pliant.InfeasibleStart, "the triangles are in out"):
            pliant.Scene(document).run(out="out")

    def test_folders(self):
        scene = pliant.Scene(scenes.beam())
        scene.run(out="out")
        with self.assertRaisesRegex(pliant.InputError, "out"):
            scene.run(out="out")
        scene.run(out=pathlib.Path("out"), force=True)
        with self.assertRaisesRegex(pliant.InputError, "exclude each other"):
            scene.run(out="out", force=True, resume=True)
        with open("file", "w", encoding="utf-8"):
            pass
        with self.assertRaises((pliant.WriteError, pliant.InputError)):
            scene.run(out="file/out")
        self.assertTrue(issubclass(pliant.WriteError, OSError))

    def test_steps_that_cannot_be_made(self):
        document = scenes.beam(integrator="symplectic-euler", time={"dt": 0.5, "duration": 50})
        with self.assertRaisesRegex(pliant.StepFailed, "could not be made"):
            pliant.Scene(document).run()
        simulation = pliant.Simulation(document)
        with self.assertRaisesRegex(pliant.StepFailed, "could not be made"):
            simulation.step(100)
        self.assertTrue(np.isfinite(simulation.q).all())
        steps = simulation.steps
        with self.assertRaises(pliant.StepFailed):
            simulation.step()
        self.assertEqual(simulation.steps, steps)

    def test_chosen_steps_end_with_the_scene(self):
        simulation = pliant.Simulation(scenes.beam(
            integrator="trbdf2", time={"dt": "auto", "tolerance": 1e-3, "duration": 0.1, "output_dt": 0.05}))
        simulation.advance(0.1)
        self.assertEqual(simulation.time, 0.1)
        with self.assertRaisesRegex(pliant.InputError, "the 0.1 s of the scene are over"):
            simulation.step()

    def test_arguments(self):
        scene = pliant.Scene(scenes.beam())
        for threads in (0, -1, 5000):
            with self.assertRaisesRegex(pliant.InputError, "threads: must be from 1 to 1024"):
                scene.run(threads=threads)
        with self.assertRaises(TypeError):
            scene.run(threads="two")
        with self.assertRaisesRegex(pliant.InputError, "callback"):
            scene.run(callback=3)
        for path in ("", "a=b"):
            with self.assertRaises(pliant.InputError):
                scene.set(path, 1)
        with self.assertRaises(pliant.InputError):
            scene.set("bodies.7.name", "x")


class Lists(scenes.SceneTest):
    def test_they_are_those_of_the_program(self):
        said = {"materials": pliant.materials(), "damping": pliant.damping(), "contact": pliant.contact_methods(),
                "solvers": pliant.solvers(), "linear-solvers": pliant.linear_solvers(), "bodies": pliant.body_types()}
        for what, names in said.items():
            lines = self.run_program("list", what).stdout.splitlines()[1:]
            self.assertEqual([line.split()[0] for line in lines], list(names), what)
        self.assertEqual(len(pliant.integrators()), 36)
        self.assertIn("sdirk2", pliant.integrators())
        self.assertTrue(pliant.mesh_formats() and pliant.export_formats())

    def test_the_stubs_know_every_name(self):
        package = pathlib.Path(pliant.__file__).parent
        for stub, module in (("__init__.pyi", pliant), ("_pliant.pyi", pliant._pliant)):
            tree = ast.parse((package / stub).read_text())
            for node in tree.body:
                if not isinstance(node, ast.ClassDef):
                    continue
                real = getattr(module, node.name)
                wanted = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
                for name in wanted:
                    self.assertTrue(hasattr(real, name), f"{stub}: {node.name}.{name}")
                if node.name in ("Simulation", "Scene", "Body", "Moment", "Results", "State", "Report"):
                    fields = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
                    public = {name for name in dir(real) if not name.startswith("_")}
                    self.assertEqual(public - wanted - fields, set(), f"{stub}: {node.name}")
        names = {name for name in vars(pliant) if not name.startswith("_")} - {"custom", "errors", "scene", "simulation"}
        text = (package / "__init__.pyi").read_text()
        for name in names:
            self.assertRegex(text, rf"\b{name}\b")
        self.assertTrue((package / "py.typed").exists())

    def test_the_module_can_be_imported_without_numpy(self):
        code = "import sys; sys.modules['numpy'] = None; import pliant; print(len(pliant.integrators()))"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout.strip(), "36")


if __name__ == "__main__":
    scenes.main()
