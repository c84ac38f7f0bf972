"""Time as the scene says it: exact steps, frames, prescribed motions, and steps that fail."""

import math
import xml.etree.ElementTree as xml

import pliant_cli
from pliant_cli import beam, history, history_rows, log, probe, read_frame, summary

LEFT = {"plane": {"point": [-1.999, 0, 0], "normal": [-1, 0, 0]}}
RIGHT = {"plane": {"point": [1.999, 0, 0], "normal": [1, 0, 0]}}


class Times(pliant_cli.ProgramTest):
    def test_steps_are_exactly_dt(self):
        dt = 0.007
        rows = history(self.run_scene(beam(dt=dt, steps=100)))
        self.assertEqual(len(rows), 101)
        for step, row in enumerate(rows):
            self.assertEqual(row["step"], step)
            self.assertEqual(row["time"], step * dt)  # nothing adds up over the steps
            self.assertEqual(row["dt"], dt)

    def test_a_duration_that_is_no_multiple_ends_on_the_next_step(self):
        for duration, steps in ((0.03, 3), (0.031, 4), (0.0399, 4), (0.001, 1), (0, 0), (0.07, 7)):
            folder = self.run_scene(beam(), "--set", f"time.duration={duration}")
            self.assertEqual(history_rows(folder), steps, duration)
            self.assertEqual(summary(folder)["steps"], steps)
            self.assert_frames_whole(folder)

    def test_a_step_far_longer_than_the_duration_is_made(self):
        scene = beam(steps=1)
        scene["time"] = {"dt": 1e9, "duration": 1, "output_dt": 1e9}
        scene["integrator"] = "be"
        self.assertEqual([row["time"] for row in history(self.run_scene(scene))], [0, 1e9])

    def test_frames_are_at_the_steps_nearest_to_the_output_times(self):
        dt, output = 0.01, 0.025
        folder = self.run_scene(beam(dt=dt, steps=20, output_dt=output))
        times = [float(entry.get("timestep"))
                 for entry in xml.parse(f"{folder}/animation.pvd").iter("DataSet")]
        self.assertEqual(len(times), 9)
        for k, time in enumerate(times):
            self.assertLessEqual(abs(time - k * output), 0.5 * dt + 1e-12)
            frame = read_frame(f"{folder}/frames/frame_{k:06}.vtu")
            self.assertEqual(frame["TimeValue"][0], time)
            self.assertEqual(frame["step"][0], round(time / dt))

    def test_frames_cannot_be_more_frequent_than_steps(self):
        folder = self.run_scene(beam(steps=5, output_dt=0.01))
        self.assertEqual(summary(folder)["frames"], 6)
        self.assert_frames_whole(folder)
        self.refuse(2, "check", "scene.json", "--set", "time.output_dt=0.005",
                    words=["time.output_dt=0.005: must be at least dt, 0.01"])

    def frame_steps(self, folder):
        count = summary(folder)["frames"]
        return [read_frame(f"{folder}/frames/frame_{k:06}.vtu")["step"][0] for k in range(count)]

    def test_the_last_state_is_a_frame(self):
        for output, wanted in ((0.03, [0, 3, 6, 7]), (1.0, [0, 7]), (0.07, [0, 7]), (0.035, [0, 4, 7])):
            folder = self.run_scene(beam(steps=7, output_dt=output))
            self.assertEqual(self.frame_steps(folder), wanted, output)
            self.assert_frames_whole(folder)

    def test_short_runs_have_some_frames(self):
        scene = beam(dt=1e-4, steps=100)
        del scene["time"]["output_dt"]
        self.assertEqual(self.frame_steps(self.run_scene(scene)), list(range(0, 101, 10)))

    def test_results_are_whole_lines_and_counts_whole_numbers(self):
        folder = self.run_scene(beam(steps=2))
        for name in ("scene.json", "summary.json", "history.csv", "log.jsonl"):
            with open(f"{folder}/{name}", "rb") as file:
                self.assertTrue(file.read().endswith(b"\n"), name)
        result = summary(folder)
        for count in ("steps", "frames", "retries", "threads", "nodes", "projections"):
            self.assertIsInstance(result[count], int, count)

    def test_probes_start_where_they_were_put(self):
        points = [[0, 0, 0], [1.23, -0.37, 0.11], [-2, -0.5, -0.5], [2, 0.5, 0.5], [0.1, 0.5, 0.2]]
        probes = [{"name": f"p{k}", "body": "beam", "point": point}
                  for k, point in enumerate(points)]
        for element in ("tet4", "tet10", "hex8"):
            first = history(self.run_scene(beam(probes=probes, element=element, steps=1)))[0]
            for k, point in enumerate(points):
                for got, wanted in zip(probe(first, f"p{k}"), point):
                    self.assertAlmostEqual(got, wanted, delta=1e-14)

    def test_free_fall_is_free(self):
        dt, steps = 0.01, 20
        rows = history(self.run_scene(beam(pin=[], dt=dt, steps=steps, integrator="sdirk2")))
        self.assertAlmostEqual(probe(rows[-1])[1] - 0.5, -0.5 * 9.81 * (dt * steps)**2, delta=1e-9)
        self.assertAlmostEqual(rows[-1]["py"], -4000 * 9.81 * dt * steps, delta=1e-6)
        self.assertAlmostEqual(rows[-1]["total"], rows[0]["total"],
                               delta=1e-6 * rows[-1]["kinetic"])


