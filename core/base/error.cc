#include "core/base/error.h"

namespace gitplan {

int exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage: return 129;
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
    case ErrorCode::kAmbiguous:
    case ErrorCode::kRefused:
    case ErrorCode::kUnsupported: return 2;
    case ErrorCode::kBusy: return 8;
    case ErrorCode::kNotTrusted: return 7;
    case ErrorCode::kStuck: return 3;
    case ErrorCode::kDecision: return 4;
    case ErrorCode::kStale: return 5;
    case ErrorCode::kConflicted: return 6;
    case ErrorCode::kInterrupted: return 130;
    case ErrorCode::kFailed: return 1;
  }
  return 1;
}

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kFailed: return "failed";
    case ErrorCode::kUsage: return "usage";
    case ErrorCode::kInvalid: return "invalid";
    case ErrorCode::kNotFound: return "not_found";
    case ErrorCode::kAmbiguous: return "ambiguous";
    case ErrorCode::kBusy: return "busy";
    case ErrorCode::kNotTrusted: return "not_trusted";
    case ErrorCode::kDecision: return "decision";
    case ErrorCode::kStale: return "stale";
    case ErrorCode::kConflicted: return "conflicted";
    case ErrorCode::kStuck: return "stuck";
    case ErrorCode::kInterrupted: return "interrupted";
    case ErrorCode::kRefused: return "refused";
    case ErrorCode::kUnsupported: return "unsupported";
  }
  return "failed";
}

}  // namespace gitplan
