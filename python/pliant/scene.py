"""Scenes: the documents of `pliant run`, as dicts that Python code makes and changes."""

import copy
import numbers
import os

from . import _pliant
from .custom import Material
from .errors import InputError

# Stands in a document where Python has a law: all materials have a law of the list there, too.
_STAND_IN = "stable-neo-hookean"


class Scene:
    """A scene, from a dict or, by `load`, from a file. Nothing is checked before it is asked for.

    `document` is the dict itself, with the words of the scene reference; `scene["time"]["dt"] = 0.01` and
    `scene.set("time.dt", 0.01)` change it. A law of one's own may stand as the model of a material, and
    `add` takes potentials and forces. File names in the document start from `folder`."""

    def __init__(self, document=None, *, name="scene", folder="."):
        self.terms = []
        if document is None:
            document = {}
        if isinstance(document, Scene):
            self.terms = list(document.terms)
            document, name, folder = document.document, document.name, document.folder
        if not isinstance(document, dict):
            raise InputError(f"{name}: a scene must be a dict, got a {type(document).__name__}")
        self.document = copy.deepcopy(document)
        self.name = name
        self.folder = os.fspath(folder)

    @classmethod
    def load(cls, path):
        """The scene of a file, // comments and all."""
        path = os.fspath(path)
        return cls(_pliant.load_document(path), name=path, folder=os.path.dirname(path))

    def __getitem__(self, key):
        return self.document[key]

    def __setitem__(self, key, value):
        self.document[key] = value

    def __contains__(self, key):
        return key in self.document

    def copy(self):
        """Another scene with a document of its own and the same terms."""
        return Scene(self)

    def set(self, path, value):
        """Changes one value, like --set: keys and numbers of list items with dots between them."""
        laws = _laws(self.document)
        plain = _STAND_IN if isinstance(value, Material) else value
        document = _pliant.set(_plain(self.document, laws), self.name, path, plain)
        for material, law in laws.items():
            if path not in ("materials", f"materials.{material}", f"materials.{material}.model"):
                document["materials"][material]["model"] = law
        if isinstance(value, Material):
            keys = path.split(".")
            if len(keys) != 3 or keys[0] != "materials" or keys[2] != "model":
                raise InputError(f"set({path}): a law can be the model of a material, and nothing else")
            document["materials"][keys[1]]["model"] = value
        self.document = document
        return self

    def add(self, term):
        """Adds a Potential or a Force; returns it."""
        self.terms.append(term)
        return term

    @property
    def resolved(self):
        """The document with every default filled in, as results keep it."""
        return self._prepared().resolved

    def check(self):
        """Builds the scene without running it; what it is, in words. Raises what is wrong."""
        return self._prepared().check()

    def run(self, out=None, callback=None, threads=None, force=False, resume=False):
        """Simulates, like `pliant run`, and gives the same bits. Results go into the folder `out`, where
        one is named. `callback(moment)` is called before each step and at the end; it may look, `set`
        numbers of the scene, and return False to end the run."""
        return self._run(out, callback, threads, force, resume, static=False)

    def static(self, out=None, threads=None, force=False, time=None):
        """The equilibrium under the loads, like `pliant static`: as they are at `time`, or at 0 s."""
        if time is not None and not isinstance(time, numbers.Real):
            raise InputError(f"time: must be a number of seconds, got a {type(time).__name__}")
        return self._run(out, None, threads, force, False, static=True, time=time)

    def _run(self, out, callback, threads, force, resume, static, time=None):
        if callback is not None and not callable(callback):
            raise InputError(f"callback: must be a function, got a {type(callback).__name__}")
        folder = "" if out is None else os.fspath(out)
        scene = self._to_resume(folder) if resume and folder else self
        return _pliant.run(scene._prepared(), folder, callback, threads, bool(force), bool(resume), static,
                           time)

    def _to_resume(self, folder):
        """Where `time.output_dt` is not given it follows from the duration, which may have changed; a run
        that goes on keeps its own."""
        time = self.document.get("time", {})
        path = os.path.join(folder, "scene.json")
        if not isinstance(time, dict) or "output_dt" in time or not os.path.exists(path):
            return self
        kept = _pliant.load_document(path).get("time", {}).get("output_dt")
        return self if kept is None else self.copy().set("time.output_dt", kept)

    def _prepared(self):
        laws = _laws(self.document)
        return _pliant.prepare(_plain(self.document, laws), self.name, self.folder, laws, list(self.terms))

    def __repr__(self):
        return f"<pliant.Scene {self.name!r}>"


def _materials(document):
    materials = document.get("materials")
    return materials if isinstance(materials, dict) else {}


def _laws(document):
    """The laws that are written in Python, by the names of their materials."""
    return {name: entry["model"] for name, entry in _materials(document).items()
            if isinstance(entry, dict) and isinstance(entry.get("model"), Material)}


def _plain(document, laws):
    if not laws:
        return document
    materials = {name: dict(entry, model=_STAND_IN) if name in laws else entry
                 for name, entry in document["materials"].items()}
    return dict(document, materials=materials)
