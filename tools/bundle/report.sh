# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
# `kobalt report`: one text file to send along with a report of a fault, with nothing private in it. The source tree's
# launcher has a command of that name as well, which adds the logs of the build.
# Sourced by the launcher, with its functions and $here.

# Takes names of users and hosts, addresses and UUIDs out of what comes in.
scrubbed() {
    home=${HOME:-}
    home=${home%/}
    sed -E "s#$(printf '%s' "${home:-/nonexistent}" | sed 's/[]\\.*^$#|(){}?+[]/\\&/g')#~#g
        s#/(home|media|run/user)/[^/ :;,]+#/\\1/USER#g
        s#[[:alnum:]]+://[^/ ]+#ADDRESS#g
        s#\\b[0-9]{1,3}(\\.[0-9]{1,3}){3}\\b#ADDRESS#g
        s#\\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\b#UUID#g
        s#\\b$(uname -n | sed 's/[]\\.*^$#|(){}?+[]/\\&/g')\\b#HOST#g"
}

report_sections() {
    cat "$here/share/kobalt/version"
    sed -n 's/^PRETTY_NAME="*\([^"]*\)"*$/distribution: \1/p' /etc/os-release 2>/dev/null
    echo "kernel: $(uname -srm)"
    sed -n 's/^model name[ 	]*: /CPU: /p' /proc/cpuinfo 2>/dev/null | head -n 1
    head -n 1 /proc/driver/nvidia/version 2>/dev/null
    # What packages of the driver and of Vulkan are installed, where dpkg or rpm knows.
    for name in libgl1-kobalt libvulkan1 mesa-vulkan-drivers; do
        dpkg-query -W -f '${Package} ${Version} ${Architecture}\n' "$name" 2>/dev/null
    done
    rpm -q kobalt vulkan-loader mesa-vulkan-drivers 2>/dev/null
    for name in DISPLAY WAYLAND_DISPLAY; do
        eval "[ -z \"\${$name:-}\" ] || echo \"$name: set\""
    done
    echo "Vulkan drivers:"
    kobalt_system_manifests | sed 's/^/  /'
    echo "variables:"
    env | grep -E '^(KOBALT_|MESA_|VK_)' | sort | sed 's/^/  /'
    echo
    echo "kobalt info:"
    (prepare && timeout 60 "$here/bin/kobalt-info") 2>&1
}

# Writes the report to the file $1.
report() {
    file=${1:-kobalt-report.txt}
    report_sections | scrubbed >"$file" || exit 1
    echo "kobalt: $file is written: look it over, then send it with what you did, expected and saw"
}
