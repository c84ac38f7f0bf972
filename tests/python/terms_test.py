"""Potentials and forces written in Python act like those that are built in."""

import threading

import numpy as np
import pliant
import pliant_scenes as scenes

GRAVITY = np.array([0, -9.81, 0])


class Springs(pliant.Potential):
    """½ k (|x₁ − x₀| − rest)² between pairs of nodes, shape (sets, 2, 3)."""

    kind = "elastic"

    def __init__(self, nodes, stiffness, rest):
        super().__init__(nodes)
        self.k, self.rest = stiffness, rest

    def energy(self, x):
        return 0.5 * self.k * (np.linalg.norm(x[:, 1] - x[:, 0], axis=1) - self.rest) ** 2

    def gradient(self, x):
        along = x[:, 1] - x[:, 0]
        length = np.linalg.norm(along, axis=1)
        pull = (self.k * (length - self.rest) / length)[:, None] * along
        return np.stack([-pull, pull], axis=1)


def masses(document):
    """kg of each node, of the rows of M."""
    M = pliant.Simulation(document).mass()
    return np.asarray(M.sum(axis=1)).ravel()[::3]


def track(scene, steps=10):
    simulation = pliant.Simulation(scene)
    simulation.step(steps)
    return simulation


class Potentials(scenes.SceneTest):
    def test_nodes_may_be_selected_as_in_scenes(self):
        tip = {"box": {"min": [0.29, -1, -1], "max": [0.31, 1, 1]}}
        ends = {}
        for name, nodes in {"selection": tip, "function": lambda X: X[:, 0] > 0.29}.items():
            scene = pliant.Scene(scenes.beam())
            scene.add(pliant.Force(nodes, lambda t, x, v: np.full_like(x, 2.0), differences=False))
            ends[name] = track(scene).hash
        self.assertEqual(ends["selection"], ends["function"])

    def test_wrong_selections_are_named(self):
        for words, nodes, body in (
                ("Force.nodes#/box/max/0: must be at least min", {"box": {"min": [1, 0, 0], "max": [0, 1, 1]}}, "bar"),
                ("did you mean \"sphere\"?", {"spere": {}}, "bar"),
                ("no nodes of body \"bar\" are there", {"sphere": {"center": [9, 9, 9], "radius": 0.1}}, "bar"),
                ("no region \"left\", known", {"region": "left"}, "bar"),
                ("must be from 0 to 62, got 999", {"nodes": [999]}, "bar")):
            with self.subTest(words):
                scene = pliant.Scene(scenes.beam())
                scene.add(pliant.Force(nodes, lambda t, x, v: 0 * x, body=body))
                with self.assertRaises(pliant.InputError) as raised:
                    pliant.Simulation(scene)
                self.assertIn(words, str(raised.exception))
        scene = pliant.Scene(scenes.falling_boxes())
        scene.add(pliant.Force({"all": True}, lambda t, x, v: 0 * x))
        with self.assertRaisesRegex(pliant.InputError, "of one body; say which"):
            pliant.Simulation(scene)

    def test_gravity_in_python_is_gravity(self):
        for integrator in ("be", "sdirk2", "generalized-alpha", "ros3pl", "si", "rk4"):
            with self.subTest(integrator):
                dt = {"dt": 1e-4, "duration": 1e-3} if integrator == "rk4" else {"dt": 0.01, "duration": 0.1}
                native = track(scenes.beam(integrator=integrator, time=dt))
                scene = pliant.Scene(scenes.beam(integrator=integrator, time=dt, gravity=[0, 0, 0]))
                m = masses(scenes.beam())
                rest = pliant.Simulation(scenes.beam()).positions.copy()
                scene.add(pliant.Potential(
                    np.arange(len(m)), lambda x: -np.sum(m * ((x - rest) @ GRAVITY)), lambda x: -m[:, None] * GRAVITY,
                    lambda x: np.zeros((3 * len(m), 3 * len(m)))))
                ours = track(scene)
                self.assertGreater(np.abs(native.q - native.state.q * 0).max(), 0)
                np.testing.assert_allclose(ours.q, native.q, rtol=0, atol=1e-9)
                np.testing.assert_allclose(ours.v, native.v, rtol=0, atol=1e-7)
                self.assertAlmostEqual(ours.energies()["external"], native.energies()["external"], 8)

    def test_gravity_by_single_nodes_and_differences(self):
        native = track(scenes.beam())
        m = masses(scenes.beam())
        scene = pliant.Scene(scenes.beam(gravity=[0, 0, 0]))
        scene.add(pliant.Potential(np.arange(len(m))[:, None], lambda x: -m * (x[:, 0] @ GRAVITY),
                                   lambda x: -m[:, None, None] * np.broadcast_to(GRAVITY, x.shape)))
        np.testing.assert_allclose(track(scene).q, native.q, rtol=0, atol=1e-9)

    def test_springs_in_python_are_springs(self):
        ends = [[0.3, 0.1, 0.1], [0.3, -0.1, -0.1]]
        document = scenes.beam(forces=[
            {"spring": {"between": ["bar", end, "bar", [-0.3, 0, 0]], "stiffness": 500, "rest": 0.3}} for end in ends])
        native = track(document)
        plain = pliant.Simulation(scenes.beam())
        find = lambda point: int(np.argmin(np.linalg.norm(plain.positions - point, axis=1)))
        scene = pliant.Scene(scenes.beam())
        scene.add(Springs([[find(end), find([-0.3, 0, 0])] for end in ends], 500, 0.3))
        ours = track(scene)
        self.assertGreater(np.abs(native.q - track(scenes.beam()).q).max(), 1e-2)
        np.testing.assert_allclose(ours.q, native.q, rtol=0, atol=1e-8)
        self.assertAlmostEqual(ours.energies()["elastic"], native.energies()["elastic"], 6)
        self.assertIn("Springs", ours.terms)

    def test_differences_are_the_hessian(self):
        nodes = [[0, 40], [7, 50], [3, 22]]
        exact, rough = Springs(nodes, 100.0, 0.1), Springs(nodes, 100.0, 0.1)

        def hessian(x):
            along = x[:, 1] - x[:, 0]
            length = np.linalg.norm(along, axis=1)[:, None, None]
            out = np.einsum("si,sj->sij", along, along) / length ** 2
            block = 100 * (out + (1 - 0.1 / length) * (np.eye(3) - out))
            return np.block([[block, -block], [-block, block]])

        exact.hessian = hessian
        matrices = []
        for term in (exact, rough):
            scene = pliant.Scene(scenes.beam())
            scene.add(term)
            matrices.append(pliant.Simulation(scene).stiffness().toarray())
        np.testing.assert_allclose(matrices[0], matrices[1], rtol=0, atol=1e-4)
        without = pliant.Simulation(scenes.beam()).stiffness().toarray()
        self.assertGreater(np.abs(matrices[0] - without).max(), 10)

    def test_static_and_modes_know_it(self):
        scene = pliant.Scene(scenes.beam())
        tip = pliant.Simulation(scene).bodies["bar"].nodes[:, 0] > 0.29
        scene.add(pliant.Potential(lambda X: np.flatnonzero(X[:, 0] > 0.29)[:, None],
                                   lambda x: 5e3 * np.sum((x[:, 0, 1:]) ** 2, axis=1),
                                   lambda x: 1e4 * x * [0, 1, 1], body="bar"))
        free = pliant.static(scenes.beam()).q.reshape(-1, 3)[:len(tip)][tip]
        held = pliant.static(scene).q.reshape(-1, 3)[:len(tip)][tip]
        self.assertLess(np.abs(held[:, 1]).max(), 0.5 * np.abs(free[:, 1]).max() + 0.1)
        self.assertGreater(pliant.Simulation(scene).modes(1)["frequencies"][0],
                           1.2 * pliant.Simulation(scenes.beam()).modes(1)["frequencies"][0])

    def test_an_energy_that_ends_keeps_steps_away(self):
        scene = pliant.Scene(scenes.beam())
        floor, k = -0.25, 0.01

        def energy(x):
            with np.errstate(invalid="ignore", divide="ignore"):
                return -k * np.log(x[:, 0, 1] - floor)

        def gradient(x):
            out = np.zeros_like(x)
            out[:, 0, 1] = -k / (x[:, 0, 1] - floor)
            return out

        scene.add(pliant.Potential(lambda X: np.arange(len(X))[:, None], energy, gradient))
        simulation = pliant.Simulation(scene)
        simulation.step(40)
        self.assertGreater(simulation.positions[:, 1].min(), floor)
        self.assertLess(track(scenes.beam(), 40).positions[:, 1].min(), floor)

    def test_on_rigid_bodies_and_with_constraints(self):
        document = scenes.chain()
        native = track(dict(document, forces=[{"spring": {"between": ["bar", [0.2, 0.05, 0.05], "world", [0.2, 0.5, 0]],
                                                           "stiffness": 50, "rest": 0}}]))
        scene = pliant.Scene(document)
        scene.add(pliant.Potential(lambda X: [np.argmin(np.linalg.norm(X - [0.2, 0.05, 0.05], axis=1))],
                                   lambda x: 25 * np.sum((x[0] - [0.2, 0.5, 0]) ** 2),
                                   lambda x: 50 * (x - [0.2, 0.5, 0]), body="bar"))
        np.testing.assert_allclose(track(scene).positions, native.positions, rtol=0, atol=1e-7)


