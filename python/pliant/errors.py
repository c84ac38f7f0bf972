"""The ways in which Pliant says no, with the words of the command line."""


class Error(Exception):
    """All of them, and what fits none of the others: an object that is closed or in use."""

    exit_status = 1


class InputError(Error, ValueError):
    """A file, a key or a value is wrong; the message says where, what, and what would be right."""

    exit_status = 2


class InfeasibleStart(Error):
    """Bodies intersect or elements are inverted where the motion would begin."""

    exit_status = 3


class StepFailed(Error):
    """A step, an equilibrium or modes could not be found, after every retry. The state is as before."""

    exit_status = 4


class WriteError(Error, OSError):
    """A result could not be written."""

    exit_status = 5
