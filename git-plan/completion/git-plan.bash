# Completion of `git plan` and `git-plan` in bash.
#
# git's own completion calls _git_plan for `git plan <TAB>`; the words come from
# `git-plan complete`, so that nothing here knows a command or an option.

_git_plan_candidates ()
{
	local first=$1 line word
	local -a words=("${COMP_WORDS[@]:first:COMP_CWORD-first+1}")
	COMPREPLY=()
	while IFS= read -r line; do
		word=${line%%$'\t'*}
		if [ "$word" = ":file" ]; then
			compopt -o filenames 2>/dev/null
			while IFS= read -r word; do
				COMPREPLY+=("$word")
			done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
		else
			COMPREPLY+=("$word")
		fi
	done < <(git plan complete -- "${words[@]}" 2>/dev/null)
}

# Called by git's completion, which may have passed options of git (`git -C dir plan …`).
_git_plan ()
{
	local i
	for ((i = 1; i < COMP_CWORD; i++)); do
		if [ "${COMP_WORDS[i]}" = plan ]; then
			_git_plan_candidates $((i + 1))
			return
		fi
	done
}

_git_plan_program ()
{
	_git_plan_candidates 1
}

complete -F _git_plan_program git-plan
