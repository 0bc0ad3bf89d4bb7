# fish completion for authctl. The program itself knows what may stand at the cursor:
# `authctl __complete WORDS...` prints what fish adds, where the completed part begins, and the candidates.
function __authctl_complete
    # Of a command that is missing fish would print an error.
    command -q authctl
    or return
    set -l words (commandline -opc)[2..]
    set -l word (commandline -ct)
    set -l lines (command authctl __complete $words "$word" 2>/dev/null)
    set -l head (string split ' ' -- $lines[1])
    set -e lines[1]
    if test $head[1] = command
        # The words of the other command's line, and after a blank the one at the cursor as it is typed.
        complete -C (string join ' ' -- (string escape -- $words[(math $head[2] + 1)..]) "$word")
        return
    end
    set -l before (string sub -l $head[2] -- "$word")
    set -l rest (string sub -s (math $head[2] + 1) -- "$word")
    switch $head[1]
        case file
            # No command has this name: fish completes files.
            set -a lines (complete -C "'' $rest")
        case directory
            set -a lines (__fish_complete_directories "$rest" '')
        case program
            set -a lines (complete -C "$rest")
    end
    for line in $lines
        printf '%s\n' "$before$line"
    end
end

complete -c authctl -f -a '(__authctl_complete)'
