# How a folder becomes a library and a file becomes a program.

# gitplan_library(<name> [FOLDER <folder>] [LIBRARIES <targets>] [EXCLUDE <regex>]
#                 [UNSANITIZED <regex>])
# Makes gitplan_<name> from every .cc below the folder. Files that end with the process, and cost
# most to compile, can do without the sanitizers.
function(gitplan_library name)
  cmake_parse_arguments(ARG "" "FOLDER;EXCLUDE;UNSANITIZED" "LIBRARIES" ${ARGN})
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${name})
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${ARG_FOLDER}/*.cc)
  if(ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${ARG_EXCLUDE}")
  endif()
  if(GITPLAN_SANITIZE AND ARG_UNSANITIZED)
    set(unsanitized ${sources})
    list(FILTER unsanitized INCLUDE REGEX "${ARG_UNSANITIZED}")
    set_source_files_properties(${unsanitized} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all
                                SKIP_PRECOMPILE_HEADERS ON)
  endif()
  if(sources)
    set(scope PUBLIC)
    add_library(gitplan_${name} STATIC ${sources})
  else()
    set(scope INTERFACE)
    add_library(gitplan_${name} INTERFACE)
  endif()
  target_link_libraries(gitplan_${name} ${scope} ${ARG_LIBRARIES})
  # Half of the time goes into reading these. Elsewhere each file shows that it includes what it
  # needs.
  if(GITPLAN_SANITIZE AND sources)
    target_precompile_headers(gitplan_${name} PRIVATE <algorithm> <functional> <map>
                              <memory> <optional> <set> <string> <variant> <vector>)
  endif()
  set(GITPLAN_${name}_SCOPE ${scope} PARENT_SCOPE)
endfunction()

# gitplan_program(<name> DIRECTORY <in the build tree> SOURCES <globs> LIBRARIES <targets>)
function(gitplan_program name)
  cmake_parse_arguments(ARG "" "DIRECTORY" "SOURCES;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${ARG_SOURCES})
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  if(GITPLAN_ALL_STATIC)
    target_link_options(${name} PRIVATE -static)
  elseif(NOT GITPLAN_SANITIZE)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${ARG_DIRECTORY})
endfunction()
