# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
# All programs of the user's session, by a file that systemd reads when the user logs in (environment.d(5)).
# Sourced by enable.sh.

# What the launcher sets (environment.sh).
session_names="MESA_LOADER_DRIVER_OVERRIDE __GLX_VENDOR_LIBRARY_NAME __EGL_VENDOR_LIBRARY_FILENAMES LD_LIBRARY_PATH
    GBM_BACKENDS_PATH DRIRC_CONFIGDIR LVP_SNORM_BLEND VK_DRIVER_FILES VK_LAYER_PATH"

# The system's own EGL libraries, each behind a colon.
system_vendors() {
    for folder in /etc/glvnd/egl_vendor.d /usr/share/glvnd/egl_vendor.d; do
        [ ! -d "$folder" ] || find "$folder" -name '*.json'
    done | sort | while IFS= read -r vendor; do
        printf ':%s' "$vendor"
    done
}

# The variables of a program that the launcher starts, as the file has them. What is in LD_LIBRARY_PATH already stays
# behind Kobalt. So do the system's EGL libraries: with none, a desktop could not start once Kobalt's folder is deleted.
session_lines() {
    (
        unset $session_names
        KOBALT_QUIET=1 "$launcher" run --no-build -- env
    ) | vendors=$(system_vendors) awk -v names="$session_names" '
    BEGIN {
        count = split(names, list)
        for (i = 1; i <= count; i++) known[list[i]] = 1
    }
    {
        name = substr($0, 1, index($0, "=") - 1)
        if (!(name in known)) next
        gsub(/\$/, "$$")  # a dollar that the loader is to see, not systemd
        if (name == "LD_LIBRARY_PATH") $0 = $0 "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
        if (name == "__EGL_VENDOR_LIBRARY_FILENAMES") $0 = $0 ENVIRON["vendors"]
        print
    }'
}

enable_session() {
    if [ -e "$session" ] && [ -z "$(mark Enabled "$session")" ]; then
        fail "$session is yours and stays as it is"
        return
    fi
    lines=$(session_lines)
    case $lines in
    *LD_LIBRARY_PATH=*) ;;
    *)
        fail "$launcher doesn't start programs, so nothing is enabled"
        return
        ;;
    esac
    with_sum <<END | put "$session" || exit 1
# All programs of this session run on Kobalt; \`kobalt disable --all\` removes this file.
# X-Kobalt-Enabled=$launcher
# X-Kobalt-Sum=
$lines
END
    others="setuid programs, 32-bit programs, and Flatpak's and Snap's containers. The variables reach the last two"
    ! serves_32_bit_programs || others="setuid programs, and Flatpak's and Snap's containers. The variables reach the latter"
    cat <<END
--all: all programs run on Kobalt from your next login on ($session)
  This holds for sessions that systemd starts, as GNOME's and Plasma's, and for the desktop itself.
  Not served are $others
  as well: should such a program draw nothing, or slowly, enable programs one by one instead.
  Should the desktop not start, log in on a text console (Ctrl-Alt-F3) and remove that file.
END
}

disable_session() {
    if is_unchanged "$session"; then
        take_away "$session"
        say "--all: programs use the system's OpenGL again, from your next login on"
    else
        fail "$session was changed since Kobalt wrote it, so it stays: remove it if you don't need it"
    fi
}
