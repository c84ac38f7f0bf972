"""Volumes, bindings, strain rows, damped constraints and bodies on frames, as users write them."""

import math

import pliant_cli


def bar(name="bar", size=(1, 0.2, 0.2), cells=(5, 1, 1), at=(0, 0, 0), material="soft", **more):
    """With its centre at a place."""
    return {"name": name, "mesh": {"box": {"size": list(size), "cells": list(cells)}}, "material": material,
            "transform": {"translate": list(at)}, **more}


def scene(bodies, constraints=(), duration=0.5, dt=0.01, integrator="trbdf2", law="stvk", **more):
    return {"name": "attached", "time": {"dt": dt, "duration": duration}, "integrator": integrator,
            "materials": {"soft": {"model": law, "young": 1e5, "poisson": 0.3, "density": 1000}},
            "bodies": bodies, "constraints": list(constraints), **more}


LEFT = {"box": {"min": [-0.501, -1, -1], "max": [-0.499, 1, 1]}}


class Attachments(pliant_cli.ProgramTest):
    # Strain

    def test_elasticity_as_constraints_is_the_same_elasticity(self):
        for law, measure in (("stvk", "auto"), ("stvk", "green"), ("corotated", "principal")):
            ends = []
            for constraints in ([], [{"type": "strain", "body": "bar", "measure": measure}]):
                if law == "corotated" and not constraints:  # against the other measure of the same strain
                    constraints = [{"type": "strain", "body": "bar", "measure": "corotational"}]
                value = scene([bar(pin=[LEFT])], constraints, law=law, integrator="bdf2")
                rows = self.probed_rows(value, p=("bar", (0.5, 0, 0)))
                ends.append((self.place(rows[-1]), float(rows[-1]["elastic"])))
            self.assertLess(math.dist(ends[0][0], ends[1][0]), 1e-6, (law, measure))
            self.assertAlmostEqual(ends[0][1], ends[1][1], delta=1e-5 * ends[0][1])
            self.assertLess(ends[0][0][1], -0.05)

    def test_a_cable_and_a_sheet_by_strain_hang_as_they_do_by_stiffness(self):
        sheet = {"name": "s", "type": "cloth", "mesh": {"sheet": {"size": [1, 1], "cells": [4, 4]}}, "material": "soft",
                 "pin": [{"box": {"min": [-0.6, -1, -0.51], "max": [0.6, 1, -0.49]}}], "bending": 0}
        cable = {"name": "s", "type": "cable", "mesh": {"cable": {"from": [0, 0, 0], "to": [1, 0, 0.5], "segments": 8}},
                 "material": "soft", "pin": [{"nodes": [0]}], "bending": 0}
        for body, point in ((sheet, (0.5, 0, 0.5)), (cable, (1, 0, 0.5))):
            ends = [self.place(self.probed_rows(scene([body], rows, integrator="be", duration=0.3), p=("s", point))[-1])
                    for rows in ([], [{"type": "strain", "body": "s"}])]
            self.assertLess(math.dist(*ends), 1e-6)

    def test_a_stiffness_that_no_potential_would_bear(self):
        value = scene([bar(pin=[LEFT])], [{"type": "strain", "body": "bar"}], integrator="be", duration=0.2)
        value["materials"]["soft"]["young"] = 1e18
        rows = self.probed_rows(value, p=("bar", (0.5, 0, 0)))
        self.assertLess(math.dist(self.place(rows[-1]), (0.5, 0, 0)), 1e-9)

    def test_edges_keep_their_length_and_threads_let_a_sheet_shear(self):
        sheet = {"name": "s", "type": "cloth", "mesh": {"sheet": {"size": [1, 1], "cells": [4, 4]}}, "material": "soft",
                 "pin": [{"nodes": [0]}], "bending": 0}
        apart = []
        for diagonals in (True, False):
            value = scene([sheet], [{"type": "edges", "body": "s", "diagonals": diagonals}], integrator="be", duration=0.5)
            value["materials"]["soft"]["young"] = 10
            rows = self.probed_rows(value, a=("s", (-0.5, 0, 0)), b=("s", (-0.25, 0, 0)), c=("s", (0.5, 0, 0.5)), d=("s", (-0.5, 0, -0.5)))
            last = rows[-1]
            self.assertAlmostEqual(math.dist(self.place(last, "a"), self.place(last, "b")), 0.25, delta=1e-8)
            apart.append(math.dist(self.place(last, "c"), self.place(last, "d")))
        self.assertLessEqual(apart[0], math.sqrt(2) + 1e-8)
        self.assertGreater(apart[1], math.sqrt(2) + 0.01)

    # Volume

    def test_a_squeezed_body_keeps_its_volume(self):
        # Pulled to twice its length a cube of that Poisson's ratio would grow; held, it gets thinner.
        pull = {"box": {"min": [0.49, -1, -1], "max": [0.51, 1, 1]}, "motion": {"velocity": [0.5, 0, 0]}}
        body = bar(size=(1, 1, 1), cells=(3, 3, 3), pin=[LEFT, pull])
        widths = []
        for constraints in ([], [{"type": "volume", "body": "bar"}]):
            value = scene([body], constraints, gravity=[0, 0, 0], duration=1.0)
            rows = self.probed_rows(value, p=("bar", (0.1667, 0.5, 0)))
            widths.append(self.place(rows[-1])[1])
        self.assertLess(widths[1], widths[0] - 0.01)

    def test_a_volume_follows_its_curve(self):
        curve = [[0, 1], [0.5, 1.1], [1, 1.1]]
        body = bar(size=(1, 1, 1), cells=(2, 2, 2))
        rows = self.probed_rows(scene([body], [{"type": "volume", "body": "bar", "curve": curve}], gravity=[0, 0, 0],
                               duration=1.0), x=("bar", (0.5, 0, 0)), y=("bar", (0, 0.5, 0)), z=("bar", (0, 0, 0.5)))
        product = 8 * math.prod(self.place(rows[-1], axis)["xyz".index(axis)] for axis in "xyz")
        self.assertAlmostEqual(product, 1.1, delta=0.04)  # it bulges between

    # Bindings

    def test_a_bound_body_goes_along(self):
        # Its end inside of a rigid one that turns.
        wheel = {"name": "wheel", "type": "rigid", "mesh": {"box": {"size": [0.4, 0.4, 0.4], "cells": [1, 1, 1]}},
                 "density": 1000, "initial": {"angular_velocity": [0, 0, 2]}}
        rod = bar("rod", (0.4, 0.1, 0.1), (4, 1, 1), (0.35, 0, 0))
        bind = {"type": "bind", "body": "rod", "to": "wheel", "box": {"min": [0.14, -1, -1], "max": [0.16, 1, 1]}}
        rows = self.probed_rows(scene([wheel, rod], [bind], gravity=[0, 0, 0], duration=0.5, integrator="bdf2"),
                         p=("rod", (0.15, 0, 0)), q=("wheel", (0.15, 0, 0)), c=("wheel", (0, 0, 0)))
        for row in rows:
            self.assertLess(math.dist(self.place(row), self.place(row, "q")), 1e-8)
        turned = [b - a for a, b in zip(self.place(rows[-1], "c"), self.place(rows[-1]))]
        self.assertGreater(math.atan2(turned[1], turned[0]), 0.3)

    def test_two_halves_bound_together_are_one_bar(self):
        whole = scene([bar(cells=(10, 2, 2), pin=[LEFT])], integrator="bdf2")
        halves = scene([bar("bar", (0.5, 0.2, 0.2), (5, 2, 2), (-0.25, 0, 0), pin=[LEFT]),
                        bar("right", (0.5, 0.2, 0.2), (5, 2, 2), (0.25, 0, 0))],
                       [{"type": "bind", "body": "right", "to": "bar",
                         "box": {"min": [-0.001, -1, -1], "max": [0.001, 1, 1]}}], integrator="bdf2")
        for value in (whole, halves):
            for body in value["bodies"]:
                body["mesh"]["box"]["split"] = 6
        one = self.place(self.probed_rows(whole, p=("bar", (0.5, 0, 0)))[-1])
        two = self.place(self.probed_rows(halves, p=("right", (0.5, 0, 0)))[-1])
        self.assertLess(one[1], -0.05)
        self.assertLess(math.dist(one, two), 1e-6)

    # Damping

    def test_a_damped_spring_decays_as_theory_says(self):
        # 1 kg on a spring of 100 N/m and 2 N·s/m: ω = √(100 − 1), amplitude e^(−t).
        body = {"name": "box", "type": "rigid", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}},
                "density": 1000, "transform": {"translate": [0.1, 0, 0]}}
        spring = {"type": "point", "between": ["box", [0.1, 0, 0], "world", [0, 0, 0]], "compliance": 0.01, "damping": 2}
        value = scene([body], [spring], gravity=[0, 0, 0], duration=1.0, dt=0.002, integrator="bdf2")
        rows = self.probed_rows(value, p=("box", (0.1, 0, 0)))
        omega = math.sqrt(99)
        for row in rows[::50]:
            t = float(row["time"])
            x = 0.1 * math.exp(-t) * (math.cos(omega * t) + math.sin(omega * t) / omega)
            self.assertAlmostEqual(self.place(row)[0], x, delta=1e-3)

    # Frames

    def test_a_body_on_frames_bends_under_its_weight(self):
        frames = bar(type="frames", cells=(10, 2, 2), frames=[[-0.5, 0, 0], [-0.25, 0, 0], [0, 0, 0], [0.25, 0, 0], [0.5, 0, 0]],
                     pin=[{"box": {"min": [-0.501, -1, -1], "max": [-0.499, 1, 1]}}], material="soft")
        full = bar(cells=(10, 2, 2), pin=[LEFT])
        ends = [self.place(self.probed_rows(scene([body], integrator="be", duration=0.3), p=("bar", (0.5, 0, 0)))[-1])
                for body in (frames, full)]
        self.assertLess(ends[0][1], -0.01)
        self.assertGreater(ends[0][1], ends[1][1], "fewer degrees of freedom are stiffer")

    def test_a_free_body_on_frames_falls_and_turns_like_any_other(self):
        body = bar(type="frames", cells=(4, 2, 2), frames=4, initial={"velocity": [1, 2, 0], "angular_velocity": [0, 0, 3]})
        value = scene([body], duration=0.3, integrator="trapezoidal", law="stable-neo-hookean")
        rows = self.probed_rows(value, p=("bar", (0, 0, 0)))
        last = rows[-1]
        mass = 40.0
        t = float(last["time"])
        self.assertAlmostEqual(float(last["px"]), mass * 1, delta=1e-6)
        self.assertAlmostEqual(float(last["py"]), mass * (2 - 9.81 * t), delta=1e-6)
        self.assertAlmostEqual(float(rows[0]["kinetic"]), 0.5 * mass * 5 + 0.5 * 9 * mass / 12 * 1.04, delta=0.02 * 100)
        self.assertAlmostEqual(float(last["total"]), float(rows[0]["total"]), delta=2e-3 * float(rows[0]["kinetic"]))

    def test_a_body_on_frames_comes_to_rest_on_the_floor(self):
        body = bar(type="frames", cells=(4, 2, 2), frames=4, at=(0, 0.15, 0))
        value = scene([body], duration=0.5, integrator="be",
                      contact={"method": "barrier", "distance": 0.002},
                      obstacles=[{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}])
        rows = self.probed_rows(value, p=("bar", (0, 0.05, 0)))
        self.assertGreater(self.place(rows[-1])[1], 0)
        self.assertGreater(min(float(row["min_gap"]) for row in rows if row["min_gap"]), 0)

    # Plasticity

    def test_a_bar_that_was_bent_far_stays_bent(self):
        # A force bends it for a while; it goes back, unless it has flowed.
        def end(**more):
            body = bar(cells=(10, 2, 2), pin=[LEFT], damping=[{"model": "rayleigh", "alpha": 5, "beta": 0.02}], **more)
            value = scene([body], integrator="be", duration=2.0, dt=0.02, gravity=[0, 0, 0], forces=[
                {"point": {"body": "bar", "box": {"min": [0.49, -1, -1], "max": [0.51, 1, 1]},
                           "curve": [[0, 0, 0, 0], [0.3, 0, -1.5e4, 0], [0.6, 0, 0, 0]]}}])
            value["materials"]["soft"]["young"] = 1e7
            heights = [self.place(row)[1] for row in self.probed_rows(value, p=("bar", (0.5, 0, 0)))]
            return min(heights), heights[-1]
        lowest, elastic = end()
        self.assertLess(lowest, -0.05)
        self.assertAlmostEqual(elastic, 0, delta=2e-3)
        lowest, plastic = end(plasticity={"yield": 0.01})
        self.assertLess(plastic, 0.2 * lowest)
        self.assertAlmostEqual(end(plasticity={"yield": 5})[1], elastic, delta=1e-12)

    # Embedding

    def test_a_fine_surface_goes_along_with_a_coarse_body(self):
        fine = {"sphere": {"radius": 0.09, "size": 0.04}}
        body = bar(cells=(5, 1, 1), pin=[LEFT])
        plain = self.probed_rows(scene([body], integrator="bdf2"), p=("bar", (0.5, 0, 0)))
        dressed = self.probed_rows(scene([{**body, "embed": fine}], integrator="bdf2"), p=("bar", (0.5, 0, 0)))
        self.assertLess(math.dist(self.place(plain[-1]), self.place(dressed[-1])), 1e-12, "it has no part in the motion")
        self.write("dressed.json", scene([{**body, "embed": fine}], duration=0.1))
        self.succeed("run", "dressed.json", "--out", "dressed", "--quiet")
        self.succeed("export", "dressed", "--to", "obj", "--out", "shape")

    def test_the_embedded_surface_is_what_touches(self):
        # A ball in a cube: it comes to rest on the ball, with the cube's face below the floor's level.
        floor = {"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}
        for kind in ({}, {"type": "frames", "frames": 1}):
            body = bar("cube", (0.4, 0.4, 0.4), (3, 3, 3), at=(0, 0.12, 0), embed={"sphere": {"radius": 0.1, "size": 0.04}},
                       damping=[{"model": "rayleigh", "alpha": 2, "beta": 0.01}], **kind)
            value = scene([body], integrator="be", duration=0.6, obstacles=[floor],
                          contact={"method": "barrier", "distance": 0.002})
            value["materials"]["soft"]["young"] = 1e6
            rows = self.probed_rows(value, p=("cube", (0, 0.12, 0)))
            self.assertGreater(self.place(rows[-1])[1], 0.08)
            self.assertLess(self.place(rows[-1])[1], 0.11)
            self.assertGreater(min(float(row["min_gap"]) for row in rows if row["min_gap"]), 0)

    # Misuse

    def test_what_makes_no_sense_is_refused_in_words(self):
        strain = {"type": "strain", "body": "bar"}
        self.refuse_scene(2, scene([bar()], [strain], law="neo-hookean"), ["/constraints/0", "neo-hookean", "compliance"])
        self.refuse_scene(2, scene([bar()], [{**strain, "body": "barr"}]), ["/constraints/0/body", 'did you mean "bar"'])
        self.refuse_scene(2, scene([bar()], [{"type": "bind", "body": "bar", "to": "bar", "all": True}]),
                          ["/constraints/0/to", "itself"])
        self.refuse_scene(2, scene([bar()], [{"type": "point", "between": ["bar", [0, 0, 0], "world", [0, 0, 0]], "damping": 1}]),
                          ["/constraints/0/damping", "compliance"])
        sheet = {"name": "s", "type": "cloth", "mesh": {"sheet": {"size": [1, 1], "cells": [2, 2]}}, "material": "soft"}
        self.refuse_scene(2, scene([sheet], [{"type": "volume", "body": "s"}]), ["/constraints/0/body", "open"])
        self.refuse_scene(2, scene([bar(), {**sheet, "transform": {"translate": [0, 1, 0]}}],
                                   [{"type": "bind", "body": "bar", "to": "s", "all": True}]),
                          ["/constraints/0", "from \"s\"", "thin"])
        self.refuse_scene(2, scene([bar(type="frames", frames=50)]), ["bar", "frame", "too few"])
        self.refuse_scene(2, scene([bar(type="frames", frames=2, pin=[{"box": {"min": [5, 5, 5], "max": [6, 6, 6]}}])]),
                          ["/bodies/0/pin/0", "selects no"])
        self.refuse_scene(2, scene([bar(type="frames", frames=2)], solver={"type": "admm"}), ["/bodies/0", "frames", "admm"])
        self.refuse_scene(2, scene([bar(type="frames", frames=0)]), ["/bodies/0/frames"])
        cable = {"cable": {"from": [0, 0, 0], "to": [1, 0, 0], "segments": 2}}
        self.refuse_scene(2, scene([bar(embed=cable)]), ["/bodies/0/embed", "no surface"])
        self.refuse_scene(2, scene([bar(embed={"sphere": {"radius": 9, "size": 3}})]), ["/bodies/0/embed", "beside the body"])


if __name__ == "__main__":
    pliant_cli.main()
