# What `cmake --install` copies, in two parts, and the packages made of them: `program` is the command line with
# scenes and the viewer's page; `development` the headers and static libraries, with what CMake and pkg-config need to
# find them.
include(CMakePackageConfigHelpers)

install(TARGETS pliant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant COMPONENT program
        FILES_MATCHING PATTERN "*.json" PATTERN "*.png" PATTERN "*.xml" PATTERN "*.urdf" PATTERN "*.obj" PATTERN "*.stl")
# The program has the page within it; this copy is for other servers.
install(DIRECTORY ${CMAKE_BINARY_DIR}/viewer/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant/viewer
        COMPONENT program OPTIONAL)
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pliant COMPONENT program)

get_property(pliant_modules GLOBAL PROPERTY PLIANT_MODULES)
install(TARGETS ${pliant_modules} pliant_all EXPORT pliant-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY src/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pliant/examples COMPONENT development)
# CMake strips programs and shared libraries, not archives, of which debug information is most.
install(CODE "
  if(CMAKE_INSTALL_DO_STRIP)
    file(GLOB archives \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libpliant_*.a\")
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug \${archives} COMMAND_ERROR_IS_FATAL ANY)
  endif()" COMPONENT development)

set(pliant_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
install(EXPORT pliant-targets NAMESPACE pliant:: DESTINATION ${pliant_cmake_dir} COMPONENT development)
configure_package_config_file(cmake/pliant-config.cmake.in ${CMAKE_BINARY_DIR}/package/pliant-config.cmake
                              INSTALL_DESTINATION ${pliant_cmake_dir})
# Before 1.0 every minor version may change what callers see.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/pliant-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/pliant-config.cmake ${CMAKE_BINARY_DIR}/package/pliant-config-version.cmake
        cmake/FindCholmod.cmake cmake/PliantExternal.cmake
        DESTINATION ${pliant_cmake_dir} COMPONENT development)

# pkg-config: archives from the top module down, then what they call.
set(pliant_pc_archives)
foreach(module ${pliant_modules})
  get_target_property(type ${module} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    set(pliant_pc_archives "-l${module} ${pliant_pc_archives}")
  endif()
endforeach()
set(pliant_pc_requires "eigen3, fmt, tbb, nlohmann_json, zlib, openblas")
set(pliant_pc_libraries "-lcholmod -lmetis")
set(pliant_dev_packages "libeigen3-dev, libfmt-dev, libtbb-dev, nlohmann-json3-dev, zlib1g-dev, libsuitesparse-dev, libmetis-dev, libopenblas-pthread-dev | libopenblas-dev")
# option, what pkg-config knows it by, else its library, and its Debian package
foreach(external "PLIANT_PLOTS;cairo;;libcairo2-dev" "PLIANT_HDF5;hdf5-serial;;libhdf5-dev"
                 "PLIANT_MUMPS;;-ldmumps_seq;libmumps-seq-dev" "PLIANT_CGAL;;-lmpfr -lgmp;libmpfr-dev"
                 "PLIANT_EMBREE;;-lembree3;libembree-dev" "PLIANT_XML;tinyxml2;;libtinyxml2-dev")
  list(GET external 0 option)
  if(${option})
    foreach(place IN ITEMS 1 2 3)
      list(GET external ${place} word)
      if(word AND place EQUAL 1)
        string(APPEND pliant_pc_requires ", ${word}")
      elseif(word AND place EQUAL 2)
        string(APPEND pliant_pc_libraries " ${word}")
      elseif(word)
        string(APPEND pliant_dev_packages ", ${word}")
      endif()
    endforeach()
  endif()
endforeach()
foreach(library ${CMAKE_DL_LIBS} pthread)
  string(APPEND pliant_pc_libraries " -l${library}")
endforeach()
file(RELATIVE_PATH pliant_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/pliant.pc.in ${CMAKE_BINARY_DIR}/package/pliant.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/pliant.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# Debian packages: `make deb`, or cpack in the build folder. What the program needs is read from it
# (dpkg-shlibdeps); what archives need, their users link.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pliant)
set(CPACK_PACKAGE_CONTACT "The Pliant developers <developers@pliant.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Engine for deformable solids, cloth, cables and rigid bodies")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME pliant)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "The command line, the viewer and the scenes.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "ffmpeg, fonts-dejavu-core")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpliant-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "Headers and static libraries for programs that call the engine, found by CMake or pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${pliant_dev_packages}")
include(CPack)
