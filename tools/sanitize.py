#!/usr/bin/env python3
"""The library's tests under the sanitizers, within a budget of time: the address and undefined-
behaviour sanitizers over modules from the bottom up, each cheapest first, and the thread sanitizer
over the modules that compute in parallel, another one being the first at each commit. What was
judged and what was left out stand in the last lines. Time that runs out is no failure.

    sanitize.py --budget SECONDS     exit 1 if a test fails or a sanitizer complains
    sanitize.py --kind address       the first alone, without a budget all modules
    sanitize.py --kind threads       the second alone
    sanitize.py --modules core,solve      of these alone"""
import argparse
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
# In the order in which they build upon each other.
ADDRESS = ["core", "mesh", "sparse", "material", "contact", "element", "solve", "load",
           "constraint", "dissipation", "system", "body", "stage", "io", "exports", "analysis",
           "damping", "admm", "coarsen", "scene", "robots", "integrate", "run", "render",
           "gradient", "study", "report", "reproduce"]
THREADS = ["core", "sparse", "contact", "element", "load", "solve", "system", "dissipation",
           "constraint", "stage", "body"]
THREADS_SHARE = 0.5  # of the budget
FOLDERS = {"admm": "integrate", "damping": "integrate"}  # of tests that are not called as theirs
COMPLAINTS = ("WARNING: ThreadSanitizer", "ERROR: AddressSanitizer", "ERROR: LeakSanitizer",
              "runtime error:", "[  FAILED  ]")
MOST_SHOWN = 6000  # characters of what a program has written


class OutOfTime(Exception):
    pass


class Process:
    """A command, and what it and its children have written; all of them end with it."""

    def __init__(self, words, **more):
        self.file = tempfile.TemporaryFile()
        self.process = subprocess.Popen([str(word) for word in words], start_new_session=True,
                                        stdout=self.file, stderr=subprocess.STDOUT, **more)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # all have ended
        self.process.wait()
        self.file.close()

    def wait(self, deadline):
        """Whether it has ended well; None if it has not ended by then."""
        try:
            return self.process.wait(max(0, deadline - time.monotonic())) == 0
        except subprocess.TimeoutExpired:
            return None

    def written(self):
        self.file.seek(0)
        return self.file.read().decode(errors="replace")


def run(words, deadline):
    """Whether it ended well; says what it wrote if not."""
    if time.monotonic() >= deadline:
        raise OutOfTime
    with Process(words, cwd=root) as process:
        good = process.wait(deadline)
        if good is None:
            raise OutOfTime
        if not good:
            print(process.written()[-MOST_SHOWN:])
        return good


def judge(build, module, deadline, jobs):
    """Builds the tests of a module and runs them, shared among as many processes as there are
    cores. What a sanitizer has said of a process that is out of time counts."""
    if not run(["cmake", "--build", build, "-j", jobs, "--target", f"test_{module}"], deadline):
        return False
    print(f"  {module} was built, {max(0, deadline - time.monotonic()):.0f} s are left", flush=True)
    program = build / "tests" / FOLDERS.get(module, module) / f"test_{module}"
    environment = {**os.environ, "LSAN_OPTIONS": f"suppressions={root}/tests/leaks.supp",
                   "GTEST_BRIEF": "1", "GTEST_TOTAL_SHARDS": str(jobs)}
    with contextlib.ExitStack() as stack:
        shards = [stack.enter_context(Process([program], cwd=program.parent,
                                              env={**environment, "GTEST_SHARD_INDEX": str(k)}))
                  for k in range(jobs)]
        ends = [shard.wait(deadline) for shard in shards]
        bad = [shard for shard, end in zip(shards, ends)
               if end is False
               or (end is None and any(word in shard.written() for word in COMPLAINTS))]
        for shard in bad:
            print(shard.written()[-MOST_SHOWN:])
    if None in ends and not bad:
        raise OutOfTime
    return not bad


def judge_all(kind, modules, deadline, jobs):
    judged, failed, left = [], [], list(modules)
    try:
        if not run(["cmake", "--preset", kind], deadline):
            return judged, ["configuration"], left
        while left:
            begun = time.monotonic()
            good = judge(root / f"build-{kind}", left[0], deadline, jobs)
            print(f"{kind}: {left[0]} {'passed' if good else 'FAILED'} after "
                  f"{time.monotonic() - begun:.0f} s", flush=True)
            (judged if good else failed).append(left.pop(0))
    except OutOfTime:
        pass
    return judged, failed, left


def in_turn(modules, commit):
    """All of them, from one on that the name of the commit draws. Any steady count, of commits or
    of days, could fall upon the same one for ever, since commits come many at a time."""
    first = int(commit, 16) % len(modules)
    return modules[first:] + modules[:first]


def this_commit():
    answer = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True)
    return answer.stdout.strip() if answer.returncode == 0 else "0"


def end_all(*_):
    sys.exit(1)  # through the blocks that hold processes


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float)
    parser.add_argument("--kind", choices=["address", "threads"])
    parser.add_argument("--modules")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, end_all)
    jobs = os.cpu_count() or 2
    begun = time.monotonic()
    every = options.budget is None
    budget = 1e6 if every else options.budget
    chosen = options.modules.split(",") if options.modules else None
    address = chosen or ADDRESS
    threads = chosen or (THREADS if every else in_turn(THREADS, this_commit()))
    share = 0 if options.kind or every else THREADS_SHARE
    results = []
    if options.kind != "threads":
        results.append(("address and undefined behaviour",
                        judge_all("asan", address, begun + budget * (1 - share), jobs)))
    if options.kind != "address":
        results.append(("threads", judge_all("tsan", threads, begun + budget, jobs)))
    for name, (judged, failed, left) in results:
        print(f"sanitizers, {name}: judged {', '.join(judged) or 'nothing'}"
              + (f"; FAILED {', '.join(failed)}" if failed else "")
              + f"; left out for lack of time: {', '.join(left) or 'nothing'}")
    return 1 if any(failed for _, (_, failed, _) in results) else 0


if __name__ == "__main__":
    sys.exit(main())
