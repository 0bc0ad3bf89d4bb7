# fish completion for authctl
# Made from the table of commands by make generate. Edit the table, not this file.

# Prints the command on the line, if there is one before the cursor.
function __authctl_command
    set -l value
    for token in (commandline -opc)[2..]
        if set -q value[1]
            set -e value[1]
        else if string match -qr -- '^(--(?:profile|color|errors)|-[qvh]*[p])$' $token
            set value follows
        else if not string match -q -- '-*' $token
            echo $token
            return
        end
    end
end

# Tells whether the command on the line is the one given; '' is for none.
function __authctl_at
    test "$(__authctl_command)" = "$argv"
end

# Prints the names of the profiles that have a file.
function __authctl_profiles
    set -l config $HOME/.config
    test -n "$XDG_CONFIG_HOME"; and set config $XDG_CONFIG_HOME
    for file in $config/authctl/profiles/*.toml
        path basename $file | path change-extension ''
    end
end

# Prints the files that begin as the word at the cursor does after its @, each with what stands before it.
function __authctl_at_file
    set -l word (commandline -ct | string match -r -- '^(?:--[^=]*=|-[^-@]+)?@(.*)$')
    or return
    for file in (__fish_complete_path $word[2])
        echo @$file
    end
end

complete -c authctl -f

complete -c authctl -s p -l profile -x -a '(__authctl_profiles)' -d 'use this profile'
complete -c authctl -s q -l quiet -d 'print errors only'
complete -c authctl -s v -l verbose -d 'tell each step on standard error'
complete -c authctl -l non-interactive -d 'never ask anything, fail instead'
complete -c authctl -l color -x -a 'auto always never' -d 'colour messages and help'
complete -c authctl -l errors -x -a 'text json' -d 'write errors as text or as JSON'
complete -c authctl -s h -l help -d 'show help: -h in short, --help in full'
complete -c authctl -l version -d 'print the version'

complete -c authctl -n '__authctl_at \'\'' -a help -d 'show the help of a command'
