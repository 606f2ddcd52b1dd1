# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
#
# The environment that puts a GL program on Kobalt. Sourced by the bundle's launcher and by ./kobalt,
# so that both behave alike; POSIX sh, no other tool than sed, id, mkdir.
#
#   kobalt_environment PREFIX    exports everything for the Kobalt installed below PREFIX
#
# Read: KOBALT_VULKAN = auto | system | lavapipe | swiftshader | none (default auto),
#       KOBALT_HOST   = a tree with usr/share/vulkan/{icd.d,explicit_layer.d} of our own (may be unset); one of i386
#                       packages has the libraries of 32-bit programs as well,
#       KOBALT_QUIET  = 1: no remarks on stderr.

kobalt_say() {
    [ "${KOBALT_QUIET:-0}" = 1 ] || echo "kobalt: $*" >&2
}

# Puts the folders $1 in front of LD_LIBRARY_PATH.
kobalt_prepend_library_path() {
    LD_LIBRARY_PATH=$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
}

# Lets 32-bit programs find the libraries of the packages that they were built with, behind what the user has set.
kobalt_libraries_of_host() {
    [ -n "${KOBALT_HOST:-}" ] && [ -d "$KOBALT_HOST/usr/lib/i386-linux-gnu" ] || return 0
    LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$KOBALT_HOST/usr/lib/i386-linux-gnu
    export LD_LIBRARY_PATH
}

# Lets programs find the libraries in the folder $1 of Kobalt's prefix. Below /usr the loader finds the vendor libraries by
# itself, and the system's folder on the search path would win over libraries that programs bring along. What has a folder
# of its own there is named for programs of each architecture: the loader puts its own lib/TRIPLET or lib64 for $LIB.
kobalt_library_folders() {
    if [ "$kobalt_prefix" = /usr ]; then
        kobalt_prepend_library_path '/usr/$LIB/kobalt'
        export GBM_BACKENDS_PATH='/usr/$LIB/kobalt/gbm'
        return
    fi
    # The bundle for both widths: whoever opens a library by name passes over the file of the other width.
    kobalt_lib32=
    [ ! -e "$kobalt_prefix/lib32/libEGL_kobalt.so.0" ] || kobalt_lib32=$kobalt_prefix/lib32
    kobalt_prepend_library_path "$1${kobalt_lib32:+:$kobalt_lib32}"
    kobalt_prepend_library_path "$1/kobalt${kobalt_lib32:+:$kobalt_lib32/kobalt}"
    export GBM_BACKENDS_PATH="$1/kobalt/gbm${kobalt_lib32:+:$kobalt_lib32/kobalt/gbm}"
}

# True when the machine has a GPU that a Vulkan driver could serve.
kobalt_has_gpu() {
    for node in /dev/dri/renderD* /dev/nvidiactl /dev/dxg; do
        [ -e "$node" ] && return 0
    done
    return 1
}

