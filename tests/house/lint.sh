#!/bin/bash
# What `./dev lint` checks: the files changed since the branch began, or with --all every file.
# Prints each fault and ends with status 1 where there is one.
set -euo pipefail

all=false
case ${1:-} in
  --all) all=true ;;
  '') ;;
  *) echo "usage: ./dev lint [--all]" >&2; exit 129 ;;
esac

# Where the changes began: upstream, the main branch, or the commit before.
base_commit() {
  local name base head
  head=$(git rev-parse HEAD)
  for name in '@{upstream}' origin/HEAD origin/main main; do
    base=$(git merge-base HEAD "$name" 2>/dev/null) || continue
    [ "$base" = "$head" ] || { echo "$base"; return; }
  done
  git rev-parse -q --verify HEAD~1 || true
}

# A sources archive has no .git; a shallow clone may have no commit before.
if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
  mapfile -t files < <(find . -path ./build -prune -o -path ./.git -prune -o -type f -printf '%P\n')
else
  base=$(base_commit)
  if $all || [ -z "$base" ]; then
    mapfile -t files < <(git ls-files; git ls-files -o --exclude-standard)
  else
    mapfile -t files < <({ git diff --name-only --diff-filter=d "$base"
                           git ls-files -o --exclude-standard; } | sort -u)
  fi
fi

sources=() compiled=() scripts=() pages=() texts=()
for file in "${files[@]}"; do
  if [ ! -f "$file" ] || [ -L "$file" ]; then continue; fi
  case $file in
    cmake/*.cc) sources+=("$file") ;;  # probes: no compile command
    *.cc) sources+=("$file"); compiled+=("$file") ;;
    *.h) sources+=("$file") ;;
    *.sh | *.bash | dev | .ci/run) scripts+=("$file") ;;
    man/*.[1-9]) pages+=("$file") ;;
  esac
  # Test data may need any bytes.
  case $file in
    tests/*/data/* | tests/data/*) ;;
    *) grep -Iq . "$file" && texts+=("$file") ;;
  esac
done

faults=0
fault() { faults=$((faults + 1)); }

if [ ${#sources[@]} -gt 0 ]; then
  for file in "${sources[@]}"; do
    clang-format "$file" | cmp -s - "$file" || { echo "$file: run clang-format -i"; fault; }
    lines=$(wc -l <"$file")
    [ "$lines" -le 500 ] || { echo "$file: $lines lines; split it, 500 is the limit"; fault; }
  done
fi

if [ ${#texts[@]} -gt 0 ]; then
  if grep -nP '\r$' "${texts[@]}" /dev/null; then echo "CR at the end of a line"; fault; fi
  if grep -nP '[ \t]+$' "${texts[@]}" /dev/null; then echo "blanks at the end of a line"; fault; fi
  for file in "${texts[@]}"; do
    [ -z "$(tail -c 1 "$file")" ] || { echo "$file: no newline at the end"; fault; }
  done
fi

if [ ${#scripts[@]} -gt 0 ]; then
  shellcheck "${scripts[@]}" || fault
fi

if [ ${#pages[@]} -gt 0 ] && command -v mandoc >/dev/null; then
  mandoc -T lint -W warning "${pages[@]}" || fault
fi

# clang-tidy reads a file in seconds, so a great change has only its first files read here and the
# rest by `./dev lint --all`.
limit=40
if ! $all && [ ${#compiled[@]} -gt $limit ]; then
  echo "clang-tidy: $limit of ${#compiled[@]} changed files (--all reads every file)"
  compiled=("${compiled[@]:0:$limit}")
fi
if [ ${#compiled[@]} -gt 0 ]; then
  printf '%s\0' "${compiled[@]}" |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/lint --quiet \
      --extra-arg=-Wno-unknown-warning-option 2> >(
      grep -vE '^[0-9]+ warnings? (generated|treated)|generated\.$|^Suppressed|^Use -header-filter' >&2) || fault
fi

[ $faults = 0 ] || { echo "lint: $faults of the checks failed"; exit 1; }
echo "lint: ${#files[@]} files, no faults"
