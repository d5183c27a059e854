# What `./dev install` and `./dev package` put where.

if(TARGET git-plan)
  install(TARGETS git-plan RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET git-plan-hook)
  install(TARGETS git-plan-hook RUNTIME DESTINATION libexec/git-plan)
endif()
if(TARGET git-plan-attempt)  # not CMAKE_INSTALL_LIBEXECDIR: git-plan looks beside its own bin/
  install(TARGETS git-plan-attempt RUNTIME DESTINATION libexec/git-plan)
endif()

foreach(section 1 5)
  file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/man/*.${section})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

set(completion ${CMAKE_SOURCE_DIR}/git-plan/completion)
if(EXISTS ${completion}/git-plan.bash)  # git's own completion calls _git_plan from here
  install(FILES ${completion}/git-plan.bash RENAME git-plan
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
if(EXISTS ${completion}/_git-plan)
  install(FILES ${completion}/_git-plan DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
if(EXISTS ${completion}/git-plan.fish)
  install(FILES ${completion}/git-plan.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME git-plan)
set(CPACK_PACKAGE_CONTACT "git-plan maintainers <git-plan@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION vcs)
set(CPACK_DEBIAN_PACKAGE_DEPENDS git)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
