#!/usr/bin/env python3
"""tools/build_times.py on a log and objects made for it.

    build_times_test.py"""
import importlib.util
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("build_times", ROOT / "tools" / "build_times.py")
build_times = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build_times)

LOG = """# ninja log v5
0\t9000\t1\tsrc/pliant/core/CMakeFiles/pliant_core.dir/curve.cpp.o\taaa
100\t2100\t2\tsrc/pliant/core/CMakeFiles/pliant_core.dir/curve.cpp.o\taab
2100\t2600\t3\tviewer/dist/index.html\tbbb
2100\t2600\t3\t/somewhere/viewer/dist/index.html\tbbb
0\t4000\t4\ttests/core/CMakeFiles/test_core.dir/together/test_core_0.cpp.o\tccc
"""


class BuildTimes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        (self.build / ".ninja_log").write_text(LOG)

    def test_the_last_time_of_each_output_counts_and_a_command_with_two_outputs_once(self):
        times = build_times.durations(self.build)
        self.assertEqual(sorted(times.values()), [0.5, 2, 4])

    def test_outputs_belong_to_modules(self):
        self.assertEqual(build_times.module_of("src/pliant/core/CMakeFiles/pliant_core.dir/curve.cpp.o"), "core")
        self.assertEqual(build_times.module_of("tests/core/CMakeFiles/test_core.dir/a.cpp.o"), "tests/core")
        self.assertEqual(build_times.module_of("CMakeFiles/pliant_precompiled_tests.dir/x.gch"), "precompiled headers")
        self.assertEqual(build_times.module_of("pliant"), "links and others")

    def test_files_compiled_together_are_named(self):
        together = self.build / "tests/core/together/test_core_0.cpp"
        together.parent.mkdir(parents=True)
        together.write_text('#include "../../../../tests/core/svd3_test.cpp"\n#include "../../../../tests/core/parallel_test.cpp"\n')
        said = build_times.sources_of(self.build, "tests/core/CMakeFiles/test_core.dir/together/test_core_0.cpp.o")
        self.assertEqual(said, "tests/core: svd3_test parallel_test")

    def test_a_file_of_its_own_is_named(self):
        said = build_times.sources_of(self.build, "src/pliant/core/CMakeFiles/pliant_core.dir/curve.cpp.o")
        self.assertEqual(said, "src/pliant/core/curve.cpp")


if __name__ == "__main__":
    unittest.main()
