"""A law written in Python moves bodies like the one that is built in."""

import numpy as np
import pliant
import pliant_scenes as scenes

YOUNG, POISSON = 1e5, 0.4
MU = YOUNG / (2 * (1 + POISSON))
LAMBDA = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
I = np.eye(3)


class Stvk(pliant.Material):
    def strain(self, F):
        return 0.5 * (np.einsum("pki,pkj->pij", F, F) - I)

    def energy(self, F):
        E = self.strain(F)
        return MU * np.einsum("pij,pij->p", E, E) + LAMBDA / 2 * np.einsum("pii->p", E) ** 2

    def stress(self, F):
        E = self.strain(F)
        return F @ (2 * MU * E + LAMBDA * np.einsum("pii->p", E)[:, None, None] * I)


class NeoHookean(pliant.Material):
    needs_positive_det = True

    def energy(self, F):
        with np.errstate(invalid="ignore", divide="ignore"):
            log = np.log(np.linalg.det(F))
        return MU / 2 * (np.einsum("pij,pij->p", F, F) - 3) - MU * log + LAMBDA / 2 * log ** 2

    def stress(self, F):
        with np.errstate(invalid="ignore", divide="ignore"):
            log = np.log(np.linalg.det(F))
        inverse = np.linalg.inv(F).transpose(0, 2, 1)
        return MU * F + (LAMBDA * log - MU)[:, None, None] * inverse


class WithTangent(Stvk):
    def tangent(self, F):
        E = self.strain(F)
        S = 2 * MU * E + LAMBDA * np.einsum("pii->p", E)[:, None, None] * I
        # P = F S: ∂P_ij/∂F_kl = δ_ik S_lj + F_im ∂S_mj/∂F_kl
        C = (np.einsum("ik,plj->pijkl", I, S) + LAMBDA * np.einsum("pij,pkl->pijkl", F, F) +
             MU * np.einsum("pil,pkj->pijkl", F, F) + MU * np.einsum("pim,pkm,lj->pijkl", F, F, I))
        return C


def with_law(law, element="tet4", **changes):
    document = scenes.beam(element, cells=(4, 1, 1), **changes)
    document["materials"]["jelly"]["model"] = law
    return document


