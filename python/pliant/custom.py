"""What may be written in Python and joins the equations like what is built in: potentials, forces and
material laws. Each is called once for all its nodes or quadrature points, with arrays."""


class Potential:
    """A potential energy of the positions of some nodes.

    ``nodes`` are whole numbers of shape (k,): then ``energy(x)`` gets positions of shape (k, 3) and gives
    a number, ``gradient(x)`` gives the shape of x. Or they have shape (sets, k): then x is (sets, k, 3),
    the energy has one number for each set, and sets do not know of each other. Or they are a function of
    the undeformed points (n, 3) that returns such numbers or a mask, or a dict that selects nodes of one
    body as scenes do: ``{"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}``. With ``body`` they count the nodes of
    that body's mesh, else those of the whole scene.

    ``hessian(x)``, of shape (3k, 3k) or (sets, 3k, 3k), is optional: without it differences of the
    gradient serve. With ``time_dependent = True`` all of them get the time as a second argument. ``kind``
    says whether history and energies count it as "elastic" or as "external". Where the energy is inf or
    nan the potential ends, and steps stay away from there.

    Derive from it and write the methods, or give functions: ``Potential(nodes, energy, gradient)``."""

    body = None
    kind = "external"
    time_dependent = False
    hessian = None

    def __init__(self, nodes, energy=None, gradient=None, hessian=None, *, body=None, kind=None,
                 time_dependent=None):
        self.nodes = nodes
        _set(self, energy=energy, gradient=gradient, hessian=hessian, body=body, kind=kind,
             time_dependent=time_dependent)

    def energy(self, x):
        raise NotImplementedError(f"{type(self).__name__} has no energy")

    def gradient(self, x):
        raise NotImplementedError(f"{type(self).__name__} has no gradient")


class Force:
    """A force on some nodes that has no potential: ``force(t, x, v)`` gives newtons in the shape of x.

    ``nodes`` and ``body`` are those of a Potential. ``stiffness(t, x, v)`` and ``damping(t, x, v)``, the
    matrices -∂f/∂x and -∂f/∂v of shape (3k, 3k) or (sets, 3k, 3k), are optional: without them differences
    of the force serve, and with ``differences = False`` nothing does, which is right for forces that hardly
    depend on x and v. What the object knows may change between two steps: that makes a controller.

    Derive from it, or give functions: ``Force(nodes, force)``."""

    body = None
    differences = True
    stiffness = None
    damping = None

    def __init__(self, nodes, force=None, stiffness=None, damping=None, *, body=None, differences=None):
        self.nodes = nodes
        _set(self, force=force, stiffness=stiffness, damping=damping, body=body, differences=differences)

    def force(self, t, x, v):
        raise NotImplementedError(f"{type(self).__name__} has no force")


class Material:
    """A material law: the energy density Ψ of the deformation gradient F.

    ``energy(F)`` gets all quadrature points of a body, (points, 3, 3), and gives J/m³, (points,);
    ``stress(F)`` the first Piola-Kirchhoff stress ∂Ψ/∂F in Pa, (points, 3, 3). ``tangent(F)``, the array
    ∂P_ij/∂F_kl of shape (points, 3, 3, 3, 3), is optional: without it differences of the stress serve.
    Where the energy is inf or nan the law ends; ``needs_positive_det = True`` says that it ends at det F = 0.

    It stands for the name of a law in a scene: ``{"model": MyLaw(), "density": 1000}``. Contact, which
    takes its stiffness from that of the bodies, reads ``young`` there, or else what the tangent at rest says."""

    needs_positive_det = False
    tangent = None

    def __init__(self, energy=None, stress=None, tangent=None, *, needs_positive_det=None):
        _set(self, energy=energy, stress=stress, tangent=tangent, needs_positive_det=needs_positive_det)

    def energy(self, F):
        raise NotImplementedError(f"{type(self).__name__} has no energy")

    def stress(self, F):
        raise NotImplementedError(f"{type(self).__name__} has no stress")

    def __deepcopy__(self, memo):
        """Copies of a scene share their laws, as they share their terms."""
        return self


def _set(self, **given):
    for name, value in given.items():
        if value is not None:
            setattr(self, name, value)
