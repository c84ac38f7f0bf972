"""What a simulation tells of its state, held against each other and against finite differences."""

import csv

import numpy as np
import pliant
import pliant_scenes as scenes


class Matrices(scenes.SceneTest):
    def damped(self, element="tet4"):
        document = scenes.beam(element)
        document["bodies"][0]["damping"] = [{"model": "strain-rate", "psi": 20, "phi": 10}]
        return pliant.Simulation(document)

    def test_mass(self):
        simulation = pliant.Simulation(scenes.beam())
        M = simulation.mass()
        self.assertEqual(M.shape, (189, 189))
        self.assertAlmostEqual(M.sum(), 3 * 24, 9)
        self.assertLess(abs(M - M.T).max(), 1e-15)
        simulation.step(3)
        v = simulation.v
        self.assertAlmostEqual(simulation.energies()["kinetic"], 0.5 * v @ (M @ v), 12)
        linear, angular = simulation.momentum()
        np.testing.assert_allclose(linear, (M @ v).reshape(-1, 3).sum(axis=0), atol=1e-12)
        self.assertEqual(angular.shape, (3,))

    def test_stiffness_and_damping_are_derivatives_of_the_force(self):
        for element in ("tet4", "hex8"):
            simulation = self.damped(element)
            simulation.step(5)
            q, v, free = simulation.q.copy(), simulation.v.copy(), simulation.free
            K, D = simulation.stiffness(), simulation.damping()
            direction = np.random.default_rng(2).standard_normal(len(q)) * free
            h = 1e-6

            def forces(dq, dv):
                simulation.q, simulation.v = q + dq * direction, v + dv * direction
                return simulation.forces().ravel()

            for matrix, dq, dv in ((K, h, 0), (D, 0, h)):
                measured = -(forces(dq, dv) - forces(-dq, -dv)) / (2 * h)
                scale = np.abs(measured).max()
                self.assertGreater(scale, 1)
                np.testing.assert_allclose((matrix @ direction)[free], measured[free], rtol=0, atol=2e-5 * scale)

    def test_what_is_dense_of_the_stiffness_is_in_the_operator(self):
        document = scenes.beam(cells=(4, 1, 1))
        document["bodies"][0]["coarsen"] = {"method": "eigenfit", "refine": 2, "modes": 4}
        simulation = pliant.Simulation(document)
        simulation.step(3)
        with self.assertRaisesRegex(pliant.InputError, "stiffness_operator"):
            simulation.stiffness()
        K, q, free = simulation.stiffness_operator(), simulation.q.copy(), simulation.free
        direction = np.random.default_rng(7).standard_normal(len(q)) * free
        forces = []
        for h in (1e-7, -1e-7):
            simulation.q = q + h * direction
            forces.append(simulation.forces().ravel())
        measured = -(forces[0] - forces[1]) / 2e-7
        np.testing.assert_allclose((K @ direction)[free], measured[free], rtol=0, atol=1e-5 * np.abs(measured).max())
        sparse = simulation.stiffness(dense=False) @ direction
        self.assertGreater(np.abs(sparse - measured)[free].max(), 1e-3 * np.abs(measured).max())
        plain = pliant.Simulation(scenes.beam())
        np.testing.assert_allclose(plain.stiffness_operator() @ plain.q, plain.stiffness() @ plain.q)

    def test_with_contact(self):
        simulation = pliant.Simulation(scenes.falling_boxes())
        while len(simulation.contacts()["gap"]) == 0:
            simulation.step()
        contacts = simulation.contacts()
        self.assertEqual(len(contacts["kind"]), len(contacts["gap"]))
        self.assertEqual(contacts["nodes"].shape, (len(contacts["gap"]), 4))
        self.assertGreater(contacts["gap"].min(), 0)
        force = simulation.contact_forces()
        self.assertGreater(np.abs(force).max(), 0)
        K = simulation.stiffness()
        self.assertLess(abs(K - K.T).max(), 1e-6 * abs(K).max())

    def test_energy_is_what_forces_do(self):
        simulation = pliant.Simulation(scenes.beam())
        simulation.step(4)
        q, free = simulation.q.copy(), simulation.free
        f = simulation.forces().ravel()
        direction = np.random.default_rng(3).standard_normal(len(q)) * free
        energy = []
        for h in (1e-6, -1e-6):
            simulation.q = q + h * direction
            energies = simulation.energies()
            energy.append(energies["elastic"] + energies["external"])
        self.assertAlmostEqual(-(energy[0] - energy[1]) / 2e-6 / (f @ direction), 1, 5)
        np.testing.assert_allclose(simulation.forces("gravity").sum(axis=0), [0, -24 * 9.81, 0], atol=1e-9)
        with self.assertRaisesRegex(pliant.InputError, "there is no term \"gravty\""):
            simulation.forces("gravty")

    def test_accelerations_obey_newton(self):
        simulation = pliant.Simulation(scenes.beam())
        simulation.step(2)
        simulation.v[:] *= 0.5
        a, f, free = simulation.accelerations.ravel(), simulation.forces().ravel(), simulation.free
        np.testing.assert_allclose((simulation.mass() @ a)[free], f[free], atol=1e-6 * np.abs(f).max())


