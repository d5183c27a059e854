# Completion of `git plan` and `git-plan` in fish. The words come from `git-plan complete`.

function __git_plan_candidates
    set -l words (commandline -opc) (commandline -ct)
    # What stands before the command of ours: "git-plan", or git, its options and "plan".
    if string match -q '*git-plan' -- $words[1]
        set words $words[2..-1]
    else
        set -l at (contains -i -- plan $words); or return
        set words $words[(math $at + 1)..-1]
    end
    git plan complete -- $words 2>/dev/null | while read -l line
        if test "$line" = :file
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end

function __git_plan_is_plan
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- plan $words[2..-1]
end

complete -c git-plan -f -a '(__git_plan_candidates)'
complete -c git -f -n __git_plan_is_plan -a '(__git_plan_candidates)'
complete -c git -f -n 'not __git_plan_is_plan; and test (count (commandline -opc)) -eq 1' -a plan -d 'Plans that a repository can execute'
