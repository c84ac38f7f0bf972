"""Gradients: how an objective of a motion depends on numbers of its scene (docs/gradients.md)."""

import dataclasses
import math

from . import _pliant
from .errors import InputError
from .scene import Scene


class Track:
    """Where a probe of a point was seen, as a film has it: times (s) and places (m), one row each. What was
    not seen is nan. The objective is half the sum of the squares of the distances."""

    def __init__(self, probe, times, places):
        self.probe = str(probe)
        self.times = [float(t) for t in times]
        self.places = [[float(x) for x in place] for place in places]
        if len(self.times) != len(self.places) or not self.times:
            raise InputError(f"track of {self.probe!r}: as many times as places are needed, and at least one; "
                             f"got {len(self.times)} and {len(self.places)}")
        if not all(math.isfinite(t) for t in self.times):
            raise InputError(f"track of {self.probe!r}: a time is not finite")
        if any(len(place) != 3 for place in self.places):
            raise InputError(f"track of {self.probe!r}: places have three coordinates")


@dataclasses.dataclass
class Gradient:
    """What `gradient` finds. `by_q` and `by_v` are the derivatives by the state at the beginning."""

    value: float
    names: list
    parameters: list
    gradient: object
    by_q: object
    by_v: object
    steps: int

    def __getitem__(self, name):
        return float(self.gradient[self.names.index(name)])


def gradient(scene, parameters, objective, target=None):
    """The value of an objective and its derivatives by the numbers at these paths of the scene.

    `objective` is the column of a probe ("tip.y"), whose value at the end counts, or with `target` half the
    square of its distance to that; a Track; or a function of a point of the motion (step, steps, time, q, v)
    that returns None, or what the point adds and its derivatives: (value, by_q) or (value, by_q, by_v)."""
    names = _names(parameters)
    return Gradient(names=names, **_pliant.gradient(_prepared(scene), names, _said(objective, target)))


def objective_value(scene, objective, values=None, target=None):
    """The objective alone, with other numbers in the scene where `values` (path: number) says so."""
    values = dict(values or {})
    return _pliant.objective_value(_prepared(scene), _names(values), [float(x) for x in values.values()],
                                   _said(objective, target))


def _prepared(scene):
    return (scene if isinstance(scene, Scene) else
            Scene(scene) if isinstance(scene, dict) else Scene.load(scene))._prepared()


def _names(parameters):
    if isinstance(parameters, str):
        parameters = [parameters]
    names = list(parameters)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"parameters: a path such as \"materials.jelly.young\" is wanted, got a {type(name).__name__}")
    return names


def _said(objective, target):
    if isinstance(objective, str):
        return "probe", objective, None if target is None else float(target)
    if target is not None:
        raise InputError("target: goes with the column of a probe alone")
    if isinstance(objective, Track):
        return "track", objective.probe, objective.times, objective.places
    if callable(objective):
        return "function", objective
    raise InputError(f"objective: must be a column such as \"tip.y\", a Track or a function, got a {type(objective).__name__}")