class Motions(pliant_cli.ProgramTest):
    def tip(self, pin, integrator="sdirk2", steps=10, **changes):
        rows = history(self.run_scene(beam(pin=[LEFT, pin], integrator=integrator, steps=steps,
                                           **changes)))
        return [probe(row) for row in rows]

    def assert_close(self, got, wanted, delta=1e-13):
        for a, b in zip(got, wanted):
            self.assertAlmostEqual(a, b, delta=delta)

    def test_constant_velocity_arrives(self):
        for integrator in ("be", "si", "sdirk2", "esdirk43", "trbdf2", "nc34", "rk4", "verlet",
                           "symplectic-euler"):
            path = self.tip(dict(RIGHT, motion={"velocity": [0.3, -0.2, 0.1]}), integrator, dt=1e-3)
            for step, place in enumerate(path):
                t = 1e-3 * step
                self.assert_close(place, [2 + 0.3 * t, 0.5 - 0.2 * t, 0.5 + 0.1 * t])

    def test_rotation_arrives(self):
        rate = 2.0
        path = self.tip(dict(RIGHT, motion={"angular_velocity": [rate, 0, 0], "center": [0, 0, 0]}))
        for step, place in enumerate(path):
            angle = rate * 0.01 * step
            self.assert_close(place, [2, 0.5 * math.cos(angle) - 0.5 * math.sin(angle),
                                      0.5 * math.sin(angle) + 0.5 * math.cos(angle)])

    def test_a_curve_passes_its_knots(self):
        curve = [[0, 0, 0, 0], [0.05, 0.1, 0.2, 0], [0.1, 0.1, 0, -0.1]]
        path = self.tip(dict(RIGHT, motion={"curve": curve}), steps=14)
        for t, x, y, z in curve:
            self.assert_close(path[round(t / 0.01)], [2 + x, 0.5 + y, 0.5 + z])
        self.assert_close(path[14], [2.1, 0.5, 0.4])  # and holds its last value
        for place in path:  # without going beyond its knots
            self.assertLessEqual(place[1], 0.7 + 1e-14)

    def test_release_at_until(self):
        path = self.tip(dict(RIGHT, motion={"velocity": [0.3, 0, 0]}, until=0.05))
        for step in range(6):
            self.assert_close(path[step], [2 + 0.003 * step, 0.5, 0.5])
        self.assertGreater(abs(path[6][1] - 0.5) + abs(path[6][0] - 2.018), 1e-4)

    def test_a_pin_takes_hold_where_the_nodes_are(self):
        path = self.tip(dict(RIGHT, **{"from": 0.05}))
        self.assertLess(path[5][1], 0.5 - 1e-3)
        for place in path[6:]:
            self.assert_close(place, path[5])

    def test_only_the_named_axes_are_held(self):
        path = self.tip(dict(RIGHT, axes="y"), gravity=[1, -9.81, 1])
        self.assertEqual({place[1] for place in path}, {0.5})
        self.assertGreater(abs(path[-1][0] - 2), 1e-5)
        self.assertGreater(abs(path[-1][2] - 0.5), 1e-5)


