"""A run that was stopped, in whatever way, and resumed equals one that was not."""

import os
import random
import shutil
import signal
import time

import pliant_cli
from pliant_cli import (beam, checkpoints, history, history_rows, lasting_history, log, summary,
                        wait_for)

STEPS = 150  # more than are made before a signal arrives, also on a fast machine
LEFT = {"plane": {"point": [-1.999, 0, 0], "normal": [-1, 0, 0]}}
RIGHT = {"plane": {"point": [1.999, 0, 0], "normal": [1, 0, 0]}}

# Pins that rest, move and let go, take hold again and follow a curve.
PINS = [
    LEFT,
    dict(RIGHT, motion={"velocity": [0.2, 0.1, 0], "angular_velocity": [1, 0, 0]}, until=0.2),
    dict(RIGHT, motion={"curve": [[0.3, 0, 0, 0], [0.4, 0, 0.1, 0], [0.5, 0, 0, 0.1]]},
         **{"from": 0.3, "until": 0.5}),
]


def carrying():
    """esdirk43 carries the acceleration from step to step."""
    return beam(cells=[12, 3, 3], integrator="esdirk43", pin=PINS, steps=STEPS, output_dt=0.03)


def damped():
    return beam(cells=[12, 3, 3], integrator="sdirk2", pin=PINS, steps=STEPS, output_dt=0.03,
                damping=[{"model": "rayleigh", "alpha": 0.1, "beta": 2e-3}])


def rubbing(method="barrier"):
    """Contact that comes and goes, friction that remembers, and a guard over the energy."""
    scene = beam(cells=[6, 3, 3], integrator="trbdf2", pin=[], steps=STEPS, output_dt=0.03)
    scene["bodies"][0]["transform"] = {"rotate": [0, 0, 20], "translate": [0, 1.3, 0]}
    scene["bodies"][0]["initial"] = {"velocity": [1, -2, 0]}
    scene["probes"] = []
    scene["contact"] = {"method": method, "friction": 0.4, "distance": 0.01}
    scene["obstacles"] = [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]
    return scene


def flowing():
    """Plastic strain that grows all the time."""
    scene = beam(cells=[12, 3, 3], integrator="bdf2", pin=PINS, steps=STEPS, output_dt=0.03)
    scene["bodies"][0]["plasticity"] = {"yield": 0.002, "creep": 5, "max": 0.03}
    return scene


