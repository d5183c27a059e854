# Flags, the linker and the compiler cache.

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Werror)
add_compile_options(-Wno-missing-field-initializers)  # {.timeout = x} leaves the rest on purpose
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # GCC 12's false alarms in std::string; the sanitizers see more
  add_compile_options(-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
include_directories(${CMAKE_SOURCE_DIR})

# Position-independent code costs relocations at every start; git runs the program as a hook.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
add_compile_options(-fno-pie)
add_link_options(-no-pie)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  add_link_options(-Wno-unused-command-line-argument)  # -no-pie beside -static
endif()

# Unused functions of the big libraries fall out of the programs.
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)

# The five checks that are left out double the time to compile, and what they find ends in
# AddressSanitizer's hands as well.
if(GITPLAN_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-sanitize=null,vptr,alignment,object-size,pointer-overflow
                      -fno-omit-frame-pointer
                      # With sanitizers GCC takes the value of any optional for unset.
                      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=address,undefined)
endif()

# mold and lld link in a tenth of the time that GNU ld takes.
find_program(GITPLAN_MOLD mold)
find_program(GITPLAN_LLD NAMES ld.lld)
if(GITPLAN_MOLD)
  add_link_options(-fuse-ld=mold)
elseif(GITPLAN_LLD)
  add_link_options(-fuse-ld=lld)
endif()

find_program(GITPLAN_CCACHE ccache)
if(GITPLAN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${GITPLAN_CCACHE})
endif()
