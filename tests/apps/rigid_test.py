"""Rigid bodies and joints as users write them: how they move, and what is said where they cannot."""

import csv
import math

import pliant_cli


def box(name="box", size=(0.4, 0.1, 0.1), at=(0, 0, 0), **more):
    """With its lowest corner at a place."""
    return {"name": name, "type": "rigid", "mesh": {"box": {"size": list(size), "cells": [1, 1, 1]}},
            "density": 1000, "transform": {"translate": [a + s / 2 for a, s in zip(at, size)]}, **more}


def scene(bodies, constraints=(), duration=0.5, integrator="trbdf2", **more):
    return {"name": "rigid", "time": {"dt": 0.005, "duration": duration}, "integrator": integrator, "materials": {},
            "bodies": bodies, "constraints": list(constraints), **more}


def joint(kind, point, a="box", b="world", **more):
    return {"type": kind, "name": f"the {kind}", "between": [a, list(point), b, list(point)], **more}


FLOOR = {"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}


class Rigid(pliant_cli.ProgramTest):
    def test_a_thrown_body_flies_and_turns_without_changing_shape(self):
        body = box(initial={"velocity": [1, 2, 0], "angular_velocity": [0, 0, 4]})
        rows = self.probed_rows(scene([body]), c=("box", (0.2, 0.05, 0.05)), p=("box", (0.4, 0.05, 0.05)))
        for row in rows:
            t, centre = float(row["time"]), self.place(row, "c")
            self.assertAlmostEqual(centre[0], 0.2 + t, delta=1e-6)
            self.assertAlmostEqual(centre[1], 0.05 + 2 * t - 4.905 * t * t, delta=1e-4)
            self.assertAlmostEqual(math.dist(centre, self.place(row)), 0.2, delta=2e-7)
        turned = [b - a for a, b in zip(self.place(rows[-1], "c"), self.place(rows[-1]))]
        self.assertAlmostEqual(math.atan2(turned[1], turned[0]), 2.0, delta=2e-3)

    def test_a_centre_of_mass_may_be_anywhere(self):
        # The box of 2 kg stands for a body whose mass is below it: a compound pendulum, T = 2π √(I/(m g d)).
        spread, drop, start = 0.03, 0.3, 0.1
        body = {"name": "box", "type": "rigid", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}},
                "mass_total": 2, "inertia": [spread, spread, spread], "center": [0, -drop, 0],
                "transform": {"rotate": [0, 0, math.degrees(start)], "translate": [1, 2, 0]}}
        hinge = joint("hinge", (1, 2, 0), axis=[0, 0, 1])
        rows = self.probed_rows(scene([body], [hinge], duration=4), c=("box", (1 + drop * math.sin(start), 2 - drop * math.cos(start), 0)))
        ways = [(float(row["time"]), self.place(row, "c")[0] - 1) for row in rows]
        self.assertAlmostEqual(ways[0][1], drop * math.sin(start), delta=1e-9)
        down = [t0 + (t1 - t0) * x0 / (x0 - x1) for (t0, x0), (t1, x1) in zip(ways, ways[1:]) if x0 > 0 >= x1]
        period = 2 * math.pi * math.sqrt((spread + 2 * drop * drop) / (2 * 9.81 * drop)) * (1 + start ** 2 / 16)
        self.assertAlmostEqual((down[-1] - down[0]) / (len(down) - 1), period, delta=1e-3 * period)
        # Free, it turns about that centre, which flies straight.
        body["initial"] = {"angular_velocity": [0, 0, 5]}
        rows = self.probed_rows(scene([body], duration=0.3), c=("box", (1 + drop * math.sin(start), 2 - drop * math.cos(start), 0)))
        self.assertAlmostEqual(self.place(rows[-1], "c")[0], 1 + drop * math.sin(start), delta=1e-6)
        # A scale acts on it as on the mesh; without an inertia there is nothing for it to be the centre of.
        body["transform"] = {"scale": 2}
        rows = self.probed_rows(scene([body], duration=0.3), c=("box", (0, -2 * drop, 0)))
        self.assertAlmostEqual(self.place(rows[-1], "c")[0], 0, delta=1e-6)
        del body["inertia"]
        self.refuse_scene(2, scene([body]), ["/bodies/0/center", "inertia"])

    def test_points_may_lie_beside_the_body(self):
        # A body at the end of a weightless arm of 1 m: a ball joint far outside of it.
        body = box(size=(0.1, 0.1, 0.1), at=(0.95, -0.05, -0.05))
        rows = self.probed_rows(scene([body], [joint("ball", (0, 0, 0))]), p=("box", (1, 0, 0)))
        for row in rows:
            self.assertAlmostEqual(math.hypot(*self.place(row)), 1, delta=1e-8)
        self.assertLess(self.place(rows[-1])[1], -0.7)

    def test_a_hinge_turns_about_its_axis_alone(self):
        # Physical pendulum of a bar hung up at its end: θ̈ = −(m g ℓ/2)/I cos θ, I = m (ℓ²/3 + …).
        hinge = joint("hinge", (0, 0.05, 0.05), axis=[0, 0, 1])
        rows = self.probed_rows(scene([box()], [hinge], duration=0.2), p=("box", (0.4, 0.05, 0.05)))
        inertia = (0.4 ** 2 + 0.1 ** 2) / 12 + 0.2 ** 2
        theta = omega = 0.0
        h = 1e-5
        for _ in range(20000):
            omega -= h * 9.81 * 0.2 * math.cos(theta) / inertia
            theta += h * omega
        last = self.place(rows[-1])
        self.assertAlmostEqual(last[2], 0.05, delta=1e-8)
        self.assertAlmostEqual(math.atan2(last[1] - 0.05, last[0]), theta, delta=2e-3)

    def test_a_slider_falls_along_its_axis_and_does_not_turn(self):
        slider = joint("slider", (0, 0.05, 0.05), axis=[0, 1, 0])
        rows = self.probed_rows(scene([box()], [slider], duration=0.2), p=("box", (0.4, 0.05, 0.05)))
        last = self.place(rows[-1])
        self.assertAlmostEqual(last[0], 0.4, delta=1e-8)
        self.assertAlmostEqual(last[1], 0.05 - 4.905 * 0.04, delta=1e-4)

    def test_what_is_fixed_to_the_world_stays(self):
        fixed = joint("fixed", (0, 0, 0))
        rows = self.probed_rows(scene([box()], [fixed], duration=0.1), p=("box", (0.4, 0.1, 0.1)))
        self.assertAlmostEqual(math.dist(self.place(rows[-1]), (0.4, 0.1, 0.1)), 0, delta=1e-8)

    def test_probes_record_what_joints_bear(self):
        # Two bars, one hung below the other: on each, what its joints pull up and down is its weight.
        bars = [box("upper", (0.1, 0.4, 0.1)), box("lower", (0.1, 0.4, 0.1), (0, -0.4, 0))]
        joints = [joint("ball", (0.05, 0.4, 0.05), "upper"), joint("ball", (0.05, 0, 0.05), "upper", "lower")]
        value = scene(bars, joints, 0.1)
        value["constraints"][1]["name"] = "between"
        value["probes"] = [{"name": "u", "force_on": "upper"}, {"name": "l", "force_on": "lower"}]
        out = self.run_scene(value)
        with open(f"{out}/history.csv", newline="") as file:
            last = list(csv.DictReader(file))[-1]
        self.assertAlmostEqual(self.place(last, "u")[1], 4 * 9.81, delta=1e-3)
        self.assertAlmostEqual(self.place(last, "l")[1], 4 * 9.81, delta=1e-3)

    def test_a_universal_joint_turns_but_not_about_its_axis(self):
        universal = joint("universal", (0, 0.05, 0.05), axis=[1, 0, 0])
        body = box(initial={"angular_velocity": [3, 0, 0]})
        # A spin about the axis is stopped at once.
        rows = self.probed_rows(scene([body], [universal], duration=0.1), p=("box", (0.4, 0.1, 0.05)), c=("box", (0.4, 0.05, 0.05)))
        side = [a - b for a, b in zip(self.place(rows[-1]), self.place(rows[-1], "c"))]
        self.assertAlmostEqual(side[2], 0, delta=1e-4)
        self.assertLess(self.place(rows[-1], "c")[1], 0.02)

    def test_limits_stop_what_reaches_them(self):
        hinge = joint("hinge", (0, 0.05, 0.05), axis=[0, 0, 1], limits=[-0.5, 0.5])
        for integrator in ("be", "bdf2", "trbdf2"):
            rows = self.probed_rows(scene([box()], [hinge], 1, integrator), p=("box", (0.4, 0.05, 0.05)))
            angles = [math.atan2(self.place(row)[1] - 0.05, self.place(row)[0]) for row in rows]
            self.assertGreater(min(angles), -0.5 - 1e-8)
            self.assertAlmostEqual(min(angles), -0.5, delta=1e-8)
            totals = [float(row["total"]) for row in rows]
            self.assertLess(max(totals), totals[0] + 0.005)
        rows = self.probed_rows(scene([box()], [hinge], 1, "be"), p=("box", (0.4, 0.05, 0.05)))
        self.assertLess(float(rows[-1]["kinetic"]), 1e-12)
        slider = joint("slider", (0, 0.05, 0.05), axis=[0, 1, 0], limits=[-0.1, 2])
        rows = self.probed_rows(scene([box()], [slider], 0.5, "be"), p=("box", (0, 0.05, 0.05)))
        self.assertAlmostEqual(self.place(rows[-1])[1], -0.05, delta=1e-8)
        rope = dict(joint("distance", (0, 0.05, 0.05)), limits=[0, 0.3])
        rope["between"][3] = [0, 0.25, 0.05]
        rows = self.probed_rows(scene([box()], [rope], 0.5, "be"), p=("box", (0, 0.05, 0.05)))
        lengths = [math.dist(self.place(row), (0, 0.25, 0.05)) for row in rows]
        self.assertAlmostEqual(max(lengths), 0.3, delta=1e-8)

    def test_limits_hold_with_one_linear_solve_too(self):
        hinge = joint("hinge", (0, 0.05, 0.05), axis=[0, 0, 1], limits=[-0.5, 0.5])
        rows = self.probed_rows(scene([box()], [hinge], 1, "be", solver={"type": "linear"}), p=("box", (0.4, 0.05, 0.05)))
        last = self.place(rows[-1])
        self.assertAlmostEqual(math.atan2(last[1] - 0.05, last[0]), -0.5, delta=1e-6)

    def test_motors_drive_no_stronger_than_they_may(self):
        # The bar's weight needs a torque of 4 kg · 9.81 m/s² · 0.2 m = 7.85 N·m.
        def turned(motor):
            hinge = joint("hinge", (0, 0.05, 0.05), axis=[0, 0, 1], motor=motor)
            rows = self.probed_rows(scene([box()], [hinge], 0.4, "be"), p=("box", (0.4, 0.05, 0.05)))
            last = self.place(rows[-1])
            return math.atan2(last[1] - 0.05, last[0])
        self.assertAlmostEqual(turned({"speed": 2}), 0.8, delta=1e-3)
        self.assertGreater(turned({"speed": 2, "max": 20}), 0.5)
        self.assertLess(turned({"speed": 2, "max": 5}), -0.5)
        self.assertAlmostEqual(turned({"angle": 0.2, "max": 30}), 0.2, delta=1e-3)
        self.assertAlmostEqual(turned({"curve": [[0, 0], [0.4, 0.3]]}), 0.3, delta=1e-8)
        slider = joint("slider", (0, 0.05, 0.05), axis=[0, 1, 0], motor={"speed": -0.5})
        rows = self.probed_rows(scene([box()], [slider], 0.4, "be"), p=("box", (0, 0.05, 0.05)))
        self.assertAlmostEqual(self.place(rows[-1])[1], -0.15, delta=1e-8)

    def test_a_motor_with_a_compliance_is_a_spring(self):
        # At rest: −m g ℓ/2 cos θ = θ/C.
        hinge = joint("hinge", (0, 0.05, 0.05), axis=[0, 0, 1], motor={"angle": 0, "compliance": 0.01})
        rows = self.probed_rows(scene([box(damping=[{"model": "rayleigh", "alpha": 20}])], [hinge], 2, "be"), p=("box", (0.4, 0.05, 0.05)))
        last = self.place(rows[-1])
        theta = math.atan2(last[1] - 0.05, last[0])
        self.assertAlmostEqual(theta / 0.01, -4 * 9.81 * 0.2 * math.cos(theta), delta=0.01)

    def test_closed_loops_with_more_rows_than_needed_run_with_all_methods(self):
        # A four-bar linkage of hinges: eight rows too many in space.
        links = [box("left", (0.1, 0.4, 0.1)), box("right", (0.1, 0.4, 0.1), (0.4, 0, 0)),
                 box("top", (0.5, 0.1, 0.1), (0, 0.4, 0))]
        z = {"axis": [0, 0, 1]}
        hinges = [joint("hinge", (0.05, 0, 0.05), "left", **z), joint("hinge", (0.45, 0, 0.05), "right", **z),
                  joint("hinge", (0.05, 0.4, 0.05), "left", "top", **z),
                  joint("hinge", (0.45, 0.4, 0.05), "right", "top", **z)]
        for number, hinge in enumerate(hinges):
            hinge["name"] = f"hinge {number}"
        links[2]["initial"] = {"velocity": [0.5, 0, 0]}
        for integrator in ("be", "bdf2", "trbdf2", "esdirk43"):
            with self.subTest(integrator=integrator):
                rows = self.probed_rows(scene(links, hinges, 0.3, integrator), p=("top", (0, 0.4, 0.05)), c=("top", (0.5, 0.4, 0.05)))
                a, b = self.place(rows[-1]), self.place(rows[-1], "c")
                self.assertAlmostEqual(a[1], b[1], delta=1e-7)  # a parallelogram
                self.assertGreater(a[0], 0.05)

    def test_a_table_on_four_joints_stays_with_all_methods(self):
        # Twelve rows for the six ways in which a plate can move.
        corners = [joint("ball", (x, 0.05, z), "plate") for x in (0.1, 0.9) for z in (0.1, 0.5)]
        for number, corner in enumerate(corners):
            corner["name"] = f"leg {number}"
        for integrator in ("be", "bdf2", "trbdf2", "esdirk43"):
            with self.subTest(integrator=integrator):
                rows = self.probed_rows(scene([box("plate", (1, 0.1, 0.6))], corners, 0.2, integrator), p=("plate", (1, 0.1, 0.6)))
                self.assertAlmostEqual(math.dist(self.place(rows[-1]), (1, 0.1, 0.6)), 0, delta=1e-8)

    def test_a_box_comes_to_rest_on_the_floor_and_weighs_on_it(self):
        value = scene([box(size=(0.3, 0.2, 0.2), at=(0, 0.05, 0), initial={"velocity": [0.3, 0, 0]})], duration=1,
                      integrator="be", obstacles=[FLOOR], contact={"method": "barrier", "friction": 0.5})
        value["time"]["dt"] = 0.01
        value["probes"] = [{"name": "f", "force_on": "box"}, {"name": "p", "body": "box", "point": [0.15, 0.05, 0.1]}]
        out = self.run_scene(value)
        with open(f"{out}/history.csv", newline="") as file:
            last = list(csv.DictReader(file))[-1]
        self.assertAlmostEqual(self.place(last, "f")[1], 12 * 9.81, delta=0.5)
        self.assertLess(float(last["kinetic"]), 1e-6)
        self.assertLess(self.place(last)[1], 1.1e-3)

    def test_a_rigid_body_and_an_elastic_one_push_each_other(self):
        value = scene([box("lid", (0.2, 0.05, 0.2), (0, 0.205, 0)),
                       {"name": "cushion", "mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]}}, "material": "foam",
                        "transform": {"translate": [0.1, 0.1, 0.1]},
                        "pin": [{"box": {"min": [-1, -1, -1], "max": [1, 0, 1]}}]}], duration=0.5, integrator="be",
                      contact={"method": "barrier"})
        value["time"]["dt"] = 0.01
        value["materials"] = {"foam": {"model": "stable-neo-hookean", "young": 2e4, "poisson": 0.3, "density": 100}}
        value["probes"] = [{"name": "f", "force_on": "lid"}]
        out = self.run_scene(value)
        with open(f"{out}/history.csv", newline="") as file:
            last = list(csv.DictReader(file))[-1]
        self.assertAlmostEqual(self.place(last, "f")[1], 2 * 9.81, delta=0.4)

    def test_pressure_lifts_a_rigid_plate(self):
        value = scene([box("plate", (1, 0.1, 1))], duration=0.1,
                      forces=[{"pressure": {"body": "plate", "selection": {"plane": {"point": [0, 0, 0], "normal": [0, -1, 0]}},
                                            "value": 2 * 981}}])
        rows = self.probed_rows(value, p=("plate", (0.5, 0.05, 0.5)))
        self.assertAlmostEqual(self.place(rows[-1])[1], 0.05 + 4.905 * 0.01, delta=1e-4)

    def test_modes_of_rigid_bodies_are_rigid(self):
        # Two free bodies have six ways each to move.
        value = scene([box(at=(0, 1, 0)), box("other", at=(0, 2, 0))])
        self.write("free.json", value)
        said = self.succeed("modes", "free.json", "-k", "14", "--out", "modes").out
        self.assertEqual(said.count("rigid"), 12)

    def test_resumed_runs_give_the_same_bits(self):
        value = scene([box(initial={"angular_velocity": [1, 2, 3]})], [joint("ball", (0, 0.05, 0.05))], duration=0.2)
        whole = pliant_cli.summary(self.run_scene(value))["state_hash"]
        self.run_scene(dict(value, time={"dt": 0.005, "duration": 0.1}), out="part")
        self.write("scene.json", value)
        self.succeed("run", "scene.json", "--resume", "--out", "part")
        self.assertEqual(pliant_cli.summary(self.path("part"))["state_hash"], whole)

    def test_bad_bodies_are_refused_with_their_place(self):
        self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n")
        for body, words in [
                (box(mesh={"file": "open.obj"}), ["/bodies/0/mesh", "open"]),
                (box(density=0), ["/bodies/0/density"]),
                (dict(box(), mass_total=3), ["mass"]),
                ({k: v for k, v in box(mass_total=3, inertia=[1, 1, 5]).items() if k != "density"},
                 ["/bodies/0/inertia", "no body has"]),
                (box(material="foam"), ["/bodies/0/material"]),
                (box(formulation="se2"), ["se3"]),
                (box(initial={"deform": [[2, 0, 0], [0, 1, 0], [0, 0, 1]]}), ["/bodies/0/initial/deform", "rotation"]),
                (box(pin=[{"box": {"min": [-1, -1, -1], "max": [0.1, 1, 1]}}]), ["/bodies/0/pin/0", "as a whole"]),
                (box(damping=[{"model": "rayleigh", "beta": 0.1}]), ["/bodies/0/damping", "no strain"]),
        ]:
            with self.subTest(words=words):
                self.refuse_scene(2, scene([body]), words)

    def test_bad_joints_are_refused_with_their_place_and_distance(self):
        ball = joint("ball", (0, 0, 0))
        ball["between"][3] = [0, 0.3, 0]
        self.refuse_scene(3, scene([box()], [ball]), ['"the ball" does not hold at the start', "0.3 m"])
        self.refuse_scene(2, scene([box()], [joint("hinge", (0, 0, 0))]), ["needs an \"axis\""])
        z = {"axis": [0, 0, 1]}
        self.refuse_scene(2, scene([box()], [joint("hinge", (0, 0, 0), limits=[1, -1], **z)]), ["/constraints/0/limits", "above"])
        self.refuse_scene(2, scene([box()], [joint("ball", (0, 0, 0), limits=[0, 1])]), ["hinge, slider and distance"])
        self.refuse_scene(2, scene([box()], [joint("ball", (0, 0, 0), motor={"speed": 1})]), ["hinge and slider"])
        self.refuse_scene(2, scene([box()], [joint("slider", (0, 0, 0), motor={"angle": 1}, **z)]), ["position"])
        self.refuse_scene(3, scene([box()], [joint("hinge", (0, 0, 0), limits=[0.2, 1], **z)]), ["does not hold at the start", "0.2"])
        self.refuse_scene(2, scene([box()], [joint("ball", (0, 0, 0), axis=[1, 0, 0])]), ["/constraints/0/axis"])
        soft = {"name": "soft", "mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}, "material": "foam"}
        value = scene([box(), soft], [joint("hinge", (0, 0, 0), "box", "soft", axis=[0, 0, 1])])
        value["materials"] = {"foam": {"model": "stvk", "young": 1e5, "poisson": 0.3, "density": 100}}
        self.refuse_scene(2, value, ["only rigid bodies and the world", '"soft"'])

    def test_combinations_that_make_no_sense_are_refused_in_words(self):
        self.refuse_scene(2, scene([box(formulation="se3")], integrator="sdirk2"), ["se3", "trbdf2"])
        self.refuse_scene(2, scene([box()], solver={"type": "admm"}), ["admm", "rigid", "newton"])
        self.refuse_scene(2, scene([box(at=(0, 1, 0), formulation="se3")], contact={"method": "qp"}, obstacles=[FLOOR]), ["qp", "se3", "unilateral"])


if __name__ == "__main__":
    pliant_cli.main()
