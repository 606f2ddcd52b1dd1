#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
# usage: with-xserver.sh [--server NAME] [--tcp] [OPTIONS OF THE SERVER]... -- COMMAND...: runs it on an X server of its
# own, which ends with it: Xvfb, or NAME (Xtigervnc, Xwayland). With --tcp the program reaches the server over TCP, as a
# remote display. KOBALT_TEST_XSERVER is the server's process, which the command may kill, KOBALT_TEST_RFB the unix
# socket at which Xtigervnc answers VNC clients.
# Exit status 77: there is no X server to be had, and the reason is printed.
program=Xvfb
[ "$1" != --server ] || { program=$2 && shift 2; }
for needed in $program xauth mcookie; do
    command -v "$needed" >/dev/null || {
        echo "skipped: $needed is missing (Debian: xvfb, tigervnc-standalone-server, xwayland, xauth, util-linux)"
        exit 77
    }
done
tcp=
[ "$1" != --tcp ] || { tcp=1 && shift; }
options=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
directory=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill $server 2>/dev/null; wait 2>/dev/null; rm -rf "$directory"' EXIT
trap 'exit 143' INT TERM
# Only who knows the cookie reaches the server. It reads the file before its number is known.
cookie=$(mcookie)
export XAUTHORITY="$directory/authority"
touch "$XAUTHORITY"
xauth -q add :0 . "$cookie"
if [ "$program" = Xtigervnc ]; then
    export KOBALT_TEST_RFB="$directory/rfb"
    options="-rfbunixpath $KOBALT_TEST_RFB -rfbport -1 -SecurityTypes None $options"
fi
# shellcheck disable=SC2086
"$program" -displayfd 3 -auth "$XAUTHORITY" -noreset ${tcp:+-listen tcp} $options 3>"$directory/display" \
    >"$directory/log" 2>&1 &
server=$!
tries=0
while [ ! -s "$directory/display" ]; do
    tries=$((tries + 1))
    if [ $tries -gt 200 ] || ! kill -0 $server 2>/dev/null; then
        echo "skipped: $program doesn't start here with$options:"
        tail -n 5 "$directory/log"
        exit 77
    fi
    sleep 0.1
done
number=$(cat "$directory/display")
xauth -q add ":$number" . "$cookie"
export DISPLAY="${tcp:+127.0.0.1}:$number"
export KOBALT_TEST_XSERVER=$server
unset WAYLAND_DISPLAY
"$@"
