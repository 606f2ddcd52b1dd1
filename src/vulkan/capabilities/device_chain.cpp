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

std::set<std::string> merge_core_1_4(DeviceFeatures& all, std::set<std::string> extensions) {
    if (!extensions.contains(core_1_4))
        return extensions;
    auto& core = all.vulkan14;
    const auto& lines = all.line_rasterization;
    core.rectangularLines = lines.rectangularLines;
    core.bresenhamLines = lines.bresenhamLines;
    core.smoothLines = lines.smoothLines;
    core.stippledRectangularLines = lines.stippledRectangularLines;
    core.stippledBresenhamLines = lines.stippledBresenhamLines;
    core.stippledSmoothLines = lines.stippledSmoothLines;
    core.vertexAttributeInstanceRateDivisor =
        all.vertex_attribute_divisor.vertexAttributeInstanceRateDivisor;
    core.indexTypeUint8 = all.index_type_uint8.indexTypeUint8;
    core.dynamicRenderingLocalRead = all.dynamic_rendering_local_read.dynamicRenderingLocalRead;
    core.maintenance5 = all.maintenance5.maintenance5;
    core.maintenance6 = all.maintenance6.maintenance6;
    core.pipelineRobustness = all.pipeline_robustness.pipelineRobustness;
    core.hostImageCopy = all.host_image_copy.hostImageCopy;
    for (const char* merged :
         {"VK_EXT_line_rasterization", "VK_KHR_line_rasterization",
          "VK_EXT_vertex_attribute_divisor", "VK_KHR_vertex_attribute_divisor",
          "VK_EXT_index_type_uint8", "VK_KHR_index_type_uint8",
          "VK_KHR_dynamic_rendering_local_read", "VK_KHR_maintenance5", "VK_KHR_maintenance6",
          "VK_EXT_pipeline_robustness", "VK_EXT_host_image_copy"})
        extensions.erase(merged);
    return extensions;
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
