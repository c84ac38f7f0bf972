#!/usr/bin/env python3
"""tools/sanitize.py with a stand-in for cmake, whose builds and test programs take as long and end
as each test wants.

    sanitize_test.py"""
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("sanitize", ROOT / "tools" / "sanitize.py")
sanitize = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sanitize)

# Makes the test programs of every module, each a script that PROGRAM holds.
CMAKE = """#!/bin/sh
[ "$1" = --preset ] && exit 0
module=${6#test_}
eval "$BUILD"
mkdir -p "$2/tests/$module" "$2/tests/integrate"
for program in "$2/tests/$module/$6" "$2/tests/integrate/$6"; do
  { echo '#!/bin/sh'; echo 'module=${0##*/test_}'; echo "$PROGRAM"; } >"$program"
  chmod +x "$program"
done
"""
# Lives on in the background as well; its number is left behind.
FOREVER = 'sleep 1000 & echo $! >>"$LEFT"; wait'


class Turns(unittest.TestCase):
    def drawn(self, names):
        commits = (hashlib.sha1(name.encode()).hexdigest() for name in names)
        return [sanitize.in_turn(sanitize.THREADS, commit) for commit in commits]

    def test_every_module_has_its_turn_however_many_commits_land_at_once(self):
        for at_once in (1, 2, len(sanitize.THREADS), 5 * len(sanitize.THREADS)):
            landings = self.drawn(str(k * at_once) for k in range(150))
            self.assertEqual({order[0] for order in landings}, set(sanitize.THREADS), at_once)

    def test_none_is_left_out_of_the_order(self):
        for order in self.drawn("abc"):
            self.assertEqual(sorted(order), sorted(sanitize.THREADS))

    def test_a_commit_draws_the_same_each_time(self):
        self.assertEqual(self.drawn("a"), self.drawn("a"))

    def test_the_modules_exist(self):
        for module in sanitize.ADDRESS + sanitize.THREADS:
            folder = ROOT / "tests" / sanitize.FOLDERS.get(module, module)
            listed = (folder / "CMakeLists.txt").read_text()
            self.assertRegex(listed, rf"pliant_test\(\s*{module}\s")

    def test_no_module_with_threads_is_missing(self):
        threads = re.compile(r"<pliant/core/parallel\.hpp>|<tbb/parallel"
                             r"|std::j?thread\b(?!::)|std::async")
        found = {path.relative_to(ROOT / "src" / "pliant").parts[0]
                 for path in (ROOT / "src" / "pliant").rglob("*.[hc]pp")
                 if threads.search(path.read_text())}
        not_judged_yet = {"io", "coarsen", "render", "study", "view"}
        self.assertEqual(found - set(sanitize.THREADS), not_judged_yet)


# What is asked for, how builds go and how test programs. Time runs out after enough of it for the
# stand-ins on any machine.
CASES = {
    "all is well": (["--kind", "threads"], "", "exit 0"),
    "builds for ever": (["--budget", "8"], FOREVER, ""),
    "runs for ever": (["--kind", "threads", "--budget", "8"], "", FOREVER),
    "address for ever": (["--budget", "16"], "case $2 in *asan) " + FOREVER + ";; esac", "exit 0"),
    "one fails": (["--modules", "core,solve"], "",
                  '[ $module = core ] && echo "a race" && exit 66; exit 0'),
    "complains for ever": (["--kind", "threads", "--modules", "core", "--budget", "8"], "",
                           'echo "WARNING: ThreadSanitizer: data race"; ' + FOREVER),
    "half for ever": (["--kind", "address", "--modules", "core", "--budget", "8"], "",
                      "[ $GTEST_SHARD_INDEX = 0 ] || exit 1; " + FOREVER),
    "cannot be built": (["--kind", "threads", "--modules", "core"],
                        'echo "no such header"; exit 1', ""),
    "is ended": (["--kind", "threads"], "", FOREVER),
}


class Budget(unittest.TestCase):
    """All at once, since they wait most of the time."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.processes = {}
        for name, (words, build, program) in CASES.items():
            root = cls.root(name)
            (root / "tools").mkdir(parents=True)
            shutil.copy(ROOT / "tools" / "sanitize.py", root / "tools")
            (root / "bin").mkdir()
            (root / "bin" / "cmake").write_text(CMAKE)
            (root / "bin" / "cmake").chmod(0o755)
            environment = {**os.environ, "PATH": f"{root / 'bin'}:{os.environ['PATH']}",
                           "BUILD": build, "PROGRAM": program, "LEFT": str(root / "left")}
            cls.processes[name] = subprocess.Popen(
                [sys.executable, root / "tools" / "sanitize.py", *words], env=environment,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    @classmethod
    def root(cls, name):
        return pathlib.Path(cls.folder.name) / name.replace(" ", "_")

    def ends(self, name, code, *words):
        process = self.processes[name]
        said, _ = process.communicate(timeout=90)
        self.assertEqual(process.returncode, code, said)
        for word in words:
            self.assertIn(word, said)
        return said

    def numbers_left(self, name):
        file = self.root(name) / "left"
        return file.read_text().split() if file.exists() else []

    def leaves_nothing(self, name):
        numbers = self.numbers_left(name)
        self.assertTrue(numbers)  # else it proves nothing
        time.sleep(0.2)
        for number in numbers:
            state = pathlib.Path(f"/proc/{number}/stat")
            self.assertTrue(not state.exists() or state.read_text().split()[2] == "Z", number)

    def test_everything_is_judged_where_there_is_time(self):
        self.ends("all is well", 0,
                  f"judged {', '.join(sanitize.THREADS)}; left out for lack of time: nothing")

    def test_a_build_that_does_not_end_is_ended_and_left_out(self):
        said = self.ends("builds for ever", 0)
        address, threads = said.strip().splitlines()[-2:]
        self.assertIn("address and undefined behaviour: judged nothing; left out", address)
        self.assertIn("threads: judged nothing; left out", threads)
        for module in sanitize.THREADS:
            self.assertIn(module, threads)
        self.leaves_nothing("builds for ever")

    def test_tests_that_do_not_end_are_ended_and_left_out(self):
        self.ends("runs for ever", 0, "threads: judged nothing; left out")
        self.leaves_nothing("runs for ever")

    def test_one_kind_leaves_time_to_the_other(self):
        said = self.ends("address for ever", 0, "behaviour: judged nothing")
        self.assertNotIn("threads: judged nothing", said)

    def test_a_failure_fails_and_is_shown(self):
        self.ends("one fails", 1, "a race", "threads: judged solve; FAILED core")

    def test_a_complaint_counts_though_the_program_is_out_of_time(self):
        self.ends("complains for ever", 1, "FAILED core")
        self.leaves_nothing("complains for ever")

    def test_a_part_that_fails_counts_though_another_is_out_of_time(self):
        self.ends("half for ever", 1 if (os.cpu_count() or 2) > 1 else 0)
        self.leaves_nothing("half for ever")

    def test_a_build_that_fails_fails_and_is_shown(self):
        self.ends("cannot be built", 1, "no such header")

    def test_who_ends_it_ends_its_processes(self):
        end = time.monotonic() + 60
        while time.monotonic() < end and not self.numbers_left("is ended"):
            time.sleep(0.05)
        self.processes["is ended"].send_signal(signal.SIGTERM)
        self.ends("is ended", 1)
        self.leaves_nothing("is ended")


if __name__ == "__main__":
    unittest.main()
