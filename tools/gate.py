#!/usr/bin/env python3
"""Holds one build of the program to another, bit for bit: runs every scene of scenes/ for some steps and keeps the
state's hash, or what it was refused with.

    gate.py record PLIANT FILE.json [--steps 10] [--only WORD]    keep the hashes of this program
    gate.py compare PLIANT FILE.json [--only WORD]                run the same again: exit 1 where one differs"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent


def dt_of(scene):
    """The step that the scene says, in its own words; None where it chooses steps itself or says nothing."""
    found = re.search(r'"dt"\s*:\s*([\d.eE+-]+)', re.sub(r"//.*", "", scene.read_text()))
    return float(found.group(1)) if found else None


def result_of(program, scene, steps):
    with tempfile.TemporaryDirectory() as folder:
        duration = steps * (dt_of(scene) or 0.005)
        words = [program, "run", scene, "--out", f"{folder}/out", "--quiet", "--threads", "1",
                 "--set", f"time.duration={duration:.6g}", "--set", f"time.output_dt={duration:.6g}"]
        run = subprocess.run([str(w) for w in words], capture_output=True, text=True, cwd=root)
        summary = pathlib.Path(folder) / "out" / "summary.json"
        if summary.exists():
            read = json.loads(summary.read_text())
            return {"exit": run.returncode, "steps": read["steps"], "hash": read["state_hash"]}
        return {"exit": run.returncode, "said": run.stderr.strip().splitlines()[-1:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "compare"])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    kept = json.loads(options.file.read_text()) if options.what == "compare" else None
    steps = kept["steps"] if kept else options.steps
    scenes = [s for s in sorted((root / "scenes").glob("**/*.json")) if options.only in s.name]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip((str(s.relative_to(root)) for s in scenes),
                           pool.map(lambda s: result_of(options.program.resolve(), s, steps), scenes)))
    if not results:
        sys.exit(f"gate: no scene has '{options.only}' in its name")
    if options.what == "record":
        options.file.write_text(json.dumps({"steps": steps, "scenes": results}, indent=1) + "\n")
        print(f"gate: {len(results)} scenes kept in {options.file}")
        return 0
    other = {name: (kept["scenes"].get(name), result) for name, result in results.items()
             if kept["scenes"].get(name) != result}
    for name, (before, now) in other.items():
        print(f"{name}: {before} before, {now} now")
    hashed = sum("hash" in r for r in results.values())
    print(f"gate: {len(results)} scenes, {hashed} with a hash, {len(other)} differ")
    return 1 if other or not hashed else 0


sys.exit(main())
