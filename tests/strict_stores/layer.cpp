// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "vulkan_layer/layer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "counting_layer/immortal.h"
#include "strict_stores/seen.h"

// VK_LAYER_KOBALT_strict_stores drops what a pass of dynamic rendering writes to depth or stencil
// where the store operation is not STORE. Such writes leave undefined contents behind
// (VkAttachmentStoreOp), but lavapipe stores them all the same: on lavapipe a wrong store operation
// shows in the picture only above this layer. The layer works where the depth write enable and the
// stencil write masks are dynamic in each pipeline, as Kobalt's are.

namespace kobalt::layer {
namespace {

#define KOBALT_STRICT_FUNCTIONS(X)                                                                 \
    X(BeginCommandBuffer)                                                                          \
    X(EndCommandBuffer)                                                                            \
    X(CmdBeginRendering)                                                                           \
    X(CmdEndRendering)                                                                             \
    X(CmdClearAttachments)                                                                         \
    X(CmdSetDepthWriteEnable)                                                                      \
    X(CmdSetStencilWriteMask)

/// A device's functions below the layer.
struct Functions {
#define KOBALT_FUNCTION(name) PFN_vk##name name = nullptr;
    KOBALT_STRICT_FUNCTIONS(KOBALT_FUNCTION)
#undef KOBALT_FUNCTION
};

constexpr std::array<VkStencilFaceFlags, 2> faces{VK_STENCIL_FACE_FRONT_BIT,
                                                  VK_STENCIL_FACE_BACK_BIT};

/// A command buffer between its begin and its end.
struct Recording {
    const Functions* below = nullptr;
    VkImageAspectFlags unstored = 0; ///< aspects of the open pass
    // What the program has set; none: nothing yet.
    std::optional<VkBool32> depth_write;
    std::array<std::optional<std::uint32_t>, faces.size()> stencil_masks;

