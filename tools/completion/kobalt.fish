# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
# Completion of kobalt's command line for fish: its commands, and the programs that can be chosen.

function __kobalt_launcher
    set -l words (commandline -opc)
    eval echo $words[1]
end

function __kobalt_commands
    set -l launcher (__kobalt_launcher)
    $launcher --help 2>/dev/null | sed -n 's/^ \{4\}\([a-z][a-z]*\)\( .*\)\{0,1\}$/\1/p; s|^  \./kobalt \([a-z]*\).*|\1|p' | sort -u
end

function __kobalt_enabled
    set -l launcher (__kobalt_launcher)
    $launcher list 2>/dev/null | sed -n 's/: its .*//p; s/: the command.*//p'
end

complete -c kobalt -n __fish_use_subcommand -f -a '(__kobalt_commands)'
complete -c kobalt -n '__fish_seen_subcommand_from enable' -f -a '(__fish_complete_command)'
complete -c kobalt -n '__fish_seen_subcommand_from enable' -f -l all -d 'Each program of the session'
complete -c kobalt -n '__fish_seen_subcommand_from enable' -f -l command -d 'The command, also where there is a menu entry'
complete -c kobalt -n '__fish_seen_subcommand_from disable' -f -a '(__kobalt_enabled)'
complete -c kobalt -n '__fish_seen_subcommand_from disable' -f -l all -d 'All that is enabled'
complete -c kobalt -n '__fish_seen_subcommand_from run' -a '(__fish_complete_subcommand)'
