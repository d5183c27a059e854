// Stands in for libgit2's network where libgit2 is linked as an archive (cmake/libgit2.cmake).
//
// Fetching and pushing run `git`, which knows the user's credentials and proxies; libgit2 here only
// reads and writes objects. Every door to TLS, ssh and HTTP fails, and nothing is initialised. The
// build makes a --wrap option of each name below.

extern "C" {

int __wrap_git_mbedtls_stream_global_init() { return 0; }
int __wrap_git_openssl_stream_global_init() { return 0; }
int __wrap_git_transport_ssh_global_init() { return 0; }
int __wrap_git_transport_ssh_libssh2_global_init() { return 0; }

int __wrap_git_mbedtls__set_cert_location(const char*, const char*) { return -1; }
int __wrap_git_openssl__set_cert_location(const char*, const char*) { return -1; }
int __wrap_git_mbedtls_stream_new(void**, const char*, const char*) { return -1; }
int __wrap_git_mbedtls_stream_wrap(void**, void*, const char*) { return -1; }
int __wrap_git_openssl_stream_new(void**, const char*, const char*) { return -1; }
int __wrap_git_openssl_stream_wrap(void**, void*, const char*) { return -1; }
int __wrap_git_smart_subtransport_ssh(void**, void*, void*) { return -1; }
int __wrap_git_transport_ssh_with_paths(void**, void*, void*) { return -1; }
int __wrap_git_smart_subtransport_http(void**, void*, void*) { return -1; }
int __wrap_git_http_auth_negotiate(void**, const void*) { return -1; }

}  // extern "C"