# Prints the Vulkan driver manifests of this machine, one a line.
kobalt_system_manifests() {
    for dir in "${XDG_CONFIG_HOME:-${HOME:-/nonexistent}/.config}/vulkan/icd.d" /etc/vulkan/icd.d \
        /usr/local/etc/vulkan/icd.d "${XDG_DATA_HOME:-${HOME:-/nonexistent}/.local/share}/vulkan/icd.d" \
        /usr/local/share/vulkan/icd.d /usr/share/vulkan/icd.d /usr/local/nvidia/share/vulkan/icd.d; do
        for manifest in "$dir"/*.json; do
            [ -f "$manifest" ] && echo "$manifest"
        done
    done
}

# Prints a folder of ours that can be written to.
kobalt_state_dir() {
    state=${KOBALT_STATE_DIR:-${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}}
    [ -z "$state" ] || [ -n "${KOBALT_STATE_DIR:-}" ] || state=$state/kobalt
    # Without a home there is no place that lasts; root would be able to make one anywhere.
    if [ -n "$state" ] && mkdir -p "$state" 2>/dev/null && [ -w "$state" ]; then
        echo "$state"
        return
    fi
    mktemp -d "${TMPDIR:-/tmp}/kobalt-XXXXXX"
}

# Prints the libraries that the loader finds by their bare names.
kobalt_known_libraries() {
    /sbin/ldconfig -p 2>/dev/null || ldconfig -p 2>/dev/null
}

# Prints how NVIDIA's GLX-named driver library is opened under its EGL name. Where the loader finds it by the bare name,
# that serves 64- and 32-bit programs alike; a path is for containers that mount the 64-bit libraries anywhere. Fails
# where there is neither.
kobalt_nvidia_library() {
    case $(kobalt_known_libraries) in *"	libEGL_nvidia.so.0 "*)
        echo libEGL_nvidia.so.0
        return
        ;;
    esac
    for dir in /usr/lib/x86_64-linux-gnu /usr/lib64 /usr/lib /usr/local/nvidia/lib64 \
        /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu/nvidia/current; do
        if [ -e "$dir/libEGL_nvidia.so.0" ]; then
            echo "$dir/libEGL_nvidia.so.0"
            return
        fi
    done
    return 1
}

# True when the driver of MANIFEST, NVIDIA's under its GLX name, is one for the X display: the server
# has what the library presents with (DRI3 or NV-GLX), and there are a device and X windows under our
# EGL vendor file. This is tried, in a process of its own: what the library needs besides (its X
# libraries, and NVIDIA's EGL on some servers) no file tells, and it may crash.
kobalt_nvidia_glx_works() {
    [ -n "${DISPLAY:-}" ] && [ -x "${kobalt_prefix:-}/bin/kobalt-info" ] || return 1
    VK_DRIVER_FILES=$1 VK_ICD_FILENAMES='' KOBALT_DEVICE='' \
        LD_LIBRARY_PATH="${kobalt_lib:-}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
        __EGL_VENDOR_LIBRARY_FILENAMES=$kobalt_prefix/share/kobalt/egl_vendor.d/50_kobalt.json \
        "$kobalt_prefix/bin/kobalt-info" --x11-driver >/dev/null 2>&1
}

# Prints MANIFEST, or a copy of it that works on this display with our EGL vendor file. NVIDIA's
# manifest names its GLX library, which refuses to be a Vulkan driver on machines without a display
# once the EGL vendor list hides NVIDIA's own EGL; the same driver under its EGL name works there.
kobalt_usable_manifest() {
    if grep -q 'libGLX_nvidia\.so' "$1" 2>/dev/null && ! kobalt_nvidia_glx_works "$1"; then
        copy=$(kobalt_state_dir)/nvidia_icd.json
        library=$(kobalt_nvidia_library) || library=libEGL_nvidia.so.0
        if sed "s#\"[^\"]*libGLX_nvidia\\.so[^\"]*\"#\"$library\"#" "$1" >"$copy.$$" 2>/dev/null &&
            mv -f "$copy.$$" "$copy"; then
            echo "$copy"
            return
        fi
    fi
    echo "$1"
}

# NVIDIA's driver without any manifest (some containers mount the libraries only): prints one of ours.
kobalt_nvidia_manifest() {
    [ -e /dev/nvidiactl ] || return 0
    library=$(kobalt_nvidia_library) || return 0
    copy=$(kobalt_state_dir)/nvidia_icd.json
    printf '{"file_format_version":"1.0.0","ICD":{"library_path":"%s","api_version":"1.3.0"}}\n' \
        "$library" >"$copy" 2>/dev/null && echo "$copy"
}

# Chooses the Vulkan drivers that the loader may use.
kobalt_vulkan_drivers() {
    mode=${KOBALT_VULKAN:-auto}
    own=${KOBALT_HOST:+$KOBALT_HOST/usr/share/vulkan/icd.d}
    case $mode in
    lavapipe | swiftshader)
        file=lvp_icd.json
        [ "$mode" = swiftshader ] && file=swiftshader_icd.json
        if [ -n "$own" ] && [ -f "$own/$file" ]; then
            VK_DRIVER_FILES=$own/$file
            export VK_DRIVER_FILES
            unset VK_ICD_FILENAMES
            return 0
        fi
        # Where the set-up fetched none (not on Debian), the machine's own lavapipe serves: each architecture's has a
        # manifest, and the loader passes over those of another one.
        list=''
        for manifest in $([ "$mode" = lavapipe ] && kobalt_system_manifests); do
            case ${manifest##*/} in lvp_icd*.json) list=$list${list:+:}$manifest ;; esac
        done
        if [ -n "$list" ]; then
            VK_DRIVER_FILES=$list
            export VK_DRIVER_FILES
            unset VK_ICD_FILENAMES
            return 0
        fi
        kobalt_say "$mode was asked for but is not in ${KOBALT_HOST:-.kobalt/host}: run ./kobalt build"
        return 1
        ;;
    none) return 0 ;;
    esac
    if [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ]; then
        # The user's choice stays; a container that points at NVIDIA's manifest needs the copy as well.
        list='' old_ifs=$IFS
        IFS=:
        for manifest in ${VK_DRIVER_FILES:-$VK_ICD_FILENAMES}; do
            list=$list${list:+:}$(kobalt_usable_manifest "$manifest")
        done
        IFS=$old_ifs
        VK_DRIVER_FILES=$list
        export VK_DRIVER_FILES
        unset VK_ICD_FILENAMES
        return 0
    fi
    list='' nvidia=''
    old_ifs=$IFS
    IFS='
