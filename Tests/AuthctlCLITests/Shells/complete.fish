# Prints what fish offers at the end of a line: complete.fish DIRECTORY LINE NAME
source $argv[1]/$argv[3].fish
complete -C $argv[2]
