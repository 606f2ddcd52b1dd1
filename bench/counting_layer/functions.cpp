// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "counting_layer/functions.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <string>

// VK_LAYER_KOBALT_counting counts what a GL driver asks of Vulkan: passes and what they load and
// store, barriers, copies, submissions, waits. The program above reads the counters from the file
// that KOBALT_COUNTERS names. KOBALT_LATE_US makes the device appear that much slower (late.h).

namespace kobalt::counting {
namespace {

/// The functions of each device. It must need no destructor, since drivers call Vulkan from their
/// exit handlers.
class Devices {
public:
    bool add(VkDevice device, PFN_vkGetDeviceProcAddr below) {
        const std::lock_guard lock(mutex_);
        Entry* entry = find(nullptr);
        if (!entry)
            return false;
        const auto load = [&]<class Function>(Function& function, const std::string& name) {
            for (const char* ending : {"", "KHR", "EXT"})
                if (!function)
                    function =
                        reinterpret_cast<Function>(below(device, ("vk" + name + ending).c_str()));
        };
        entry->functions = {};
#define KOBALT_FUNCTION(name, ...) load(entry->functions.name, #name);
        KOBALT_COUNTED_FUNCTIONS(KOBALT_FUNCTION)
        KOBALT_WATCHED_FUNCTIONS(KOBALT_FUNCTION)
#undef KOBALT_FUNCTION
        entry->table = layer::table_of(device);
        return true;
    }
    const Functions& get(void* table) {
        const std::lock_guard lock(mutex_);
        const Entry* entry = find(table);
        return entry ? entry->functions : none_;
    }
    void remove(void* table) {
        const std::lock_guard lock(mutex_);
        if (Entry* entry = find(table))
            entry->table = nullptr;
    }

private:
    struct Entry {
        void* table = nullptr;
        Functions functions;
    };
    Entry* find(void* table) {
        const auto found = std::ranges::find(entries_, table, &Entry::table);
        return found == entries_.end() ? nullptr : &*found;
    }
    std::mutex mutex_; ///< guards entries_; an entry's functions stay where they are
    std::array<Entry, 32> entries_{};
    Functions none_;
};
constinit Devices devices;

/// The name without "vk" and without the ending of the extension that it was promoted from.
std::string_view plain(std::string_view name, std::string_view ending) {
    name.remove_prefix(2);
    if (name.ends_with(ending))
        name.remove_suffix(ending.size());
    return name;
}

PFN_vkVoidFunction find_hook(std::string_view name) {
    for (const auto hooks : {counted_hooks(), pass_hooks(), barrier_hooks(), queue_hooks()})
        if (const auto found = std::ranges::find(hooks, name, &Hook::name); found != hooks.end())
            return found->function;
    return nullptr;
}

} // namespace

const Functions& functions_of(void* table) {
    return devices.get(table);
}

} // namespace kobalt::counting

namespace kobalt::layer {

PFN_vkVoidFunction replacement(std::string_view name, PFN_vkVoidFunction) {
    if (!name.starts_with("vk"))
        return nullptr;
    for (const std::string_view ending : {"", "KHR"})
        if (const auto hook = counting::find_hook(counting::plain(name, ending)))
            return hook;
    // Promoted from EXT; the counted functions have that name.
    return counting::find_hook(std::string(name.substr(2)) + "EXT");
}

bool device_made(VkDevice device, PFN_vkGetDeviceProcAddr below) {
    return counting::devices.add(device, below);
}

void device_ends(VkDevice device) {
    counting::devices.remove(table_of(device));
}

} // namespace kobalt::layer
