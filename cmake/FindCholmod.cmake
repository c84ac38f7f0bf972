# CHOLMOD (SuiteSparse), METIS and a BLAS: Debian ships no CMake configuration for them.
find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_path(METIS_INCLUDE_DIR metis.h)
find_library(CHOLMOD_LIBRARY cholmod)
find_library(METIS_LIBRARY metis)
find_library(PLIANT_BLAS_LIBRARY NAMES openblas blas)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cholmod REQUIRED_VARS CHOLMOD_LIBRARY METIS_LIBRARY
  PLIANT_BLAS_LIBRARY CHOLMOD_INCLUDE_DIR METIS_INCLUDE_DIR)
if(Cholmod_FOUND AND NOT TARGET Cholmod::Cholmod)
  add_library(Cholmod::Cholmod INTERFACE IMPORTED)
  target_include_directories(Cholmod::Cholmod INTERFACE ${CHOLMOD_INCLUDE_DIR} ${METIS_INCLUDE_DIR})
  target_link_libraries(Cholmod::Cholmod INTERFACE ${CHOLMOD_LIBRARY} ${METIS_LIBRARY}
    ${PLIANT_BLAS_LIBRARY})
endif()