'
    for manifest in $(kobalt_system_manifests); do
        usable=$(kobalt_usable_manifest "$manifest")
        case $usable in *nvidia_icd.json)
            [ -n "$nvidia" ] && continue
            nvidia=1
            ;;
        esac
        list=$list${list:+:}$usable
    done
    IFS=$old_ifs
    if [ -z "$nvidia" ]; then
        usable=$(kobalt_nvidia_manifest)
        if [ -n "$usable" ]; then
            nvidia=1
            list=$list${list:+:}$usable
        fi
    fi
    if [ "$mode" = auto ] && ! kobalt_has_gpu && [ -n "$own" ] && [ -f "$own/lvp_icd.json" ]; then
        kobalt_say "no GPU here: Vulkan runs on the CPU (lavapipe from $own)"
        VK_DRIVER_FILES=$own/lvp_icd.json
        export VK_DRIVER_FILES
    elif [ -n "$nvidia" ]; then
        VK_DRIVER_FILES=$list
        export VK_DRIVER_FILES
    elif [ -z "$list" ] && [ -n "$own" ] && [ -f "$own/lvp_icd.json" ]; then
        kobalt_say "no Vulkan driver is installed: Vulkan runs on the CPU (lavapipe from $own)"
        VK_DRIVER_FILES=$own/lvp_icd.json
        export VK_DRIVER_FILES
    elif [ -z "$list" ]; then
        kobalt_say "no Vulkan driver found: install your GPU's (Debian: mesa-vulkan-drivers, or NVIDIA's)"
    fi
    return 0
}

# Makes our own validation layer known, unless the user has a choice of his.
kobalt_layers() {
    if [ -n "${KOBALT_HOST:-}" ] && [ -d "$KOBALT_HOST/usr/share/vulkan/explicit_layer.d" ] &&
        [ -z "${VK_LAYER_PATH:-}" ]; then
        export VK_LAYER_PATH="$KOBALT_HOST/usr/share/vulkan/explicit_layer.d"
    fi
}

# Makes GLX and EGL programs take Kobalt, whose EGL vendor file is $1.
kobalt_select() {
    export MESA_LOADER_DRIVER_OVERRIDE=kobalt
    export __GLX_VENDOR_LIBRARY_NAME=kobalt
    export __EGL_VENDOR_LIBRARY_FILENAMES="$1"
    unset LIBGL_ALWAYS_SOFTWARE GALLIUM_DRIVER
    # lavapipe can blend signed normalised colours, and offers it when this asks for it.
    export LVP_SNORM_BLEND="${LVP_SNORM_BLEND:-1}"
}

kobalt_environment() {
    kobalt_prefix=$1
    kobalt_lib=
    for dir in "$kobalt_prefix/lib/x86_64-linux-gnu" "$kobalt_prefix/lib/i386-linux-gnu" \
        "$kobalt_prefix/lib/aarch64-linux-gnu" "$kobalt_prefix/lib64" "$kobalt_prefix/lib"; do
        if [ -e "$dir/libEGL_kobalt.so.0" ]; then
            kobalt_lib=$dir
            break
        fi
    done
    if [ -z "$kobalt_lib" ]; then
        kobalt_say "no libEGL_kobalt.so.0 below $kobalt_prefix: build it first (./kobalt build)"
        return 1
    fi
    kobalt_libraries_of_host
    kobalt_vulkan_drivers || return 1
    kobalt_library_folders "$kobalt_lib"
    # Below /usr the driver looks there by itself, and into /etc/drirc.
    if [ -z "${DRIRC_CONFIGDIR:-}" ] && [ "$kobalt_prefix" != /usr ] && [ -d "$kobalt_prefix/share/kobalt/drirc.d" ]; then
        export DRIRC_CONFIGDIR="$kobalt_prefix/share/kobalt/drirc.d"
    fi
    kobalt_select "$kobalt_prefix/share/kobalt/egl_vendor.d/50_kobalt.json"
    kobalt_layers
    return 0
}
