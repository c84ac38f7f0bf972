"""The same scene gives the same bits with any number of threads."""

import pliant_cli
from pliant_cli import beam, history, lasting_history, summary

CELLS = [24, 6, 6]  # 4320 tetrahedra or 864 hexahedra: several blocks of the parallel loops


class Threads(pliant_cli.ProgramTest):
    def check(self, **changes):
        last = self.compare(beam(cells=CELLS, **changes))
        self.assertGreater(last["kinetic"], 0)
        self.assertGreater(last["elastic"], 0)

    def compare(self, scene):
        """The last row of the history, which is the same with one, two and eight threads."""
        wanted = None
        for threads in (1, 2, 8):
            folder = self.run_scene(scene, "--threads", threads)
            got = lasting_history(folder), summary(folder)["state_hash"]
            self.assertEqual(summary(folder)["threads"], threads)
            wanted = wanted or got
            self.assertEqual(got, wanted, f"{threads} threads")
        return history(folder)[-1]

    def solver(self, linear):
        return {"linear": linear}

    def test_tet4_be_auto(self):
        self.check(integrator="be", steps=4)

    def test_tet4_be_auto_that_turns_to_cholesky(self):
        self.check(integrator="be", solver=self.solver("auto"), young=1e9, dt=0.05, steps=3)

    def test_tet4_sdirk2_cholesky(self):
        self.check(integrator="sdirk2", solver=self.solver("cholesky"), steps=2)

    def test_tet4_esdirk43_pcg(self):
        self.check(integrator="esdirk43", solver=self.solver("pcg"), steps=2)

    def test_tet4_rk4(self):
        self.check(integrator="rk4", dt=2e-4, steps=4)

    def test_tet4_with_damping_wind_and_pressure(self):
        self.check(integrator="sdirk2", steps=2,
                   damping=[{"model": "rayleigh", "alpha": 0.1, "beta": 1e-3}],
                   forces=[{"wind": {"velocity": [0, 0, 5]}},
                           {"pressure": {"body": "beam", "all": True, "value": 100}}])

    def falls(self, method):
        """Tilted, over the floor, against which it comes to rub."""
        scene = beam(cells=[16, 4, 4], pin=[], integrator="sdirk2", probes=[], steps=8)
        scene["bodies"][0].update(transform={"rotate": [0, 0, 10], "translate": [0, 0.87, 0]},
                                  initial={"velocity": [1, -2, 0]})
        return dict(scene, contact={"method": method, "friction": 0.4, "distance": 0.01},
                    obstacles=[{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}])

    def test_contact_by_barrier_with_friction(self):
        self.assertGreater(self.compare(self.falls("barrier"))["contacts"], 0)

    def test_contact_by_correction_with_friction(self):
        self.assertGreater(self.compare(self.falls("qp"))["contacts"], 0)

    def test_local_global_with_damping_contact_and_friction(self):
        scene = self.falls("admm")
        scene["contact"]["self"] = False
        scene["solver"] = {"type": "admm", "iterations": 10}
        scene["bodies"][0]["damping"] = [{"model": "strain-rate", "psi": 20}]
        row = self.compare(scene)
        self.assertGreater(row["contacts"], 0)
        self.assertGreater(row["linear"], 0)

    def test_tet10_be_auto(self):
        self.check(element="tet10", integrator="be", steps=1)

    def test_hex8_be_pcg(self):
        self.check(element="hex8", integrator="be", solver=self.solver("pcg"), steps=3)

    def test_hex8_sdirk2_auto(self):
        self.check(element="hex8", integrator="sdirk2", steps=2)

    def test_hex8_esdirk43_cholesky(self):
        self.check(element="hex8", integrator="esdirk43", solver=self.solver("cholesky"), steps=1)

    def test_hex8_rk4(self):
        self.check(element="hex8", integrator="rk4", dt=2e-4, steps=4)


if __name__ == "__main__":
    pliant_cli.main()
