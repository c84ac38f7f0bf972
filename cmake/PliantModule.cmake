# pliant_module(NAME SOURCES a.cpp … USES module … LINKS target …)
# One static library per folder of src/pliant; `pliant::pliant` gathers them all. USES names the
# modules below that this one includes, so a forbidden include also fails to link.
include(GNUInstallDirs)

option(PLIANT_UNITY "Compile the small files of a module several at once, which reads headers once for all" ON)
option(PLIANT_PRECOMPILED "Read the headers of Eigen, fmt, json and the standard library once" ON)

# Makes `count` files of a target at a time one for the compiler. Names in their unnamed namespaces must differ then;
# files with options of their own stay alone. PLIANT_UNITY=OFF compiles each alone, as `make verify` does with all.
function(pliant_together target count)
  if(PLIANT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  endif()
endfunction()

# Headers of others that most files read. Sources say what they include all the same: with PLIANT_PRECOMPILED=OFF
# nothing is missing.
set(pliant_precompiled_headers <Eigen/Dense> <fmt/format.h> <nlohmann/json.hpp>
    <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numbers> <optional>
    <set> <span> <string> <string_view> <vector>)

# What the compiler keeps of them is valid only for the options it was made with, so there is one for modules
# (position independent) and one for tests.
function(pliant_precompile_for target set)
  if(PLIANT_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM pliant_precompiled_${set})
    if("${set}" STREQUAL modules)
      target_compile_options(${target} PRIVATE ${PLIANT_MODULE_OPTIONS})
    endif()
  endif()
endfunction()

function(pliant_precompiled set)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINKS;OPTIONS" ${ARGN})
  if(NOT PLIANT_PRECOMPILED)
    return()
  endif()
  set(target pliant_precompiled_${set})
  if(NOT EXISTS ${CMAKE_BINARY_DIR}/precompiled/${set}.cpp)  # a newer one would be compiled again
    file(WRITE ${CMAKE_BINARY_DIR}/precompiled/${set}.cpp "")
  endif()
  add_library(${target} OBJECT ${CMAKE_BINARY_DIR}/precompiled/${set}.cpp)
  target_link_libraries(${target} PRIVATE ${ARG_LINKS})
  target_compile_options(${target} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${pliant_precompiled_headers} ${ARG_HEADERS})
endfunction()

# pliant_module(NAME [TOGETHER n] SOURCES … USES … LINKS …)
function(pliant_module name)
  cmake_parse_arguments(ARG "" "TOGETHER" "SOURCES;USES;LINKS" ${ARGN})
  set(target pliant_${name})
  if(ARG_SOURCES)
    add_library(${target} STATIC ${ARG_SOURCES})
    target_compile_options(${target} PRIVATE ${PLIANT_MODULE_OPTIONS})
    if(NOT ARG_TOGETHER)
      set(ARG_TOGETHER 12)
    endif()
    pliant_together(${target} ${ARG_TOGETHER})
    pliant_precompile_for(${target} modules)
    set(visibility PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(visibility INTERFACE)
  endif()
  target_include_directories(${target} ${visibility} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  foreach(used ${ARG_USES})
    target_link_libraries(${target} ${visibility} pliant_${used})
  endforeach()
  target_link_libraries(${target} ${visibility} ${ARG_LINKS})
  set_property(GLOBAL APPEND PROPERTY PLIANT_MODULES ${target})
endfunction()

function(pliant_umbrella)
  get_property(modules GLOBAL PROPERTY PLIANT_MODULES)
  add_library(pliant_all INTERFACE)
  set_target_properties(pliant_all PROPERTIES EXPORT_NAME pliant)
  target_compile_features(pliant_all INTERFACE cxx_std_20)
  target_link_libraries(pliant_all INTERFACE ${modules})
  add_library(pliant::pliant ALIAS pliant_all)
endfunction()

# pliant_test(MODULE [TOGETHER n] [SHARDS n] SOURCES a.cpp … LINKS target …): the tests of one module in one program.
# It is run in a few parts of equal numbers of tests: a process for each test would spend its time on starting, and on
# references that many tests share. One test alone: build/tests/MODULE/test_MODULE --gtest_filter=Suite.Name
function(pliant_test module)
  cmake_parse_arguments(ARG "" "TOGETHER;SHARDS" "SOURCES;LINKS;LABELS" ${ARGN})
  set(target test_${module})
  add_executable(${target} ${ARG_SOURCES})
  if(NOT ARG_TOGETHER)
    set(ARG_TOGETHER 6)
  endif()
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  pliant_together(${target} ${ARG_TOGETHER})
  pliant_precompile_for(${target} tests)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  if(TARGET pliant_${module})
    target_link_libraries(${target} PRIVATE pliant_${module})
  endif()
  target_link_libraries(${target} PRIVATE ${ARG_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  math(EXPR last "${ARG_SHARDS} - 1")
  foreach(part RANGE ${last})
    set(name ${module})
    if(ARG_SHARDS GREATER 1)
      set(name ${module}.part${part})
    endif()
    add_test(NAME ${name} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS "${module};${ARG_LABELS}"
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${part}")
  endforeach()
endfunction()
