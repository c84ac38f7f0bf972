"""Pliant, an engine for deformable solids: scenes from code, stepped or run, with what Python adds.

    import pliant
    simulation = pliant.Simulation("scenes/clamped-beam.json")
    simulation.advance(0.5)
    print(simulation.positions.min(axis=0), simulation.energies())
"""

from . import _pliant
from ._pliant import Body, Moment, ObjectivePoint, Report, Results, State, __version__, build_options, schema, versions
from .custom import Force, Material, Potential
from .errors import Error, InfeasibleStart, InputError, StepFailed, WriteError
from .gradient import Gradient, Track, gradient, objective_value
from .scene import Scene
from .simulation import Simulation, run, static


def integrators():
    """Names and one line each, like `pliant list integrators`; so for the lists below."""
    return _pliant.lists()["integrators"]


def materials():
    return _pliant.lists()["materials"]


def damping():
    return _pliant.lists()["damping"]


def contact_methods():
    return _pliant.lists()["contact"]


def solvers():
    return _pliant.lists()["solvers"]


def linear_solvers():
    return _pliant.lists()["linear-solvers"]


def body_types():
    return _pliant.lists()["bodies"]


def mesh_formats():
    return _pliant.lists()["mesh-formats"]


def export_formats():
    return _pliant.lists()["exports"]
