"""The commands a user types, and the answers to mistyped ones."""

import json
import math
import os
import re

import pliant_cli
from pliant_cli import beam, history_rows

INTEGRATORS = """be si sdirk2 sdirk3 trbdf2 trbdf2b ncs23 nc34 sdirk3345 sdirk4347 esdirk32 esdirk43
    symplectic-euler verlet rk4""".split()
MATERIALS = """linear corotated fixed-corotated stvk neo-hookean stable-neo-hookean mooney-rivlin
    arap spline orthotropic strain-limited""".split()

SHAPES = {
    "box": ("size=[2,1,1]", "cells=[2,1,1]"),
    "sphere": ("radius=1", "size=0.7"),
    "cylinder": ("radius=1", "length=2", "size=0.7"),
    "capsule": ("radius=1", "length=2", "size=0.7"),
    "torus": ("radius=2", "tube=0.7", "size=0.7"),
}


class Commands(pliant_cli.ProgramTest):
    def test_help_and_version(self):
        self.assertRegex(self.succeed("--version").out, r"^\d+\.\d+\.\d+\n$")
        text = self.succeed("--help").out
        for command in ("run", "static", "check", "schema", "list", "mesh", "doctor"):
            self.assertIn(command, text)
            self.assertIn("Usage", self.succeed(command, "--help").out)
        self.assertEqual(self.succeed().out, text)

    def test_unknown_commands_get_a_suggestion(self):
        self.refuse(2, "rum", "scene.json", words=['"rum"', 'did you mean "run"'])
        self.refuse(2, "frobnicate", words=['"frobnicate"', "run", "static", "mesh"])

    def test_wrong_options_are_named_with_the_nearest(self):
        for line, words in (
                ("run scene.json --thread 2", ['run: unknown option "--thread"',
                                               'did you mean "--threads"?']),
                ("run --sett a=1 scene.json", ['unknown option "--sett"', 'did you mean "--set"?']),
                ("check scene.json --qqqqqqqq", ['"--qqqqqqqq"', "known: --help, --set"]),
                ("mesh fill a.off --sise=1 -o b.msh", ["mesh fill", 'did you mean "--size"?']),
                ("run a.json b.json", ['unexpected argument "b.json"']),
                ("run", ["run: scene is required", "`pliant run --help`"]),
                ("mesh", ["mesh: needs one of make, fill, convert, info"]),
                ("mesh infoo a.msh", ["mesh: needs one of make, fill, convert, info"]),
                ("run scene.json --out", ["--out needs a value"]),
                ("mesh fill a.off -o b.msh --size x", ['--size must be a number, got "x"']),
                ("run a.json --threads 0", ["--threads", "1 to 1024"]),
                ("--nonsense", ['unknown option "--nonsense"'])):
            outcome = self.refuse(2, *line.split(), words=words)
            self.assertTrue(outcome.err.startswith("pliant: "), outcome)
            self.assertEqual(outcome.out, "")
            self.assertEqual(outcome.err.count("\n"), 1)

    def test_schema_is_json(self):
        schema = json.loads(self.succeed("schema").out)
        self.assertEqual(schema["type"], "object")
        self.assertIn("bodies", schema["required"])
        self.assertIn("time", schema["properties"])
        self.assertFalse(schema["additionalProperties"])

    def test_list_names_all_there_is(self):
        everything = self.succeed("list").out
        titles = re.findall(r"^(\S+)$", everything, re.MULTILINE)
        for title in ("integrators", "materials", "damping", "contact", "solvers"):
            self.assertIn(title, titles)
        names = {}
        for title in titles:
            section = self.succeed("list", title).out
            self.assertIn(section, everything)
            rows = section.splitlines()[2 if title == "integrators" else 1:]  # a table has a header
            names[title] = [row.split()[0] for row in rows if row]
            self.assertGreater(len(names[title]), 0, section)
        self.assertLessEqual(set(INTEGRATORS), set(names["integrators"]))
        self.assertEqual(set(MATERIALS), set(names["materials"]))
        self.refuse(2, "list", "integrator", words=['did you mean "integrators"'])

    def test_every_listed_integrator_and_material_runs(self):
        for integrator in INTEGRATORS:
            folder = self.run_scene(beam(integrator=integrator, dt=5e-4, steps=2))
            self.assertEqual(history_rows(folder), 2)
        moduli = {"mooney-rivlin": {"c10": 1e4, "c01": 1e3, "bulk": 1e6},
                  "orthotropic": {"young": [1e5, 2e5, 1e5], "poisson": [0.3, 0.3, 0.3],
                                  "shear": [5e4, 5e4, 5e4]}}
        for model in MATERIALS:
            if model == "strain-limited":  # of cloth alone: thin_test.py
                continue
            material = {"model": model, **moduli.get(model, {"young": 1e5, "poisson": 0.3})}
            folder = self.run_scene(beam(materials={"jelly": material}, steps=2))
            self.assertEqual(history_rows(folder), 2)

    def test_check_says_what_a_scene_holds(self):
        scene = self.write("scene.json", beam(steps=7))
        text = self.succeed("check", scene).out
        for word in ("fine", "beam", "20 nodes", "7 steps", "4000 kg"):
            self.assertIn(word, text)
        self.assertEqual(os.listdir(self.folder), ["scene.json"])

    def test_comments_are_allowed_in_scenes(self):
        self.write("scene.json", "// a beam\n" + json.dumps(beam(), indent=1).replace(
            '"time"', '/* steps */ "time"'))
        self.succeed("check", "scene.json")


