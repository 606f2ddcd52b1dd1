# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
# Programs that are typed, or have no menu entry: a small script of the same name in ~/.local/bin, which comes before
# the system's folders in PATH. Without its Kobalt it starts the program by itself.
# Sourced by enable.sh.

# The scripts that a Kobalt has put there, one a line.
marked_wrappers() {
    [ -d "$wrappers" ] || return 0
    find "$wrappers/." ! -name . -prune -type f -size -9 -exec grep -l '^# X-Kobalt-Enabled=' {} + | sed 's|/\./|/|' | sort | while IFS= read -r wrapper; do
        ! is_marked "$wrapper" || printf '%s\n' "$wrapper"
    done
}

# The path of the program $1, which is a path or is found in PATH, where our own scripts don't count.
program_path() {
    case $1 in
    */*)
        [ -f "$1" ] && [ -x "$1" ] && printf '%s/%s\n' "$(cd "$(dirname -- "$1")" && pwd)" "${1##*/}"
        return
        ;;
    esac
    printf '%s\n' "$PATH" | tr : '\n' | while IFS= read -r folder; do
        path=${folder:-.}/$1
        if [ -f "$path" ] && [ -x "$path" ] && [ -z "$(mark Enabled "$path")" ]; then
            printf '%s\n' "$path"
            break
        fi
    done
}

# $1 in single quotes, for a shell.
quoted() {
    printf "'%s'" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")"
}

enable_command() {
    path=$(program_path "$1") wrapper=$wrappers/${1##*/}
    if [ -z "$path" ]; then
        fail "$1 is neither a menu entry nor a program here: give its path, or the name of its .desktop file"
        return
    fi
    is_servable "${1##*/}" "$path" || return
    if [ -e "$wrapper" ] && [ -z "$(mark Enabled "$wrapper")" ]; then
        fail "$wrapper is yours and stays as it is: start the program with \`$launcher run -- $1\`"
        return
    fi
    with_sum <<END | put "$wrapper" || exit 1
#!/bin/sh
# Starts ${1##*/} on Kobalt; \`kobalt disable ${1##*/}\` removes this file.
# X-Kobalt-Enabled=$launcher
# X-Kobalt-Program=$path
# X-Kobalt-Sum=
[ -x $(quoted "$launcher") ] || exec $(quoted "$path") "\$@"
exec $(quoted "$launcher") run --no-build -- $(quoted "$path") "\$@"
END
    chmod 755 "$wrapper"
    say "${1##*/}: the command starts it on Kobalt from now on ($wrapper)"
    [ "$(command -v -- "${1##*/}")" = "$wrapper" ] || say "  once $wrappers comes first in PATH, which it doesn't in this shell"
}

disable_command() {
    if is_unchanged "$1"; then
        take_away "$1"
        say "${1##*/}: the command is the system's again"
    else
        fail "$1 was changed since Kobalt wrote it, so it stays: remove it if you don't need it"
    fi
}