class Stopping(pliant_cli.ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(20)

    def reference(self, scene):
        return self.run_scene(scene, out="reference")

    def changed(self, folder):
        history = f"{folder}/history.csv"
        return os.stat(history).st_mtime_ns if os.path.exists(history) else 0

    def stop(self, number, rows, *arguments):
        """Runs until that many rows are there, then sends the signal; returns the exit status."""
        folder = self.path("stopped")
        before = self.changed(folder)  # rows of the run before may still be there
        with self.start("run", "scene.json", "--out", folder, "--quiet", *arguments) as process:
            wait_for(lambda: self.changed(folder) != before and history_rows(folder) >= rows,
                     process)
            time.sleep(self.random.uniform(0, 0.02))
            process.send_signal(number)
            process.communicate(timeout=60)
            return process.returncode

    def finish(self, *arguments):
        self.succeed("run", "scene.json", "--out", "stopped", "--quiet", "--resume", *arguments)

    def assert_same(self, reference, steps=STEPS):
        stopped = self.path("stopped")
        self.assertEqual(lasting_history(stopped), lasting_history(reference))
        for key in ("state_hash", "steps", "frames", "iterations", "energies", "status"):
            self.assertEqual(summary(stopped)[key], summary(reference)[key], key)
        self.assertEqual(summary(stopped)["steps"], steps)
        self.assert_frames_whole(stopped)
        for name in os.listdir(f"{reference}/frames"):
            with open(f"{reference}/frames/{name}", "rb") as one, \
                    open(f"{stopped}/frames/{name}", "rb") as other:
                self.assertEqual(one.read(), other.read(), name)


class Resume(Stopping):
    def check_stops(self, scene):
        """Stopped again and again; kills go back to the checkpoint of the interrupt before them."""
        reference = self.reference(scene)
        rows = 0
        kills = [signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL, signal.SIGINT,
                 signal.SIGKILL, signal.SIGTERM, signal.SIGKILL]
        for number in kills:
            rows += self.random.randint(1, 8)
            status = self.stop(number, rows, "--resume")
            wanted = -number if number == signal.SIGKILL else 128 + number
            self.assertEqual(status, wanted)
            if number != signal.SIGKILL:
                rows = history_rows(self.path("stopped"))
                self.assertLess(rows, STEPS)
                self.assert_frames_whole(self.path("stopped"))
                self.assertEqual(summary(self.path("stopped"))["status"], "interrupted")
        self.finish()
        self.assert_same(reference)

    def test_carried_acceleration_survives_kills_and_interrupts(self):
        self.check_stops(carrying())

    def test_contact_and_friction_survive_kills_and_interrupts(self):
        self.check_stops(rubbing())
        self.assertGreater(max(row["contacts"] for row in history(self.path("reference"))), 0)

    def test_contact_as_a_correction_survives_kills_and_interrupts(self):
        self.check_stops(rubbing("qp"))
        rows = history(self.path("reference"))
        self.assertGreater(max(row["contacts"] for row in rows), 0)
        self.assertGreater(max(row["dual"] for row in rows), 0)
        self.assertLessEqual(max(max(row["primal"], row["dual"]) for row in rows), 1e-9)

    def test_contact_by_complementarity_survives_kills_and_interrupts(self):
        self.check_stops(rubbing("unilateral"))
        rows = history(self.path("reference"))
        self.assertGreater(max(row["contacts"] for row in rows), 0)
        self.assertGreater(max(row["primal"] for row in rows), 0)

    def test_the_local_global_solver_survives_kills_and_interrupts(self):
        scene = rubbing("admm")
        scene["integrator"] = "be"
        scene["contact"]["self"] = False
        scene["solver"] = {"type": "admm", "tolerance": 1e-5, "max_iterations": 200}
        scene["bodies"][0]["damping"] = [{"model": "rayleigh", "alpha": 0.1, "beta": 2e-3}]
        self.check_stops(scene)

    def test_plastic_strain_survives_kills_and_interrupts(self):
        self.check_stops(flowing())

    def test_damping_and_pins_survive_kills_and_interrupts(self):
        self.check_stops(damped())

    def test_kill_after_a_checkpoint_made_on_the_way(self):
        scene = beam(cells=[24, 6, 6], steps=10000, integrator="esdirk43", output_dt=0.05)
        self.write("scene.json", scene)
        folder = self.path("stopped")
        with self.start("run", "scene.json", "--out", folder, "--quiet") as process:
            made = wait_for(lambda: os.path.isdir(folder) and checkpoints(folder), process)
            self.assertTrue(made)
            rows = history_rows(folder)
            wait_for(lambda: history_rows(folder) > rows, process)
            process.kill()
            process.communicate()
        step = int(checkpoints(folder)[-1][-10:-4])
        end = step + 2
        longer = ["--set", f"time.duration={end * 0.01}"]
        self.finish(*longer)
        reference = self.run_scene(scene, *longer, out="reference")
        self.assert_same(reference, end)
        self.assertTrue(any("resumed" in entry["text"] for entry in log(folder)))

    def check_long_steps(self, scene):
        """Interrupted within a step, which is dropped where it is long, and made later."""
        reference = self.reference(scene)
        for rows in (1, 2):
            self.assertEqual(self.stop(signal.SIGINT, rows, "--resume"), 130)
            self.assertEqual(summary(self.path("stopped"))["status"], "interrupted")
        self.finish()
        self.assert_same(reference, 4)

    def test_interrupts_within_an_exponential(self):
        self.check_long_steps(beam(cells=[12, 3, 3], young=1e10, integrator="ere", steps=4))

    def test_interrupts_within_a_search_for_modes(self):
        hybrid = {"type": "siere", "modes": 60, "refresh": 1}
        self.check_long_steps(beam(cells=[24, 5, 5], integrator=hybrid, steps=4))

    def test_interrupts_within_newton_iterations(self):
        self.check_long_steps(beam(cells=[60, 16, 16], integrator="sdirk2", steps=4))

    def test_kill_before_the_folder_is_whole(self):
        scene = carrying()
        reference = self.reference(scene)
        for delay in (0, 0.005, 0.01, 0.02):
            with self.start("run", "scene.json", "--out", "stopped", "--quiet",
                            "--resume") as process:
                time.sleep(delay)
                process.kill()
                process.communicate()
        self.finish()
        self.assert_same(reference)


class Damage(Stopping):
    def stopped_twice(self):
        self.reference(carrying())
        self.assertEqual(self.stop(signal.SIGTERM, 8, "--resume"), 143)
        # The second run must have gone on before it is stopped, wherever the first one came to.
        rows = history_rows(self.path("stopped")) + 8
        self.assertEqual(self.stop(signal.SIGTERM, rows, "--resume"), 143)
        found = checkpoints(self.path("stopped"))
        self.assertEqual(len(found), 2)
        return found[-1]

    def check_fallback(self, newest):
        outcome = self.pliant("run", "scene.json", "--out", "stopped", "--resume")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn(os.path.basename(newest), outcome.err)
        self.assert_same(self.path("reference"))

    def test_truncated_checkpoint_falls_back(self):
        newest = self.stopped_twice()
        os.truncate(newest, os.path.getsize(newest) // 2)
        self.check_fallback(newest)

    def test_flipped_bit_falls_back(self):
        newest = self.stopped_twice()
        with open(newest, "r+b") as file:
            file.seek(os.path.getsize(newest) // 3)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 4]))
        self.check_fallback(newest)

    def test_empty_checkpoint_falls_back(self):
        newest = self.stopped_twice()
        os.truncate(newest, 0)
        self.check_fallback(newest)

    def test_torn_last_lines_are_cut(self):
        self.stopped_twice()
        for name in ("history.csv", "log.jsonl"):
            with open(self.path("stopped", name), "ab") as file:
                file.write(b'17,0.1{"torn')
        self.write("stopped/frames/.frame_000999.vtu.1.partial", "torn")
        self.finish()
        self.assert_same(self.path("reference"))


class Flags(pliant_cli.ProgramTest):
    def setUp(self):
        super().setUp()
        self.folder_of_results = self.run_scene(beam(steps=3))

    def run_again(self, *arguments):
        return ["run", "scene.json", "--out", "result", *arguments]

    def test_existing_results_need_a_flag(self):
        before = lasting_history(self.folder_of_results)
        self.refuse(2, *self.run_again(), words=["--resume", "--force"])
        self.assertEqual(lasting_history(self.folder_of_results), before)

    def test_both_flags_exclude_each_other(self):
        self.refuse(2, *self.run_again("--resume", "--force"), words=["--resume", "--force"])

    def test_a_changed_scene_is_not_resumed(self):
        before = lasting_history(self.folder_of_results)
        self.refuse(2, *self.run_again("--resume", "--set", "materials.jelly.young=2e5"),
                    words=["materials.jelly.young was 100000.0 and is 200000.0", "--force"])
        self.refuse(2, *self.run_again("--resume", "--set", "time.dt=0.005"),
                    words=["time.dt was 0.01 and is 0.005"])
        self.refuse(2, *self.run_again("--resume", "--set", "gravity.0=1"),
                    words=["gravity.0 was 0 and is 1"])
        self.assertEqual(lasting_history(self.folder_of_results), before)

    def test_a_changed_mesh_is_not_resumed(self):
        scene = beam(steps=4)

        def make(size):
            self.succeed("mesh", "make", "box", f"size=[{size},1,1]", "cells=[2,2,2]", "-o", "body.vtu")

        make(1)
        scene["bodies"] = [{"name": "body", "mesh": {"file": "body.vtu"}, "material": scene["bodies"][0]["material"]}]
        scene.pop("probes", None)
        self.run_scene(scene)
        longer = ("run", "scene.json", "--out", "result", "--quiet", "--resume", "--set", "time.duration=1")
        make(2)
        before = lasting_history(self.path("result"))
        self.refuse(2, *longer, words=['mesh of "body"', "--force"])
        self.assertEqual(lasting_history(self.path("result")), before)
        make(1)
        self.succeed(*longer)

    def test_a_run_without_its_history_is_not_resumed(self):
        self.run_scene(beam(steps=4))
        os.remove(self.path("result", "history.csv"))
        self.refuse(2, "run", "scene.json", "--out", "result", "--resume", words=["history.csv is missing"])
        self.assertFalse(os.path.exists(self.path("result", "history.csv")))

    def test_a_longer_duration_goes_on(self):
        self.succeed(*self.run_again("--resume", "--set", "time.duration=0.08"))
        longer = self.run_scene(beam(steps=8), out="longer")
        self.assertEqual(lasting_history(self.folder_of_results), lasting_history(longer))
        self.assertEqual(summary(self.folder_of_results)["state_hash"],
                         summary(longer)["state_hash"])
        self.assert_frames_whole(self.folder_of_results)

    def test_resuming_twice_keeps_what_the_solver_decided(self):
        # Stiff enough that `auto` leaves conjugate gradients; a resume that takes no step must not
        # forget it.
        scene = beam(cells=[12, 3, 3], young=1e9, dt=0.05, steps=6)
        path = self.write("stiff.json", scene)
        self.succeed("run", path, "--quiet", "--out", "stiff")
        self.succeed("run", path, "--quiet", "--out", "stiff", "--resume")
        self.succeed("run", path, "--quiet", "--out", "stiff", "--resume", "--set", "time.duration=0.6")
        scene["time"]["duration"] = 0.6
        whole = self.run_scene(scene, out="whole")
        self.assertEqual(lasting_history(self.path("stiff")), lasting_history(whole))
        self.assertIn(2, [row["linear"] for row in history(whole)], "Cholesky was never used")

    def test_a_longer_duration_drops_the_frame_of_the_old_end(self):
        longer = ["--set", "time.duration=0.12"]
        for output_dt in (0.05, None):  # the default follows from the duration; the first one stays
            scene = beam(steps=7)
            if output_dt:
                scene["time"]["output_dt"] = output_dt
            else:
                scene["time"].update(dt=1e-3, duration=0.047)
                del scene["time"]["output_dt"]
            folder = self.run_scene(scene, out="short")
            self.succeed("run", "scene.json", "--out", "short", "--resume", "--quiet", *longer)
            kept = [] if output_dt else ["--set", "time.output_dt=0.005"]
            whole = self.run_scene(scene, *longer, *kept, out="whole")
            self.assertEqual(summary(folder)["frames"], summary(whole)["frames"])
            self.assertEqual(lasting_history(folder), lasting_history(whole))
            self.assert_frames_whole(folder)
            for name in os.listdir(f"{whole}/frames"):
                with open(f"{whole}/frames/{name}", "rb") as one, \
                        open(f"{folder}/frames/{name}", "rb") as other:
                    self.assertEqual(one.read(), other.read(), name)
            shutil.rmtree(folder)

    def test_a_shorter_duration_is_refused(self):
        before = summary(self.folder_of_results)
        self.refuse(2, *self.run_again("--resume", "--set", "time.duration=0.01"), words=["already"])
        self.assertEqual(summary(self.folder_of_results), before)
        self.assert_frames_whole(self.folder_of_results)

    def test_a_finished_run_resumes_to_itself(self):
        before = lasting_history(self.folder_of_results)
        self.succeed(*self.run_again("--resume"))
        self.assertEqual(lasting_history(self.folder_of_results), before)
        self.assert_frames_whole(self.folder_of_results)
        uneven = self.run_scene(beam(steps=7, output_dt=0.03), out="uneven")
        self.succeed("run", "scene.json", "--out", "uneven", "--resume", "--quiet")
        self.assertEqual(summary(uneven)["frames"], 4)
        self.assert_frames_whole(uneven)

    def test_force_replaces(self):
        self.succeed(*self.run_again("--force", "--set", "time.duration=0.01"))
        self.assertEqual(history_rows(self.folder_of_results), 1)
        self.assert_frames_whole(self.folder_of_results)

    def test_a_foreign_folder_is_never_touched(self):
        os.mkdir(self.path("mine"))
        self.write("mine/letter.txt", "dear")
        for flag in ("--force", "--resume"):
            self.refuse(2, "run", "scene.json", "--out", "mine", flag, words=["mine"])
        self.assertEqual(os.listdir(self.path("mine")), ["letter.txt"])

    def test_a_folder_in_use_is_refused(self):
        self.write("long.json", beam(steps=100000))
        with self.start("run", "long.json", "--out", "busy", "--quiet") as process:
            self.assertTrue(wait_for(lambda: history_rows(self.path("busy")) > 1, process))
            self.refuse(2, "run", "long.json", "--out", "busy", "--resume", words=["another run"])
            process.terminate()
            process.communicate()
            self.assertEqual(process.returncode, 143)

    def test_results_moved_elsewhere_resume(self):
        shutil.move(self.folder_of_results, self.path("moved"))
        self.succeed("run", "scene.json", "--out", "moved", "--resume",
                     "--set", "time.duration=0.05")
        self.assertEqual(history_rows(self.path("moved")), 5)


if __name__ == "__main__":
    pliant_cli.main()
