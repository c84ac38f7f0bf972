#!/usr/bin/env python3
"""Holds every header of src/pliant to compile alone. One that some source includes before all else is proven by the
build; the others are compiled here with the flags of their module (-fsyntax-only).

    check_headers.py BUILD               all of them, minutes
    check_headers.py BUILD --sample 6    as many, spread over the list
    check_headers.py BUILD FILE…         those headers"""
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
    """What each module is compiled with, less input and output."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if not file.is_relative_to(source / "pliant"):
            continue
        words = shlex.split(entry["command"])
        if words[0].endswith("ccache"):
            words = words[1:]
        kept = [words[0]]
        skip = False
        for word in words[1:]:
            if skip or word in ("-c", str(file)):
                skip = False
            elif word == "-o":
                skip = True
            else:
                kept.append(word)
        flags.setdefault(file.relative_to(source / "pliant").parts[0], kept)
    return flags


def compile_alone(header, flags):
    module = header.relative_to(source / "pliant").parts[0]
    words = flags.get(module) or flags.get("system")  # a module of headers alone
    name = header.relative_to(source)
    text = f"#include <{name}>\n#include <{name}>\n"  # twice: it must guard itself
    result = subprocess.run([*words, "-fsyntax-only", "-O0", "-x", "c++", "-"], input=text, capture_output=True, text=True)
    return name, result.returncode, result.stderr


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    headers = sorted(source.rglob("*.hpp"))
    named = [pathlib.Path(word).resolve() for word in sys.argv[2:] if word.endswith(".hpp")]
    proven = first_includes()
    left = named or [h for h in headers if str(h.relative_to(source)) not in proven]
    total = len(left)
    if "--sample" in sys.argv:
        count = int(sys.argv[sys.argv.index("--sample") + 1])
        left = left[:: max(1, -(-total // count))]
    flags = flags_of_modules(build)
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, status, said in pool.map(lambda h: compile_alone(h, flags), left):
            if status != 0:
                wrong.append(f"{name} does not compile alone:\n{said[:2000]}")
    print("\n".join(wrong) if wrong else
          f"headers: {len(headers)}, of which {len(headers) - total} are included first somewhere; "
          f"{len(left)} of the others compiled alone")
    return 1 if wrong else 0


sys.exit(main())
