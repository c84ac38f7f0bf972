# pliant_module(NAME SOURCES a.cpp … USES module … LINKS target …)
# One static library per folder of src/pliant; `pliant::pliant` gathers them all. USES names the
# modules below that this one includes, so a forbidden include also fails to link.
include(GNUInstallDirs)

function(pliant_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS" ${ARGN})
  set(target pliant_${name})
  if(ARG_SOURCES)
    add_library(${target} STATIC ${ARG_SOURCES})
    # The Python module and shared libraries of others are linked from the very objects of the program,
    # so that all give the same bits; nobody overrides our functions, so calls stay direct.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
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

# pliant_test(MODULE SOURCES a.cpp … LINKS target …): the tests of one module in one program.
function(pliant_test module)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;LABELS" ${ARGN})
  set(target test_${module})
  add_executable(${target} ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  if(TARGET pliant_${module})
    target_link_libraries(${target} PRIVATE pliant_${module})
  endif()
  target_link_libraries(${target} PRIVATE ${ARG_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES PROPERTIES TIMEOUT 600
                       LABELS "${module};${ARG_LABELS}")
endfunction()
