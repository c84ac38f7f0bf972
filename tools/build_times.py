#!/usr/bin/env python3
"""What the build costs: reads ninja's log and its list of what each object was made of, and names the dearest files,
modules and headers. A header costs the seconds it takes to read alone, once for each compiler call that read it; what
was precompiled is read once.

    build_times.py BUILD                      print
    build_times.py BUILD --write FILE.json    and keep the figures with the commit (bench/results/build.json)
    build_times.py BUILD --top 30             so many of each"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent


def durations(build):
    """Seconds of the last time each output was made."""
    last = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        start, end, _, output, command = line.split("\t")
        output = output.removeprefix(f"{build}/")  # some are named by their whole paths
        last[output] = (int(start), int(end), command)
    by_command = {command: (end - start, output) for output, (start, end, command) in sorted(last.items())}
    return {output: ms / 1000 for ms, output in by_command.values()}  # a command with two outputs counts once


def module_of(output):
    parts = pathlib.PurePath(output).parts
    if "CMakeFiles" in parts:
        place = parts[: parts.index("CMakeFiles")]
        return "/".join(place[2:] if place[:2] == ("src", "pliant") else place) or "precompiled headers"
    return "links and others"


def sources_of(build, output):
    """The files in an object: of one that was compiled together with others, their names."""
    match = re.search(r"(.*)/CMakeFiles/[^/]*\.dir/(together/[^/]*\.cpp)\.o$", output)
    if not match:
        return re.sub(r"/?CMakeFiles/[^/]*\.dir/", "/", output).removesuffix(".o").lstrip("/")
    together = build / match.group(1) / match.group(2)
    names = re.findall(r'#include "([^"]+)"', together.read_text()) if together.exists() else []
    return f"{match.group(1)}: " + " ".join(pathlib.Path(name).stem for name in names)


def readers(build):
    """Header -> number of compiler calls that read it."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    found = collections.Counter()
    for line in text.splitlines():
        if line.startswith("    "):
            found[os.path.normpath(build / line.strip())] += 1
    return found


def command_of(build):
    """A compiler call of a module that reads most libraries, less its input, output and precompiled header."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if "/pliant_view.dir/" in entry["command"]:
            words = [w for w in shlex.split(entry["command"]) if w != "-Winvalid-pch"]
            while "-E" in words or os.path.basename(words[0]) in ("ccache", "cmake") or "=" in words[0]:
                words = words[1:]
            kept, skip = [], False
            for word in words:
                if skip or word in ("-c", entry["file"]):
                    skip = False
                elif word in ("-o", "-include"):
                    skip = True
                else:
                    kept.append(word)
            return kept
    raise SystemExit("build_times: the build has no module `view`; configure it with `cmake --preset dev`")


def seconds_to_read(command, header):
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
        file.write(f'#include "{header}"\n')
        file.flush()
        process = subprocess.Popen([*command, "-fsyntax-only", "-w", file.name], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
    return usage.ru_utime + usage.ru_stime if status == 0 else None


def named_headers():
    """Headers of others that our sources name, as they name them."""
    found = collections.Counter()
    for folder in ("src", "tests", "apps", "python", "bench"):
        for file in (root / folder).rglob("*.[hc]pp"):
            found.update(re.findall(r"^#include <((?!pliant/)[\w/.]+)>", file.read_text(), re.M))
    return found


def dear_headers(build, top):
    read, command = readers(build), command_of(build)
    own = collections.Counter({h: n for h, n in read.items()
                               if h.startswith(str(root / "src" / "pliant")) and h.endswith(".hpp")})
    asked = [(os.path.relpath(h, root / "src"), n) for h, n in own.most_common(top)]
    for name, _ in named_headers().most_common(top):
        calls = sum(n for h, n in read.items() if h.endswith("/" + name) and not h.startswith(str(root)))
        if calls:
            asked.append((name, calls))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        seconds = pool.map(lambda one: seconds_to_read(command, one[0]), asked)
    rows = [{"header": name, "calls": calls, "seconds": round(s, 2)} for (name, calls), s in zip(asked, seconds) if s]
    return sorted(rows, key=lambda row: -row["calls"] * row["seconds"])[:top]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--top", type=int, default=20)
    options = parser.parse_args()
    build = options.build.resolve()
    times = durations(build)
    modules = collections.Counter()
    for output, seconds in times.items():
        modules[module_of(output)] += seconds
    files = [{"file": sources_of(build, output), "seconds": round(seconds, 1)}
             for output, seconds in sorted(times.items(), key=lambda item: -item[1])[: options.top]]
    headers = dear_headers(build, options.top)
    total, program = sum(times.values()), build / "pliant"
    print(f"{len(times)} build steps, {total / 60:.1f} minutes one after the other")
    print("\nseconds  file")
    for row in files:
        print(f"{row['seconds']:7.1f}  {row['file']}")
    print("\nseconds  module")
    for module, seconds in modules.most_common(options.top):
        print(f"{seconds:7.1f}  {module}")
    print("\nseconds  calls  each  header")
    for row in headers:
        print(f"{row['calls'] * row['seconds']:7.1f}  {row['calls']:5}  {row['seconds']:4.2f}  {row['header']}")
    if options.write:
        commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
        kept = {"commit": commit, "date": time.strftime("%Y-%m-%d"), "machine": platform.machine(), "cores": os.cpu_count(),
                "compiler": subprocess.run(["c++", "--version"], capture_output=True, text=True).stdout.splitlines()[0],
                "steps": len(times), "minutes_one_after_the_other": round(total / 60, 1),
                "program_megabytes": round(program.stat().st_size / 1e6, 1) if program.exists() else None,
                "modules": {m: round(s, 1) for m, s in modules.most_common()}, "files": files, "headers": headers}
        options.write.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
