"""The same problem in other units gives the same trajectory: lengths and
gravity × s and Young's modulus × s² at the same density leave times as they are."""

import pliant_cli
from pliant_cli import beam, history, probe


def scaled(s, **changes):
    curve = [[0, 0, 0, 0], [0.1, 0, 0.2 * s, 0.1 * s]]
    pin = [{"plane": {"point": [-1.999 * s, 0, 0], "normal": [-1, 0, 0]}},
           {"plane": {"point": [1.999 * s, 0, 0], "normal": [1, 0, 0]},
            "motion": {"curve": curve}, "until": 0.06}]
    scene = beam(cells=[8, 2, 2], dt=0.01, steps=15, pin=pin, gravity=[0, -9.81 * s, 0],
                 young=1e5 * s * s, **changes)
    scene["bodies"][0]["mesh"]["box"]["size"] = [4 * s, s, s]
    scene["probes"][0]["point"] = [2 * s, 0.5 * s, 0.5 * s]
    return scene


class Scale(pliant_cli.ProgramTest):
    def check(self, **changes):
        wanted = history(self.run_scene(scaled(1.0, **changes)))
        self.assertGreater(abs(probe(wanted[-1])[1] - 0.5), 0.05)
        for s in (1e-6, 1e6):
            rows = history(self.run_scene(scaled(s, **changes)))
            self.assertEqual(len(rows), len(wanted))
            for row, one in zip(rows, wanted):
                for a, b in zip(probe(row), probe(one)):
                    self.assertAlmostEqual(a / s, b, delta=1e-6)
                for key in ("kinetic", "elastic", "external"):  # J: ρ L³ (L/T)²
                    self.assertAlmostEqual(row[key] / s**5, one[key],
                                           delta=1e-4 * (1 + abs(one[key])))
                self.assertAlmostEqual(row["min_det"], one["min_det"], delta=1e-6)

    def test_be(self):
        self.check(integrator="be")

    def test_sdirk2_with_damping_and_cholesky(self):
        self.check(integrator="sdirk2", solver={"linear": "cholesky"},
                   damping=[{"model": "rayleigh", "alpha": 0.1, "beta": 1e-3}])

    def test_esdirk43_with_pcg(self):
        self.check(integrator="esdirk43", solver={"linear": "pcg"})

    def test_hexahedra(self):
        self.check(integrator="trbdf2", element="hex8")

    def test_laws_with_their_own_checks(self):
        for model in ("neo-hookean", "fixed-corotated", "stvk"):
            self.check(integrator="be", model=model)


class StaticScale(pliant_cli.ProgramTest):
    def sag(self, s):
        scene = scaled(s)
        scene["bodies"][0]["pin"].pop()
        self.write("scene.json", scene)
        self.succeed("static", "scene.json", "--out", "result", "--force", "--quiet")
        return [x / s for x in probe(history(self.path("result"))[-1])]

    def test_statics(self):
        wanted = self.sag(1.0)
        self.assertLess(wanted[1], 0.4)
        for s in (1e-6, 1e6):
            for a, b in zip(self.sag(s), wanted):
                self.assertAlmostEqual(a, b, delta=1e-6)


if __name__ == "__main__":
    pliant_cli.main()
