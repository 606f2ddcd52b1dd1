# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
# Programs with a menu entry: an entry of the user's own, under the same name, wins over the system's. It is a copy whose
# Exec lines begin with the launcher. An entry that the user has already is changed in its place.
# Sourced by enable.sh.

# The menu entries that there are, one a line; of those with the same name the one that counts.
entry_files() {
    printf '%s:%s\n' "$data" "${XDG_DATA_DIRS:-/usr/local/share:/usr/share}" | tr : '\n' | while IFS= read -r folder; do
        cd "${folder:-/nonexistent}/applications" 2>/dev/null || continue
        find -L . -name '*.desktop' -type f 2>/dev/null | sort | while IFS= read -r name; do
            printf '%s\t%s\n' "${name#./}" "${folder%/}/applications/${name#./}"
        done
    done | awk -F '\t' '!seen[$1]++ { print $2 }'
}

# The user's entries that a Kobalt has made or changed.
marked_entries() {
    [ -d "$applications" ] || return 0
    find -L "$applications" -name '*.desktop' -type f -exec grep -l '^X-Kobalt-Enabled=' {} + | sort | while IFS= read -r entry; do
        ! is_marked "$entry" || printf '%s\n' "$entry"
    done
}

# The id of the entry $1, without .desktop: folders are part of it.
entry_id() {
    printf '%s\n' "$1" | sed 's|.*/applications/||; s|/|-|g; s|\.desktop$||'
}

# For each entry that comes in, its path behind the program that it starts (on Kobalt, or by itself). `env` and its
# variables are not it. Hidden entries are deleted ones.
read_programs() {
    awk '
    function next_word() {
        sub(/^[ \t]+/, "", rest)
        if (rest ~ /^"/) {
            match(rest, /^"([^"\\]|\\.)*"?/)
            word = substr(rest, 2, RLENGTH - 2)
        } else {
            match(rest, /^[^ \t]*/)
            word = substr(rest, 1, RLENGTH)
        }
        rest = substr(rest, RLENGTH + 1)
        return word
    }
    function program(value) {
        rest = value
        word = next_word()
        if (word == "env" || word ~ /\/env$/)
            while ((word = next_word()) ~ /^-|=/);
        return word
    }
    {
        file = $0
        group = found = hidden = ""
        while ((getline line <file) > 0) {
            if (line ~ /^\[/) group = line
            else if (group !~ /^\[Desktop Entry\]/) continue
            else if (line ~ /^Hidden[ \t]*=[ \t]*true/) hidden = 1
            else if (found == "" && line ~ /^(X-Kobalt-)?Exec[ \t]*=/) {
                sub(/^[^=]*=[ \t]*/, "", line)
                found = program(line)
            }
        }
        close(file)
        if (found != "" && !hidden) print found "\t" file
    }'
}

# The program that the entry $1 starts.
program_of() {
    printf '%s\n' "$1" | read_programs | cut -f 1
}

