"""`pliant static`: sag against beam theory, and what has no equilibrium."""

import pliant_cli
from pliant_cli import beam, history, probe, summary

LENGTH, HEIGHT, WIDTH = 2.0, 0.1, 0.15  # m
YOUNG, POISSON, DENSITY, G = 1e8, 0.3, 1000.0, 9.81


def bar(element, cells):
    scene = beam(materials={"jelly": {"model": "linear", "young": YOUNG, "poisson": POISSON,
                                      "density": DENSITY}},
                 pin=[{"plane": {"point": [-0.9999, 0, 0], "normal": [-1, 0, 0]}}],
                 probes=[{"name": "tip", "body": "beam", "point": [LENGTH / 2, 0, 0]}])
    scene["bodies"][0]["mesh"]["box"] = {"size": [LENGTH, HEIGHT, WIDTH], "cells": cells,
                                         "element": element}
    return scene


def sag():
    """Under its own weight: ρ A g L⁴/(8 E I) + ρ A g L²/(2 κ G A), κ of Cowper 1966; m."""
    area, inertia = HEIGHT * WIDTH, WIDTH * HEIGHT**3 / 12
    shear = YOUNG / (2 * (1 + POISSON)) * area * 10 * (1 + POISSON) / (12 + 11 * POISSON)
    weight = DENSITY * area * G
    return weight * LENGTH**4 / (8 * YOUNG * inertia) + weight * LENGTH**2 / (2 * shear)


