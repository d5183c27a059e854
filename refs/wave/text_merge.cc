#include "refs/wave/text_merge.h"

#include "refs/git/libgit2.h"
#include "refs/wave/objects.h"

namespace gitplan {
namespace {

git_merge_file_input input_of(const std::string& text) {
  git_merge_file_input input;
  git_merge_file_input_init(&input, GIT_MERGE_FILE_INPUT_VERSION);
  input.ptr = text.data();
  input.size = text.size();
  return input;
}

}  // namespace

std::optional<std::string> merge_texts(const Repository& repository, const std::string& base,
                                       const std::string& ours, const std::string& theirs,
                                       Favor favor) {
  const auto base_text =
      base.empty() ? std::optional<std::string>("") : blob_text(repository, base);
  const auto our_text = blob_text(repository, ours), their_text = blob_text(repository, theirs);
  if (!base_text || !our_text || !their_text || looks_binary(*base_text) ||
      looks_binary(*our_text) || looks_binary(*their_text))
    return std::nullopt;
  git_merge_file_options options;
  git_merge_file_options_init(&options, GIT_MERGE_FILE_OPTIONS_VERSION);
  options.favor = favor == Favor::kOurs     ? GIT_MERGE_FILE_FAVOR_OURS
                  : favor == Favor::kTheirs ? GIT_MERGE_FILE_FAVOR_THEIRS
                                            : GIT_MERGE_FILE_FAVOR_NORMAL;
  const git_merge_file_input ancestor = input_of(*base_text), left = input_of(*our_text),
                             right = input_of(*their_text);
  git_merge_file_result merged{};
  std::optional<std::string> result;
  if (git_merge_file(&merged, &ancestor, &left, &right, &options) == 0 && merged.automergeable)
    result.emplace(merged.ptr == nullptr ? "" : merged.ptr, merged.len);
  git_merge_file_result_free(&merged);
  return result;
}

}  // namespace gitplan
