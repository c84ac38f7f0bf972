"""Arrays that look into a simulation, and states that are kept and restored."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pliant
import pliant_scenes as scenes


class Views(scenes.SceneTest):
    def test_nothing_is_copied(self):
        simulation = pliant.Simulation(scenes.beam())
        q, positions, part = simulation.q, simulation.positions, simulation.bodies["bar"].positions
        self.assertTrue(np.shares_memory(q, simulation.q))
        self.assertTrue(np.shares_memory(q, positions))
        self.assertTrue(np.shares_memory(q, part))
        before = q.copy()
        simulation.step()
        self.assertGreater(np.abs(q - before).max(), 0)
        np.testing.assert_array_equal(q.reshape(-1, 3), positions)
        self.assertEqual((q.shape, positions.shape, q.dtype), ((189,), (63, 3), np.float64))

    def test_meshes(self):
        for element, corners in (("tet4", 4), ("hex8", 8), ("tet10", 10)):
            bar = pliant.Simulation(scenes.beam(element)).bodies["bar"]
            self.assertEqual(bar.nodes.shape, (bar.node_count, 3))
            self.assertEqual(bar.elements[element].shape[1], corners)
            self.assertLess(bar.elements[element].max(), bar.node_count)
            self.assertEqual(bar.surface.shape[1], 3)
            self.assertAlmostEqual(bar.mass, 24, 9)
            np.testing.assert_array_equal(bar.nodes, bar.positions)
            for array in (bar.nodes, bar.elements[element], bar.surface):
                with self.assertRaises(ValueError):
                    array[0] = 0

    def test_arrays_outlive_their_simulation(self):
        simulation = pliant.Simulation(scenes.beam())
        simulation.step()
        bar = simulation.bodies["bar"]
        kept = [simulation.q, simulation.positions, bar.nodes, bar.surface, bar.elements["tet4"], bar.positions]
        K = simulation.stiffness()
        copies = [array.copy() for array in kept]
        alive = weakref.ref(simulation)
        del simulation, bar
        gc.collect()
        self.assertIsNone(alive())
        noise = [pliant.Simulation(scenes.beam()) for _ in range(3)]
        for array, wanted in zip(kept, copies):
            np.testing.assert_array_equal(array, wanted)
        self.assertTrue(np.isfinite(K.data).all())
        del noise

    def test_after_closing(self):
        simulation = pliant.Simulation(scenes.beam())
        q, bar = simulation.q, simulation.bodies["bar"]
        with simulation:
            simulation.step()
        q[0] = 7
        self.assertEqual(bar.node_count, 63)
        for use in (simulation.step, simulation.energies, simulation.mass, simulation.close, simulation.probes,
                    lambda: simulation.bodies, lambda: simulation.positions, lambda: simulation.state,
                    lambda: simulation.terms, lambda: setattr(simulation, "q", q)):
            with self.assertRaisesRegex(pliant.Error, "the simulation has been closed"):
                use()


class Writing(scenes.SceneTest):
    def test_what_is_written_moves(self):
        for integrator in ("be", "bdf2", "generalized-alpha", "siere"):
            with self.subTest(integrator):
                simulation = pliant.Simulation(scenes.beam(integrator=integrator, gravity=[0, 0, 0]))
                simulation.step(2)
                simulation.velocities[:, 1] = 1.0
                simulation.step()
                moved = simulation.positions[:, 1] - simulation.bodies["bar"].nodes[:, 1]
                self.assertGreater(moved.max(), 0.004)
                pinned = simulation.bodies["bar"].nodes[:, 0] < -0.29
                np.testing.assert_array_equal(moved[pinned], 0)
                np.testing.assert_array_equal(simulation.velocities[pinned], 0)

    def test_the_past_is_forgotten(self):
        """With bdf2 a state that is written goes on like one that begins there."""
        simulation = pliant.Simulation(scenes.beam(integrator="bdf2"))
        simulation.step(5)
        q, v = simulation.q.copy(), simulation.v.copy()
        simulation.q[:] = q + 0.0
        simulation.step()
        with_past = simulation.q.copy()
        other = pliant.Simulation(scenes.beam(integrator="bdf2"))
        other.q, other.v = q, v
        other.step()
        self.assertGreater(np.abs(other.q - with_past).max(), 1e-7)
        third = pliant.Simulation(scenes.beam(integrator="bdf2"))
        third.step(5)
        third.q = q + 1e-18 * np.ones_like(q)
        third.v[5] = np.nextafter(third.v[5], 1)
        third.step()
        np.testing.assert_allclose(third.q, other.q, rtol=0, atol=1e-12)

    def test_what_cannot_be_is_refused_and_undone(self):
        simulation = pliant.Simulation(scenes.beam())
        simulation.step()
        before = simulation.q.copy()
        simulation.q[11] = np.nan
        with self.assertRaisesRegex(pliant.InputError, "q\\[11\\] is nan"):
            simulation.step()
        np.testing.assert_array_equal(simulation.q, before)
        simulation.v[3] = np.inf
        with self.assertRaisesRegex(pliant.InputError, "v\\[3\\] is inf"):
            simulation.energies()
        for value, words in ((before[:-1], "got shape \\(188,\\)"), ("x", "got an array of"), (before * 1j, "complex128"),
                             (None, "array of object"), (before * np.nan, "q\\[0\\] is nan"), (object(), "array of object")):
            with self.assertRaisesRegex(pliant.InputError, words):
                simulation.q = value
        np.testing.assert_array_equal(simulation.q, before)
        simulation.step()

    def test_intersections_and_inversions_are_refused(self):
        simulation = pliant.Simulation(scenes.falling_boxes())
        simulation.step()
        before = simulation.hash
        simulation.bodies["upper"].positions[:, 1] -= 0.15
        with self.assertRaisesRegex(pliant.InfeasibleStart, "touches or intersects"):
            simulation.step()
        self.assertEqual(simulation.hash, before)
        document = scenes.beam()
        document["materials"]["jelly"]["model"] = "neo-hookean"
        simulation = pliant.Simulation(document)
        simulation.positions[:, 1] *= -1
        with self.assertRaisesRegex(pliant.InfeasibleStart, "elements of body \"bar\" are inverted"):
            simulation.step()


class States(scenes.SceneTest):
    def test_a_state_goes_on_with_the_same_bits(self):
        for document in (scenes.beam(integrator="bdf2"), scenes.beam(integrator={"type": "siere", "modes": 4}),
                         scenes.beam(integrator="sdirk2"), scenes.falling_boxes(), scenes.chain(),
                         scenes.beam(integrator="trbdf2", time={"dt": "auto", "tolerance": 1e-3, "duration": 1, "output_dt": 0.05})):
            with self.subTest(document["integrator"]):
                simulation = pliant.Simulation(document)
                simulation.step(6)
                state = pickle.loads(pickle.dumps(simulation.state))
                self.assertEqual(state, simulation.state)
                simulation.step(6)
                wanted = simulation.hash
                other = pliant.Simulation(document)
                other.state = copy.deepcopy(state)
                self.assertEqual((other.time, other.steps), (state.time, 6))
                np.testing.assert_array_equal(other.q, state.q)
                other.step(6)
                self.assertEqual(other.hash, wanted)
                simulation.state = state
                simulation.step(6)
                self.assertEqual(simulation.hash, wanted)

    def test_states_of_other_scenes_are_refused(self):
        state = pliant.Simulation(scenes.beam()).state
        with self.assertRaisesRegex(pliant.InputError, "another scene"):
            pliant.Simulation(scenes.beam("hex8")).state = state
        with self.assertRaises(TypeError):
            pliant.Simulation(scenes.beam()).state = 3
        damaged = bytearray(state.__getstate__())
        damaged[len(damaged) // 2] ^= 1
        with self.assertRaises(pliant.InputError):
            pliant.State.__new__(pliant.State).__setstate__(bytes(damaged))
        longer = scenes.beam()
        longer["time"]["duration"] = 5
        pliant.Simulation(longer).state = state

    def test_a_changed_scene_keeps_its_clock(self):
        simulation = pliant.Simulation(scenes.beam())
        simulation.step(3)
        simulation.set("time.dt", 0.005)
        simulation.step(2)
        self.assertAlmostEqual(simulation.time, 0.04, 12)
        state = pickle.loads(pickle.dumps(simulation.state))
        simulation.step(3)
        wanted, time = simulation.hash, simulation.time
        simulation.state = state
        simulation.step(3)
        self.assertEqual((simulation.hash, simulation.time), (wanted, time))

    def test_what_was_never_made(self):
        empty = pliant.State.__new__(pliant.State)
        with self.assertRaises(TypeError):
            empty.q
        with self.assertRaises(TypeError):
            pliant.Simulation.__new__(pliant.Simulation).step()


if __name__ == "__main__":
    scenes.main()
