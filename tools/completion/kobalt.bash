# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
# Completion of kobalt's command line for bash; zsh reads it after `autoload -U compinit bashcompinit; compinit;
# bashcompinit`. It serves the source tree's launcher and the bundle's: both are asked for their commands and options.

# The commands of the launcher $1.
_kobalt_commands() {
    "$1" --help 2>/dev/null | sed -n 's/^ \{4\}\([a-z][a-z]*\)\( .*\)\{0,1\}$/\1/p; s|^  \./kobalt \([a-z]*\).*|\1|p' | sort -u
}

# The options of the command $2. The bundle's launcher has them in its help, and would start some commands for --help.
_kobalt_options() {
    local help
    help=$("$1" --help 2>/dev/null)
    case $help in
    *./kobalt*) printf '%s\n' "$help" | grep "^  \./kobalt $2 " ;;
    *) "$1" "$2" --help 2>/dev/null ;;
    esac | grep -o -e '--[a-z][a-z-]*' | sort -u
}

# The names of menu entries.
_kobalt_entries() {
    printf '%s\n' "${XDG_DATA_HOME:-$HOME/.local/share}:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}" | tr : '\n' |
        while IFS= read -r folder; do
            (cd "$folder/applications" 2>/dev/null && find -L . -name '*.desktop' | sed 's|^\./||; s|/|-|g; s|\.desktop$||')
        done
}

_kobalt() {
    local launcher=${1/#\~/$HOME} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} at words=
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        words=$(_kobalt_commands "$launcher")
    else
        for ((at = 2; at < COMP_CWORD; at++)); do
            [ "${COMP_WORDS[at]}" = -- ] || continue
            if [ $((at + 1)) = "$COMP_CWORD" ]; then
                COMPREPLY=($(compgen -c -- "$word"))
            else
                COMPREPLY=($(compgen -f -- "$word"))
            fi
            return
        done
        case $word,$command in
        -*) words=$(_kobalt_options "$launcher" "$command") ;;
        *,enable) words="$(_kobalt_entries) $(compgen -c -- "$word") steam:" ;;
        *,disable) words=$("$launcher" list 2>/dev/null | sed -n 's/: its .*//p; s/: the command.*//p') ;;
        *) COMPREPLY=($(compgen -f -- "$word")) ;;
        esac
    fi
    [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o filenames -o bashdefault -F _kobalt kobalt
