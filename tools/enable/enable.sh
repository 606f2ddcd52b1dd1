# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
#   enable.sh enable [--command] PROGRAM…|steam:APPID…|--all
#   enable.sh disable PROGRAM…|steam:APPID…|--all|--mine
#   enable.sh list [--mine]
#
# Chooses the programs that always run on Kobalt; for ./kobalt and for the bundle's launcher, which name themselves in
# KOBALT_LAUNCHER. POSIX sh with awk, sed, find, cksum, readlink. There is no list of what is enabled: each file that is
# made or changed bears a mark, a line X-Kobalt-Enabled=LAUNCHER (in Steam's file, the launch options are the mark). So
# nothing is left behind once it is undone, and each Kobalt on the machine sees what another one has enabled.
set -f
here=$(dirname -- "$(readlink -f -- "$0")")
launcher=${KOBALT_LAUNCHER:?}
tab=$(printf '\t')
own_only=

say() {
    printf '%s\n' "$*"
}

# Reports that one of the words of the command can't be served; the others still are.
fail() {
    printf 'kobalt: %s\n' "$*" >&2
    failed=1
}

stop() {
    printf 'kobalt: %s\n' "$*" >&2
    exit 1
}

[ -n "${HOME:-}" ] || stop "there is no HOME, so there is no place for what is to be enabled"
data=${XDG_DATA_HOME:-$HOME/.local/share}
applications=$data/applications
wrappers=$HOME/.local/bin
session=${XDG_CONFIG_HOME:-$HOME/.config}/environment.d/50-kobalt.conf

# The words that are put in front of a program, quoted as menu entries, Steam and shells understand it. check_launcher
# refuses the characters whose quoting differs.
launch_words() {
    case $launcher in
    *[!A-Za-z0-9_/.,:@+=-]*) printf '"%s" run --no-build --' "$launcher" ;;
    *) printf '%s run --no-build --' "$launcher" ;;
    esac
}

check_launcher() {
    case $launcher in
    *[\"\'\\\$\`%]* | *"
"*) stop "a menu entry can't name $launcher: move Kobalt to a path without quotes, \\, \$, \` and %" ;;
    esac
}

# The value of the mark's line X-Kobalt-$1 in the file $2.
mark() {
    sed -n "s/^\(# \)\{0,1\}X-Kobalt-$1=//p" "$2" 2>/dev/null | head -n 1
}

# True when the file $1 was made or changed by a Kobalt (with --mine: by this one).
is_marked() {
    [ -f "$1" ] || return 1
    by=$(mark Enabled "$1")
    [ -n "$by" ] && { [ -z "$own_only" ] || [ "$by" = "$launcher" ]; }
}

# The sum of what comes in, without the line that holds the sum.
sum() {
    grep -v 'X-Kobalt-Sum=' | cksum | cut -d ' ' -f 1
}

# What comes in, with its sum filled in.
with_sum() {
    text=$(cat)
    printf '%s\n' "$text" | sed "s/X-Kobalt-Sum=.*/X-Kobalt-Sum=$(printf '%s\n' "$text" | sum)/"
}

# True when nobody has changed the file $1 since it was written here.
is_unchanged() {
    [ "$(sum <"$1")" = "$(mark Sum "$1")" ]
}

# Writes what comes in to the file $1, at once or not at all; a link stays a link, and the file's rights stay.
put() {
    target=$(readlink -f -- "$1" 2>/dev/null) || target=$1
    mkdir -p -- "$(dirname -- "$target")" || exit 1
    [ ! -e "$target" ] || cp -p -- "$target" "$target.kobalt-new" || exit 1
    cat >"$target.kobalt-new" && mv -f -- "$target.kobalt-new" "$target" || {
        rm -f -- "$target.kobalt-new"
        stop "$1 can't be written"
    }
}

# Removes the file $1, and the folders above it, below HOME, that are empty then.
take_away() {
    rm -f -- "$1" || stop "$1 can't be removed"
    folder=$(dirname -- "$1")
    while [ "$folder" != "$HOME" ] && [ "${folder#"$HOME"/}" != "$folder" ]; do
        rmdir -- "$folder" 2>/dev/null || break
        folder=$(dirname -- "$folder")
    done
}

# What is wrong with a mark: nothing, or a remark in brackets. $1: the Kobalt in it, $2: the program.
remarks() {
    [ -x "$1" ] || printf ' (this Kobalt is gone)'
    case $2 in
    /*) [ -e "$2" ] || printf ' (the program is gone)' ;;
    ?*) command -v -- "$2" >/dev/null || printf ' (the program is gone)' ;;
    esac
}

. "$here/entries.sh"
. "$here/commands.sh"
. "$here/session.sh"
. "$here/steam.sh"

# True for a bundle with the drivers of both widths, and for a source tree where both are built.
serves_32_bit_programs() {
    folder=$(dirname -- "$launcher")
    [ -e "$folder/lib32/libEGL_kobalt.so.0" ] || [ -e "$folder/build-i386/prefix/lib/i386-linux-gnu/libEGL_kobalt.so.0" ]
}

# Stops where the program at the path $2 can't run on Kobalt; $1 is its name.
is_servable() {
    case ${2##*/} in
    flatpak | snap)
        fail "$1 is started by ${2##*/}, in a container with an OpenGL of its own: nothing from outside is used there"
        return 1
        ;;
    esac
    if [ -u "$2" ]; then
        fail "$1 is setuid: such programs ignore the variables that select Kobalt"
        return 1
    fi
    if ! serves_32_bit_programs && [ "$(od -A n -t x1 -N 5 -- "$2" 2>/dev/null | tr -d ' \n')" = 7f454c4601 ]; then
        fail "$1 is a 32-bit program: this Kobalt serves 64-bit programs only (\`kobalt bundle --arch both\` in the source tree makes one for both)"
        return 1
    fi
}

