#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
# usage: with-weston.sh [--x11] COMMAND...: runs it in a Wayland compositor of its own, without a screen, or with a
# window of the X display as its screen. Either has room for the largest window of the tests.
# Exit status 77: there is no compositor to be had, and the reason is printed.
command -v weston >/dev/null || {
    echo "skipped: weston is not installed (Debian: weston)"
    exit 77
}
backend=headless
[ "$1" != --x11 ] || { backend=x11 && shift; }
directory=$(mktemp -d)
chmod 700 "$directory"
export XDG_RUNTIME_DIR="$directory" WAYLAND_DISPLAY=kobalt-test
weston --backend=$backend-backend.so --use-pixman --width=1280 --height=1024 --socket=$WAYLAND_DISPLAY --idle-time=0 \
    >"$directory/log" 2>&1 &
weston=$!
trap 'kill $weston 2>/dev/null; wait $weston 2>/dev/null; rm -rf "$directory"' EXIT
trap 'exit 143' INT TERM
tries=0
while [ ! -S "$directory/$WAYLAND_DISPLAY" ]; do
    tries=$((tries + 1))
    if [ $tries -gt 100 ] || ! kill -0 $weston 2>/dev/null; then
        echo "skipped: weston doesn't start here:"
        tail -n 5 "$directory/log"
        exit 77
    fi
    sleep 0.1
done
"$@"
