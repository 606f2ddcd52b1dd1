// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/capabilities/device_chain.h"

namespace kobalt::vulkan {

namespace {

bool brought(const std::set<std::string>& extensions, bool core, const char* extension,
             const char* other) {
    if (!extension)
        return core;
    return extensions.contains(extension) || (other && extensions.contains(other));
}

} // namespace

void* chain(DeviceFeatures& all, const std::set<std::string>& extensions, bool core) {
    void* head = nullptr;
#define KOBALT_LINK(member, type, stype, extension, other)                                         \
    if (brought(extensions, core, extension, other)) {                                             \
        all.member.pNext = head;                                                                   \
        head = &all.member;                                                                        \
    }
    KOBALT_FEATURE_STRUCTS(KOBALT_LINK)
    return head;
}

void* chain(DeviceProperties& all, const std::set<std::string>& extensions, bool core) {
    void* head = nullptr;
    KOBALT_PROPERTY_STRUCTS(KOBALT_LINK)
#undef KOBALT_LINK
    return head;
}

#define KOBALT_UNLINK(member, type, stype, extension, other) all.member.pNext = nullptr;
void unchain(DeviceFeatures& all) {
    KOBALT_FEATURE_STRUCTS(KOBALT_UNLINK)
}
void unchain(DeviceProperties& all) {
    KOBALT_PROPERTY_STRUCTS(KOBALT_UNLINK)
}
#undef KOBALT_UNLINK

} // namespace kobalt::vulkan
