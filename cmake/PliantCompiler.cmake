# Compiler settings shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

# -g1 keeps line numbers for back traces at a fraction of the size of -g.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(PLIANT_SANITIZE)  # checked code takes minutes to optimise; the checks are what matters
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
endif()

# No fused multiply-add behind our back: our own loops must agree between compilers.
# Nobody reads errno after a square root, which then is one instruction.
add_compile_options(-Wall -Wextra -ffp-contract=off -fno-math-errno)

find_program(PLIANT_CCACHE ccache)
if(PLIANT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PLIANT_CCACHE})
endif()

# Our own assertions stay on in every build but `release`; Eigen's run under the sanitizers, where
# speed does not matter.
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
