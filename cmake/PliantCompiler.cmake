# Compiler settings shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# One set of flags for what users run and what the tests judge. With -g1 the program had 240 MB,
# without it has 17; -g1 keeps line numbers for back traces at a fraction of -g.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
option(PLIANT_ASSERTIONS "Keep our own assertions" ON)
if(NOT PLIANT_ASSERTIONS)
  add_compile_definitions(NDEBUG)
endif()
if(PLIANT_SANITIZE)  # checked code takes minutes to optimise; the checks are what matters
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
endif()

# No fused multiply-add behind our back: our own loops must agree between compilers.
# Nobody reads errno after a square root, which then is one instruction.
# What a designated initialiser leaves out has its default: that is what they are for.
add_compile_options(-Wall -Wextra -Wno-missing-field-initializers -ffp-contract=off -fno-math-errno)
# GCC looks for memory to give back whenever its heap has doubled, from 128 MB on, and finds little: a tenth of its time.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options("SHELL:--param ggc-min-heapsize=2000000")
endif()
# GCC 12 takes the shared pointers of options that are made in place for uninitialised where it inlines their destructor.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-maybe-uninitialized)
endif()

# Where the compiler cache is installed it is used. It takes the headers that a file read from the compiler's own
# list in place of running the preprocessor on each file once more (CCACHE_DEPEND), and knows that headers
# precompiled by the same compiler of the same sources are the same (sloppiness, as its manual asks for).
find_program(PLIANT_CCACHE ccache)
if(PLIANT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${PLIANT_CCACHE})
endif()

# Eigen's assertions run under the sanitizers, where speed does not matter.
if(NOT PLIANT_SANITIZE)
  add_compile_definitions(EIGEN_NO_DEBUG)
endif()

if(PLIANT_SANITIZE)
  add_compile_options(-fsanitize=${PLIANT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PLIANT_SANITIZE})
endif()
if(PLIANT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