class Collisions(pliant_cli.ProgramTest):
    def queries(self, x, flag):
        """A point falls from 1 to -1 at x/4, 1/4 through a triangle at rest, or beside it."""
        rows = []
        for y in (1, -1):
            rows += [f"{x},4,{y},1,1,4,{flag}", f"0,1,0,1,0,1,{flag}", f"1,1,0,1,0,1,{flag}", f"0,1,0,1,1,1,{flag}"]
        return "\n".join(rows) + "\n"

    def test_queries_are_scored(self):
        path = self.write("queries.csv", self.queries(1, 1) + self.queries(9, 0))
        score = json.loads(self.succeed("ccd", path, "--kind", "vf", "--json").out)
        self.assertEqual((score["queries"], score["collisions"], score["false_negatives"]), (2, 1, 0))
        self.assertIn("0 false negatives", self.succeed("ccd", path, "--kind", "vf").out)

    def test_a_missed_collision_is_a_failure(self):
        path = self.write("queries.csv", self.queries(9, 1))
        self.refuse(4, "ccd", path, "--kind", "vf", words=["1 of 1 collisions were missed"])

    def test_mistakes_are_named(self):
        path = self.write("queries.csv", self.queries(1, 1))
        self.refuse(2, "ccd", path, "--kind", "fv", words=["--kind", "vf", "ee", '"fv"'])
        self.refuse(2, "ccd", self.path("nowhere.csv"), "--kind", "vf", words=["nowhere.csv"])
        self.refuse(2, "ccd", self.write("short.csv", "1,1,0,1,0,1,1\n"), "--kind", "ee", words=["short.csv"])


class Doctor(pliant_cli.ProgramTest):
    def test_a_sound_build_passes_its_self_test(self):
        os.mkdir(self.path("tmp"))
        os.environ["TMPDIR"] = self.path("tmp")
        self.addCleanup(os.environ.pop, "TMPDIR")
        text = self.succeed("doctor").out
        for word in ("pliant", "compiler", "blas", "libcholmod", "PLIANT_CGAL", "PLIANT_VIEWER", "threads", "scenes", "ffmpeg"):
            self.assertRegex(text, rf"(?m)^ *{word}\b +\S")
        for check in ("equilibrium", "energy", "contact", "constraints", "threads", "meshing", "drawing", "writing"):
            self.assertRegex(text, rf"(?m)^ +ok +{check}: ")
        self.assertEqual(text.splitlines()[-1], "everything works")
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_a_machine_that_cannot_write_fails_it(self):
        os.environ["TMPDIR"] = self.path("no", "such", "folder")
        self.addCleanup(os.environ.pop, "TMPDIR")
        outcome = self.pliant("doctor")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertRegex(outcome.out, r"(?m)^ +FAILED +writing: .*no/such/folder")
        self.assertRegex(outcome.out, r"(?m)^ +ok +energy: ")
        self.assertIn("1 of 8 checks failed", outcome.err)


