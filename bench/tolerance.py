#!/usr/bin/env python3
"""What solving stages less exactly costs and gains: scenes of all kinds, each run with "tolerance" from 1e-2 to 1e-10
and with "auto". Positions are held against the same steps solved to 1e-12 (what the solver is wrong by) and those
against steps of an eighth (what the method is wrong by anyway); both in the mean over all points, at the worst frame.
Where the first is a hundredth of the second nobody finds it. Cost is counted in Newton iterations, which no neighbour
on the machine disturbs, and in seconds of a processor, which count that iterations with old factors are cheap.

    bench/tolerance.py PLIANT [--only WORD] [--jobs N] [--out FILE.json]

prints a table, and keeps a JSON document with the commit: bench/results/tolerance.json is one."""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import zlib

root = pathlib.Path(__file__).resolve().parent.parent
EXACT = "1e-12"
NUMBERS = ["1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-8", "1e-10"]
FINER = 8

CABLE = {
    "name": "cable", "time": {"dt": 0.01, "duration": 1.0, "output_dt": 0.04}, "integrator": "bdf2",
    "materials": {"rubber": {"model": "neo-hookean", "young": 1e6, "density": 1100}},
    "bodies": [{"name": "rope", "type": "cable", "material": "rubber", "radius": 0.01,
                "mesh": {"cable": {"from": [0, 0, 0], "to": [1, 0, 0], "segments": 40}}, "pin": [{"nodes": [0]}]}],
}

# name: scene file (or the scene), what it stands for, seconds, changes.
SCENES = {
    "soft-beam": ("soft-beam.json", "a solid, trbdf2", 1.0, []),
    "clamped-beam": ("clamped-beam.json", "a solid, sdirk2", 0.5, []),
    "vibrating-bar": ("vibrating-bar.json", "a solid, esdirk43", 0.5, ["integrator=esdirk43"]),
    "spinning-beam": ("spinning-beam.json", "a free solid, generalized-alpha", 1.0, ["integrator=generalized-alpha"]),
    "twisted-bar": ("twisted-bar.json", "a solid, midpoint", 0.5, []),
    "damped-cube": ("damped-cube.json", "Rayleigh damping, trbdf2", 0.32, []),
    "cloth-swing": ("cloth-swing.json", "cloth with limits of strain, trbdf2", 1.0, []),
    "cable": (CABLE, "a cable, bdf2", 1.0, []),
    "soft-arm": ("soft-arm.json", "tendons and damping, bdf2", 0.6, []),
    "dropped": ("dropped.json", "contact, trbdf2", 0.3, []),
    "falling-bodies": ("falling-bodies.json", "contact of four bodies, be", 0.6, []),
    "sliding-block": ("sliding-block.json", "friction, trbdf2", 0.3, []),
    "leaning-block": ("leaning-block.json", "friction that holds, be", 0.4, []),
    "wrecking-ball": ("wrecking-ball.json", "rods, contact and friction, trbdf2", 0.6, []),
    "ragdoll": ("ragdoll.json", "rigid bodies on joints, be", 0.6, []),
}


def points_of(frame):
    """The positions of a .vtu file as the program writes it, in double precision."""
    data = frame.read_bytes()
    head, _, packed = data.partition(b'<AppendedData encoding="raw">\n_')
    points = head[head.index(b"<Points>"):]
    offset = int(re.search(rb'offset="(\d+)"', points).group(1))
    blocks, = struct.unpack_from("<Q", packed, offset)
    sizes = struct.unpack_from(f"<{blocks}Q", packed, offset + 24)
    at, out = offset + 24 + 8 * blocks, b""
    for size in sizes:
        out += zlib.decompress(packed[at:at + size])
        at += size
    kind = re.search(rb'type="(Float\d+)"', points).group(1)
    return struct.unpack(f"<{len(out) // 8}d", out) if kind == b"Float64" else \
        struct.unpack(f"<{len(out) // 4}f", out)