class Forces(scenes.SceneTest):
    def test_drag_in_python_is_rayleigh_damping(self):
        document = scenes.beam()
        document["bodies"][0].update(damping=[{"model": "rayleigh", "alpha": 3.0}], mass="lumped")
        native = track(document)
        document = scenes.beam()
        document["bodies"][0]["mass"] = "lumped"
        m = masses(document)
        for term in (pliant.Force(np.arange(len(m))[:, None], lambda t, x, v: -3 * m[:, None, None] * v),
                     pliant.Force(np.arange(len(m))[:, None], lambda t, x, v: -3 * m[:, None, None] * v,
                                  lambda t, x, v: np.zeros((len(m), 3, 3)),
                                  lambda t, x, v: 3 * m[:, None, None] * np.eye(3))):
            scene = pliant.Scene(document)
            scene.add(term)
            ours = track(scene)
            np.testing.assert_allclose(ours.q, native.q, rtol=0, atol=1e-8)
            D = ours.damping().diagonal()
            np.testing.assert_allclose(D, np.repeat(3 * m, 3), rtol=1e-6)

    def test_a_load_over_time(self):
        native = track(scenes.beam(integrator="sdirk2", forces=[
            {"point": {"body": "bar", "nodes": [62], "curve": [[0, 0, 0, 0], [1, 0, 50, 0]]}}]))
        scene = pliant.Scene(scenes.beam(integrator="sdirk2"))
        scene.add(pliant.Force([62], lambda t, x, v: [[0, 50 * t, 0]], differences=False))
        np.testing.assert_allclose(track(scene).q, native.q, rtol=0, atol=1e-8)

    def test_a_controller(self):
        """The force is what the controller says between steps: it holds the tip up."""
        class Hand(pliant.Force):
            differences = False
            pull = 0.0

            def force(self, t, x, v):
                return [[0, self.pull, 0]]

        scene = pliant.Scene(scenes.beam(time={"dt": 0.01, "duration": 1.5}, integrator="be"))
        hand = scene.add(Hand(lambda X: [np.argmax(X[:, 0])], body="bar"))
        heights = []

        def control(moment):
            height = moment.positions[np.argmax(moment.positions[:, 0])][1]
            hand.pull = -1500 * height
            heights.append(height)

        results = scene.run(callback=control)
        self.assertEqual(results.status, "done")
        self.assertGreater(heights[-1], -0.1)
        simulation = pliant.Simulation(scene)
        hand.pull = 0.0
        simulation.step(3)
        low = simulation.q.copy()
        other = pliant.Simulation(scene)
        hand.pull = 10.0
        other.step(3)
        self.assertGreater(np.abs(other.q - low).max(), 1e-6)

    def test_numbers_of_the_scene_change_while_it_runs(self):
        force = {"point": {"body": "bar", "nodes": [62], "force": [0, 0, 0]}}
        scene = pliant.Scene(scenes.beam(forces=[force]))

        def callback(moment):
            if moment.steps == 5:
                moment.set("forces.0.point.force", [0, 40, 0])

        results = scene.run(out="out", callback=callback)
        simulation = pliant.Simulation(scene)
        simulation.step(5)
        simulation.set("forces.0.point.force", [0, 40, 0])
        simulation.step(5)
        self.assertEqual(simulation.hash, results.hash)
        self.assertNotEqual(results.hash, scene.run().hash)
        self.assertEqual(len(self.summary("out")["changes"]), 1)
        with self.assertRaisesRegex(pliant.InputError, "set\\(integrator=\"x\"\\)"):
            simulation.set("integrator", "x")
        for path, value in (("bodies.0.pin", []), ("bodies.0.pin.0.box.max", [0, 1, 1]), ("bodies.0.plasticity", {"yield": 0.1}),
                            ("bodies.0.mesh.box.size", [0.6, 0.3, 0.3]), ("bodies.0.transform", {"scale": 2})):
            with self.assertRaisesRegex(pliant.InputError, "keeps its bodies"):
                simulation.set(path, value)
        with self.assertRaisesRegex(pliant.InputError, "keeps its bodies"):
            scene.run(callback=lambda moment: moment.set("bodies.0.pin", []))
        simulation.step()


