// How the program takes memory from the system.
//
// start_libgit2() tunes it once; the caches announce what a large plan will take. Both are hints:
// without them, or with another C library, everything works and costs more.
#pragma once

#include <cstddef>

namespace gitplan {

// zlib takes a quarter of a megabyte for each object that is read or written. Without this the C
// library gives it back to the system every time, which costs more than the compression; and a list
// that grows is moved to fresh pages again and again.
void tune_heap();

// About `bytes` of small allocations follow. The system gives them at once and in large pages, not
// in one fault for each 4 KiB: on a virtual machine the faults of ten thousand tasks took longer
// than reading them. Little or very much is left to the faults.
void expect_allocations(std::size_t bytes);

}  // namespace gitplan