class Modes(scenes.SceneTest):
    def test_they_solve_the_eigenvalue_problem(self):
        simulation = pliant.Simulation(scenes.beam(gravity=[0, 0, 0]))
        modes = simulation.modes(4)
        M, K, free = simulation.mass(), simulation.stiffness(), simulation.free
        for value, shape, frequency in zip(modes["eigenvalues"], modes["shapes"], modes["frequencies"]):
            np.testing.assert_allclose((K @ shape)[free], value * (M @ shape)[free], atol=1e-6 * value)
            self.assertAlmostEqual(frequency, np.sqrt(value) / 2 / np.pi, 9)
        np.testing.assert_allclose(modes["shapes"] @ (M @ modes["shapes"].T), np.eye(4), atol=1e-8)
        self.assertEqual(modes["kinds"], ["oscillating"] * 4)
        for count in (0, -3, 10 ** 6):
            with self.assertRaisesRegex(pliant.InputError, "modes: must be from 1"):
                simulation.modes(count)
        with self.assertRaises(TypeError):
            simulation.modes("many")


class Rows(scenes.SceneTest):
    def test_probes_and_energies_are_those_of_the_history(self):
        scene = pliant.Scene(scenes.beam())
        scene.run(out="out")
        simulation = pliant.Simulation(scene)
        with open("out/history.csv", newline="", encoding="utf-8") as file:
            for number, row in enumerate(csv.DictReader(file)):
                if number:
                    simulation.step()
                    self.assertEqual(simulation.report.newton, int(row["newton"]))
                self.assertEqual(simulation.energies()["total"], float(row["total"]))
                np.testing.assert_array_equal(simulation.probes()["tip"],
                                              [float(row[f"tip.{axis}"]) for axis in "xyz"])
        self.assertEqual(number, 10)

    def test_constraints_hold_what_hangs_on_them(self):
        document = scenes.chain()
        document["bodies"][0]["damping"] = [{"model": "rayleigh", "alpha": 40}]
        document["constraints"].append(
            {"name": "other", "type": "ball", "between": ["bar", [0.2, 0, 0], "world", [0.2, 0, 0]], "compliance": 1e-6})
        simulation = pliant.Simulation(document)
        simulation.advance(0.5)
        weight = 0.4 * 0.1 * 0.1 * 500 * 9.81
        multipliers = simulation.multipliers()
        self.assertLessEqual({"joint", "other"}, set(multipliers))
        self.assertAlmostEqual(multipliers["joint"][1] + multipliers["other"][1], weight, 2)
        self.assertAlmostEqual(simulation.constraint_forces()[:, 1].sum(), weight, 1)
        self.assertEqual(pliant.Simulation(scenes.beam()).multipliers(), {})

    def test_a_report_of_the_last_step(self):
        simulation = pliant.Simulation(scenes.beam())
        self.assertIsNone(simulation.report)
        report = simulation.step(3)
        self.assertGreaterEqual(report.newton, 3)
        self.assertIn("newton", repr(report))
        simulation.advance(0.02)
        self.assertEqual(simulation.steps, 5)
        self.assertAlmostEqual(simulation.time, 0.05, 12)
        for duration in (-1, np.nan, np.inf):
            with self.assertRaisesRegex(pliant.InputError, "advance: must be a duration"):
                simulation.advance(duration)
        with self.assertRaisesRegex(pliant.InputError, "must be 0 steps or more"):
            simulation.step(-1)


if __name__ == "__main__":
    scenes.main()
