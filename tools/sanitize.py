#!/usr/bin/env python3
"""The library's tests under the sanitizers, within a budget of time: first the address and undefined-behaviour
sanitizers over modules from the bottom up, each cheapest first, then the thread sanitizer over one group of the modules
that compute in parallel, the groups taking turns from commit to commit. What was judged and what was left out stand in
the last lines.

    sanitize.py --budget SECONDS     exit 1 if a test fails or a sanitizer complains
    sanitize.py --kind address       the first alone, without a budget all modules; likewise --kind threads"""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent
# In the order in which they build upon each other.
ADDRESS = ["core", "mesh", "sparse", "material", "contact", "element", "solve", "load", "constraint", "dissipation", "system",
           "body", "stage", "io", "exports", "analysis", "damping", "admm", "coarsen", "scene", "robots", "integrate", "run",
           "render", "gradient", "study", "report", "reproduce"]
THREADS = [["core", "sparse", "contact"], ["element", "load"], ["solve", "system"], ["dissipation", "constraint"],
           ["stage", "body"]]
THREADS_SHARE = 0.25  # of the budget


class OutOfTime(Exception):
    pass


def run(words, deadline, **more):
    """Ends the whole group of processes at the deadline."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise OutOfTime
    process = subprocess.Popen([str(w) for w in words], start_new_session=True, cwd=root, **more)
    try:
        return process.wait(left)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise OutOfTime from None
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def judge(kind, module, deadline, jobs):
    """Builds the tests of a module and runs them, shared among as many processes as there are cores."""
    build = root / f"build-{kind}"
    if run(["cmake", "--build", build, "-j", jobs, "--target", f"test_{module}"], deadline, stdout=subprocess.DEVNULL) != 0:
        subprocess.run(["cmake", "--build", build, "--target", f"test_{module}"], cwd=root, check=False)
        return False
    program = build / "tests" / folder_of(module) / f"test_{module}"
    options = {"LSAN_OPTIONS": f"suppressions={root}/tests/leaks.supp", "TSAN_OPTIONS": f"suppressions={root}/tests/races.supp"}
    shards = []
    for k in range(jobs):
        environment = {**os.environ, **options, "GTEST_TOTAL_SHARDS": str(jobs), "GTEST_SHARD_INDEX": str(k), "GTEST_BRIEF": "1"}
        shards.append(subprocess.Popen([program], start_new_session=True, cwd=program.parent, env=environment, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
    good = True
    try:
        for shard in shards:
            output, _ = shard.communicate(timeout=max(0, deadline - time.monotonic()))
            if shard.returncode != 0:
                print(output[-6000:])
                good = False
    except subprocess.TimeoutExpired:
        raise OutOfTime from None
    finally:
        for shard in shards:
            if shard.poll() is None:
                os.killpg(shard.pid, signal.SIGKILL)
                shard.wait()
    return good


def folder_of(module):
    return {"admm": "integrate", "damping": "integrate"}.get(module, module)


def judge_all(kind, modules, deadline, jobs):
    judged, failed, left = [], [], list(modules)
    try:
        if run(["cmake", "--preset", kind], deadline, stdout=subprocess.DEVNULL) != 0:
            return judged, ["configuration"], left
        while left:
            begun = time.monotonic()
            good = judge(kind, left[0], deadline, jobs)
            print(f"{kind}: {left[0]} {'passed' if good else 'FAILED'} after {time.monotonic() - begun:.0f} s", flush=True)
            (judged if good else failed).append(left.pop(0))
    except OutOfTime:
        pass
    return judged, failed, left


def turn_of_commit():
    count = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=root, capture_output=True, text=True)
    return int(count.stdout) if count.returncode == 0 else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float)
    parser.add_argument("--kind", choices=["address", "threads"])
    options = parser.parse_args()
    jobs = os.cpu_count() or 2
    begun = time.monotonic()
    budget = 1e6 if options.budget is None else options.budget
    every = options.budget is None
    group = sum(THREADS, []) if every else THREADS[turn_of_commit() % len(THREADS)]
    nothing = [], [], []
    share = 0 if options.kind or every else THREADS_SHARE
    address = nothing if options.kind == "threads" else judge_all("asan", ADDRESS, begun + budget * (1 - share), jobs)
    threads = nothing if options.kind == "address" else judge_all("tsan", group, begun + budget, jobs)
    for name, (judged, failed, left) in [("address and undefined behaviour", address), ("threads", threads)]:
        print(f"sanitizers, {name}: judged {', '.join(judged) or 'nothing'}"
              + (f"; FAILED {', '.join(failed)}" if failed else "") + f"; left out for lack of time: {', '.join(left) or 'nothing'}")
    others = [m for one in THREADS for m in one if m not in group]
    if options.kind != "address" and others:
        print(f"sanitizers, threads: not this time's turn: {', '.join(others)}")
    return 1 if address[1] or threads[1] else 0


sys.exit(main())
