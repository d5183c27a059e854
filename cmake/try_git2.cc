// Configure-time probe: does libgit2's archive link without its network? The calls below reach
// every part that has one.
#include <git2.h>

int main() {
  git_repository* repository = nullptr;
  git_remote* remote = nullptr;
  git_libgit2_init();
  git_libgit2_opts(GIT_OPT_SET_SSL_CERT_LOCATIONS, nullptr, nullptr);
  git_clone(&repository, "", "", nullptr);
  git_remote_lookup(&remote, repository, "");
  git_remote_fetch(remote, nullptr, nullptr, nullptr);
  return 0;
}