class Wrong(scenes.SceneTest):
    def refused(self, term, words, kind=pliant.InputError):
        scene = pliant.Scene(scenes.beam())
        scene.add(term)
        with self.assertRaisesRegex(kind, words):
            pliant.Simulation(scene)

    def test_terms_that_cannot_be(self):
        zero = lambda x: np.zeros_like(x)
        for nodes in ([99], [-1], [[0, 63]]):
            self.refused(pliant.Potential(nodes, lambda x: 0.0, zero), "there is no node -?\\d+ in the scene, which has 63")
        for nodes in ([], 3, [0.5], "all", None, [[[0]]], [[0], [1, 2]]):
            with self.subTest(nodes=nodes):
                self.refused(pliant.Potential(nodes, lambda x: 0.0, zero), "nodes|inhomogeneous", ValueError)
        self.refused(pliant.Potential(lambda X: X[:5, 0] > 0, lambda x: 0.0, zero), "a mask of nodes")
        self.refused(pliant.Potential([0], lambda x: 0.0, zero, body="baz"), "there is no body \"baz\"")
        self.refused(pliant.Potential([0], lambda x: 0.0, zero, kind="nice"), "its kind must be")
        self.refused(pliant.Potential([0], lambda x: 0.0, lambda x: x[0]), "must be numbers of shape \\(1, 3\\), got shape \\(3,\\)")
        self.refused(pliant.Potential([0], lambda x: 0.0, lambda x: "x"), "Potential.gradient must be numbers")
        self.refused(pliant.Potential([0], lambda x: 0.0, lambda x: None), "Potential.gradient must be numbers")
        self.refused(pliant.Potential([0], lambda x: 0.0, lambda x: x * 1j), "got an array of complex128")
        self.refused(pliant.Potential([0], lambda x: 0.0, lambda x: x * np.nan), "is nan; all of them must be finite")
        self.refused(pliant.Potential([0], lambda x: np.inf, zero), "is not finite in the undeformed scene")
        self.refused(pliant.Potential([0], lambda x: x, zero), "Potential.energy must be a number, got shape \\(1, 3\\)")
        self.refused(pliant.Potential([[0], [1]], lambda x: 0.0, zero), "must be numbers of shape \\(2,\\)")
        self.refused(pliant.Potential(list(range(63)) * 2, lambda x: 0.0, zero), "couples 126 nodes .*100 can at most")
        self.refused(pliant.Force([0], lambda t, x, v: x * np.nan), "is nan; all of them must be finite")
        self.refused(pliant.Force([0]), "Force has no force", NotImplementedError)
        self.refused(pliant.Potential([0]), "has no gradient", NotImplementedError)
        self.refused(pliant.Force([0], lambda: 3), "argument", TypeError)
        self.refused(lambda x: x, "a function is no term")
        self.refused(pliant.Material(), "a Material is no term")

    def test_a_wrong_hessian(self):
        scene = pliant.Scene(scenes.beam())
        scene.add(pliant.Potential([0], lambda x: 0.0, lambda x: 0 * x, lambda x: np.eye(2)))
        simulation = pliant.Simulation(scene)
        before = simulation.hash
        with self.assertRaisesRegex(pliant.InputError, "Potential.hessian must be numbers of shape \\(3, 3\\)"):
            simulation.step()
        self.assertEqual(simulation.hash, before)


