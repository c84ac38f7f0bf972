"""The interpreter is free while the library computes, and nothing breaks where threads meet."""

import os
import signal
import threading
import time

import numpy as np
import pliant
import pliant_scenes as scenes


class Threads(scenes.SceneTest):
    def test_other_threads_go_on_during_a_step(self):
        simulation = pliant.Simulation(scenes.beam(cells=(24, 8, 8)), threads=1)
        simulation.step()
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.perf_counter()
        simulation.step(20)
        end = time.perf_counter()
        done.set()
        thread.join()
        during = sum(begin < t < end for t in ticks)
        # Were the interpreter held there would be none; a busy machine makes them few.
        self.assertGreater(during, (end - begin) / 0.05)
        self.assertGreater(during, 3)

    def test_a_simulation_is_used_by_one_thread_at_a_time(self):
        simulation = pliant.Simulation(scenes.beam(cells=(24, 8, 8)))
        refused, begun = [], threading.Event()

        def work():
            begun.set()
            simulation.step(3)

        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        while thread.is_alive():
            try:
                simulation.energies()
            except pliant.Error as error:
                refused.append(str(error))
            simulation.positions.sum()
            simulation.time
            time.sleep(0.002)
        thread.join()
        self.assertTrue(refused and "in use" in refused[0])
        self.assertEqual(simulation.steps, 3)

    def test_two_simulations_with_python_terms_at_once(self):
        def make():
            scene = pliant.Scene(scenes.beam())
            scene.add(pliant.Force(np.arange(63)[:, None], lambda t, x, v: -v))
            return pliant.Simulation(scene, threads=2)

        wanted = make()
        wanted.step(5)
        both = [make(), make()]
        threads = [threading.Thread(target=simulation.step, args=(5,)) for simulation in both]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        self.assertEqual([simulation.hash for simulation in both], [wanted.hash] * 2)

    def test_the_number_of_threads_does_not_matter(self):
        hashes = {pliant.Scene(scenes.falling_boxes()).run(threads=threads).hash for threads in (1, 2, 4)}
        self.assertEqual(len(hashes), 1)


class Signals(scenes.SceneTest):
    def interrupted(self, work):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                work()
        finally:
            timer.join()

    def test_control_c_ends_steps_and_the_state_is_whole(self):
        document = scenes.beam(cells=(12, 4, 4), integrator="bdf2", time={"dt": 1e-3, "duration": 100})
        simulation = pliant.Simulation(document)
        self.interrupted(lambda: simulation.step(10 ** 6))
        steps = simulation.steps
        other = pliant.Simulation(document)
        other.step(steps)
        self.assertEqual(other.hash, simulation.hash)
        simulation.step()
        other.step()
        self.assertEqual(other.hash, simulation.hash)

    def test_control_c_ends_a_run_that_can_be_resumed(self):
        scene = pliant.Scene(scenes.beam(cells=(12, 4, 4), time={"dt": 1e-3, "duration": 100}))
        self.interrupted(lambda: scene.run(out="out"))
        self.assertEqual(self.summary("out")["status"], "interrupted")


if __name__ == "__main__":
    scenes.main()
