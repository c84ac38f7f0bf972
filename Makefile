# `make help` lists the targets. Each installs the Debian packages and builds the parts that it needs, and nothing else;
# all share the folder build, so that nothing is compiled twice.
.PHONY: all help program build setup-demo test demo verify verify-reliability bench bench-contact wheel asan tsan install deb docs format check build-times clean
JOBS ?= $(shell nproc)
DEMO_OUT ?= out/demo
PREFIX ?= /usr/local

all: build

help:
	@echo "target            what it does                                          a first time, two quiet cores of 2.3 GHz, no compiler cache"
	@echo "make demo         build/pliant alone, a run, its picture                8 minutes and a half"
	@echo "make program      build/pliant alone                                    7 minutes and a half"
	@echo "make              the program with the viewer's page, the Python"
	@echo "                  module, tests and benchmarks                          16 minutes"
	@echo "make test         all of that, and passes the tests                     5 minutes more"
	@echo "make check        layers and names of the sources                       seconds"
	@echo "make verify       the long studies                                      hours"
	@echo "make verify-reliability ARGS='--shard 1/4 --budget 3600'   a part of the reliability product"
	@echo "make bench        the benchmarks"
	@echo "make bench-contact ARGS='boxes --integrator be'   contact with friction at the size of real things"
	@echo "make asan         the library's tests with the address and undefined-behaviour sanitizers, in a build of their own"
	@echo "make tsan         its parallel parts with the thread sanitizer, in a build of their own"
	@echo "make docs         the documentation, build/site"
	@echo "make wheel        the Python package, build/wheel/*.whl"
	@echo "make deb          Debian packages, build/packages"
	@echo "make install PREFIX=/usr/local"
	@echo "make build-times  which files and headers cost the build most, after make"
	@echo "make format, make clean"
	@echo "A second time they do only what changed. Packages are Debian's, installed as root or by sudo (tools/setup.sh)."

# The program alone is configured without tests, benchmarks and the Python module; `make` adds them to the same folder.
program:
	@tools/setup.sh program
	@test -e build/build.ninja || cmake --preset program
	cmake --build build --target pliant -j $(JOBS)

setup-demo:
	@tools/setup.sh demo

demo: setup-demo program
	build/pliant run scenes/demo.json --out $(DEMO_OUT) --force
	build/pliant render $(DEMO_OUT) -o $(DEMO_OUT)/demo.png --time 1.56
	@echo "The picture is $(DEMO_OUT)/demo.png, the frames are in $(DEMO_OUT)/frames; open $(DEMO_OUT)/animation.pvd in ParaView,"
	@echo "or make a film of them, if ffmpeg is installed: build/pliant render $(DEMO_OUT) -o $(DEMO_OUT)/demo.mp4"

build/all-configured: CMakeLists.txt CMakePresets.json tools/setup.sh
	@tools/setup.sh build
	cmake --preset dev
	@touch $@

build: build/all-configured
	cmake --build --preset dev -j $(JOBS)

check:
	@tools/check_layers.py
	@tools/check_names.py

test: check
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	ctest --preset dev -j $(JOBS) -LE verify

verify: build
	@tools/setup.sh test
	tools/get_meshes.sh
	ctest --preset dev -j 1 -L verify

verify-reliability: build
	tools/verify_reliability.py $(ARGS)

bench: build
	tools/bench.sh

bench-contact: program
	bench/contact_scenes.py $(ARGS)

build-times: build
	tools/build_times.py build $(ARGS)

wheel: build
	@tools/setup.sh test
	@tools/make_wheel.py build

asan:
	@tools/setup.sh test
	tools/sanitize.py --kind address $(ARGS)

tsan:
	@tools/setup.sh test
	tools/sanitize.py --kind threads $(ARGS)

install: build
	cmake --install build --prefix $(PREFIX)

deb: build
	@tools/setup.sh test
	cpack --config build/CPackConfig.cmake -G DEB -B build/packages

docs:
	@tools/setup.sh docs
	tools/build_site.py

format:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	rm -rf build build-release build-debug build-asan build-tsan build-fuzz
