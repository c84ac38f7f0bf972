# make         build build/pliant and the Python package in build/python
# make test    build and pass the tests      make wheel    the Python package as build/wheel/*.whl
# make demo    build, run and draw the demo  make verify   the long studies
# make bench   the benchmarks                make asan     the library's tests under the sanitizers
# make install PREFIX=/usr/local             make deb      Debian packages in build/packages
# make docs    the documentation site, build/site
# make verify-reliability ARGS="--shard 1/4 --budget 3600"   a part of the reliability product
# Every target first installs the Debian packages that are missing (tools/setup.sh).
.PHONY: all setup build test demo verify verify-reliability bench wheel asan install deb docs format check clean
JOBS ?= $(shell nproc)
DEMO_OUT ?= out/demo
PREFIX ?= /usr/local

all: build

setup:
	@tools/setup.sh

build/build.ninja: CMakeLists.txt CMakePresets.json | setup
	cmake --preset dev

build: build/build.ninja
	cmake --build --preset dev -j $(JOBS)

check:
	@tools/check_layers.py
	@tools/check_names.py

test: build check
	ctest --preset dev -j $(JOBS) -LE verify

demo: build
	build/pliant run scenes/demo.json --out $(DEMO_OUT) --force
	build/pliant render $(DEMO_OUT) -o $(DEMO_OUT)/demo.png --time 1.56
	@echo "The picture is $(DEMO_OUT)/demo.png, the frames are in $(DEMO_OUT)/frames; open $(DEMO_OUT)/animation.pvd in ParaView,"
	@echo "or make a film of them: build/pliant render $(DEMO_OUT) -o $(DEMO_OUT)/demo.mp4"

verify: build
	tools/get_meshes.sh
	ctest --preset dev -j 1 -L verify

verify-reliability: build
	tools/verify_reliability.py $(ARGS)

bench: build
	tools/bench.sh

wheel: build
	@tools/make_wheel.py build

asan: setup
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS) -LE 'verify|apps|docs|viewer'

install: build
	cmake --install build --prefix $(PREFIX)

deb: build
	cpack --config build/CPackConfig.cmake -G DEB -B build/packages

docs: setup
	tools/build_site.py

format:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	rm -rf build build-release build-asan build-tsan build-fuzz