# Those of the entries that come in that are meant by the word $1: the one with that id, else those that start a program
# of that name or path.
meant_by() {
    files=$(cat)
    by_id=$(printf '%s\n' "$files" | wanted=${1%.desktop} awk '{
        id = $0
        sub(/.*\/applications\//, "", id)
        sub(/\.desktop$/, "", id)
        gsub(/\//, "-", id)
        if (id == ENVIRON["wanted"]) print
    }')
    if [ -n "$by_id" ]; then
        printf '%s\n' "$by_id"
        return
    fi
    printf '%s\n' "$files" | read_programs | while IFS=$tab read -r program entry; do
        case $1 in
        */*) [ "$(command -v -- "$program")" = "$1" ] ;;
        *) [ "${program##*/}" = "$1" ] ;;
        esac && printf '%s\n' "$entry"
    done
}

# The entry $1 with the launcher in front of its programs. $2: the entry that this one is a copy of, or nothing.
# D-Bus would start the program without looking at Exec.
changed_entry() {
    launch=$(launch_words) original=$2 launcher=$launcher awk '
    /^\[Desktop Entry\]/ && !marked {
        print
        print "X-Kobalt-Enabled=" ENVIRON["launcher"]
        if (ENVIRON["original"] != "") print "X-Kobalt-Original=" ENVIRON["original"]
        print "X-Kobalt-Sum="
        marked = 1
        next
    }
    /^Exec[ \t]*=/ {
        print "X-Kobalt-" $0
        sub(/^[^=]*=[ \t]*/, "")
        print "Exec=" ENVIRON["launch"] " " $0
        next
    }
    /^DBusActivatable[ \t]*=[ \t]*true/ {
        print "X-Kobalt-" $0
        print "DBusActivatable=false"
        next
    }
    { print }' "$1" | with_sum
}

# The entry $1 as it was before. What the user has changed in our lines since stays, without the launcher.
restored_entry() {
    launch="\"$(mark Enabled "$1")\" run --no-build -- " awk '
    function value(line) {
        sub(/^[^=]*=[ \t]*/, "", line)
        return line
    }
    function without_launcher(words) {
        plain = quoted = ENVIRON["launch"]
        gsub(/"/, "", plain)
        if (index(words, quoted) == 1) return substr(words, length(quoted) + 1)
        return index(words, plain) == 1 ? substr(words, length(plain) + 1) : words
    }
    /^X-Kobalt-(Enabled|Original|Sum)=/ { next }
    /^X-Kobalt-(Exec|DBusActivatable)[ \t]*=/ {
        if (before != "") print before
        before = substr($0, length("X-Kobalt-") + 1)
        key = before
        sub(/[ \t]*=.*/, "", key)
        next
    }
    before != "" && index($0, key) == 1 {
        now = key == "Exec" ? without_launcher(value($0)) : value($0) == "false" ? "true" : value($0)
        print now == value(before) ? before : key "=" now
        before = ""
        next
    }
    before != "" {
        print before
        before = ""
    }
    { print }
    END { if (before != "") print before }' "$1"
}

after_entries() {
    if [ -d "$applications" ] && command -v update-desktop-database >/dev/null; then
        update-desktop-database -q "$applications" 2>/dev/null
    fi
    # A cache of no entries is one that nothing but update-desktop-database has put there.
    if [ "$(ls -A "$applications" 2>/dev/null)" = mimeinfo.cache ]; then
        take_away "$applications/mimeinfo.cache"
    fi
}

# Puts the entries $1, one a line, on Kobalt.
enable_entries() {
    typed=
    while IFS= read -r entry; do
        name=$(entry_id "$entry") program=$(program_of "$entry")
        path=$(command -v -- "$program") || path=$program
        is_servable "$name" "$path" || continue
        if is_marked "$entry"; then # by another Kobalt, or by this one in another place: it is made anew
            original=$(mark Original "$entry")
            undo_entry "$entry" >/dev/null
            [ -f "$entry" ] || entry=$original
            if [ ! -f "$entry" ]; then
                fail "$name: the menu entry is gone that Kobalt's was a copy of ($original)"
                continue
            fi
        fi
        case $entry in
        "$applications"/*) own=$entry original= ;;
        *) own=$applications/${entry##*/applications/} original=$entry ;;
        esac
        changed_entry "$entry" "$original" | put "$own" || exit 1
        say "$name: its menu entry starts it on Kobalt from now on ($own)"
        typed=${program##*/}
    done <<END
$1
END
    [ -z "$typed" ] || say "  typed as a command it stays as it is; \`kobalt enable --command $typed\` changes that"
    after_entries
}

# Takes Kobalt out of the entry $1.
undo_entry() {
    copied=$(mark Original "$1")
    if [ -n "$copied" ] && is_unchanged "$1"; then
        take_away "$1"
        say "$(entry_id "$1"): its menu entry is the system's again"
        return
    fi
    restored=$(restored_entry "$1")
    printf '%s\n' "$restored" | put "$1" || exit 1
    if [ -n "$copied" ]; then
        say "$(entry_id "$1"): $1 stays, without Kobalt, since it was changed"
    else
        say "$(entry_id "$1"): its menu entry is as it was"
    fi
}

disable_entries() {
    while IFS= read -r entry; do
        undo_entry "$entry"
    done <<END
$1
END
    after_entries
}