class Settings(pliant_cli.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("scene.json", beam(steps=2))

    def resolved(self, *settings):
        arguments = [word for setting in settings for word in ("--set", setting)]
        self.succeed("run", "scene.json", "--force", "--quiet", "--out", "result", *arguments)
        with open(self.path("result", "scene.json")) as file:
            return json.load(file)

    def test_set_changes_the_scene(self):
        scene = self.resolved("integrator=sdirk2", "time.duration=0.03", "bodies.0.pin.0.axes=xy",
                              "bodies.0.mesh.box.cells=[2,1,1]", "gravity=[0,-1,0]")
        self.assertEqual(scene["integrator"], "sdirk2")
        self.assertEqual(scene["time"]["duration"], 0.03)
        self.assertEqual(scene["bodies"][0]["pin"][0]["axes"], "xy")
        self.assertEqual(scene["bodies"][0]["mesh"]["box"]["cells"], [2, 1, 1])
        self.assertEqual(scene["gravity"], [0, -1, 0])

    def test_the_resolved_scene_runs_alike(self):
        self.resolved()
        first = pliant_cli.lasting_history(self.path("result"))
        self.succeed("run", "result/scene.json", "--out", "again", "--quiet")
        self.assertEqual(pliant_cli.lasting_history(self.path("again")), first)

    def test_wrong_settings_are_refused(self):
        for setting, words in (("time.dtt=1", ["unknown key", 'did you mean "dt"']),
                               ("time.dt=-1", ["above 0", "-1"]),
                               ("time.dt=5ms", ["must be a number (s)", '"5ms"', "units"]),
                               ("gravity.1=down", ["must be a number (m/s²)"]),
                               ("gravity=[0,.1,0]", ["0.1, not .1"]),
                               ("bodies.7.name=x", ["numbered 0 to 0"]),
                               ("time", ["key.path=value"]),
                               ("=1", ["key.path=value"]),
                               ("materials.jelly.poisson=0.5", ["below 0.5"])):
            outcome = self.refuse(2, "run", "scene.json", "--set", setting, words=words)
            self.assertTrue(outcome.err.startswith(f"pliant: --set {setting}"), outcome)
            self.assertNotIn("scene.json", outcome.err)

    def test_mistakes_name_their_option_and_the_nearest_name(self):
        for setting, words in (
                ("integrator=sdirk", ['"sdirk"', "did you mean"]),
                ("bodies.0.material=jely", ['did you mean "jelly"']),
                ("probes.0.body=bean", ['did you mean "beam"']),
                ("probes.0.point=[9,9,9]", ["outside"]),
                ('bodies.0.point_masses=[{"point":[9,9,9],"mass":1}]',
                 ["outside"]),
                ('bodies.0.pin.0={"box":{"min":[8,8,8],"max":[9,9,9]}}',
                 ["selects no nodes"]),
                ("solver.linear=petsc", ["not yet"]),
                ("bodies.0.mesh.box.cells=[4,-1,1]", ["-1"]),
                ('bodies.0.mesh={"torus":{"radius":1,"tube":2,"size":0.5}}',
                 ["at /torus/tube", "below radius"])):
            outcome = self.refuse(2, "check", "scene.json", "--set", setting, words=words)
            self.assertTrue(outcome.err.startswith(f"pliant: --set {setting}"), outcome)

    def test_mistakes_above_a_setting_name_both(self):
        for setting, words in (
                ("bodies.0.mesh.box.cells=[9999,9999,9999]", ["#/bodies/0/mesh/box", "limit"]),
                ('bodies.0.mesh.file="a.msh"', ["#/bodies/0/mesh", "exclude each other"])):
            self.refuse(2, "check", "scene.json", "--set", setting,
                        words=["scene.json", f", with --set {setting}: ", *words])

    def test_mistakes_of_the_file_name_the_file_and_the_place(self):
        scene = self.write("wrong.json", beam(integrator="bee", gravity=[0, 1]))
        outcome = self.refuse(2, "check", scene, "--set", "time.dt=-1",
                              words=["wrong.json#/integrator: ", "wrong.json#/gravity: "])
        self.assertIn("--set time.dt=-1: ", outcome.err)

    def test_items_of_lists_that_are_not_written_start_from_the_default(self):
        scene = self.resolved("gravity.1=-1", "bodies.0.initial.velocity.0=.5",
                              "bodies.0.initial.angular_velocity.2=+2")
        self.assertEqual(scene["gravity"], [0, -1, 0])
        self.assertEqual(scene["bodies"][0]["initial"]["velocity"], [0.5, 0, 0])
        self.assertEqual(scene["bodies"][0]["initial"]["angular_velocity"], [0, 0, 2])

    def test_every_mistake_is_said(self):
        self.refuse(2, "check", "scene.json", "--set", "time.dt=-1", "--set", "integrator=bee",
                    words=["--set time.dt=-1: ", "--set integrator=bee: "])


class Meshes(pliant_cli.ProgramTest):
    def count(self, name):
        return int(re.search(r"points +(\d+)", self.succeed("mesh", "info", name).out).group(1))

    def test_solid_shapes_are_made_and_inspected(self):
        for shape, settings in SHAPES.items():
            self.succeed("mesh", "make", shape, *settings, "-o", f"{shape}.msh")
            text = self.succeed("mesh", "info", f"{shape}.msh").out
            self.assertIn("tet4", text)
            self.assertRegex(text, r"measure +[1-9]")
            self.succeed("mesh", "make", shape, *settings, "element=hex8", "-o", "hex.msh")
            self.assertIn("hex8", self.succeed("mesh", "info", "hex.msh").out)
            self.succeed("mesh", "make", shape, *settings, "--tet10", "-o", "quadratic.msh")
            self.assertIn("tet10", self.succeed("mesh", "info", "quadratic.msh").out)

    def test_sheets_and_cables_are_made(self):
        self.succeed("mesh", "make", "sheet", "size=[1,2]", "cells=[2,4]", "-o", "a.msh")
        self.assertIn("tri3", self.succeed("mesh", "info", "a.msh").out)
        self.succeed("mesh", "make", "sheet", "size=[1,2]", "cells=[2,4]", "element=quad4",
                     "-o", "b.msh")
        self.assertRegex(self.succeed("mesh", "info", "b.msh").out, "quad4 +8\n")
        self.succeed("mesh", "make", "cable", "from=[0,0,0]", "to=[3,0,4]", "segments=5",
                     "-o", "c.msh")
        self.assertRegex(self.succeed("mesh", "info", "c.msh").out, "measure +5 m\n")

    def test_wrong_shapes_are_refused(self):
        ends = ("from=[0,0,0]", "to=[1,0,0]")
        for word, shape in (
                ('did you mean "box"', ["boxx"]),
                ("cells", ["box", "size=[1,1,1]"]),
                ("cells", ["box", "size=[1,1,1]", "cells=[1e9,1,1]"]),
                ("cells", ["sheet", "size=[1,1]", "cells=[1e300,1]"]),
                ("cells", ["sheet", "size=[1,1]", "cells=[1.5,1]"]),
                ("element", ["sheet", "size=[1,1]", "cells=[1,1]", "element=7"]),
                ("segments", ["cable", *ends, "segments=1e12"]),
                ("segments", ["cable", *ends, "segments=99999999999"]),
                ("segments", ["cable", *ends, "segments=many"])):
            self.refuse(2, "mesh", "make", *shape, "-o", "a.msh", words=[word])
        self.refuse(2, "mesh", "make", "box", *SHAPES["box"], "-o", "a.xyz", words=[".xyz"])
        self.refuse(2, "mesh", "convert", "none.msh", "-o", "a.vtu", words=["none.msh"])
        self.refuse(2, "mesh")
        self.assertEqual(os.listdir(self.folder), [])

    def test_converting_keeps_the_mesh(self):
        self.succeed("mesh", "make", "box", *SHAPES["box"], "-o", "box.msh")
        self.succeed("mesh", "make", "sheet", "size=[1,1]", "cells=[2,2]", "-o", "sheet.msh")
        for source, endings in (("box", ("msh", "mesh", "vtu", "vtk")),
                                ("sheet", ("msh", "vtu", "vtk", "off", "obj", "stl", "ply"))):
            text = self.succeed("mesh", "info", f"{source}.msh").out
            for ending in endings:
                for flags in ((), ("--ascii",)):
                    name = f"copy.{ending}"
                    self.succeed("mesh", "convert", f"{source}.msh", "-o", name, *flags)
                    self.assertEqual(self.succeed("mesh", "info", name).out, text, name)

    def test_a_node_set_taken_for_a_region_is_said(self):
        # $PhysicalNames of dimension 0 are node sets, of dimension 3 regions.
        self.write("tet.msh", """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
0 1 "foot"
3 2 "flesh"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
2
1 15 2 1 1 1
2 4 2 2 2 1 2 3 4
$EndElements
""")
        scene = beam(pin=[{"region": "foot"}], probes=[])
        scene["bodies"][0]["mesh"] = {"file": "tet.msh"}
        self.write("scene.json", scene)
        self.refuse(2, "check", "scene.json", words=["#/bodies/0/pin/0", '"node_set"'])
        scene["bodies"][0]["pin"] = [{"node_set": "flesh"}]
        self.write("scene.json", scene)
        self.refuse(2, "check", "scene.json", words=["#/bodies/0/pin/0", '"region"'])
        scene["bodies"][0]["pin"] = [{"node_set": "foot"}, {"region": "flesh", "axes": "y"}]
        self.write("scene.json", scene)
        self.succeed("check", "scene.json")

    def test_a_coarse_ball_is_said_to_be_lighter(self):
        for size, said in ((0.7, True), (0.1, False)):
            outcome = self.succeed("mesh", "make", "sphere", "radius=1", f"size={size}", "-o", "a.msh")
            self.assertEqual("% less than the exact sphere" in outcome.err, said, outcome)
        scene = beam(pin=[{"all": True}], probes=[])
        scene["bodies"][0]["mesh"] = {"cylinder": {"radius": 1, "length": 1, "size": 0.8}}
        self.write("scene.json", scene)
        outcome = self.succeed("check", "scene.json")
        # By the numbers that are printed: the share of the volume that the mesh lacks.
        lacking = float(re.search(r"([0-9.]+) % less than the exact cylinder", outcome.err).group(1))
        mass = float(re.search(r"([0-9.]+) kg", outcome.out).group(1))
        self.assertAlmostEqual(1 - mass / (1000 * math.pi), lacking / 100, delta=1e-3)

    def test_a_filled_surface_becomes_a_body(self):
        self.write("tetrahedron.off", "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                   "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n")
        self.succeed("mesh", "fill", "tetrahedron.off", "--tets", 100, "-o", "solid.msh")
        count = self.count("solid.msh")
        self.assertGreater(count, 20)
        scene = beam(steps=1, pin=[{"all": True}], probes=[])
        scene["bodies"][0]["mesh"] = {"file": "solid.msh"}
        self.run_scene(scene)
        scene["bodies"][0]["mesh"] = {"surface": "tetrahedron.off", "size": 0.3, "element": "tet10"}
        self.run_scene(scene)


class Files(pliant_cli.ProgramTest):
    def test_missing_files_are_named_as_written_and_as_resolved(self):
        for command in ("run", "static", "check"):
            self.refuse(2, command, "no/scene.json", words=["no/scene.json", self.folder])
        scene = beam()
        scene["bodies"][0]["mesh"] = {"file": "no.msh"}
        self.write("scene.json", scene)
        self.refuse(2, "check", "scene.json", words=["#/bodies/0/mesh/file", "no.msh", "does not exist"])

    def test_folders_and_devices_are_no_scenes(self):
        self.refuse(2, "run", ".", words=["folder"])
        self.refuse(2, "check", "/dev/null")
        scene = beam()
        scene["bodies"][0]["mesh"] = {"file": "folder.msh"}
        os.mkdir(self.path("folder.msh"))
        self.write("scene.json", scene)
        self.refuse(2, "check", "scene.json", words=["folder.msh"])

    def test_unreadable_files_are_said(self):
        path = self.write("scene.json", beam())
        os.chmod(path, 0)
        if os.geteuid() == 0:  # for whom nothing is unreadable, unless it is someone else who asks
            nobody = 65534
            os.chmod(self.folder, 0o755)
            outcome = self.pliant("check", path, before=lambda: os.setuid(nobody))
        else:
            outcome = self.pliant("check", path)
        self.assertEqual(outcome.status, 2, outcome)
        self.assertIn("scene.json", outcome.err)

    def test_missing_arguments_are_said(self):
        for line in ("run", "check", "static", "mesh info", "mesh convert a.msh",
                     "run a.json b.json", "run a.json --threads 0", "run a.json --threads x",
                     "run scene.json --out", "--nonsense"):
            self.refuse(2, *line.split())

    def test_results_go_to_out_and_the_scenes_name(self):
        self.write("scene.json", beam(steps=1))
        self.succeed("run", "scene.json", "--quiet")
        self.assertEqual(history_rows(self.path("out", "scene")), 1)
        self.succeed("run", "scene.json", "--quiet", "--set", "name=other")
        self.assertEqual(history_rows(self.path("out", "other")), 1)

    def test_the_last_line_says_how_it_ended(self):
        self.write("scene.json", beam(steps=1))
        last = self.succeed("run", "scene.json").out.splitlines()[-1]
        self.assertRegex(last, "^done: 1 steps?, 0.01 s")


if __name__ == "__main__":
    pliant_cli.main()
