"""Damping as scenes say it: every model runs and takes energy out, and what makes no sense is
refused in words that name the place."""

import pliant_cli
from pliant_cli import ProgramTest, beam, history

BASES = [{"model": "strain-rate", "psi": 200, "phi": {"field": "100*(x > 0)"}},
         {"model": "rayleigh", "beta": 2e-3},
         {"model": "principal-strain", "beta": 2e-3}]


def models():
    yield {"model": "rayleigh", "beta": 2e-3}
    yield {"model": "rayleigh", "alpha": 1, "beta": {"field": "2e-3*(x < 0)"}, "implicit": True}
    yield {"model": "rayleigh", "beta": 2e-3, "implicit": True, "conserve_momentum": True,
           "momentum_form": "velocity-gradient", "second_order": True}
    yield BASES[0]
    yield dict(BASES[0], objective=True)
    yield BASES[2]
    for base in BASES:
        yield {"model": "power-law", "p": 0, "strength": 10, "base": base}
        yield {"model": "power-law", "p": 2, "strength": 10, "base": base}
        for over in ("strain", "rate"):
            yield {"model": "spline", "knots": [[0.5, 2], [1, 1], [2, 3]], "over": over,
                   "base": base}
    yield {"model": "spline", "knots": [[0.5, 2], [1, 1], [2, 3]], "over": "each-strain",
           "base": BASES[2]}
    yield {"model": "modal", "ratio": 0.2, "modes": 4}
    yield {"model": "modal", "ratio": [0.2, 0.1], "knots": [[0, 0], [0.1, 2]], "second_order": True}
    yield {"model": "drag", "drag": 2}


class Damping(ProgramTest):
    def total(self, damping):
        scene = beam(cells=[3, 1, 1], dt=0.02, steps=15, damping=damping, integrator="trbdf2")
        return history(self.run_scene(scene))[-1]["total"]

    def test_every_model_takes_energy_out(self):
        free = self.total([])
        for model in models():
            with self.subTest(model=model):
                self.assertLess(self.total([model]), free - 1)

    def refuse_damping(self, damping, *words):
        path = self.write("scene.json", beam(damping=[damping]))
        self.refuse(2, "check", path, words=("/bodies/0/damping/0", *words))

    def test_wrong_numbers_are_refused_by_name(self):
        power = {"model": "power-law", "p": 2, "strength": 1, "base": BASES[0]}
        spline = {"model": "spline", "knots": [[1, 0], [2, 1]], "base": BASES[0]}
        self.refuse_damping(dict(power, p=4.5), "/p", "4.5")
        self.refuse_damping(dict(power, p=-1), "/p", "-1")
        self.refuse_damping(dict(power, strength=-1), "/strength", "-1")
        self.refuse_damping(dict(power, base={"model": "strain-rate", "psi": -5}), "/base/psi", "-5")
        self.refuse_damping({"model": "rayleigh", "beta": -1}, "/beta", "-1")
        self.refuse_damping({"model": "drag", "drag": -1}, "/drag", "-1")
        self.refuse_damping(dict(spline, knots=[[1, 0], [1, 1]]), "/knots", "rise")
        self.refuse_damping(dict(spline, knots=[[1, 0], [2, -1]]), "/knots", "negative")
        self.refuse_damping(dict(spline, over="each-strain"), "/over", "principal-strain")
        self.refuse_damping({"model": "rayleigh", "beta": 1e-3, "conserve_momentum": True},
                            "/conserve_momentum", "implicit")

    def test_a_field_that_turns_negative_and_a_material_that_does_not_fit_are_refused(self):
        for damping, material, word in (
                ({"model": "strain-rate", "psi": {"field": "x"}}, "stvk", "psi"),
                ({"model": "principal-strain", "beta": 1e-3}, "linear", "principal")):
            path = self.write("scene.json", beam(damping=[damping], model=material))
            self.refuse(2, "run", path, "--out", "result", words=(word,))


if __name__ == "__main__":
    pliant_cli.main()
