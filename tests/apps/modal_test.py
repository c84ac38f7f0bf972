"""Damping of single modes as a user meets it: it takes energy out with every integrator and in contact, it resumes, it
slows no spin, and what makes no sense is refused in words that name the place."""

import pliant_cli
from pliant_cli import ProgramTest, beam, history, summary

FLOOR = [{"name": "floor", "plane": {"point": [0, -1, 0], "normal": [0, 1, 0]}}]
CURVED = {"model": "modal", "ratio": [0.2, 0.3, 0.1], "knots": [[0, 1], [0.1, 2], [0.5, 0.5]]}


def modal(ratio=0.2, **keys):
    return dict({"model": "modal", "ratio": ratio}, **keys)


class Modal(ProgramTest):
    def rows(self, damping, **changes):
        scene = beam(**dict({"cells": [3, 1, 1], "steps": 30, "damping": damping, "integrator": "trbdf2"}, **changes))
        return history(self.run_scene(scene))

    def test_it_takes_energy_out_with_every_kind_of_integrator(self):
        for integrator in ("be", "si", "bdf2", "sdirk2", "newmark", "generalized-alpha", "ros3pl", "ere", "siere", "rk4"):
            with self.subTest(integrator=integrator):
                changes = {"integrator": integrator, "dt": 0.002 if integrator == "rk4" else 0.01}
                free = self.rows([], **changes)[-1]["total"]
                for damping in (modal(), CURVED):
                    self.assertLess(self.rows([damping], **changes)[-1]["total"], free - 1)

    def test_solvers_find_the_same_motion(self):
        ends = []
        for solver in ({"reuse": False}, {"reuse": True}, {"linear": "pcg"}):
            solver["tolerance"] = 1e-8
            ends.append(self.rows([CURVED, {"model": "strain-rate", "psi": 50}], solver=solver)[-1]["tip.y"])
        self.assertLess(max(ends) - min(ends), 1e-6)
        linear = self.rows([CURVED], solver={"type": "linear"}, integrator="be")
        self.assertLess(linear[-1]["total"], linear[0]["total"])

    def test_a_damped_body_lands_and_comes_to_rest_sooner(self):
        for method in ("barrier", "qp"):
            left = []
            for damping in ([], [modal(0.5, modes=12)]):
                rows = self.rows(damping, pin=[], steps=60, obstacles=FLOOR, integrator="be" if method == "qp" else "trbdf2",
                                 contact={"method": method})
                if method == "barrier":
                    self.assertGreater(min(row["min_gap"] for row in rows if row["min_gap"] is not None), 0)
                left.append(rows[-1]["total"])
            self.assertLess(left[1], left[0], method)

    def test_spin_and_flight_go_on(self):
        scene = beam(pin=[], steps=100, gravity=[0, 0, 0], integrator="midpoint", damping=[modal(0.5)],
                     solver={"tolerance": 1e-9})
        scene["bodies"][0]["initial"] = {"velocity": [2, 0, 1], "angular_velocity": [0.3, 2, 0]}
        rows = history(self.run_scene(scene))
        for kind in "pl":  # of the midpoint rule, to the tolerance of the solver
            size = max(abs(rows[0][kind + axis]) for axis in "xyz")
            for axis in "xyz":
                self.assertAlmostEqual(rows[-1][kind + axis], rows[0][kind + axis], delta=1e-6 * size, msg=kind + axis)
        # What is lost is the swinging that begins as the body is stretched.
        self.assertGreater(rows[-1]["kinetic"], 0.9 * rows[0]["kinetic"])

    def test_a_resumed_run_is_the_same_to_the_last_bit(self):
        held = {"plane": {"point": [-1.999, 0, 0], "normal": [-1, 0, 0]}}
        for pin in ([held], [dict(held, until=0.125)], [dict(held, motion={"angular_velocity": [1, 0, 0]})], []):
            scene = beam(pin=pin, steps=20, damping=[CURVED], integrator="trbdf2", output_dt=0.1)
            whole = summary(self.run_scene(scene, out="whole"))
            self.write("scene.json", scene)
            self.succeed("run", "scene.json", "--out", "parts", "--force", "--set", "time.duration=0.1")
            self.succeed("run", "scene.json", "--out", "parts", "--resume")
            self.assertEqual(summary(self.path("parts"))["state_hash"], whole["state_hash"], pin)

    def refuse_damping(self, damping, *words, **changes):
        path = self.write("scene.json", beam(**dict({"damping": [damping]}, **changes)))
        self.refuse(2, "run", path, "--out", "refused", "--force", words=("/bodies/0/damping/0", *words))

    def test_wrong_numbers_are_refused_by_name(self):
        self.refuse_damping(modal(modes=0), "/modes", "0")
        self.refuse_damping(modal(-0.1), "/ratio", "-0.1")
        self.refuse_damping(modal([0.1, -0.2]), "/ratio/1", "-0.2")
        self.refuse_damping(modal([0.1, 0.2], modes=3), "/ratio", "one for all modes or 3, one for each, got 2")
        self.refuse_damping(modal(modes=100), "/modes", "100 are wanted, the body has 48 that deform it")
        self.refuse_damping(modal(knots=[[0, 1], [0, 2]]), "/knots", "rise")
        self.refuse_damping(modal(knots=[[0, 1], [1, -2]]), "/knots", "negative")
        self.refuse_damping(modal(knots=[[-1, 1], [1, 2]]), "/knots", "an amplitude has no sign")
        self.refuse_damping({"model": "modal"}, "ratio")

    def test_what_it_does_not_go_with_is_said(self):
        self.refuse_damping(modal(), "solver admm and \"modal\" damping do not go together", solver={"type": "admm"})
        self.refuse_damping(modal(), "constraints and \"modal\" damping do not go together",
                            constraints=[{"type": "distance", "between": ["beam", [2, 0, 0], "world", [2, 2, 0]]}])
        self.refuse_damping(modal(), "\"unilateral\" and \"modal\" damping do not go together", obstacles=FLOOR,
                            contact={"method": "unilateral"})
        coarse = beam(damping=[modal()])
        coarse["bodies"][0]["coarsen"] = {"ratios": [0.9, 0.8]}
        self.refuse_scene(2, coarse, ("/bodies/0/damping/0", "eigenfit changes; dac goes with it"))
        rigid = beam(damping=[modal()])
        rigid["bodies"][0].update({"type": "rigid", "density": 100})
        del rigid["bodies"][0]["material"], rigid["bodies"][0]["pin"]
        self.refuse_scene(2, rigid, ("/bodies/0/damping/0", "a rigid body has no strain"))
        beside = beam(damping=[modal()])
        beside["bodies"].append({"name": "block", "type": "rigid", "density": 100, "formulation": "se3",
                                 "mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}},
                                 "transform": {"translate": [0, 5, 0]}})
        self.refuse_scene(2, beside, ("\"modal\" damping", "se3", "affine"))
        frames = beam(damping=[modal()], pin=[])
        frames["bodies"][0].update({"type": "frames", "frames": 3})
        self.refuse_scene(2, frames, ("/bodies/0/damping/0", "bodies on frames"))
        cloth = {"name": "sheet", "type": "cloth", "material": "jelly", "thickness": 1e-3,
                 "mesh": {"sheet": {"size": [1, 1], "cells": [2, 2]}}, "damping": [modal()]}
        self.refuse_scene(2, dict(beam(), bodies=[cloth], probes=[]), ("/bodies/0/damping/0", "solids alone"))


if __name__ == "__main__":
    pliant_cli.main()