class Raising(scenes.SceneTest):
    """A callback that raises ends the step with that exception; the state is as before it."""

    def scene(self, integrator="bdf2"):
        scene = pliant.Scene(scenes.beam(integrator=integrator))
        self.angry = False

        def force(t, x, v):
            if self.angry:
                raise KeyError("not today")
            return np.zeros_like(x)

        scene.add(pliant.Force([5, 6], force))
        return scene

    def test_in_a_step(self):
        for integrator in ("bdf2", "sdirk2", "generalized-alpha", "rk4", "siere"):
            with self.subTest(integrator):
                time = {"dt": 1e-4, "duration": 1e-3} if integrator == "rk4" else {"dt": 0.01, "duration": 0.1}
                scene = self.scene(integrator)
                scene["time"] = time
                wanted = track(scene, 8).hash
                simulation = track(scene, 4)
                before, time = simulation.hash, simulation.time
                self.angry = True
                with self.assertRaisesRegex(KeyError, "not today"):
                    simulation.step()
                self.assertEqual((simulation.hash, simulation.time, simulation.steps), (before, time, 4))
                for reading in (simulation.forces, simulation.stiffness):
                    with self.assertRaises(KeyError):
                        reading()
                self.angry = False
                simulation.step(4)
                self.assertEqual(simulation.hash, wanted)

    def test_in_a_run(self):
        scene = self.scene()

        def callback(moment):
            self.angry = moment.steps == 3

        with self.assertRaisesRegex(KeyError, "not today"):
            scene.run(out="out", callback=callback)
        self.angry = False
        self.assertEqual(scene.run(out="out", resume=False, force=True).status, "done")

    def test_in_the_callback_of_a_run(self):
        kept = []

        def callback(moment):
            kept.append(moment)
            if moment.steps == 3:
                raise ZeroDivisionError("enough")

        scene = pliant.Scene(scenes.beam())
        with self.assertRaisesRegex(ZeroDivisionError, "enough"):
            scene.run(out="out", callback=callback)
        self.assertEqual(self.summary("out")["steps"], 3)
        with self.assertRaisesRegex(pliant.Error, "this moment of the run is over"):
            kept[0].q
        self.assertEqual(scene.run(out="out", resume=True).hash, scene.run().hash)

    def test_from_another_thread(self):
        simulation = pliant.Simulation(self.scene())
        self.angry = True
        caught = []

        def work():
            try:
                simulation.step()
            except KeyError as error:
                caught.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual(len(caught), 1)

    def test_a_step_from_within_its_own_step(self):
        scene = pliant.Scene(scenes.beam())
        box = []

        def force(t, x, v):
            if box:
                box[0].step()
            return np.zeros_like(x)

        scene.add(pliant.Force([5], force))
        simulation = pliant.Simulation(scene)
        box.append(simulation)
        with self.assertRaisesRegex(pliant.Error, "the simulation is in use"):
            simulation.step()
        box.clear()
        simulation.step()
        self.assertEqual(simulation.steps, 1)


if __name__ == "__main__":
    scenes.main()
