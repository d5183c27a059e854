# gitplan::git2: libgit2 without its network.
#
# libgit2 starts TLS and ssh in git_libgit2_init, and its archive names them all, though everything
# that this program sends goes through git itself. --wrap turns the few doors to the network into
# the stubs of refs/git/no_transport.cc; the linker then never reads the objects behind them. What is
# left needs only a hash, the address parser, a regular expression and zlib. A version that needs
# more does not link here, and the shared library stands in.

find_path(GITPLAN_git2_INCLUDE git2.h REQUIRED)
find_library(GITPLAN_git2_archive libgit2.a)
find_library(GITPLAN_git2_shared git2 REQUIRED)

set(stubs ${CMAKE_SOURCE_DIR}/refs/git/no_transport.cc)
file(STRINGS ${stubs} stub_lines REGEX "__wrap_")
set(wraps "")
foreach(line IN LISTS stub_lines)
  if(line MATCHES "__wrap_([a-z0-9_]+)")
    list(APPEND wraps "-Wl,--wrap=${CMAKE_MATCH_1}")
  endif()
endforeach()

set(needs "")
foreach(name IN ITEMS mbedcrypto http_parser llhttp pcre2-8 pcre z)
  find_library(GITPLAN_git2_${name} lib${name}.a)
  if(GITPLAN_git2_${name})
    list(APPEND needs ${GITPLAN_git2_${name}})
  endif()
endforeach()

if(GITPLAN_git2_archive AND NOT DEFINED GITPLAN_GIT2_ALONE)
  try_compile(GITPLAN_GIT2_ALONE ${CMAKE_BINARY_DIR}/try_git2
              SOURCES ${CMAKE_CURRENT_LIST_DIR}/try_git2.cc ${stubs}
              CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${GITPLAN_git2_INCLUDE}
              LINK_OPTIONS ${wraps}
              LINK_LIBRARIES ${GITPLAN_git2_archive} ${needs} ${CMAKE_DL_LIBS})
endif()

if(GITPLAN_GIT2_ALONE)
  # A library of its own, behind libgit2 on the command line: an archive is searched once.
  add_library(gitplan_no_transport STATIC ${stubs})
  add_library(gitplan_git2_archive STATIC IMPORTED)
  set_target_properties(gitplan_git2_archive PROPERTIES
    IMPORTED_LOCATION ${GITPLAN_git2_archive}
    INTERFACE_LINK_LIBRARIES "gitplan_no_transport;${needs};${CMAKE_DL_LIBS}")
  add_library(gitplan_git2 INTERFACE)
  target_link_libraries(gitplan_git2 INTERFACE gitplan_git2_archive Threads::Threads)
  target_link_options(gitplan_git2 INTERFACE ${wraps})
else()
  message(STATUS "libgit2: no usable archive, linking the shared library")
  set(GITPLAN_ALL_STATIC OFF)
  add_library(gitplan_git2 INTERFACE)
  target_link_libraries(gitplan_git2 INTERFACE ${GITPLAN_git2_shared})
endif()
target_include_directories(gitplan_git2 SYSTEM INTERFACE ${GITPLAN_git2_INCLUDE})
add_library(gitplan::git2 ALIAS gitplan_git2)