class Failures(pliant_cli.ProgramTest):
    def fail_in_words(self, scene, *words):
        self.write("scene.json", scene)
        outcome = self.pliant("run", "scene.json", "--out", "result", "--force")
        self.assertIn(outcome.status, (0, 4), outcome)
        folder = self.path("result")
        self.assert_frames_whole(folder)
        for row in history(folder):
            self.assertTrue(all(value is None or math.isfinite(value) for value in row.values()))
        if outcome.status == 4:
            for word in words:
                self.assertIn(word, outcome.err.splitlines()[-1])
            self.assertEqual(summary(folder)["status"], "failed")
        return outcome.status

    def test_an_absurd_step_ends_in_a_result_or_in_words(self):
        for dt in (1.0, 10.0, 1e4):
            for young in (1e3, 1e5):
                scene = beam(integrator="be", dt=dt, steps=2, young=young, element="hex8")
                self.fail_in_words(scene, "step", "could not be made")

    def test_an_unstable_explicit_step_is_named(self):
        self.assertEqual(self.fail_in_words(beam(integrator="rk4", dt=0.05, steps=200, young=1e6),
                                            "rk4", "unstable", "retries"), 4)
        step = history_rows(self.path("result"))
        # The same again is the same failure; a smaller step, as a new scene, goes on.
        outcome = self.pliant("run", "scene.json", "--out", "result", "--resume")
        self.assertEqual(outcome.status, 4, outcome)
        self.assertEqual(history_rows(self.path("result")), step)
        self.assert_frames_whole(self.path("result"))

    def test_every_explicit_method_says_that_it_is_unstable(self):
        for integrator in ("symplectic-euler", "verlet"):
            scene = beam(integrator=integrator, dt=0.05, steps=2000, young=1e6, output_dt=10)
            self.assertEqual(self.fail_in_words(scene, integrator, "not finite"), 4)

    def test_a_failing_step_is_retried_in_halves_and_said(self):
        # So few Newton iterations are not enough for a whole step, but for parts of it.
        scene = beam(integrator="be", dt=0.1, steps=3, young=1e5, cells=[8, 2, 2],
                     solver={"max_iterations": 2, "tolerance": 1e-8})
        self.assertEqual(self.fail_in_words(scene), 0)
        folder = self.path("result")
        said = [entry for entry in log(folder) if "halves" in entry["text"]]
        self.assertTrue(said)
        self.assertGreater(summary(folder)["retries"], 0)
        rows = history(folder)
        self.assertEqual(len(rows), 4)
        self.assertEqual([row["time"] for row in rows], [0, 0.1, 0.2, 3 * 0.1])
        self.assertEqual(sum(row["retries"] for row in rows), summary(folder)["retries"])
        self.assertGreater(max(row["retries"] for row in rows), 0)

    def test_inverted_starts_are_infeasible_for_laws_that_need_volume(self):
        mirrored = [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]
        scene = beam(model="neo-hookean", pin=[])
        scene["bodies"][0]["initial"] = {"deform": mirrored}
        self.write("scene.json", scene)
        self.refuse(3, "run", "scene.json", words=["beam", "inverted", "neo-hookean"])


class Work(pliant_cli.ProgramTest):
    """total − total at the start = work − dissipated, with `work` of second order in the step."""

    def last(self, dt, **changes):
        # The midpoint rule keeps the energy of Hooke's law: what is left is the error of `work`.
        scene = beam(integrator="midpoint", model="linear", gravity=[0, 0, 0], dt=dt,
                     steps=round(1.0 / dt), young=1e6, **changes)
        rows = history(self.run_scene(scene))
        for row in rows:
            self.assertAlmostEqual(row["total"] - rows[0]["total"],
                                   row["work"] - row["dissipated"],
                                   delta=1e-9 * (1 + abs(row["work"])))
        return rows[-1]

    def check_order(self, **changes):
        coarse, fine = self.last(0.01, **changes), self.last(0.005, **changes)
        for row, tolerance in ((coarse, 0.04), (fine, 0.01)):
            self.assertGreater(abs(row["work"]), 1)
            self.assertLess(abs(row["dissipated"] / row["work"]), tolerance)
        self.assertGreater(abs(coarse["dissipated"] / fine["dissipated"]), 3)

    def test_nothing_works_where_nothing_changes_in_time(self):
        force = {"point": {"body": "beam", **RIGHT, "force": [0, 100, 0]}}
        row = self.last(0.01, pin=[LEFT], forces=[force])
        self.assertEqual(row["work"], 0)
        self.assertLess(abs(row["dissipated"]), 1e-6 * row["elastic"])

    def test_work_of_a_force_over_time(self):
        # For a force that is straight in time between steps both formulas agree to rounding.
        curve = [[0, 0, 0, 0], [0.5, 0, 2000, 0], [1.0, 0, 1000, 0]]
        row = self.last(0.01, pin=[LEFT], forces=[{"point": {"body": "beam", **RIGHT,
                                                             "curve": curve}}])
        self.assertGreater(row["work"], 1)
        self.assertLess(abs(row["dissipated"]), 1e-9 * row["work"])

    def test_work_of_wind(self):
        self.check_order(pin=[LEFT], forces=[{"wind": {"velocity": [0, 15, 0], "drag": 5}}])

    def test_work_of_moving_pins(self):
        curve = [[0, 0, 0, 0], [0.3, 0, 0, 0], [0.5, 0.1, 0.3, 0], [0.7, 0.1, 0.1, 0],
                 [1.0, 0.1, 0.1, 0]]  # no velocity jumps
        self.check_order(pin=[LEFT, dict(RIGHT, motion={"curve": curve})])

    def test_work_of_turning_pins(self):
        # Its own mass goes round and gets nothing from it: what is left must not add up turn by turn.
        turning = dict(LEFT, motion={"angular_velocity": [0, 0, 6], "center": [-2, 0, 0]})
        self.check_order(pin=[turning])

    def test_damping_and_numerical_damping_dissipate(self):
        lost = [self.last(0.01, pin=[LEFT], damping=[{"model": "rayleigh", "alpha": alpha}],
                          forces=[{"point": {"body": "beam", **RIGHT, "force": [0, 2000, 0]}}])
                ["dissipated"] for alpha in (0, 0.5)]
        self.assertGreater(lost[1], 10 * abs(lost[0]) + 1)


if __name__ == "__main__":
    pliant_cli.main()
