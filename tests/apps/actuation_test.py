"""Springs, tendons, muscles and vertex caches as users write them: with every method, solver and kind
of body, and what is said where they make no sense."""

import math
import os
import struct

import pliant_cli

TENDON = {"path": [["beam", [-1.5, 0.3, 0]], ["beam", [0, 0.3, 0]], ["beam", [1.8, 0.3, 0]]],
          "curve": [[0, 0], [0.05, 4000]]}


def spring(stiffness=4000, **more):
    return {"spring": {"between": ["beam", [2, 0, 0], "world", [2, 1, 0]], "stiffness": stiffness, **more}}


def box(name, at, mass, **more):
    return {"name": name, "type": "rigid", "mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [1, 1, 1]}},
            "mass_total": mass, "transform": {"translate": list(at)}, **more}


class Actuation(pliant_cli.ProgramTest):
    def tip(self, scene, *arguments):
        return pliant_cli.probe(pliant_cli.history(self.run_scene(scene, *arguments))[-1])

    def test_every_method_takes_springs_and_tendons(self):
        # What small steps make of it is what all come near to.
        table = self.succeed("list", "integrators").out.split("\nstability, and")[0]
        names = [line.split()[0] for line in table.splitlines()[2:]]
        self.assertGreater(len(names), 20)
        loads = [{"tendon": TENDON}, spring(damping=50)]
        wanted = self.tip(pliant_cli.beam(dt=0.0005, steps=200, forces=loads, integrator="trbdf2", output_dt=0.1))
        self.assertGreater(math.dist(wanted, (2, 0.5, 0.5)), 0.05)
        for name in names:
            fine = name in ("rk4", "verlet", "symplectic-euler")
            scene = pliant_cli.beam(dt=0.0005 if fine else 0.005, steps=200 if fine else 20, forces=loads,
                                    integrator=name, output_dt=0.1)
            rough = name in ("be", "si", "siere", "beere", "symplectic-euler")  # of first order
            self.assertLess(math.dist(self.tip(scene), wanted), 4e-3 if rough else 2e-4, name)

    def test_admm_finds_what_newton_finds(self):
        # The solver's own tolerance is relative to the strain of a step.
        loads = [{"tendon": TENDON}, spring(rest=0.5),
                 {"muscle": {"path": [["beam", [-1, -0.3, 0]], ["beam", [1, -0.3, 0]]], "strength": 2000, "activation": 1}}]
        scene = pliant_cli.beam(forces=loads, steps=10)
        newton = self.tip(scene)
        scene["solver"] = {"type": "admm", "tolerance": 1e-8}
        self.assertGreater(math.dist(newton, (2, 0.5, 0.5)), 0.01)
        self.assertLess(math.dist(self.tip(scene), newton), 1e-5)
        scene["forces"][1]["spring"]["damping"] = 3
        self.refuse(2, "run", self.write("s.json", scene), "--out", "x",
                    words=["s.json#/forces/1/spring/damping: solver admm", "newton takes it"])

    def test_a_point_that_two_bodies_carry_pulls_each_by_its_share(self):
        # Along the line through both centres nothing turns: x = x0 - w T t^2 / (2 m) for each.
        tension, end = 12.0, 0.4
        for formulation in ("affine", "se3"):
            left = box("left", (0, 0, 0), 2.0, formulation=formulation)
            right = box("right", (1, 0, 0), 3.0, formulation=formulation)
            path = [["world", [-5, 0, 0]], [{"left": 3, "right": 1}, [0.5, 0, 0]]]
            scene = {"time": {"dt": 0.01, "duration": end}, "gravity": [0, 0, 0], "integrator": "trbdf2",
                     "materials": {}, "bodies": [left, right], "forces": [{"tendon": {"path": path, "tension": tension}}],
                     "probes": [{"name": name, "body": name, "point": [x, 0, 0]} for name, x in (("left", 0), ("right", 1))]}
            row = pliant_cli.history(self.run_scene(scene))[-1]
            for name, x, share, mass in (("left", 0, 0.75, 2.0), ("right", 1, 0.25, 3.0)):
                fallen = 0.5 * share * tension / mass * end ** 2
                self.assertAlmostEqual(float(row[f"{name}.x"]), x - fallen, delta=1e-6, msg=f"{formulation} {name}")
        path[1][0] = {"left": 0, "right": 0}
        self.refuse(2, "check", self.write("s.json", scene),
                    words=["s.json#/forces/0/tendon/path/1/0: at least one body must have a share above 0"])
        path[1][0] = {"left": 1, "rigth": 1}
        self.refuse(2, "check", self.write("s.json", scene), words=['unknown body "rigth"', 'did you mean "right"?'])
        path[1][0] = {"left": 1, "world": 1}
        self.refuse(2, "check", self.write("s.json", scene), words=['"world" cannot share a point with bodies'])

    def test_a_spring_holds_a_body_at_rest_where_forces_balance(self):
        # A stiff bar on a spring that hangs from above: k x = m g.
        bar = {"name": "bar", "mesh": {"box": {"size": [0.1, 0.2, 0.1], "cells": [1, 2, 1]}}, "material": "stiff",
               "pin": [{"all": True, "axes": "xz"}]}
        scene = {"time": {"dt": 0.01, "duration": 0.1}, "bodies": [bar],
                 "materials": {"stiff": {"model": "linear", "young": 1e9, "density": 1000}},
                 "forces": [{"spring": {"between": ["world", [0, 1, 0], "bar", [0, 0.1, 0]], "stiffness": 500}}],
                 "probes": [{"name": "tip", "body": "bar", "point": [0, 0, 0]}]}
        self.succeed("static", self.write("scene.json", scene), "--out", "still")
        rows = pliant_cli.history(self.path("still"))
        self.assertAlmostEqual(pliant_cli.probe(rows[-1])[1], -2 * 9.81 / 500, delta=1e-6)

    def test_a_spring_sets_a_frequency(self):
        # The box as a whole on four springs to the world: f = √(4k/m)/2π is the lowest of three.
        springs = [{"spring": {"between": ["bar", [x, 0.05, z], "world", [x, 0.65, z]], "stiffness": 100}}
                   for x in (-0.05, 0.05) for z in (-0.05, 0.05)]
        scene = {"time": {"dt": 0.01, "duration": 0.1}, "forces": springs,
                 "bodies": [{"name": "bar", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}},
                             "material": "stiff", "pin": [{"all": True, "axes": "xz"}]}],
                 "materials": {"stiff": {"model": "linear", "young": 1e8, "density": 1000}}}
        out = self.succeed("modes", self.write("scene.json", scene), "-k", "1", "--out", "modes").out
        self.assertIn(f"{math.sqrt(400 / 1) / 2 / math.pi:.3f}", out)

    def test_rigid_bodies_over_a_ring_move_as_atwood_said(self):
        # The cord stretches by little: its swing is damped, and the mean acceleration is what is left.
        bodies = [box("heavy", (-0.2, 0, 0), 3), box("light", (0.2, 0, 0), 2)]
        k, tension = 2e4, 2 * 6 / 5 * 9.81
        cord = {"path": [["heavy", [-0.2, 0.1, 0]], ["world", [-0.2, 1, 0]], ["world", [0.2, 1, 0]], ["light", [0.2, 0.1, 0]]],
                "stiffness": k, "rest_length": 2.2 - tension / k}
        scene = {"time": {"dt": 0.005, "duration": 0.4}, "integrator": "trbdf2", "materials": {}, "bodies": bodies,
                 "forces": [{"tendon": cord}], "probes": [{"name": "tip", "body": "heavy", "point": [-0.2, 0, 0]}]}
        wanted = -0.5 * 9.81 / 5 * 0.16
        self.assertAlmostEqual(self.tip(scene)[1], wanted, delta=1e-3 * abs(wanted))
        # The same with a joint in the scene, which makes the bodies exactly rigid.
        scene["bodies"].append(box("hung", (2, 0, 0), 1))
        scene["constraints"] = [{"type": "ball", "between": ["hung", [2, 0.1, 0], "world", [2, 0.1, 0]]}]
        self.assertAlmostEqual(self.tip(scene)[1], wanted, delta=1e-3 * abs(wanted))

    def test_paths_inside_of_a_free_body_leave_its_momentum(self):
        # The midpoint rule keeps what is quadratic in q and v, so angular momentum as well.
        muscle = {"path": [["beam", [-1.5, 0.3, 0.2]], ["beam", [0, 0.1, 0]], ["beam", [1.8, 0.3, -0.1]]],
                  "strength": 3000, "curve": [[0, 0], [0.05, 1]]}
        rows = pliant_cli.history(self.run_scene(pliant_cli.beam(
            pin=[], gravity=[0, 0, 0], forces=[{"muscle": muscle}], steps=20, integrator="midpoint")))
        self.assertGreater(max(row["kinetic"] for row in rows), 1)
        for row in rows:
            for key in ("px", "py", "pz", "lx", "ly", "lz"):
                # A millionth of √(2 m E), the momentum that the energy is good for.
                self.assertAlmostEqual(row[key], 0, delta=1e-6 * math.sqrt(2 * 4000 * 1), msg=key)

    def test_the_work_of_a_tendon_is_the_energy_that_it_brings(self):
        rows = pliant_cli.history(self.run_scene(pliant_cli.beam(
            gravity=[0, 0, 0], forces=[{"tendon": TENDON}], dt=0.001, steps=100, integrator="trapezoidal")))
        gain = rows[-1]["total"] - rows[0]["total"]
        self.assertGreater(abs(gain), 1)
        self.assertAlmostEqual(rows[-1]["work"], gain, delta=0.01 * abs(gain))

    def test_a_tendon_presses_bodies_together_without_intersection(self):
        bodies = [{"name": name, "mesh": {"box": {"size": [0.3, 0.3, 0.3], "cells": [2, 2, 2]}}, "material": "soft",
                   "transform": {"translate": [x, 0, 0]}} for name, x in (("left", -0.2), ("right", 0.2))]
        cord = {"path": [["left", [-0.2, 0, 0]], ["right", [0.2, 0, 0]]], "tension": 300, "damping": 5}
        scene = {"time": {"dt": 0.005, "duration": 0.3}, "integrator": "be", "gravity": [0, 0, 0], "bodies": bodies,
                 "materials": {"soft": {"model": "stable-neo-hookean", "young": 2e4, "density": 1000}},
                 "forces": [{"tendon": cord}], "contact": {"method": "barrier", "friction": 0.3}}
        rows = pliant_cli.history(self.run_scene(scene))
        self.assertGreater(max(row["contacts"] or 0 for row in rows), 0)
        self.assertGreater(min(row["min_gap"] for row in rows if row["min_gap"] is not None), 0)

    def test_a_run_goes_on_from_a_checkpoint_bit_for_bit(self):
        scene = self.write("scene.json", pliant_cli.beam(forces=[{"tendon": TENDON}, spring(damping=50)], steps=8,
                                                         integrator="trbdf2"))
        self.succeed("run", scene, "--quiet", "--out", "whole")
        self.succeed("run", scene, "--quiet", "--out", "parts", "--set", "time.duration=0.04")
        self.succeed("run", scene, "--quiet", "--out", "parts", "--resume")
        self.assertEqual(pliant_cli.lasting_history(self.path("whole")), pliant_cli.lasting_history(self.path("parts")))

    def test_what_makes_no_sense_is_refused_with_its_place(self):
        def refused(load, *words):
            self.refuse(2, "check", self.write("s.json", pliant_cli.beam(forces=[load])), words=words)
        path = TENDON["path"]
        refused({"tendon": {"path": path[:1], "tension": 1}}, "#/forces/0/tendon/path: must be a list of 2 to 100")
        refused({"tendon": {"path": path}}, "#/forces/0/tendon", "tension")
        refused({"tendon": {"path": [["baem", [0, 0, 0]], path[0]], "tension": 1}},
                "#/forces/0/tendon/path/0/0: unknown body \"baem\", did you mean \"beam\"?")
        refused({"tendon": {"path": [["beam", [0, 3, 0]], path[0]], "tension": 1}},
                "#/forces/0/tendon/path/0/1: [0, 3, 0] is outside body \"beam\", by 2.5 m")
        refused(spring(-1), "#/forces/0/spring/stiffness: must be above 0, got -1")
        refused({"muscle": {"path": path, "strength": 5, "activation": 2}},
                "#/forces/0/muscle/activation: must be at most 1, got 2")
        refused({"muscle": {"path": [path[0], path[0]], "strength": 5, "activation": 1}}, "#/forces/0/muscle: all its points",
                "optimal_length")


