#!/usr/bin/env python3
"""tools/setup.sh on machines that cannot build: each time one sentence, before anything is installed or built. The
machine is made of stand-ins for dpkg-query, apt-get, id, df and sudo in a folder that is all of PATH.

    setup_test.py"""
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ["sh", "dirname", "awk", "grep", "cat", "mktemp", "rm", "tail", "npm"]


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name) / "pliant"
        (self.root / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "tools" / "setup.sh", self.root / "tools")
        self.path = pathlib.Path(self.folder.name) / "bin"
        self.path.mkdir()
        for tool in TOOLS:
            if found := shutil.which(tool):
                (self.path / tool).symlink_to(found)
        self.stand_in("dpkg-query", "exit 1")  # nothing is installed
        self.stand_in("id", "echo 0")
        self.stand_in("df", "echo header; echo disk 1 2 99999999 4")
        self.stand_in("apt-get", f'echo "$@" >>{self.folder.name}/asked')

    def stand_in(self, name, script):
        file = self.path / name
        file.unlink(missing_ok=True)
        file.write_text(f"#!{shutil.which('sh')}\n{script}\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def run_setup(self, what="demo"):
        return subprocess.run([shutil.which("sh"), self.root / "tools" / "setup.sh", what], capture_output=True, text=True,
                              env={"PATH": str(self.path), "TMPDIR": self.folder.name, "LC_ALL": "C"})

    def refused(self, *words, what="demo"):
        result = self.run_setup(what)
        self.assertNotEqual(result.returncode, 0, result.stdout)
        last = result.stderr.strip().splitlines()[-1]
        self.assertTrue(last.startswith("setup: "), result.stderr)
        for word in words:
            self.assertIn(word, last)
        return last

    def asked(self):
        file = pathlib.Path(self.folder.name) / "asked"
        return file.read_text() if file.exists() else ""

    def test_packages_that_are_missing_are_installed(self):
        result = self.run_setup()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("libeigen3-dev", self.asked())

    def test_the_demo_needs_no_browser_and_no_test_framework(self):
        self.run_setup("demo")
        for package in ("chromium", "libgtest-dev", "mkdocs", "python3-vtk9", "pybind11-dev", "ffmpeg", "nodejs"):
            self.assertNotIn(package, self.asked())
        self.run_setup("test")
        for package in ("chromium", "libgtest-dev", "mkdocs", "python3-vtk9", "pybind11-dev", "ffmpeg"):
            self.assertIn(package, self.asked())

    def test_nothing_is_said_where_nothing_is_missing(self):
        self.stand_in("dpkg-query", "echo install ok installed")
        result = self.run_setup("test")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_no_package_manager(self):
        (self.path / "apt-get").unlink()
        self.refused("no apt-get", "PLIANT_SETUP=skip")

    def test_a_system_that_says_it_has_everything_is_believed(self):
        (self.path / "apt-get").unlink()
        result = subprocess.run([shutil.which("sh"), self.root / "tools" / "setup.sh", "demo"], capture_output=True, text=True,
                                env={"PATH": str(self.path), "PLIANT_SETUP": "skip"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_neither_root_nor_sudo(self):
        self.stand_in("id", "echo 1000")
        self.refused("takes root or sudo", "libeigen3-dev")

    def test_sudo_is_used(self):
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", f'echo sudo >>{self.folder.name}/asked; "$@"')
        self.assertEqual(self.run_setup().returncode, 0)
        self.assertIn("sudo", self.asked())

    def test_no_network(self):
        self.stand_in("apt-get", 'echo "E: Failed to fetch http://somewhere  Could not resolve host" >&2; exit 100')
        self.refused("check the network")

    def test_a_system_without_a_package(self):
        self.stand_in("apt-get", '[ "$1" = update ] || { echo "E: Unable to locate package libspectra-dev" >&2; exit 100; }')
        self.refused("does not have all packages")

    def test_a_full_disk(self):
        self.stand_in("df", "echo header; echo disk 1 2 102400 4")
        self.refused("100 MB are free", "make room")
        self.assertEqual(self.asked(), "")

    def test_a_disk_that_fills_up_meanwhile(self):
        self.stand_in("apt-get", '[ "$1" = update ] || { echo "write error: No space left on device" >&2; exit 100; }')
        self.refused("disk filled up", "make room")

    def test_a_wrong_word(self):
        self.refused("'dmeo' is none of", what="dmeo")

    @unittest.skipIf(os.geteuid() == 0 and not shutil.which("setpriv"), "root may write anywhere")
    def test_a_folder_that_cannot_be_written_to(self):
        folder = pathlib.Path(self.folder.name)
        folder.chmod(0o755)
        self.root.chmod(0o555)
        self.addCleanup(self.root.chmod, 0o755)
        words = [shutil.which("sh"), self.root / "tools" / "setup.sh", "demo"]
        if os.geteuid() == 0:
            words = [shutil.which("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups", *words]
        result = subprocess.run(words, capture_output=True, text=True, env={"PATH": str(self.path), "TMPDIR": "/tmp"})
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("cannot be written to", result.stderr)


if __name__ == "__main__":
    unittest.main()
