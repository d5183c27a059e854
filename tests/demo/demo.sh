#!/bin/bash
# What `./dev demo` shows: a plan from its text to the landed result, in a repository that is gone
# afterwards. Needs git-plan on PATH. Every command is printed before it runs.
set -euo pipefail

command -v git-plan >/dev/null || { echo "demo: git-plan is not on PATH" >&2; exit 1; }

home=$(mktemp -d "${TMPDIR:-/tmp}/git-plan-demo.XXXXXX")
# Worktrees lie beside the repository, so they go with it.
trap 'rm -rf "$home"' EXIT
for name in $(env | sed -n 's/^\(GIT_[A-Z_]*\|PLAN_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
export HOME=$home GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat GIT_EDITOR=true CI=1
export GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.org
export GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.org

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1m' plain=$'\e[m'; fi
say() { printf '\n%s\n' "$*"; }
# A command as one would type it.
typed() {
  local word line=
  for word in "$@"; do
    case $word in
      *[!A-Za-z0-9_./:=@%+,-]*) line+=" '$word'" ;;
      *) line+=" $word" ;;
    esac
  done
  printf '\n%s$%s%s\n' "$bold" "$line" "$plain"
}
# Prints a command, runs it, and goes on if its status is the one expected.
show() {  # <status> <command…>
  local expected=$1 status=0
  shift
  typed "$@"
  "$@" || status=$?
  [ "$status" = "$expected" ] || { echo "demo: status $status, expected $expected" >&2; exit 1; }
}

mkdir "$home/shop" && cd "$home/shop"
git init -q -b main .
{
  echo "# prices"
  for i in $(seq 1 40); do echo "item-$i $i.00"; done
} >prices.txt
printf 'Shop\n====\n\nSells things.\n' >README
printf '#!/bin/sh\ntest -f prices.txt && ! grep -q "^<<<<<<<" prices.txt\n' >check.sh
chmod +x check.sh
git add . && git commit -qm 'Start the shop'

say "A plan is Markdown. Its front matter holds the tasks; these are shell commands, an agent would do
the same. 'discount' and 'reprice' change different lines of prices.txt, 'sale' the same line as
'reprice'."
cat >plan.md <<'PLAN'
---
title: Summer prices
tags: [demo]
orchestration:
  default_mode: forked
  max_forks: 3
  verify: ["./check.sh"]
  tasks:
    - name: discount
      description: Make the first item cheaper
      run: sed -i 's/^item-1 .*/item-1 0.80/' prices.txt
    - name: reprice
      description: Raise the price of item 30
      run: sed -i 's/^item-30 .*/item-30 33.00/' prices.txt
    - name: readme
      description: Say that there is a sale
      run: echo 'Sale this summer.' >>README
    - name: sale
      description: Put item 30 on sale
      run: sed -i 's/^item-30 .*/item-30 19.99/' prices.txt
    - name: labels
      description: Print labels from the prices
      run: awk '/^item/ {print $1 ":" $2}' prices.txt >labels.txt
      depends_on: [discount, reprice, sale]
    - name: notes
      description: Write release notes
      run: wc -l labels.txt README >NOTES
      depends_on: [labels, readme]
---
# Summer prices

## Context
Prices change for the summer.

## Changes
- [modify] prices.txt — the new prices
- [create] labels.txt — one label an item
PLAN
show 0 cat plan.md

say "It is stored as git objects: nothing appears in the working tree."
show 0 git plan create --naming '{title}' -F plan.md
rm plan.md
plan=summer-prices
show 0 git for-each-ref refs/plans

say "The dry run says what would happen, level by level, and writes nothing."
show 0 git plan execute "$plan" --dry-run

say "Four tasks need nothing and run at once, each in its own worktree. git merges what it can;
where two tasks changed the same line, the run stops and asks. Status 4 says so."
show 4 git plan execute "$plan" --yes

say "What can go on has gone on. The rest waits for an answer:"
show 0 git plan why "$plan"

say "The sale price wins. The answer is recorded, and the run goes on where it was."
show 0 git plan resolve "$plan" keep:sale
show 0 git plan execute "$plan" --yes

say "One commit a wave, on main. Each names its plan and its tasks."
show 0 git log --format='%h %s%n    %(trailers:key=Task,separator=%x2C )' main
show 0 grep -E '^item-(1|30) ' prices.txt
show 0 git plan status "$plan"

say "Everything that happened is in the plan, and goes where it is pushed."
show 0 git plan log "$plan"
show 0 git plan gc
[ -z "$(git worktree list | sed 1d)" ] || { echo "demo: a worktree is left" >&2; exit 1; }
say "That was all. The repository is removed now."
