"""A scene gives the same bits from Python, from the command line and from C++."""

import json
import subprocess

import pliant
import pliant_scenes as scenes


class SameBits(scenes.SceneTest):
    def variants(self):
        yield "be", scenes.beam()
        yield "hexahedra", scenes.beam("hex8", integrator="sdirk2")
        yield "bdf2", scenes.beam(integrator="bdf2")
        yield "siere", scenes.beam(integrator={"type": "siere", "modes": 5})
        yield "adaptive", scenes.beam(integrator="trbdf2",
                                      time={"dt": "auto", "tolerance": 1e-3, "duration": 0.1, "output_dt": 0.05})
        yield "contact", scenes.falling_boxes()
        yield "rigid", scenes.chain()

    def test_program_run_and_simulation_agree(self):
        for name, document in self.variants():
            with self.subTest(name):
                path = self.write(document, f"{name}.json")
                outcome = self.run_program("run", path, "--out", f"{name}-cli", "--quiet")
                self.assertEqual(outcome.returncode, 0, outcome.stderr)
                wanted = self.summary(f"{name}-cli")
                scene = pliant.Scene.load(path)
                results = scene.run(out=f"{name}-python")
                self.assertEqual(results.hash, wanted["state_hash"])
                self.assertEqual(results.steps, wanted["steps"])
                self.assertEqual(self.summary(f"{name}-python")["state_hash"], wanted["state_hash"])
                for file in ("scene.json", "animation.pvd", "frames/frame_000001.vtu"):
                    with open(f"{name}-cli/{file}", "rb") as a, open(f"{name}-python/{file}", "rb") as b:
                        self.assertEqual(a.read(), b.read(), file)
                simulation = pliant.Simulation(scene, threads=1)
                simulation.step(results.steps)
                self.assertEqual(simulation.hash, wanted["state_hash"])
                self.assertAlmostEqual(simulation.time, wanted["simulated_seconds"], 12)

    def test_a_dict_is_the_file(self):
        document = scenes.beam()
        path = self.write(document)
        self.assertEqual(pliant.Scene(document).run().hash, pliant.Scene.load(path).run().hash)

    def test_steps_of_the_library_alone(self):
        if not scenes.stepper:
            self.skipTest("the benchmarks are not built")
        path = self.write(scenes.beam(integrator="trbdf2"))
        said = subprocess.run([scenes.stepper, path, "7", "1"], capture_output=True, text=True, check=True)
        simulation = pliant.Simulation(path)
        for _ in range(7):
            simulation.step()
        self.assertEqual(simulation.hash, json.loads(said.stdout)["hash"])

    def test_a_callback_that_looks_changes_nothing(self):
        scene = pliant.Scene(scenes.beam(integrator="bdf2"))
        seen = []
        results = scene.run(callback=lambda moment: seen.append((moment.steps, moment.time, moment.energies())))
        self.assertEqual(results.hash, scene.run().hash)
        self.assertEqual([entry[0] for entry in seen], list(range(11)))
        self.assertGreater(seen[-1][2]["kinetic"], 0)

    def test_a_run_from_python_is_resumed_by_the_program(self):
        path = self.write(scenes.beam(integrator="bdf2"))
        scene = pliant.Scene.load(path)
        whole = scene.run()
        results = scene.run(out="half", callback=lambda moment: moment.steps < 5)
        self.assertEqual(results.status, "ended")
        self.assertEqual(results.steps, 5)
        outcome = self.run_program("run", path, "--out", "half", "--resume", "--quiet")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertEqual(self.summary("half")["state_hash"], whole.hash)

    def test_a_longer_run_goes_on_where_a_shorter_one_ended(self):
        document = scenes.beam(integrator="bdf2", time={"dt": 0.01, "duration": 0.1})
        scene = pliant.Scene(document)
        scene.run(out="out")
        scene["time"]["duration"] = 0.2
        self.assertEqual(scene.run(out="out", resume=True).hash, scene.run().hash)
        with self.assertRaisesRegex(pliant.InputError, "resume needs the folder"):
            scene.run(resume=True)

    def test_static_is_that_of_the_program(self):
        path = self.write(scenes.beam())
        self.assertEqual(self.run_program("static", path, "--out", "cli", "--quiet").returncode, 0)
        results = pliant.static(path, out="python")
        self.assertEqual(results.hash, self.summary("cli")["state_hash"])
        self.assertLess(results.q[1::3].min(), -0.1)

    def test_static_takes_loads_as_they_are_at_a_time(self):
        load = {"body": "bar", "all": True, "curve": [[0, 0, 0, 0], [2, 0, -1, 0]]}
        path = self.write(scenes.beam(gravity=[0, 0, 0], forces=[{"point": load}]))
        for time in ("1", "2"):
            done = self.run_program("static", path, "--time", time, "--out", "cli" + time, "--quiet")
            self.assertEqual(done.returncode, 0)
            self.assertEqual(pliant.static(path, time=float(time)).hash, self.summary("cli" + time)["state_hash"])
        self.assertEqual(pliant.static(path, time=0).hash, pliant.static(path).hash)
        for wrong in ("1", float("nan"), float("inf"), [1]):
            with self.assertRaisesRegex(pliant.InputError, "time"):
                pliant.static(path, time=wrong)


if __name__ == "__main__":
    scenes.main()
