#include "refs/git/heap.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace gitplan {

namespace {

constexpr std::size_t kWorthwhile = 1 << 20;
constexpr std::size_t kOwnMapping = 64 << 20;  // from here on the C library maps a block by itself

}  // namespace

void tune_heap() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, kOwnMapping);
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_MMAP_THRESHOLD, kOwnMapping);
#endif
}

void expect_allocations(std::size_t bytes) {
#if defined(__GLIBC__) && defined(MADV_POPULATE_WRITE)
  if (bytes < kWorthwhile || bytes >= kOwnMapping) return;
  // Taken and given back, the block is the next that the heap hands out.
  void* const block = std::malloc(bytes);
  if (block == nullptr) return;
  const std::uintptr_t page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(block) + page - 1) / page * page;
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(block) + bytes) / page * page;
  void* const pages = reinterpret_cast<void*>(begin);
  (void)madvise(pages, end - begin, MADV_HUGEPAGE);
  (void)madvise(pages, end - begin, MADV_POPULATE_WRITE);
  std::free(block);
#else
  (void)bytes;
#endif
}

}  // namespace gitplan