    VkBool32 allowed_depth_write() const {
        return unstored & VK_IMAGE_ASPECT_DEPTH_BIT ? VK_FALSE : depth_write.value_or(VK_FALSE);
    }
    std::uint32_t allowed_stencil_mask(std::size_t face) const {
        return unstored & VK_IMAGE_ASPECT_STENCIL_BIT ? 0 : stencil_masks[face].value_or(0);
    }
    /// State outlasts passes, so a pass that stores needs what the one before it had masked.
    void set_all(VkCommandBuffer commands) const {
        if (depth_write)
            below->CmdSetDepthWriteEnable(commands, allowed_depth_write());
        for (std::size_t face = 0; face < faces.size(); ++face)
            if (stencil_masks[face])
                below->CmdSetStencilWriteMask(commands, faces[face], allowed_stencil_mask(face));
    }
};

struct Known {
    std::mutex mutex; ///< guards the maps; a command buffer's recording belongs to its thread
    std::unordered_map<void*, Functions> devices; ///< by dispatch table
    std::unordered_map<VkCommandBuffer, Recording> recordings;
};
Known& known() {
    static counting::Immortal<Known> all;
    return all.value;
}

Recording& recording_of(VkCommandBuffer commands) {
    const std::lock_guard lock(known().mutex);
    Recording& recording = known().recordings[commands];
    recording.below = &known().devices[table_of(commands)];
    return recording;
}

VKAPI_ATTR VkResult VKAPI_CALL begin(VkCommandBuffer commands,
                                     const VkCommandBufferBeginInfo* info) {
    Recording& recording = recording_of(commands);
    recording = Recording{recording.below};
    return recording.below->BeginCommandBuffer(commands, info);
}

VKAPI_ATTR VkResult VKAPI_CALL end(VkCommandBuffer commands) {
    const Functions& below = *recording_of(commands).below;
    {
        const std::lock_guard lock(known().mutex);
        known().recordings.erase(commands);
    }
    return below.EndCommandBuffer(commands);
}

void count(VkImageAspectFlags unstored) {
    if (!kobalt_strict_stores_seen)
        return;
    strict_stores::Seen& seen = *kobalt_strict_stores_seen();
    if (unstored & VK_IMAGE_ASPECT_DEPTH_BIT)
        ++seen.depth_unstored;
    if (unstored & VK_IMAGE_ASPECT_STENCIL_BIT)
        ++seen.stencil_unstored;
}

/// An attachment of a pass, with its clear dropped where the pass doesn't store it.
class Attachment {
public:
    explicit Attachment(const VkRenderingAttachmentInfo* info) {
        if (!info)
            return;
        copy_ = *info;
        unstored_ = info->imageView && info->storeOp != VK_ATTACHMENT_STORE_OP_STORE;
        if (unstored_ && info->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR)
            copy_->loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    }
    const VkRenderingAttachmentInfo* info() const { return copy_ ? &*copy_ : nullptr; }
    bool unstored() const { return unstored_; }

private:
    std::optional<VkRenderingAttachmentInfo> copy_;
    bool unstored_ = false;
};

VKAPI_ATTR void VKAPI_CALL begin_rendering(VkCommandBuffer commands, const VkRenderingInfo* info) {
    const Attachment depth(info->pDepthAttachment);
    const Attachment stencil(info->pStencilAttachment);
    VkRenderingInfo strict = *info;
    strict.pDepthAttachment = depth.info();
    strict.pStencilAttachment = stencil.info();
    Recording& recording = recording_of(commands);
    recording.unstored = (depth.unstored() ? VK_IMAGE_ASPECT_DEPTH_BIT : 0) |
                         (stencil.unstored() ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
    count(recording.unstored);
    recording.below->CmdBeginRendering(commands, &strict);
    recording.set_all(commands);
}

VKAPI_ATTR void VKAPI_CALL end_rendering(VkCommandBuffer commands) {
    Recording& recording = recording_of(commands);
    recording.unstored = 0;
    recording.below->CmdEndRendering(commands);
}

VKAPI_ATTR void VKAPI_CALL clear_attachments(VkCommandBuffer commands, std::uint32_t count,
                                             const VkClearAttachment* attachments,
                                             std::uint32_t rect_count, const VkClearRect* rects) {
    const Recording& recording = recording_of(commands);
    std::vector<VkClearAttachment> kept(attachments, attachments + count);
    for (VkClearAttachment& one : kept)
        one.aspectMask &= ~recording.unstored;
    std::erase_if(kept, [](const VkClearAttachment& one) { return one.aspectMask == 0; });
    if (!kept.empty())
        recording.below->CmdClearAttachments(commands, static_cast<std::uint32_t>(kept.size()),
                                             kept.data(), rect_count, rects);
}

VKAPI_ATTR void VKAPI_CALL set_depth_write(VkCommandBuffer commands, VkBool32 enable) {
    Recording& recording = recording_of(commands);
    recording.depth_write = enable;
    recording.below->CmdSetDepthWriteEnable(commands, recording.allowed_depth_write());
}

VKAPI_ATTR void VKAPI_CALL set_stencil_mask(VkCommandBuffer commands, VkStencilFaceFlags chosen,
                                            std::uint32_t mask) {
    Recording& recording = recording_of(commands);
    for (std::size_t face = 0; face < faces.size(); ++face)
        if (chosen & faces[face])
            recording.stencil_masks[face] = mask;
    const bool dropped = recording.unstored & VK_IMAGE_ASPECT_STENCIL_BIT;
    recording.below->CmdSetStencilWriteMask(commands, chosen, dropped ? 0 : mask);
}

struct Hook {
    std::string_view name;
    PFN_vkVoidFunction function;
};

} // namespace

PFN_vkVoidFunction replacement(std::string_view name, PFN_vkVoidFunction) {
    static const std::array hooks{
        Hook{"vkBeginCommandBuffer", erased(begin)},
        Hook{"vkEndCommandBuffer", erased(end)},
        Hook{"vkCmdBeginRendering", erased(begin_rendering)},
        Hook{"vkCmdEndRendering", erased(end_rendering)},
        Hook{"vkCmdClearAttachments", erased(clear_attachments)},
        Hook{"vkCmdSetDepthWriteEnable", erased(set_depth_write)},
        Hook{"vkCmdSetStencilWriteMask", erased(set_stencil_mask)},
    };
    for (const std::string_view ending : {"KHR", "EXT"})
        if (name.ends_with(ending))
            name.remove_suffix(ending.size());
    const auto found = std::ranges::find(hooks, name, &Hook::name);
    return found == hooks.end() ? nullptr : found->function;
}

bool device_made(VkDevice device, PFN_vkGetDeviceProcAddr below) {
    Functions functions;
    const auto load = [&]<class Function>(Function& function, const std::string& name) {
        for (const char* ending : {"", "KHR", "EXT"})
            if (!function)
                function = reinterpret_cast<Function>(below(device, (name + ending).c_str()));
    };
#define KOBALT_LOAD(name) load(functions.name, "vk" #name);
    KOBALT_STRICT_FUNCTIONS(KOBALT_LOAD)
#undef KOBALT_LOAD
    const std::lock_guard lock(known().mutex);
    known().devices[table_of(device)] = functions;
    if (kobalt_strict_stores_seen)
        ++kobalt_strict_stores_seen()->devices;
    return true;
}

void device_ends(VkDevice device) {
    const std::lock_guard lock(known().mutex);
    // Those that the program began and never ended.
    const Functions* const below = &known().devices[table_of(device)];
    std::erase_if(known().recordings,
                  [below](const auto& one) { return one.second.below == below; });
    known().devices.erase(table_of(device));
}

} // namespace kobalt::layer
