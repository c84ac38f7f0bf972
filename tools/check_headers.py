#!/usr/bin/env python3
"""Holds every header and source of src/pliant to say itself what it includes: alone, without a precompiled header and
without the files that the build compiles together with it. Headers that some source includes before all else are proven
with that source.

    check_headers.py BUILD               all of them, many minutes
    check_headers.py BUILD --sample 6    as many headers and sources, others with each commit
    check_headers.py BUILD FILE…         those"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
source = root / "src"


def first_includes():
    """Headers that a source of ours includes before anything else, as `pliant/…` paths."""
    found = set()
    for file in [*source.rglob("*.cpp"), *(root / "tests").rglob("*.cpp"), *(root / "apps").rglob("*.cpp")]:
        first = re.search(r"^\s*#\s*include\s*[<\"]([^>\"]+)[>\"]", file.read_text(), re.M)
        if first:
            found.add(first.group(1))
    return found


def flags_of_modules(build):
    """What each module is compiled with, less launchers, input, output and precompiled header."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        module = re.search(r" -o \S*/CMakeFiles/pliant_(?!precompiled)(\w+)\.dir/\S+ ", entry["command"])
        if not module:
            continue
        words = shlex.split(entry["command"])
        while os.path.basename(words[0]) in ("cmake", "ccache", "-E", "env") or "=" in words[0]:
            words = words[1:]
        kept, skip = [words[0]], False
        for word in words[1:]:
            if skip or word in ("-c", "-Winvalid-pch", entry["file"]):
                skip = False
            elif word in ("-o", "-include"):
                skip = True
            else:
                kept.append(word)
        if not any(word in kept for word in ("-w", "-frounding-math")):  # those of single files
            flags.setdefault(module.group(1), kept)
    if "system" not in flags:
        sys.exit(f"{build}/compile_commands.json: no command of the module system in it")
    return flags


def compile_alone(file, flags):
    module = file.relative_to(source / "pliant").parts[0]
    words = flags.get(module) or flags.get("system")  # a module of headers alone
    name = file.relative_to(source)
    text = f"#include <{name}>\n" * (2 if file.suffix == ".hpp" else 1)  # twice: it must guard itself
    result = subprocess.run([*words, "-fsyntax-only", "-O0", "-x", "c++", "-"], input=text, capture_output=True, text=True)
    return name, result.returncode, result.stderr


def sample(files, count):
    """`count` of them, spread over the list; from commit to commit they move on."""
    said = subprocess.run(["git", "-C", root, "rev-list", "--count", "HEAD"], capture_output=True, text=True).stdout
    every = max(1, -(-len(files) // count))
    return files[int(said or 0) % every :: every]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    headers = sorted(source.rglob("*.hpp"))
    sources = sorted(f for f in source.rglob("*.cpp") if not f.name.endswith("_none.cpp"))
    named = [pathlib.Path(word).resolve() for word in sys.argv[2:] if word.endswith((".hpp", ".cpp"))]
    proven = first_includes()
    left = [h for h in headers if str(h.relative_to(source)) not in proven]
    total = len(left)
    if "--sample" in sys.argv:
        count = int(sys.argv[sys.argv.index("--sample") + 1])
        left, sources = sample(left, count), sample(sources, count)
    left = named or [*left, *sources]
    flags = flags_of_modules(build)
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, status, said in pool.map(lambda h: compile_alone(h, flags), left):
            if status != 0:
                wrong.append(f"{name} does not compile alone:\n{said[:2000]}")
    print("\n".join(wrong) if wrong else
          f"headers: {len(headers)}, of which {len(headers) - total} are included first somewhere; "
          f"{len(left)} of the others and of the sources compiled alone")
    return 1 if wrong else 0


sys.exit(main())
