"""Robots of URDF and MJCF files, imported and run: they move as theory has it."""

import json
import math
import os
import re

import pliant_cli

ROBOTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scenes", "robots")
BOX = "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision>"


def link(name, mass, centre=(0, 0, 0), moments=(0.01, 0.01, 0.01), more=""):
    place = " ".join(map(str, centre))
    i = dict(zip(("ixx", "iyy", "izz"), moments))
    return (f"<link name='{name}'><inertial><origin xyz='{place}'/><mass value='{mass}'/>"
            f"<inertia ixx='{i['ixx']}' iyy='{i['iyy']}' izz='{i['izz']}' ixy='0' ixz='0' iyz='0'/></inertial>{more}</link>")


def joint(kind, parent, child, more=""):
    return f"<joint name='{child} joint' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{more}</joint>"


def urdf(*parts):
    return "<robot name='r'><link name='world'/>" + "".join(parts) + "</robot>"


def mjcf(bodies, more="", option="timestep='0.005'"):
    return f"<mujoco><option {option}/><compiler angle='radian'/><worldbody>{bodies}</worldbody>{more}</mujoco>"


class Import(pliant_cli.ProgramTest):
    def rows(self, text, *arguments, seconds=2, options=()):
        self.write("robot.xml", text)
        self.outcome = self.succeed("import", "robot.xml", "-o", "robot.json", "--force", *options)
        self.succeed("check", "robot.json")
        self.succeed("run", "robot.json", "--set", f"time.duration={seconds}", "--out", "out", "--quiet", "--force", *arguments)
        return pliant_cli.history(self.path("out"))

    def place(self, row, name):
        return pliant_cli.probe(row, name)

    def period(self, rows, value):
        """Between the first and the last time that a value falls through zero."""
        ways = [(row["time"], value(row)) for row in rows]
        down = [t0 + (t1 - t0) * x0 / (x0 - x1) for (t0, x0), (t1, x1) in zip(ways, ways[1:]) if x0 > 0 >= x1]
        self.assertGreater(len(down), 1)
        return (down[-1] - down[0]) / (len(down) - 1)

    def test_a_compound_pendulum_of_a_urdf_has_its_period(self):
        # Its shape is a box at the hinge, its centre 0.4 m below: what swings is what <inertial> says.
        mass, below, moment, start = 3, 0.4, 0.05, 0.1
        text = urdf(link("bob", mass, (0, 0, -below), (0.04, moment, 0.03), BOX), "<link name='tip'/>",
                    joint("continuous", "world", "bob", f"<origin xyz='0 0 1' rpy='0 {start} 0'/><axis xyz='0 1 0'/>"),
                    joint("fixed", "bob", "tip", "<origin xyz='0 0 -1'/>"))
        rows = self.rows(text, seconds=5)
        first = self.place(rows[0], "tip")
        # A turn about y takes what hangs down towards −x; y is up here.
        for got, want in zip(first, (-math.sin(start), 1 - math.cos(start), 0)):
            self.assertAlmostEqual(got, want, delta=1e-9)
        period = 2 * math.pi * math.sqrt((moment + mass * below ** 2) / (mass * 9.81 * below)) * (1 + start ** 2 / 16)
        self.assertAlmostEqual(self.period(rows, lambda row: self.place(row, "tip")[0]), period, delta=1e-3 * period)

    def test_a_capsule_of_an_mjcf_has_its_period(self):
        r, length, start = 0.05, 0.6, 0.1
        text = mjcf(f"<body name='rod' pos='0 0 1' axisangle='1 0 0 {start}'><joint axis='1 0 0'/>"
                    f"<geom type='capsule' fromto='0 0 0 0 0 {-length}' size='{r}'/><site name='tip' pos='0 0 {-length}'/></body>")
        rows = self.rows(text, seconds=5)
        # Of density one: a cylinder and two half balls, about the upper end of the axis.
        cylinder, ball = math.pi * r ** 2 * length, 4 / 3 * math.pi * r ** 3
        moment = cylinder * (r ** 2 / 4 + length ** 2 / 3)
        half, own = ball / 2, 83 / 320 * r ** 2
        for centre in (3 * r / 8, -(length + 3 * r / 8)):
            moment += half * (own + centre ** 2)
        weight = 9.81 * (cylinder + ball) * length / 2
        period = 2 * math.pi * math.sqrt(moment / weight) * (1 + start ** 2 / 16)
        self.assertAlmostEqual(self.period(rows, lambda row: -self.place(row, "tip")[2]), period, delta=1e-3 * period)

    def test_three_hinges_in_one_place_are_as_good_as_a_ball(self):
        def ends(joints):
            rows = self.rows(mjcf(f"<body name='a' pos='0 0 1' axisangle='1 0.5 0 0.4'>{joints}<geom type='box' size='0.05 0.1 0.2' pos='0 0 -0.5'/>"
                                  "<site name='tip' pos='0 0.1 -0.5'/></body>"), seconds=1)
            return self.place(rows[0], "tip"), self.place(rows[-1], "tip")
        start, three = ends("".join(f"<joint name='{a}' axis='{b}'/>" for a, b in zip("xyz", ("1 0 0", "0 1 0", "0 0 1"))))
        _, ball = ends("<joint type='ball'/>")
        self.assertLess(math.dist(three, ball), 5e-3)
        self.assertGreater(math.dist(three, start), 0.05)

    def test_limits_stop_joints_on_the_right_side(self):
        # Horizontal, it falls; a turn about −y lowers what points along x.
        for axis, limits, wanted in (("0 1 0", "lower='-2' upper='0.5'", 0.5), ("0 -1 0", "lower='-0.7' upper='2'", 0.7)):
            text = urdf(link("bar", 1, (0.5, 0, 0)), "<link name='tip'/>",
                        joint("revolute", "world", "bar", f"<axis xyz='{axis}'/><limit {limits}/>"),
                        joint("fixed", "bar", "tip", "<origin xyz='1 0 0'/>"))
            x, y, _ = self.place(self.rows(text, "--set", "integrator=be", seconds=2)[-1], "tip")
            self.assertAlmostEqual(math.atan2(-y, x), wanted, delta=1e-6)
        text = urdf(link("cart", 1), joint("prismatic", "world", "cart", "<axis xyz='0 0 -1'/><limit lower='-1' upper='0.3'/>"))
        self.assertAlmostEqual(self.place(self.rows(text, "--set", "integrator=be", seconds=1)[-1], "cart")[1], -0.3, delta=1e-6)

    def test_damping_springs_and_actuators_act_as_said(self):
        # 2 kg on a vertical slide. A damper: it falls at m g/d in the end.
        def cart(attributes, more="", seconds=2.0, **options):
            return self.rows(mjcf(f"<body name='cart'><joint name='j' type='slide' axis='0 0 1' {attributes}/><geom size='0.1' mass='2'/></body>", more),
                             seconds=seconds, **options)
        rows = cart("damping='20'")
        fall = (self.place(rows[-1], "cart")[1] - self.place(rows[-11], "cart")[1]) / (rows[-1]["time"] - rows[-11]["time"])
        self.assertAlmostEqual(fall, -2 * 9.81 / 20, delta=1e-4)
        # A spring: it swings about m g/k below, with 2π √(m/k).
        rows = cart("stiffness='80'", seconds=3)
        period = self.period(rows, lambda row: self.place(row, "cart")[1] + 2 * 9.81 / 80)
        self.assertAlmostEqual(period, 2 * math.pi * math.sqrt(2 / 80), delta=1e-3 * period)
        # Both, on two motors: it comes to rest there.
        rows = cart("stiffness='80' damping='15'", seconds=4)
        self.assertAlmostEqual(self.place(rows[-1], "cart")[1], -2 * 9.81 / 80, delta=1e-4)
        # A position actuator holds within its force, and slips beyond it.
        holds = "<actuator><position joint='j' kp='1000' kv='50' forcerange='-30 30'/></actuator>"
        self.assertAlmostEqual(self.place(cart("", holds, 3.0)[-1], "cart")[1], -2 * 9.81 / 1000, delta=1e-4)
        weak = "<actuator><position joint='j' kp='1000' forcerange='-5 5'/></actuator>"
        fall = self.place(cart("", weak, 1.0)[-1], "cart")[1]
        # On the spring to where it gives 5 N, then with all that is left of the weight.
        way, omega = 5 / 1000, math.sqrt(1000 / 2)
        time = math.acos(1 - way * omega ** 2 / 9.81) / omega
        speed = 9.81 / omega * math.sin(omega * time)
        left = 1 - time
        self.assertAlmostEqual(fall, -(way + speed * left + 0.5 * (9.81 - 5 / 2) * left ** 2), delta=1e-3)

    def test_a_double_pendulum_keeps_its_energy(self):
        self.succeed("import", os.path.join(ROBOTS, "double-pendulum.urdf"), "-o", "p.json")
        self.succeed("run", "p.json", "--set", "time.dt=0.001", "--out", "out", "--quiet")
        rows = pliant_cli.history(self.path("out"))
        scale = max(row["kinetic"] for row in rows)
        self.assertGreater(scale, 5)
        self.assertLess(max(abs(row["total"] - rows[0]["total"]) for row in rows), 2e-3 * scale)

    def test_the_arm_falls_to_its_limits_on_its_base(self):
        outcome = self.succeed("import", os.path.join(ROBOTS, "arm.urdf"), "--fix-base", "-o", "arm.json")
        self.assertIn("mimic", outcome.err)
        self.assertIn("6 bodies", outcome.out)
        checked = self.succeed("check", "arm.json")
        masses = [float(found) for found in re.findall(r"([\d.e-]+) kg", checked.out)]
        self.assertAlmostEqual(sum(masses), 7.4, delta=1e-6)
        self.succeed("run", "arm.json", "--set", "time.duration=3", "--set", "integrator=be", "--out", "out", "--quiet")
        last = pliant_cli.history(self.path("out"))[-1]
        self.assertLess(last["kinetic"], 1e-3)

    def test_the_quadruped_stands_on_the_floor(self):
        self.succeed("import", os.path.join(ROBOTS, "quadruped.xml"), "-o", "q.json")
        self.succeed("run", "q.json", "--set", "time.duration=1", "--out", "out", "--quiet", timeout=250)
        rows = pliant_cli.history(self.path("out"))
        heights = [self.place(row, "torso")[1] for row in rows]
        self.assertGreater(min(heights), 0.3)
        self.assertLess(heights[-1], 0.45)
        self.assertGreater(min(row["min_gap"] for row in rows if row["min_gap"] is not None), 0)
        self.assertLess(rows[-1]["kinetic"], 0.1)

    def test_meshes_go_beside_the_scene_and_nothing_is_overwritten(self):
        self.write("part.stl", "solid t\n" + "".join(
            f"facet normal 0 0 0\nouter loop\n{''.join(f'vertex {v}{chr(10)}' for v in face)}endloop\nendfacet\n"
            for face in (("0 0 0", "0 1 0", "1 0 0"), ("0 0 0", "1 0 0", "0 0 1"), ("0 0 0", "0 0 1", "0 1 0"), ("1 0 0", "0 1 0", "0 0 1")))
            + "endsolid t\n")
        self.write("robot.urdf", "<robot name='r'><link name='a'><collision><geometry><mesh filename='part.stl'/></geometry></collision></link></robot>")
        os.mkdir(self.path("made"))
        self.succeed("import", "robot.urdf", "-o", "made/scene.json")
        self.assertTrue(os.path.exists(self.path("made", "scene_meshes", "a.obj")))
        self.succeed("run", "made/scene.json", "--set", "time.duration=0.02", "--out", "out", "--quiet")
        self.refuse(2, "import", "robot.urdf", "-o", "made/scene.json", words=["--force"])
        self.succeed("import", "robot.urdf", "-o", "made/scene.json", "--force")
        self.succeed("import", "robot.urdf")
        self.assertTrue(os.path.exists(self.path("robot.json")))

    def test_what_is_wrong_is_said_with_its_line(self):
        guarded = pliant_cli.guarded()
        self.write("bad.urdf", "<robot>\n<link name='a'>\n<inertial><mass value='-1'/></inertial></link></robot>")
        self.refuse(2, "import", "bad.urdf", words=["bad.urdf:3", "negative"], **guarded)
        self.assertFalse(os.path.exists(self.path("bad.json")))
        self.write("cut.urdf", "<robot>\n<link name='a'>\n<inertial>")
        self.refuse(2, "import", "cut.urdf", words=["cut.urdf:"], **guarded)
        self.write("bomb.xml", "<!DOCTYPE x [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>\n<mujoco>&b;</mujoco>")
        self.refuse(2, "import", "bomb.xml", words=["bomb.xml:1"], **guarded)
        self.refuse(2, "import", "none.urdf", words=["none.urdf", "no such file"], **guarded)
        self.refuse(2, "import", "/dev/zero", words=["/dev/zero"], **guarded)
        os.mkfifo(self.path("pipe.urdf"))
        self.refuse(2, "import", "pipe.urdf", words=["plain file"], **guarded)
        self.refuse(2, "import", "bad.urdf", "--contact", "some", words=["--contact"], **guarded)
        self.refuse(2, "imprt", "bad.urdf", words=["import"], **guarded)

    def test_an_arm_that_touches_nothing_has_no_contact(self):
        self.write("robot.urdf", urdf(link("a", 1), joint("continuous", "world", "a")))
        self.succeed("import", "robot.urdf", "-o", "s.json")
        with open(self.path("s.json")) as file:
            scene = json.loads("".join(line for line in file if not line.startswith("//")))
        self.assertEqual(scene["contact"], {"method": "none"})


if __name__ == "__main__":
    pliant_cli.main()