class Static(pliant_cli.ProgramTest):
    def equilibrium(self, scene, *arguments):
        self.write("scene.json", scene)
        self.succeed("static", "scene.json", "--out", "result", "--force", "--quiet", *arguments)
        self.assert_frames_whole(self.path("result"))
        self.assertEqual(summary(self.path("result"))["frames"], 1)
        return history(self.path("result"))

    def test_a_body_on_a_joint_hangs_straight_down(self):
        scene = {"name": "s", "time": {"dt": 0.01, "duration": 1}, "materials": {},
                 "bodies": [{"name": "rod", "type": "rigid", "density": 1000,
                             "mesh": {"box": {"size": [1, 0.1, 0.1], "cells": [1, 1, 1]}}}],
                 "constraints": [{"type": "hinge", "between": ["rod", [-0.5, 0, 0], "world", [-0.5, 0, 0]], "axis": [0, 0, 1]}],
                 "probes": [{"name": "tip", "body": "rod", "point": [0, 0, 0]}]}
        place = probe(self.equilibrium(scene)[-1])
        for got, wanted in zip(place, (-0.5, -0.5, 0)):
            self.assertAlmostEqual(got, wanted, delta=1e-6)

    def test_a_body_lies_on_the_floor_which_bears_its_weight(self):
        scene = beam(materials={"jelly": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.3, "density": DENSITY}},
                     pin=[], probes=[{"name": "tip", "force_on": "beam"}])
        scene["bodies"][0]["mesh"]["box"] = {"size": [0.4, 0.2, 0.4], "cells": [3, 2, 3]}
        scene["bodies"][0]["transform"] = {"translate": [0, 0.15, 0]}
        scene["obstacles"] = [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]
        scene["contact"] = {"method": "barrier", "distance": 0.002}
        rows = self.equilibrium(scene)
        self.assertGreater(rows[-1]["min_gap"], 0)
        self.assertAlmostEqual(probe(rows[-1])[1], DENSITY * 0.4 * 0.2 * 0.4 * G, delta=1e-3 * DENSITY * 0.032 * G)

    def test_a_time_takes_loads_and_motions_as_they_are_then(self):
        def scene(load, motion):
            value = beam(cells=[6, 2, 2], element="hex8", gravity=[0, 0, 0],
                         probes=[{"name": "tip", "body": "beam", "point": [2, 0, 0]}])
            value["forces"] = [{"point": {"body": "beam", "plane": {"point": [1.999, 0, 0], "normal": [1, 0, 0]}, **load}}]
            value["bodies"][0]["pin"][0]["motion"] = motion
            return value
        growing = scene({"curve": [[0, 0, 0, 0], [2, 0, -40, 0]]}, {"velocity": [0, 0.1, 0]})
        constant = probe(self.equilibrium(scene({"force": [0, -20, 0]}, {"velocity": [0, 0, 0]}))[-1])
        late = self.equilibrium(growing, "--time", "1")[-1]
        self.assertEqual(late["time"], 1)
        self.assertLess(constant[1], -1e-3)
        self.assertAlmostEqual(probe(late)[1], constant[1] + 0.1, delta=1e-6)
        self.write("scene.json", growing)
        said = self.succeed("static", "scene.json", "--out", "result", "--force")
        self.assertIn("--time", said.out + said.err)
        self.assertAlmostEqual(probe(history(self.path("result"))[-1])[1], 0, delta=1e-9)
        growing["obstacles"] = [{"name": "floor", "plane": {"point": [0, -2, 0], "normal": [0, 1, 0]}}]
        growing["contact"] = {"method": "barrier"}
        self.write("scene.json", growing)
        self.refuse(2, "static", "scene.json", "--time", "1", "--out", "no", words=["time 1 s", "contact"])

    def test_a_motor_at_a_speed_has_no_equilibrium(self):
        scene = {"name": "s", "time": {"dt": 0.01, "duration": 1}, "materials": {},
                 "bodies": [{"name": "rod", "type": "rigid", "density": 1000,
                             "mesh": {"box": {"size": [1, 0.1, 0.1], "cells": [1, 1, 1]}}}],
                 "constraints": [{"type": "hinge", "name": "wheel", "between": ["rod", [-0.5, 0, 0], "world", [-0.5, 0, 0]],
                                  "axis": [0, 0, 1], "motor": {"speed": 1}}]}
        self.write("scene.json", scene)
        self.refuse(2, "static", "scene.json", "--out", "result", words=["wheel", "speed"])

    def check_sag(self, element, cells, tolerance):
        rows = self.equilibrium(bar(element, cells))
        for got, wanted in zip(probe(rows[0]), (LENGTH / 2, 0, 0)):
            self.assertAlmostEqual(got, wanted, delta=1e-14)
        self.assertAlmostEqual(-probe(rows[-1])[1] / sag(), 1, delta=tolerance)

    def test_tet10_sags_by_the_beam_formula(self):
        self.check_sag("tet10", [40, 2, 2], 0.01)

    def test_hex8_sags_by_the_beam_formula(self):
        self.check_sag("hex8", [120, 6, 3], 0.03)  # trilinear elements are a little too stiff

    def test_a_strongly_bent_beam_is_in_equilibrium(self):
        # Young's modulus so low that the linear sag would be several lengths.
        scene = beam(cells=[12, 2, 2], element="tet10", young=1e5)
        rows = self.equilibrium(scene)
        tip = probe(rows[-1])
        self.assertLess(tip[1], -2)
        self.assertGreater(tip[1], -5)
        self.assertEqual(rows[-1]["kinetic"], 0)
        self.assertLess(rows[-1]["total"], 0)
        scene["solver"] = {"linear": "pcg"}
        other = self.equilibrium(scene)
        for a, b in zip(tip, probe(other[-1])):
            self.assertAlmostEqual(a, b, delta=1e-6)
        self.assertEqual(summary(self.path("result"))["status"], "done")

    def test_threads_do_not_matter(self):
        hashes = set()
        for threads in (1, 2, 8):
            self.equilibrium(bar("hex8", [40, 4, 4]), "--threads", threads)
            hashes.add(summary(self.path("result"))["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_a_floating_body_has_no_equilibrium(self):
        self.write("scene.json", beam(pin=[]))
        outcome = self.refuse(4, "static", "scene.json", "--out", "result",
                              words=['no pin holds body "beam" at time 0'])
        self.assertEqual(outcome.err.count("\n"), 1, outcome)
        self.assertNotIn("frames", outcome.err)
        self.assertEqual(summary(self.path("result"))["status"], "failed")

    def test_a_pin_that_takes_hold_later_does_not_hold_yet(self):
        late = [{"all": True, "from": 1.0}]
        self.write("scene.json", beam(pin=late))
        self.refuse(4, "static", "scene.json", words=['no pin holds body "beam" at time 0'])

    def test_a_pin_that_has_let_go_holds_no_longer(self):
        self.write("scene.json", beam(pin=[{"all": True, "until": 1.0}]))
        self.refuse(4, "static", "scene.json", "--time", "1.5", words=['no pin holds body "beam" at time 1.5'])

    def test_a_floating_body_without_loads_rests(self):
        rows = self.equilibrium(beam(pin=[], gravity=[0, 0, 0]))
        self.assertEqual(rows[-1]["total"], 0)

    def test_results_that_are_there_are_not_resumed(self):
        self.equilibrium(beam())
        outcome = self.refuse(2, "static", "scene.json", "--out", "result", words=["--force"])
        self.assertNotIn("--resume", outcome.err)

    def test_the_last_line_says_how_it_ended(self):
        self.write("scene.json", beam())
        last = self.succeed("static", "scene.json").out.splitlines()[-1]
        self.assertRegex(last, "^done: equilibrium after [0-9]+ Newton iterations in .*, one frame "
                         "in out/scene$")

    def test_a_half_held_body_is_refused_in_words(self):
        # Held along x and z only, it falls.
        pin = [{"all": True, "axes": "xz"}]
        self.write("scene.json", beam(pin=pin))
        outcome = self.pliant("static", "scene.json", "--out", "result")
        self.assertIn(outcome.status, (2, 4), outcome)
        self.assertIn("pin", outcome.err.splitlines()[-1])


if __name__ == "__main__":
    pliant_cli.main()
