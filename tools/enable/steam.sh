# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
# Steam's games, by their launch options. Steam keeps these for each account in userdata/ACCOUNT/config/localconfig.vdf, which it
# reads when it starts and writes while it runs: so the file is changed only while Steam doesn't run.
# Sourced by enable.sh.

# Files with the launch options of all accounts, one a line.
steam_files() {
    for folder in "$HOME/.steam/steam" "$HOME/.steam/root" "$data/Steam" "$HOME/.steam/debian-installation"; do
        [ ! -d "$folder/userdata" ] || find "$(readlink -f -- "$folder")/userdata" -path '*/config/localconfig.vdf' -type f
    done | sort -u
}

steam_runs() {
    pid=$(cat "$HOME/.steam/steam.pid" 2>/dev/null) || pid=$(cat "$HOME/.steampid" 2>/dev/null) || return 1
    grep -q steam "/proc/$pid/comm" 2>/dev/null
}

# Reads the launch options of the game $2, or of all ($2 empty: a line `APPID<TAB>OPTIONS` for each that has some), from
# the file $1; with a third word it prints the file with that in their place. Ends with 3 where the file has no games.
# A line of the file is a quoted key, a key and its value, or a brace; its text has \" and \\.
steam_vdf() {
    wanted=$2 value=${3-} mode=${3+set} awk '
    function text(quoted) {
        quoted = substr(quoted, 2, length(quoted) - 2)
        gsub(/\\"/, "\"", quoted)
        gsub(/\\\\/, "\\", quoted)
        return quoted
    }
    function escaped(plain,   result, i, c) {
        for (i = 1; i <= length(plain); i++) {
            c = substr(plain, i, 1)
            result = result (c == "\"" || c == "\\" ? "\\" c : c)
        }
        return result
    }
    function out(line) {
        if (mode != "") printf "%s", held line "\n"
        held = ""
    }
    function options_line(indent) {
        return indent "\"LaunchOptions\"\t\t\"" escaped(value) "\""
    }
    BEGIN {
        mode = ENVIRON["mode"]; value = ENVIRON["value"]; wanted = ENVIRON["wanted"]
        apps = "/userlocalconfigstore/software/valve/steam/apps"
    }
    {
        indent = $0
        sub(/[^ \t].*/, "", indent)
        rest = substr($0, length(indent) + 1)
        key = string = ""
        if (match(rest, /^"([^"\\]|\\.)*"/)) {
            key = text(substr(rest, 1, RLENGTH))
            rest = substr(rest, RLENGTH + 1)
            sub(/^[ \t]+/, "", rest)
            if (match(rest, /^"([^"\\]|\\.)*"/)) string = substr(rest, 1, RLENGTH)
        }
        game = path == apps "/" wanted
    }
    key == "" && /^[ \t]*\{/ {
        path = path "/" tolower(block)
        if (path == apps) there = 1
        if (path == apps "/" wanted && mode != "") {
            seen = 1
            held = held $0 "\n"
            next
        }
    }
    key == "" && /^[ \t]*\}/ {
        if (game && value != "" && mode != "" && !done) {
            out(options_line(indent "\t"))
            done = 1
        }
        if (game && held != "") { # nothing is left in it
            held = ""
            sub(/\/[^\/]*$/, "", path)
            next
        }
        if (path == apps && !seen && value != "" && mode != "") {
            out(indent "\t\"" wanted "\"")
            out(indent "\t{")
            out(options_line(indent "\t\t"))
            out(indent "\t}")
        }
        sub(/\/[^\/]*$/, "", path)
    }
    key != "" && string == "" {
        block = key
        if (path == apps && key == wanted && mode != "") {
            held = $0 "\n"
            next
        }
    }
    string != "" && tolower(key) == "launchoptions" && path ~ "^" apps "/[0-9]+$" {
        if (mode == "" && (game || wanted == "")) {
            id = path
            sub(/.*\//, "", id)
            print (wanted == "" ? id "\t" : "") text(string)
        }
        if (game && mode != "") {
            if (value != "" && !done) out(options_line(indent))
            done = 1
            next
        }
    }
    { out($0) }
    END { if (!there) exit 3 }' "$1"
}