class Laws(scenes.SceneTest):
    def test_they_are_those_that_are_built_in(self):
        for element in ("tet4", "tet10", "hex8"):
            for name, law in (("stvk", Stvk()), ("stvk", WithTangent()), ("neo-hookean", NeoHookean())):
                with self.subTest(element=element, law=type(law).__name__):
                    native = pliant.Simulation(with_law(name, element))
                    ours = pliant.Simulation(with_law(law, element))
                    native.step(10)
                    ours.step(10)
                    self.assertGreater(np.abs(native.positions - native.bodies["bar"].nodes).max(), 0.02)
                    np.testing.assert_allclose(ours.q, native.q, rtol=0, atol=1e-7)
                    self.assertAlmostEqual(ours.energies()["elastic"], native.energies()["elastic"], 7)
                    K, ours_K = native.stiffness().toarray(), ours.stiffness().toarray()
                    np.testing.assert_allclose(ours_K, K, rtol=0, atol=1e-6 * np.abs(K).max())

    def test_its_derivatives_are_right(self):
        simulation = pliant.Simulation(with_law(WithTangent()))
        simulation.step(5)
        q = simulation.q.copy()
        f, K = simulation.forces().ravel(), simulation.stiffness().toarray()
        rng = np.random.default_rng(1)
        free = simulation.free
        direction = rng.standard_normal(len(q)) * free
        h = 1e-6
        ahead, behind = [], []
        for sign, out in ((1, ahead), (-1, behind)):
            simulation.q = q + sign * h * direction
            out.extend(simulation.forces().ravel())
        measured = -(np.array(ahead) - np.array(behind)) / (2 * h)
        np.testing.assert_allclose((K @ direction)[free], measured[free], rtol=1e-5, atol=1e-5 * np.abs(measured).max())
        self.assertGreater(np.abs(f).max(), 0)

    def test_with_contact_damping_and_other_materials(self):
        document = scenes.falling_boxes()
        document["materials"]["own"] = {"model": NeoHookean(), "density": 1000, "young": YOUNG}
        document["bodies"][1]["material"] = "own"
        document["bodies"][1]["damping"] = [{"model": "rayleigh", "beta": 1e-3}]
        simulation = pliant.Simulation(document)
        simulation.step(20)
        document["materials"]["own"]["model"] = "neo-hookean"
        native = pliant.Simulation(document)
        native.step(20)
        np.testing.assert_allclose(simulation.q, native.q, rtol=0, atol=1e-5)

    def test_results_say_what_it_was(self):
        scene = pliant.Scene(with_law(Stvk()))
        scene.run(out="out")
        self.assertEqual(scene.resolved["materials"]["jelly"]["model"], "python:Stvk:jelly")
        outcome = self.run_program("check", "out/scene.json")
        self.assertEqual(outcome.returncode, 2)
        self.assertIn("python:Stvk:jelly", outcome.stderr)
        self.assertEqual(scene.run().hash, scene.run(threads=1).hash)

    def test_moduli_that_are_not_given_are_those_of_the_law(self):
        document = with_law(Stvk())
        document["materials"]["jelly"] = {"model": Stvk(), "density": 1000}
        resolved = pliant.Scene(document).resolved["materials"]["jelly"]
        self.assertAlmostEqual(resolved["young"] / YOUNG, 1, 6)
        self.assertAlmostEqual(resolved["poisson"], POISSON, 6)

    def test_set_keeps_it(self):
        scene = pliant.Scene(with_law(Stvk())).set("time.dt", 0.005)
        self.assertIsInstance(scene["materials"]["jelly"]["model"], Stvk)
        self.assertEqual(scene["time"]["dt"], 0.005)
        scene.set("materials.jelly.density", 900)
        self.assertIsInstance(scene["materials"]["jelly"]["model"], Stvk)
        self.assertIsInstance(pliant.Scene(scene)["materials"]["jelly"]["model"], Stvk)
        simulation = pliant.Simulation(scene)
        simulation.set("materials.jelly.density", 800)
        with self.assertRaisesRegex(pliant.InputError, "is one of Python's and stays"):
            simulation.set("materials.jelly.model", "stvk")
        scene.set("materials.jelly.model", "stable-neo-hookean")
        self.assertEqual(scene["materials"]["jelly"]["model"], "stable-neo-hookean")
        law = NeoHookean()
        self.assertIs(scene.set("materials.jelly.model", law)["materials"]["jelly"]["model"], law)
        with self.assertRaisesRegex(pliant.InputError, "a law can be the model of a material"):
            scene.set("time.dt", law)
        scene.run()

    def test_what_it_does_not_go_with(self):
        document = with_law(Stvk())
        document["bodies"][0]["damping"] = [{"model": "strain-rate", "psi": 1}]
        with self.assertRaisesRegex(pliant.InputError, "of the models of damping only \"rayleigh\" can"):
            pliant.Simulation(document)
        document = with_law(Stvk(), solver={"type": "admm"})
        with self.assertRaisesRegex(pliant.InputError, "solver admm does not go with a material"):
            pliant.Simulation(document)
        document = with_law(Stvk())
        document["bodies"][0]["plasticity"] = {"yield": 0.1}
        with self.assertRaisesRegex(pliant.InputError, "plasticity does not go with"):
            pliant.Simulation(document)
        document = with_law(Stvk())
        document["bodies"][0].update(type="cloth", mesh={"sheet": {"size": [1, 1], "cells": [2, 2]}}, pin=[])
        with self.assertRaisesRegex(pliant.InputError, "cloth cannot be of"):
            pliant.Simulation(document)

    def test_laws_that_give_something_else(self):
        for law, words in ((pliant.Material(lambda F: 0.0, lambda F: F * 0), "Material.energy must be numbers of shape \\(1,\\)"),
                           (pliant.Material(lambda F: F[:, 0, 0] * np.nan, lambda F: F * 0), "Material.energy is not finite"),
                           (pliant.Material(lambda F: F[:, 0, 0], lambda F: F[0]), "Material.stress must be numbers of shape \\(1, 3, 3\\)"),
                           (pliant.Material(lambda F: F[:, 0, 0], lambda F: F + np.inf), "is inf; all of them"),
                           (pliant.Material(lambda F: F[:, 0, 0], lambda F: F * 0, lambda F: F), "Material.tangent must be numbers")):
            with self.assertRaisesRegex(pliant.InputError, words):
                pliant.Simulation(with_law(law))
        with self.assertRaisesRegex(NotImplementedError, "has no energy"):
            pliant.Simulation(with_law(pliant.Material()))

        class Moody(Stvk):
            moody = False

            def stress(self, F):
                if self.moody:
                    raise ArithmeticError("no")
                return super().stress(F)

        law = Moody()
        document = with_law(law)
        simulation = pliant.Simulation(pliant.Scene(document))
        simulation.step()
        before = simulation.hash
        Moody.moody = True
        with self.assertRaises(ArithmeticError):
            simulation.step()
        Moody.moody = False
        self.assertEqual(simulation.hash, before)
        simulation.step()


if __name__ == "__main__":
    scenes.main()