class Run:
    """Frames and history of one run."""

    def __init__(self, program, scene, seconds, words):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            path = root / "scenes" / scene if isinstance(scene, str) else folder / "scene.json"
            if not isinstance(scene, str):
                path.write_text(json.dumps(scene))
            line = [program, "run", path, "--out", folder / "out", "--quiet", "--threads", "1"]
            for word in [f"time.duration={seconds}"] + words:
                line += ["--set", word]
            with open(folder / "said", "w+") as said:
                run = subprocess.Popen([str(w) for w in line], stdout=said, stderr=said, cwd=root)
                _, status, used = os.wait4(run.pid, 0)
                run.returncode = os.waitstatus_to_exitcode(status)
                said.seek(0)
                self.failed = said.read().strip().splitlines()[-1] if run.returncode else ""
            self.seconds = used.ru_utime + used.ru_stime
            if self.failed:
                return
            self.frames = [points_of(f) for f in sorted((folder / "out/frames").glob("*.vtu"))]
            with open(folder / "out/history.csv") as file:
                rows = list(csv.DictReader(file))
            self.iterations = sum(int(r["newton"]) for r in rows)
            self.redone = sum(int(r["redone"] or 0) + int(r["retries"] or 0) for r in rows)
            energy = max(float(r["kinetic"]) + float(r["elastic"]) for r in rows)
            self.created = float(rows[-1]["created"] or 0) / energy
            self.chosen = [float(r["tolerance"]) for r in rows if r.get("tolerance")]


def distance(one, other):
    """Of positions, root mean square, at the worst frame (m)."""
    worst = 0
    for a, b in zip(one.frames, other.frames):
        worst = max(worst, sum((x - y) ** 2 for x, y in zip(a, b)) / (len(a) / 3))
    return worst ** 0.5


def dt_of(scene):
    if not isinstance(scene, str):
        return scene["time"]["dt"]
    text = re.sub(r"//.*", "", (root / "scenes" / scene).read_text())
    return float(re.search(r'"dt"\s*:\s*([\d.eE+-]+)', text).group(1))


def study(program, name, pool):
    scene, kind, seconds, changes = SCENES[name]

    def start(tolerance, more=()):
        return pool.submit(Run, program, scene, seconds, changes + [f"solver.tolerance={tolerance}", *more])

    waiting = {t: start(t) for t in [EXACT] + NUMBERS + ["auto"]}
    finer = start("1e-10", [f"time.dt={dt_of(scene) / FINER}"])

    def finish():
        runs = {t: run.result() for t, run in waiting.items()}
        fine, exact = finer.result(), runs.pop(EXACT)
        for run in (fine, exact):
            if run.failed:
                raise RuntimeError(f"{name}: {run.failed}")
        moved = max(sum((x - y) ** 2 for x, y in zip(f, exact.frames[0])) / (len(f) / 3) for f in exact.frames) ** 0.5
        of_method = distance(exact, fine)
        rows = []
        for tolerance, run in runs.items():
            row = {"tolerance": tolerance}
            if run.failed:
                row["failed"] = run.failed
            else:
                of_solver = distance(run, exact)
                row |= {"iterations": run.iterations, "processor_seconds": round(run.seconds, 2), "error": of_solver, "of_method": of_solver / of_method,
                        "created": run.created, "redone": run.redone}
                if run.chosen:
                    row["chosen"] = {"least": min(run.chosen), "median": sorted(run.chosen)[len(run.chosen) // 2],
                                     "most": max(run.chosen)}
            rows.append(row)
        return {"scene": name, "kind": kind, "seconds": seconds, "moved": moved, "error_of_method": of_method,
                "created": exact.created, "rows": rows}

    return finish


def say(result):
    print(f"{result['scene']}: {result['kind']}; moves {result['moved']:.3g} m, of which the method misses "
          f"{result['error_of_method']:.3g} m; created {result['created']:.2e}")
    for row in result["rows"]:
        if "failed" in row:
            print(f"  {row['tolerance']:>6}  {row['failed']}")
            continue
        chosen = row.get("chosen")
        more = f"  chosen {chosen['least']:.1e} {chosen['median']:.1e} {chosen['most']:.1e}" if chosen else ""
        print(f"  {row['tolerance']:>6} {row['iterations']:6d} iterations {row['processor_seconds']:6.2f} s  error {row['error']:.2e} m, "
              f"{row['of_method']:.2e} of the method's  created {row['created']:.2e}  redone {row['redone']}{more}",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    program = options.program.resolve()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        studies = [study(program, name, pool) for name in SCENES if options.only in name]
        results = []
        for finish in studies:
            results.append(finish())
            say(results[-1])
    if options.out:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=root)
        options.out.write_text(json.dumps({"benchmark": "tolerance", "commit": commit.stdout.strip(),
                                           "scenes": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