# What comes in without a launcher of Kobalt.
without_launcher() {
    sed 's#\("[^"]*/kobalt"\) run \(--no-build \)\{0,1\}-- %command%#%kobalt%#; s#[^ "]*/kobalt run \(--no-build \)\{0,1\}-- %command%#%kobalt%#
        s/^%kobalt%$//; s/^%kobalt% //; s/%kobalt%/%command%/'
}

# What comes in with the launcher in front of the game. Without %command%, Steam puts the words behind it.
with_launcher() {
    without_launcher | launch=$(launch_words) awk '
    {
        launch = ENVIRON["launch"] " %command%"
        at = index($0, "%command%")
        if (at) print substr($0, 1, at - 1) launch substr($0, at + length("%command%"))
        else print launch ($0 == "" ? "" : " " $0)
    }'
}

# The Kobalt that the game $1 is started by.
steam_launcher() {
    steam_files | while IFS= read -r file; do
        steam_vdf "$file" "$1"
    done | sed -n -e 's#.*"\([^"]*/kobalt\)" run .*#\1#p' -e t -e 's#\(.* \)\{0,1\}\([^ "]*/kobalt\) run .*#\2#p' | head -n 1
}

# The games that are started by a Kobalt (with --mine: by this one).
steam_games() {
    steam_files | while IFS= read -r file; do
        steam_vdf "$file" "" | while IFS=$tab read -r app options; do
            case $options in
            */kobalt\ run\ * | */kobalt\"\ run\ *)
                [ -n "$own_only" ] && [ "$(steam_launcher "$app")" != "$launcher" ] || printf '%s\n' "$app"
                ;;
            esac
        done
    done | sort -un
}

# Changes the launch options of the game $1 by the function $2 in each account's file.
change_steam() {
    changed=
    while IFS= read -r file; do
        old=$(steam_vdf "$file" "$1" 2>/dev/null) || continue
        new=$(printf '%s\n' "$old" | "$2")
        changed=1
        [ "$new" != "$old" ] || continue
        cp -p -- "$file" "$file.before-kobalt" || exit 1
        steam_vdf "$file" "$1" "$new" | put "$file" || exit 1
        if [ "$(steam_vdf "$file" "$1")" != "$new" ]; then
            mv -f -- "$file.before-kobalt" "$file"
            stop "$file has a form that isn't known here; it is as it was"
        fi
    done <<END
$(steam_files)
END
    [ -n "$changed" ]
}

enable_steam() {
    case $1 in
    '' | *[!0-9]*)
        fail "steam:$1 is no game: the number of one is in the address of its page in the store (steam:220)"
        return
        ;;
    esac
    by_hand="in Steam, enter this at the game's Properties, Launch Options: $(printf '\n' | with_launcher)"
    if steam_runs; then
        fail "Steam runs, and would undo it: close Steam and type this again, or, $by_hand"
    elif change_steam "$1" with_launcher; then
        say "steam:$1: Steam starts the game on Kobalt from now on (its launch options)"
    else
        fail "no Steam account with games was found below $HOME; $by_hand"
    fi
}

disable_steam() {
    case " $(steam_games | tr '\n' ' ')" in
    *" $1 "*) ;;
    *)
        fail "steam:$1 isn't enabled (\`kobalt list\` names what is)"
        return
        ;;
    esac
    if steam_runs; then
        fail "Steam runs, and would undo it: close Steam and type this again, or take Kobalt out of the game's launch options there"
        return
    fi
    change_steam "$1" without_launcher
    say "steam:$1: the game's launch options are as they were"
    [ -n "$(own_only= && steam_games)" ] || steam_files | while IFS= read -r file; do
        rm -f -- "$file.before-kobalt"
    done
}
