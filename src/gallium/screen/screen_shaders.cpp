// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <mutex>
#include <string>

#include "gallium/screen/screen.h"
#include "vulkan/base/environment.h"
#include "vulkan/device/device.h"

#include "nir.h"
#include "util/disk_cache.h"
#include "util/mesa-sha1.h"

namespace kobalt::gallium {
namespace {

const void* get_compiler_options(pipe_screen* screen, pipe_shader_ir, pipe_shader_type shader) {
    return spirv::compiler_options(static_cast<gl_shader_stage>(shader),
                                   Screen::from(screen)->spirv_target);
}

disk_cache* get_disk_cache(pipe_screen* screen) {
    return Screen::from(screen)->cache;
}

// The key is read where a program first saves or loads a binary: most programs never do, and need
// no file. Where the user wants no cache on disk, the key is kept in no file either.
const uint8_t* get_program_binary_key(pipe_screen* pscreen) {
    Screen& screen = *Screen::from(pscreen);
    std::call_once(screen.user_key_known, [&screen] {
        const vulkan::Environment& environment = screen.instance->environment();
        screen.user_key =
            vulkan::user_key(environment.cache_max_bytes ? environment.cache_dir : std::string());
    });
    return screen.user_key ? screen.user_key->data() : nullptr;
}

// Mesa's cache stores NIR. The NIR depends on this build, on the device and on its enabled features
// (KOBALT_DISABLE, the loader's layers): for example, 64-bit types that it lacks are lowered.
disk_cache* open_disk_cache(Screen& screen) {
    mesa_sha1 context;
    _mesa_sha1_init(&context);
    if (!disk_cache_get_function_identifier(reinterpret_cast<void*>(open_disk_cache), &context))
        return nullptr;
    const VkPhysicalDeviceProperties& device = screen.device().properties().core;
    const uint32_t identity[3] = {device.vendorID, device.deviceID, device.driverVersion};
    _mesa_sha1_update(&context, identity, sizeof(identity));
    _mesa_sha1_update(&context, device.pipelineCacheUUID, sizeof(device.pipelineCacheUUID));
    std::array<bool, vulkan::capability_count> used{};
    for (size_t i = 0; i < used.size(); ++i)
        used[i] = screen.device().has(static_cast<vulkan::Capability>(i));
    _mesa_sha1_update(&context, used.data(), sizeof(used));
    const VkPhysicalDeviceFeatures& features = screen.device().features().core;
    _mesa_sha1_update(&context, &features, sizeof(features));
    unsigned char digest[20];
    char id[41];
    _mesa_sha1_final(&context, digest);
    _mesa_sha1_format(id, digest);
    return disk_cache_create("kobalt", id, 0);
}

} // namespace

void init_screen_shader_functions(Screen& screen) {
    screen.get_compiler_options = get_compiler_options;
    screen.get_disk_shader_cache = get_disk_cache;
    screen.get_program_binary_key = get_program_binary_key;
    screen.cache = open_disk_cache(screen);
    screen.known_variants.init(screen.cache);
}

} // namespace kobalt::gallium
