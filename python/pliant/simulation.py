"""A scene that is stepped from Python."""

import os

from . import _pliant
from .errors import InputError
from .scene import Scene


def _scene(scene):
    if isinstance(scene, (str, os.PathLike)):
        return Scene.load(scene)
    return scene if isinstance(scene, Scene) else Scene(scene)


def _sparse(matrix, columns, dense, name):
    if dense and columns[0].shape[1] > 0:
        raise InputError(f"a part of the {name} is dense, that of \"eigenfit\": {name}_operator() applies all of it, "
                         f"{name}(dense=False) leaves it out")
    return matrix


def _operator(matrix, columns):
    from scipy.sparse.linalg import LinearOperator

    Y, Z = columns

    def apply(x):
        return matrix @ x + Y @ (Z.T @ x)

    def apply_transposed(x):
        return matrix.T @ x + Z @ (Y.T @ x)

    return LinearOperator(matrix.shape, matvec=apply, rmatvec=apply_transposed, matmat=apply,
                          rmatmat=apply_transposed, dtype=float)


class Simulation(_pliant.Simulation):
    """A scene, built and at its start. Takes a Scene, a dict or the path of a scene file.

    q and v are arrays over memory of the simulation, three numbers for each node; positions and
    velocities are the same by nodes of meshes. Writing to them moves things: what integrators remember of
    the past is forgotten then, and pinned nodes stay where they are held."""

    def __init__(self, scene, threads=None):
        super().__init__(_scene(scene)._prepared(), threads)
        self.report = None

    def step(self, count=1):
        """Makes steps of the scene's dt; returns what they took. Raises StepFailed, and whatever Python
        code of the scene raises, with the state as before the step that failed."""
        self.report = super().step(count)
        return self.report

    def advance(self, duration):
        """Steps until so many seconds are simulated."""
        self.report = super().advance(float(duration))
        return self.report

    def forces(self, term=""):
        """N on the nodes, (nodes, 3): of all terms, or of those of that name (see terms)."""
        return super().forces(term)

    def stiffness(self, dense=True):
        """-∂f/∂q with contact and friction, a bsr_matrix. Of bodies with "eigenfit" a part is dense, for which there
        is stiffness_operator; with dense=False it is left out."""
        return _sparse(super().stiffness(), self._stiffness_columns(), dense, "stiffness")

    def damping(self, dense=True):
        """-∂f/∂v, likewise."""
        return _sparse(super().damping(), self._damping_columns(), dense, "damping")

    def stiffness_operator(self):
        """All of -∂f/∂q as a LinearOperator."""
        return _operator(super().stiffness(), self._stiffness_columns())

    def damping_operator(self):
        """All of -∂f/∂v as a LinearOperator."""
        return _operator(super().damping(), self._damping_columns())

    def modes(self, count=10):
        """The lowest natural modes about the state: frequencies in Hz, shapes (count, coordinates)…"""
        return super().modes(count)

    def set(self, path, value):
        """Changes a number of the scene while it goes on, such as a load or a motor. The scene is built
        anew with its meshes kept: what changes at every step is better a Force."""
        self.change(path, value)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def static(scene, out=None, threads=None, force=False, time=None):
    """The equilibrium of a scene, a dict or a scene file under its loads; see Scene.static."""
    return _scene(scene).static(out, threads, force, time)


def run(scene, out=None, callback=None, threads=None, force=False, resume=False):
    """Runs a scene, a dict or a scene file; see Scene.run."""
    return _scene(scene).run(out, callback, threads, force, resume)