enable_one() {
    case $1 in
    steam:*) enable_steam "${1#steam:}" ;;
    *)
        found=
        [ -n "$by_command" ] || found=$(entry_files | meant_by "$1")
        if [ -n "$found" ]; then
            enable_entries "$found"
        else
            enable_command "$1"
        fi
        ;;
    esac
}

disable_one() {
    case $1 in
    steam:*) disable_steam "${1#steam:}" ;;
    *)
        found=$(marked_entries | meant_by "$1")
        wrapper=$wrappers/${1##*/}
        is_marked "$wrapper" || wrapper=
        if [ -z "$found$wrapper" ]; then
            fail "$1 isn't enabled (\`kobalt list\` names what is)"
            return
        fi
        [ -z "$found" ] || disable_entries "$found"
        [ -z "$wrapper" ] || disable_command "$wrapper"
        ;;
    esac
}

# Undoes all that is enabled.
disable_all() {
    found=$(marked_entries)
    [ -z "$found" ] || disable_entries "$found"
    while IFS= read -r wrapper; do
        [ -z "$wrapper" ] || disable_command "$wrapper"
    done <<END
$(marked_wrappers)
END
    ! is_marked "$session" || disable_session
    for app in $(steam_games); do
        disable_steam "$app"
    done
}

list() {
    marked_entries | while IFS= read -r entry; do
        say "$(entry_id "$entry"): its menu entry, $entry$(remarks "$(mark Enabled "$entry")" "$(program_of "$entry")")"
    done
    marked_wrappers | while IFS= read -r wrapper; do
        say "${wrapper##*/}: the command, $wrapper$(remarks "$(mark Enabled "$wrapper")" "$(mark Program "$wrapper")")"
    done
    for app in $(steam_games); do
        say "steam:$app: its launch options in Steam$(remarks "$(steam_launcher "$app")" "")"
    done
    ! is_marked "$session" || say "--all: each program of the session, $session$(remarks "$(mark Enabled "$session")" "")"
}

command=$1 failed=0 by_command= all= words=
[ $# -gt 0 ] && shift
for word; do
    case $word in
    --command) by_command=1 ;;
    --all) all=1 ;;
    --mine) own_only=1 ;;
    -*) stop "$command has no option $word (\`kobalt help\`)" ;;
    *) words=$words$word$tab ;;
    esac
done
[ -z "$own_only" ] || all=1
[ "$command" = list ] || [ -n "$all$words" ] || stop "name a program, steam:APPID or --all: kobalt $command PROGRAM"
[ "$command" != enable ] || check_launcher
IFS=$tab
case $command in
list)
    unset IFS
    said=$(list)
    [ -n "$said$own_only" ] || said="nothing is enabled: \`kobalt enable PROGRAM\` makes a program start on Kobalt"
    [ -z "$said" ] || say "$said"
    ;;
enable | disable)
    for word in $words; do
        unset IFS
        "${command}_one" "$word"
    done
    unset IFS
    if [ -n "$all" ] && [ "$command" = enable ]; then
        enable_session
    elif [ -n "$all" ]; then
        [ -n "$(list)$own_only" ] || say "nothing is enabled"
        disable_all
    fi
    ;;
esac
exit "$failed"
