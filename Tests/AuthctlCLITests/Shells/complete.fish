# Prints what fish offers at the end of a line: complete.fish DIRECTORY LINE
source $argv[1]/authctl.fish
complete -C $argv[2]
