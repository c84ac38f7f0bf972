"""What is legal and hardly meant gets a warning, and what usual scenes say does not."""

import json

import pliant_cli
from pliant_cli import beam, history, probe, summary

END = {"plane": {"point": [1.999, 0, 0], "normal": [1, 0, 0]}}
FLOOR = {"name": "floor", "plane": {"point": [0, -1, 0], "normal": [0, 1, 0]}}


class OddValues(pliant_cli.ProgramTest):
    def warnings(self, scene):
        return self.succeed("check", self.write("scene.json", scene)).err

    def test_usual_values_get_no_warning(self):
        self.assertEqual(self.warnings(beam(obstacles=[FLOOR], contact={"method": "barrier"})), "")

    def test_a_contact_distance_that_does_not_fit_the_sizes(self):
        for distance, words in ((2, "from afar"), (1e-10, "tiny steps")):
            said = self.warnings(beam(obstacles=[dict(FLOOR, plane={"point": [0, -4, 0], "normal": [0, 1, 0]})],
                                      contact={"method": "barrier", "distance": distance}))
            self.assertIn("scene.json#/contact/distance: ", said)
            self.assertIn(words, said)

    def test_a_body_that_its_own_weight_crushes(self):
        said = self.warnings(beam(young=5e3))  # 1 m of 1000 kg/m³ press with 9810 Pa
        self.assertIn('#/bodies/0: body "beam" collapses under its own weight', said)
        self.assertIn("9.81e+03 Pa", said)
        self.assertEqual(self.warnings(beam(young=5e3, gravity=[0, 0, 0])), "")
        self.assertEqual(self.warnings(beam(young=2e4)), "")

    def test_pins_that_move_the_same_nodes_in_different_ways(self):
        slide, turn = {"velocity": [0.1, 0, 0]}, {"curve": [[0, 0, 0, 0], [1, 0, 0.1, 0]]}
        pins = [dict(END, motion=slide), dict(END, motion=turn)]
        said = self.warnings(beam(pin=pins))
        self.assertIn('#/bodies/0/pin/1: moves 4 nodes of body "beam" otherwise than', said)
        self.assertIn("#/bodies/0/pin/0", said)
        for harmless in ([dict(END, motion=slide), dict(END, motion=slide)], [END, END],
                         [dict(END, motion=slide, axes="x"), dict(END, axes="yz")],
                         [dict(END, motion=slide, until=0.02), dict(END, **{"from": 0.02})]):
            self.assertEqual(self.warnings(beam(pin=harmless)), "")

    def test_displacements_count_from_the_start(self):
        curve = {"curve": [[0, 0.1, 0, 0], [1, 0.5, 0, 0]]}
        scene = beam(pin=[dict(END, motion=curve)], probes=[{"name": "tip", "body": "beam", "point": [2, 0.5, 0.5]}],
                     gravity=[0, 0, 0], dt=0.01, steps=10)
        self.assertIn("#/bodies/0/pin/0/motion/curve: is [0.1, 0, 0] at time 0", self.warnings(scene))
        folder = self.run_scene(scene)
        place = probe(history(folder)[-1])
        self.assertAlmostEqual(place[0], 2 + 0.04, delta=1e-12)
        self.assertIn("motion/curve", summary(folder)["notes"][0])
        said = self.warnings(beam(obstacles=[dict(FLOOR, motion={"curve": [[0, 0, -0.5, 0], [1, 0, -0.5, 0]]})],
                                  contact={"method": "barrier"}))
        self.assertIn("#/obstacles/0/motion/curve: is [0, -0.5, 0] at time 0", said)

    def test_a_probe_may_not_take_the_name_of_a_column(self):
        tendon = {"tendon": {"name": "pull", "path": [["beam", [2, 0, 0]], ["world", [3, 0, 0]]], "tension": 1}}
        scene = beam(forces=[tendon], probes=[{"name": "total", "tension_of": "pull"}])
        for command in ("check", "run"):
            self.refuse(2, command, self.write("scene.json", scene), words=["#/probes/0/name", '"total"'])
        scene["probes"][0]["name"] = "pull"
        self.succeed("check", self.write("scene.json", scene))

    def test_steps_by_a_tolerance_take_a_method_with_a_good_estimate(self):
        scene = beam(time={"dt": "auto", "duration": 0.05, "output_dt": 0.05})
        scene.pop("integrator", None)
        folder = self.run_scene(scene)
        with open(f"{folder}/scene.json") as file:
            self.assertEqual(json.load(file)["integrator"], "esdirk32")
        few = summary(folder)["steps"]
        self.assertLess(3 * few, summary(self.run_scene(dict(scene, integrator="sdirk2")))["steps"])
        tied = dict(scene, constraints=[{"type": "ball", "between": ["beam", [2, 0, 0], "world", [2, 0, 0]]}])
        with open(f"{self.run_scene(tied)}/scene.json") as file:
            self.assertEqual(json.load(file)["integrator"], "esdirk32")

    def test_names_of_other_programs_are_translated(self):
        path = self.write("scene.json", beam())
        for setting, ours in (("contact.method=ipc", "barrier"), ("integrator=backward-euler", "be"),
                              ("integrator=implicit-euler", "be"), ("integrator=crank-nicolson", "trapezoidal"),
                              ("integrator=leapfrog", "verlet"), ("materials.jelly.model=neohookean", "neo-hookean"),
                              ("materials.jelly.model=corotational", "corotated")):
            self.refuse(2, "check", path, "--set", setting, words=[f'did you mean "{ours}"?'])


if __name__ == "__main__":
    pliant_cli.main()
