#!/usr/bin/env python3
"""Makes the wheel, installs it with pip into a fresh environment without network and without the build in sight, and
uses it from there: a scene gives the bits of the command line, the type stubs came along, and uninstalling leaves
nothing behind. numpy and scipy are those of the system.

    wheel_test.py BUILD PYTHON"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

build, python = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
root = pathlib.Path(__file__).resolve().parents[2]
environment = {name: value for name, value in os.environ.items()
               if not name.startswith(("PYTHON", "PIP_")) and name != "VIRTUAL_ENV"}
environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"


def run(*words, **more):
    result = subprocess.run([str(w) for w in words], capture_output=True, text=True, env=environment, **more)
    if result.returncode != 0:
        sys.exit(f"{shlex.join(map(str, words))}: exit {result.returncode}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
    return result.stdout.strip()


def require(condition, words):
    if not condition:
        sys.exit(words)


USE = """
import json, pathlib, sys
import pliant
scene = pliant.Scene.load(sys.argv[1])
print(json.dumps({"file": pliant.__file__, "version": pliant.__version__, "hash": scene.run().hash,
                  "stubs": (pathlib.Path(pliant.__file__).parent / "py.typed").exists()}))
"""
SCENE = """{"time": {"dt": 0.01, "duration": 0.05},
  "materials": {"soft": {"model": "stable-neo-hookean", "young": 1e5}},
  "bodies": [{"name": "block", "material": "soft", "mesh": {"box": {"size": [1, 1, 1], "cells": [3, 3, 3]}}}]}"""

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    wheel = pathlib.Path(run(python, root / "tools" / "make_wheel.py", build).splitlines()[-1])
    run(python, "-m", "venv", "--system-site-packages", folder / "env")
    inside = folder / "env" / "bin" / "python"
    run(inside, "-m", "pip", "install", "--no-index", "--no-deps", wheel, cwd=folder)
    listed = run(inside, "-m", "pip", "show", "--files", "pliant", cwd=folder)
    require("_pliant." in listed and "__init__.pyi" in listed, f"the wheel lacks files:\n{listed}")
    complaints = subprocess.run([inside, "-m", "pip", "check"], capture_output=True, text=True, env=environment).stdout
    require("pliant" not in complaints, complaints)  # what else the system lacks is not ours
    (folder / "scene.json").write_text(SCENE)
    used = json.loads(run(inside, "-c", USE, "scene.json", cwd=folder).splitlines()[-1])
    require(pathlib.Path(used["file"]).is_relative_to(folder / "env"), f"imported {used['file']}, not what was installed")
    require(used["stubs"], "py.typed did not come along")
    require(used["version"] in wheel.name, f"{wheel.name} says it is {used['version']}")
    run(build / "pliant", "run", "scene.json", "--out", "out", "--quiet", cwd=folder)
    wanted = json.loads((folder / "out" / "summary.json").read_text())["state_hash"]
    require(used["hash"] == wanted, f"the installed package ends with {used['hash']}, the program with {wanted}")
    run(inside, "-m", "pip", "uninstall", "-y", "pliant", cwd=folder)
    left = list((folder / "env").rglob("pliant*"))
    require(not left, f"uninstalling left {left}")
print(f"wheel: {wheel.name} was installed, used and removed")
