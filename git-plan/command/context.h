// What a command is given: the repository and its store, opened when first asked for, the streams,
// the clock.
//
// main makes one and hands it down; nothing here is global. Tests make their own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/timestamp.h"
#include "git-plan/terminal/output.h"
#include "refs/git/repository.h"
#include "refs/git/settings.h"
#include "refs/store/store.h"

namespace gitplan {

class Context {
 public:
  explicit Context(bool json);
  ~Context();

  Result<Repository*> repository();
  Result<const Settings*> settings();
  Result<Store*> store();
  // resolve() and load() in one, with errors that name what the user typed.
  Result<PlanView> plan(std::string_view name);

  // From here on everything is about the repository as it is seen from that directory. What was
  // handed out before is gone.
  Status move_to(const std::string& directory);

  Output& out() { return output_; }
  // From here on a long result goes through the user's pager, where standard output is a terminal.
  void page();
  bool json() const { return json_; }

  Millis now() const;                        // the real clock
  std::string random_hex(int digits) const;  // from the kernel
  std::optional<std::string> environment(const char* name) const;
  std::string program_path() const;  // of git-plan itself, absolute

  // A question may be asked: standard input and output are terminals, CI is unset, no pager is in
  // use.
  bool interactive() const;

 private:
  bool json_;
  Output output_;
  std::unique_ptr<Repository> repository_;
  std::unique_ptr<Settings> settings_;
  std::unique_ptr<Store> store_;
};

}  // namespace gitplan
