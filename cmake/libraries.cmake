# The libraries of others, as targets gitplan::*.
#
# Loading shared libraries is most of the time of a short command: with everything shared a start
# takes 20 ms (libgit2 brings TLS, ssh and Kerberos, and starts them), with the archives 5 ms, and
# with no shared library at all 2 ms. So archives come first, and the shared library stands in where
# a system has no archive; then GITPLAN_ALL_STATIC is off.

include(CheckCXXSourceCompiles)
find_package(Threads REQUIRED)
set(GITPLAN_ALL_STATIC ${GITPLAN_STATIC})
if(GITPLAN_SANITIZE)  # The sanitizers' runtime is a shared library.
  set(GITPLAN_ALL_STATIC OFF)
endif()

# gitplan_find(<target> HEADER <header> ARCHIVES <names> SHARED <names>)
function(gitplan_find target)
  cmake_parse_arguments(ARG "" "HEADER" "ARCHIVES;SHARED" ${ARGN})
  string(MAKE_C_IDENTIFIER "GITPLAN_${target}" variable)
  find_path(${variable}_INCLUDE ${ARG_HEADER} REQUIRED)
  set(found "")
  foreach(name IN LISTS ARG_ARCHIVES)
    find_library(${variable}_${name} lib${name}.a)
    if(${variable}_${name})
      list(APPEND found ${${variable}_${name}})
    else()
      set(found "")
      break()
    endif()
  endforeach()
  if(NOT found)
    set(GITPLAN_ALL_STATIC OFF PARENT_SCOPE)
    foreach(name IN LISTS ARG_SHARED)
      find_library(${variable}_${name}_shared ${name} REQUIRED)
      list(APPEND found ${${variable}_${name}_shared})
    endforeach()
  endif()
  add_library(gitplan_${target} INTERFACE)
  add_library(gitplan::${target} ALIAS gitplan_${target})
  target_link_libraries(gitplan_${target} INTERFACE ${found} Threads::Threads ${CMAKE_DL_LIBS})
  target_include_directories(gitplan_${target} SYSTEM INTERFACE ${${variable}_INCLUDE})
endfunction()

gitplan_find(yaml HEADER yaml-cpp/yaml.h ARCHIVES yaml-cpp SHARED yaml-cpp)
gitplan_find(crypto HEADER openssl/evp.h ARCHIVES crypto SHARED crypto)
gitplan_find(xxhash HEADER xxhash.h ARCHIVES xxhash SHARED xxhash)
gitplan_find(uv HEADER uv.h ARCHIVES uv_a SHARED uv)
gitplan_find(curses HEADER curses.h ARCHIVES ncursesw tinfo SHARED ncursesw tinfo)

# Headers only.
foreach(pair IN ITEMS "json|nlohmann/json.hpp" "cli|CLI/CLI.hpp")
  string(REPLACE "|" ";" pair "${pair}")
  list(GET pair 0 name)
  list(GET pair 1 header)
  find_path(GITPLAN_${name}_INCLUDE ${header} REQUIRED)
  add_library(gitplan_${name} INTERFACE)
  add_library(gitplan::${name} ALIAS gitplan_${name})
  target_include_directories(gitplan_${name} SYSTEM INTERFACE ${GITPLAN_${name}_INCLUDE})
endforeach()

# fmt: Debian ships no archive, and FMT_HEADER_ONLY adds three seconds to every file. fmt_once.cc
# compiles the library's body once instead; where that does not fit the version, the shared one.
find_path(GITPLAN_fmt_INCLUDE fmt/format.h REQUIRED)
find_library(GITPLAN_fmt_archive libfmt.a)
set(fmt_once ${CMAKE_CURRENT_LIST_DIR}/fmt_once.cc)
if(NOT GITPLAN_fmt_archive AND NOT DEFINED GITPLAN_FMT_ONCE)
  try_compile(GITPLAN_FMT_ONCE ${CMAKE_BINARY_DIR}/try_fmt
              SOURCES ${fmt_once} ${CMAKE_CURRENT_LIST_DIR}/try_fmt.cc
              CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
endif()
if(GITPLAN_fmt_archive)
  add_library(gitplan_fmt INTERFACE)
  target_link_libraries(gitplan_fmt INTERFACE ${GITPLAN_fmt_archive})
  target_include_directories(gitplan_fmt SYSTEM INTERFACE ${GITPLAN_fmt_INCLUDE})
elseif(GITPLAN_FMT_ONCE)
  add_library(gitplan_fmt STATIC ${fmt_once})
  target_compile_options(gitplan_fmt PRIVATE -fno-sanitize=all)
  target_include_directories(gitplan_fmt SYSTEM PUBLIC ${GITPLAN_fmt_INCLUDE})
else()
  set(GITPLAN_ALL_STATIC OFF)
  find_library(GITPLAN_fmt_shared fmt REQUIRED)
  add_library(gitplan_fmt INTERFACE)
  target_link_libraries(gitplan_fmt INTERFACE ${GITPLAN_fmt_shared})
endif()
add_library(gitplan::fmt ALIAS gitplan_fmt)

include(${CMAKE_CURRENT_LIST_DIR}/libgit2.cmake)