def mdd(times, frames):
    """A cache of frames, each a list of points."""
    data = struct.pack(">ii", len(frames), len(frames[0])) + struct.pack(f">{len(times)}f", *times)
    return data + b"".join(struct.pack(">3f", *point) for frame in frames for point in frame)


def pc2(frames, first=0.0, rate=1.0):
    data = b"POINTCACHE2\0" + struct.pack("<iiffi", 1, len(frames[0]), first, rate, len(frames))
    return data + b"".join(struct.pack("<3f", *point) for frame in frames for point in frame)


def points(folder, frame=0):
    numbers = pliant_cli.read_frame(f"{folder}/frames/frame_{frame:06d}.vtu")["Points"]
    return [numbers[k:k + 3] for k in range(0, len(numbers), 3)]


# Two triangles, seen from above, as wide as they are long.
PLATE = "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n"


class Caches(pliant_cli.ProgramTest):
    """A beam whose left end follows a formula: it nods, and each node of it twists by its own amount."""

    DT, LAST = 0.02, 0.4

    def motion(self, x, t):
        return [x[0] + 0.1 * math.sin(5 * t) * x[1], x[1] + 0.2 * math.sin(4 * t), x[2] + 0.1 * t * t * x[0]]

    def speed(self, x, t):
        return [0.5 * math.cos(5 * t) * x[1], 0.8 * math.cos(4 * t), 0.2 * t * x[0]]

    def frames(self, rest):
        times = [self.DT * k for k in range(round(self.LAST / self.DT) + 1)]
        return times, [[self.motion(x, t) for x in rest] for t in times]

    def driven(self, **motion):
        face = {"plane": {"point": [-1.999, 0, 0], "normal": [-1, 0, 0]}}
        return pliant_cli.beam(pin=[{**face, "motion": motion}], steps=35, dt=0.01, output_dt=0.05)

    def rest(self):
        return points(self.run_scene(pliant_cli.beam(steps=0), out="rest"))

    def check_face(self, folder, rest, frame, t, factor=1.0):
        """Positions to the error of the spline, velocities to that of its slopes."""
        data = pliant_cli.read_frame(f"{folder}/frames/frame_{frame:06d}.vtu")
        checked = 0
        for n, x in enumerate(rest):
            if x[0] > -1.99:
                continue
            checked += 1
            for i in range(3):
                self.assertAlmostEqual(data["Points"][3 * n + i], self.motion(x, t)[i], delta=2e-5)
                self.assertAlmostEqual(data["velocity"][3 * n + i], factor * self.speed(x, t)[i], delta=5e-3 * factor)
        self.assertEqual(checked, 4)

    def test_a_pinned_face_follows_its_vertices(self):
        rest = self.rest()
        self.write("wave.mdd", mdd(*self.frames(rest)))
        folder = self.run_scene(self.driven(cache="wave.mdd"))
        for frame in (2, 5, 7):
            self.check_face(folder, rest, frame, 0.05 * frame)

    def test_a_cache_may_start_later_run_faster_and_then_it_rests(self):
        rest = self.rest()
        self.write("wave.pc2", pc2(self.frames(rest)[1]))
        folder = self.run_scene(self.driven(cache="wave.pc2", dt=self.DT, start=0.05, speed=2))
        self.check_face(folder, rest, 3, 2 * 0.1, 2)
        data = pliant_cli.read_frame(f"{folder}/frames/frame_{7:06d}.vtu")
        for n, x in enumerate(rest):
            if x[0] < -1.99:
                self.assertLess(math.dist(data["Points"][3 * n:3 * n + 3], self.motion(x, self.LAST)), 1e-6)
                self.assertEqual(list(data["velocity"][3 * n:3 * n + 3]), [0, 0, 0])

    def test_a_pin_that_takes_hold_later_moves_its_nodes_from_where_they_are(self):
        rest = self.rest()
        self.write("wave.mdd", mdd(*self.frames(rest)))
        scene = self.driven(cache="wave.mdd")
        scene["bodies"][0]["pin"][0]["from"] = 0.1
        folder = self.run_scene(scene)
        before, after = points(folder, 2), points(folder, 6)
        for n, x in enumerate(rest):
            if x[0] < -1.99:
                wanted = [b + p - q for b, p, q in zip(before[n], self.motion(x, 0.3), self.motion(x, 0.1))]
                self.assertLess(math.dist(after[n], wanted), 1e-4)

    def test_a_run_can_be_exported_and_followed(self):
        # What the beam did, the surface of another does again: all its nodes are on the surface.
        folder = self.run_scene(pliant_cli.beam(steps=20), out="first")
        self.succeed("export", "first", "--to", "mdd", "--out", "first.mdd")
        scene = pliant_cli.beam(steps=20, pin=[{"all": True, "motion": {"cache": "first.mdd"}}], gravity=[0, 0, 0])
        again = self.run_scene(scene, out="again")
        for frame in (1, 10, 20):
            for a, b in zip(points(folder, frame), points(again, frame)):
                self.assertLess(math.dist(a, b), 1e-6)
        self.assertGreater(math.dist(points(again, 20)[-1], points(again, 0)[-1]), 0.01)

    def test_the_surface_of_a_solid_is_enough_for_nodes_on_it(self):
        cells = {"cells": [4, 2, 2]}
        self.run_scene(pliant_cli.beam(steps=5, **cells), out="first")
        self.succeed("export", "first", "--to", "mdd", "--out", "first.mdd")
        face = {"plane": {"point": [-1.999, 0, 0], "normal": [-1, 0, 0]}, "motion": {"cache": "first.mdd"}}
        self.run_scene(pliant_cli.beam(steps=5, pin=[face], **cells))
        scene = pliant_cli.beam(steps=5, pin=[{"all": True, "motion": {"cache": "first.mdd"}}], **cells)
        self.refuse(2, "check", self.write("s.json", scene), words=["is inside of it", "all 45 vertices"])

    def test_an_obstacle_that_follows_a_cache_lifts_a_body(self):
        self.write("plate.obj", PLATE)
        corners = [(-1, 0, -1), (1, 0, -1), (1, 0, 1), (-1, 0, 1)]
        # It rises by 0.2 m within 0.2 s, tilts meanwhile and comes back level.
        times = [0.02 * k for k in range(16)]
        height = [0.1 * (1 - math.cos(math.pi * min(t, 0.2) / 0.2)) for t in times]
        tilt = [0.05 * math.sin(math.pi * min(t, 0.2) / 0.2) for t in times]
        self.write("lift.mdd", mdd(times, [[(x, y + h + a * x, z) for x, y, z in corners] for h, a in zip(height, tilt)]))
        block = {"name": "block", "mesh": {"box": {"size": [0.4, 0.2, 0.4], "cells": [2, 1, 2]}}, "material": "soft",
                 "transform": {"translate": [0, 0.105, 0]}}
        scene = {"time": {"dt": 0.005, "duration": 0.4}, "integrator": "be", "bodies": [block],
                 "materials": {"soft": {"model": "stable-neo-hookean", "young": 1e5, "density": 1000}},
                 "contact": {"method": "barrier", "friction": 0.5},
                 "obstacles": [{"name": "plate", "mesh": "plate.obj", "motion": {"cache": "lift.mdd"}}],
                 "probes": [{"name": "tip", "body": "block", "point": [0, 0.105, 0]}]}
        folder = self.run_scene(scene)
        rows = pliant_cli.history(folder)
        self.assertGreater(min(row["min_gap"] for row in rows if row["min_gap"] is not None), 0)
        self.assertGreater(pliant_cli.probe(rows[-1])[1], 0.28)
        self.assertGreater(len(os.listdir(f"{folder}/obstacles")), 5)  # it is drawn as it moves

    def test_what_cannot_be_followed_is_refused_with_its_place(self):
        def refused(content, *words, name="bad.mdd", **more):
            self.write(name, content)
            self.refuse(2, "check", self.write("s.json", self.driven(cache=name, **more)), words=words)
        frame = [(0, 0, 0)] * 20
        at = "s.json#/bodies/0/pin/0/motion"
        refused(mdd([0], [frame[:7]]), f"{at}/cache: bad.mdd has 7 vertices, body \"beam\" has 20")
        refused(mdd([0, 1], [frame, frame])[:-1], f"{at}/cache: ", "bad.mdd: byte 12: ", "are left")
        refused(mdd([0, 0], [frame, frame]), "byte 12: the time of frame 1")
        refused(b"", "is empty")
        refused(pc2([frame]), f"{at}: bad.pc2 counts frames and knows no times: give \"dt\"", name="bad.pc2")
        refused(mdd([0], [frame]), f"{at}/dt: bad.mdd has times of its own", dt=0.1)
        refused(mdd([0], [frame]), f"{at}/cache: a cache and a curve or a velocity exclude each other", velocity=[1, 0, 0])
        refused(mdd([0], [frame]), f"{at}/cache: ", "vertex caches are .mdd or .pc2 files", name="bad.abc")
        scene = self.driven(speed=2)
        self.refuse(2, "check", self.write("s.json", scene), words=[f"{at}/speed: goes with a \"cache\""])
        scene = self.driven(cache="missing.mdd")
        self.refuse(2, "check", self.write("s.json", scene), words=[f"{at}/cache: ", "missing.mdd", "cannot be opened"])
        scene = self.driven(cache="bad.mdd")
        scene["bodies"][0] = box("beam", (0, 0, 0), 1, pin=[{"all": True, "motion": {"cache": "bad.mdd"}}])
        del scene["probes"]
        self.refuse(2, "check", self.write("s.json", scene), words=[f"{at}/cache: ", "is rigid"])
        scene = pliant_cli.beam(contact={"method": "barrier"}, obstacles=[
            {"name": "ball", "sphere": {"center": [0, 9, 0], "radius": 1}, "motion": {"cache": "bad.mdd"}}])
        self.refuse(2, "check", self.write("s.json", scene), words=["s.json#/obstacles/0/motion/cache: ", "\"mesh\""])


if __name__ == "__main__":
    pliant_cli.main()
