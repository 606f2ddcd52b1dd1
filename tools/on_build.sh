#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
#   on_build.sh BUILD PROGRAM ARGS…
#
# Runs PROGRAM on the Kobalt in Meson's build folder BUILD, installed or not: `meson test` puts this in
# front of every test. Where the caller has selected Kobalt already, as ./kobalt test does, it stays at that.
# The tests' pictures are lavapipe's, so that is the Vulkan driver, unless the caller names another one with
# KOBALT_VULKAN or VK_DRIVER_FILES.
build=$1
shift
if [ "${MESA_LOADER_DRIVER_OVERRIDE:-}" != kobalt ]; then
    root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
    . "$root/tools/environment.sh"
    case ${build##*/} in build-*[0-9]) host=$root/.kobalt/${build##*/build-} ;; *) host=$root/.kobalt/host ;; esac
    [ ! -d "$host" ] || KOBALT_HOST=${KOBALT_HOST:-$host}
    if [ -z "${KOBALT_VULKAN:-}${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ]; then
        KOBALT_VULKAN=lavapipe
    fi
    mesa=$build/subprojects/mesa-25.0.7/src
    kobalt_libraries_of_host
    kobalt_vulkan_drivers || exit 1
    kobalt_layers
    for folder in "$mesa/glx" "$mesa/egl" "$mesa/gallium/targets/dri"; do
        kobalt_prepend_library_path "$folder"
    done
    kobalt_select "$mesa/egl/50_kobalt.json"
    # A test that another driver draws would count for Kobalt.
    export KOBALT_HOST KOBALT_EXPECT_RENDERER=Kobalt
fi
exec "$@"
