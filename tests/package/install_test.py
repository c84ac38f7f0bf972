#!/usr/bin/env python3
"""Installs the build into a temporary prefix, builds examples/cpp against it, once found by CMake and once linked with
what pkg-config says, and runs it: the state at the end is that of the installed program, bit for bit.

    install_test.py BUILD COMPILER"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

build, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
root = pathlib.Path(__file__).resolve().parents[2]


def run(*words, **more):
    result = subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)
    if result.returncode != 0:
        sys.exit(f"{shlex.join(map(str, words))}: exit {result.returncode}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
    return result.stdout


def require(condition, words):
    if not condition:
        sys.exit(words)


SCENE = {"time": {"dt": 0.01, "duration": 0.05},
         "materials": {"soft": {"model": "stable-neo-hookean", "young": 1e5}},
         "bodies": [{"name": "block", "material": "soft", "mesh": {"box": {"size": [1, 1, 1], "cells": [3, 3, 3]}},
                     "transform": {"translate": [0, 0.51, 0]}}],
         "contact": {"method": "barrier"},
         "obstacles": [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]}

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    prefix = folder / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    program = prefix / "bin" / "pliant"
    for wanted in ["bin/pliant", "include/pliant/core/types.hpp", "share/pliant/scenes/demo.json",
                   "share/pliant/scenes/thumbnails/demo.png", "share/doc/pliant/LICENSE",
                   "share/doc/pliant/examples/cpp/CMakeLists.txt"]:
        require((prefix / wanted).exists(), f"{wanted} was not installed")
    config = next(prefix.rglob("pliant-config.cmake"))
    archives = sorted(prefix.rglob("libpliant_*.a"))
    require(len(archives) >= 20, f"only {len(archives)} archives were installed")
    text = "".join(f.read_text() for f in config.parent.glob("*.cmake"))
    require(str(root) not in text and str(build) not in text, "the configuration names folders of the build")

    # The program runs from its prefix and finds the scenes that were installed with it.
    environment = {name: value for name, value in os.environ.items() if name != "PLIANT_SCENES"}
    doctor = run(program, "doctor", env=environment)
    require(re.search(rf"^scenes +{re.escape(str(prefix.resolve()))}/share/pliant/scenes$", doctor, re.M),
            f"the installed program does not find the installed scenes:\n{doctor}")

    # Found by CMake.
    example = folder / "example"
    run("cmake", "-S", prefix / "share/doc/pliant/examples/cpp", "-B", example, "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug",
        "-DCMAKE_CXX_FLAGS_DEBUG=-O0")
    run("cmake", "--build", example)
    said = run(example / "swinging_beam")
    rows = re.findall(r"^t = ([\d.]+) s  tip \(([-\d.]+), ([-\d.]+), ", said, re.M)
    require(len(rows) == 20 and float(rows[-1][0]) == 0.2, f"20 steps to 0.2 s were expected:\n{said}")
    require(-0.2 < float(rows[-1][2]) < -0.01, f"the tip does not sag:\n{said}")

    # The same bits as the program, contact included.
    (folder / "block.json").write_text(json.dumps(SCENE))
    run(program, "run", folder / "block.json", "--out", folder / "block", "--quiet")
    theirs = json.loads((folder / "block" / "summary.json").read_text())["state_hash"]
    ours = re.search(r"^state (\w+)$", run(example / "swinging_beam", folder / "block.json"), re.M).group(1)
    require(ours == theirs, f"the example's state is {ours}, the program's {theirs}")

    # Linked with what pkg-config says; the object is that of CMake, whose flags it must have named, too.
    environment = dict(os.environ, PKG_CONFIG_PATH=str(next(prefix.rglob("pliant.pc")).parent))
    flags = run("pkg-config", "--cflags", "pliant", env=environment).split()
    require(any(pathlib.Path(f[2:]).resolve() == prefix / "include" for f in flags if f.startswith("-I")),
            f"pkg-config does not name the headers: {flags}")
    require(any("eigen3" in f for f in flags), f"pkg-config does not name Eigen: {flags}")
    libraries = run("pkg-config", "--libs", "pliant", env=environment).split()
    run(compiler, next(example.rglob("*.o")), "-o", folder / "linked", *libraries)
    again = re.search(r"^state (\w+)$", run(folder / "linked", folder / "block.json"), re.M).group(1)
    require(again == theirs, f"linked with pkg-config the state is {again}, the program's {theirs}")
    print(f"package: {len(archives)} archives, the example built and run; state {theirs} in all three")
