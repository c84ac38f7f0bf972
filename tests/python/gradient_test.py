"""Gradients from Python: against differences, with functions, columns and tracks as objectives, and what is refused."""

import math

import numpy as np
import pliant

import pliant_scenes as scenes


def bar(**changes):
    document = scenes.beam(cells=(4, 1, 1), solver={"tolerance": 1e-12}, **changes)
    document["bodies"][0]["damping"] = [{"model": "rayleigh", "beta": 0.01}]
    document["bodies"][0]["initial"] = {"velocity": [0, 1, 0.5]}
    return document


PATHS = ["materials.jelly.young", "bodies.0.damping.0.beta", "bodies.0.initial.velocity.1", "gravity.1"]


def difference(scene, path, at, objective, target=None):
    def over(h):
        above, below = (pliant.objective_value(scene, objective, {path: at + s * h}, target) for s in (1, -1))
        return (above - below) / (2 * h)
    h = 2e-5 * abs(at)
    return (4 * over(h / 2) - over(h)) / 3


class Gradients(scenes.SceneTest):
    def expect(self, document, objective, target=None, tolerance=1e-5):
        found = pliant.gradient(document, PATHS, objective, target)
        self.assertEqual(found.value, pliant.objective_value(document, objective, target=target))
        for path, at in zip(found.names, found.parameters):
            wanted = difference(document, path, at, objective, target)
            self.assertGreater(abs(wanted * at), 1e-9, path)
            self.assertLess(abs(found[path] - wanted), tolerance * abs(wanted), path)
        return found

    def test_a_function_and_the_column_of_a_probe_are_the_same_objective(self):
        scene = pliant.Scene(bar(integrator="trbdf2"))
        simulation = pliant.Simulation(scene)
        tip = int(np.argmin(np.linalg.norm(simulation.positions - [0.3, 0.1, 0.1], axis=1)))
        scene["probes"].append({"name": "corner", "body": "bar", "point": [0.3, 0.1, 0.1]})

        def height(point):
            if point.step < point.steps:
                return None
            slope = np.zeros_like(point.q)
            slope[3 * tip + 1] = 1
            return point.q[3 * tip + 1], slope

        one = self.expect(scene, height)
        other = pliant.gradient(scene, PATHS, "corner.y")
        self.assertAlmostEqual(one.value, other.value, delta=1e-14)
        np.testing.assert_allclose(one.gradient, other.gradient, rtol=1e-10)
        self.assertEqual(one.by_q.shape, one.by_v.shape)

    def test_velocities_and_every_step_may_count(self):
        def energy_like(point):
            return 0.5 * float(point.v @ point.v), None, point.v

        self.expect(bar(integrator="bdf2"), energy_like)

    def test_a_target_and_a_track_go_down_the_gradient(self):
        self.expect(bar(), "tip.y", target=0.4)
        document = bar(integrator="sdirk2")
        simulation = pliant.Simulation(document)
        times, places = [], []
        for _ in range(10):
            simulation.step()
            times.append(simulation.time)
            places.append(list(simulation.probes()["tip"]))
        track = pliant.Track("tip", times, places)
        self.assertLess(pliant.objective_value(document, track), 1e-20)  # it was filmed here
        places[3][2] = math.nan  # hidden
        other = dict(document, materials={"jelly": dict(document["materials"]["jelly"], young=7e4)})
        found = self.expect(other, pliant.Track("tip", times, places))
        self.assertLess(found["materials.jelly.young"], 0)  # stiffer is nearer

    def test_contact_is_gone_through(self):
        document = bar(integrator="be", time={"dt": 0.005, "duration": 0.15})
        del document["bodies"][0]["pin"]
        document["bodies"][0]["initial"] = {"velocity": [0, -1, 0.5], "angular_velocity": [0, 0, 2]}
        document["obstacles"] = [{"name": "floor", "plane": {"point": [0, -0.15, 0], "normal": [0, 1, 0]}}]
        document["contact"] = {"method": "barrier", "energy_guard": False}
        self.expect(document, "tip.y")

    def test_friction_is_gone_through(self):
        document = bar(integrator="trbdf2", time={"dt": 0.005, "duration": 0.1})
        del document["bodies"][0]["pin"]
        document["bodies"][0]["initial"] = {"velocity": [0.5, -1, 0.5]}
        document["obstacles"] = [{"name": "floor", "plane": {"point": [0, -0.12, 0], "normal": [0, 1, 0]}}]
        document["contact"] = {"method": "barrier", "energy_guard": False, "friction": 0.4, "stick": False,
                               "slip_speed": 0.3, "lag": "exact"}
        self.expect(document, "tip.x")
        found = pliant.gradient(document, ["contact.friction"], "tip.x")
        self.assertLess(found["contact.friction"], 0)  # what rubs more comes less far

    def test_mistakes_are_named(self):
        document = bar()
        for words, call in {
            "nothing there": lambda: pliant.gradient(document, ["materials.jely.young"], "tip.y"),
            "did you mean \"tip.y\"?": lambda: pliant.gradient(document, PATHS, "tipp.y"),
            "got a int": lambda: pliant.gradient(document, [3], "tip.y"),
            "must be a column": lambda: pliant.gradient(document, PATHS, 5),
            "must return None or": lambda: pliant.gradient(document, PATHS, lambda point: 3.0),
            "its derivative by q": lambda: pliant.gradient(document, PATHS, lambda point: (1.0, [1, 2])),
            "not finite": lambda: pliant.gradient(document, PATHS, lambda point: (math.nan, None)),
            "three coordinates": lambda: pliant.Track("tip", [0.1], [[1, 2]]),
            "as many times as places": lambda: pliant.Track("tip", [], []),
            "after its end": lambda: pliant.gradient(document, PATHS, pliant.Track("tip", [9], [[0, 0, 0]])),
            "generalized-alpha are": lambda: pliant.gradient(bar(integrator="ros3pl"), PATHS, "tip.y"),
            "\"contact.stick\": false has gradients": lambda: pliant.gradient(
                bar(contact={"method": "barrier", "friction": 0.3}), PATHS, "tip.y"),
        }.items():
            with self.subTest(words), self.assertRaises(pliant.InputError) as raised:
                call()
            self.assertIn(words, str(raised.exception))

    def test_what_an_objective_raises_comes_out(self):
        def raises(point):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            pliant.gradient(bar(), PATHS, raises)


if __name__ == "__main__":
    scenes.main()
