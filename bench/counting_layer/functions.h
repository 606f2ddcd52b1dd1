// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <span>

#include "vulkan_layer/layer.h"

// The functions below the layer that it calls. The first list is counted and nothing else; the
// counters are those of counters.h.
#define KOBALT_COUNTED_FUNCTIONS(X)                                                                \
    X(CmdDraw, draws)                                                                              \
    X(CmdDrawIndexed, draws)                                                                       \
    X(CmdDrawIndirect, draws)                                                                      \
    X(CmdDrawIndexedIndirect, draws)                                                               \
    X(CmdDrawMultiEXT, draws)                                                                      \
    X(CmdDrawMultiIndexedEXT, draws)                                                               \
    X(CmdDispatch, dispatches)                                                                     \
    X(CmdDispatchBase, dispatches)                                                                 \
    X(CmdDispatchIndirect, dispatches)                                                             \
    X(CmdCopyBuffer, buffer_copies)                                                                \
    X(CmdCopyBuffer2, buffer_copies)                                                               \
    X(CmdCopyImage, image_copies)                                                                  \
    X(CmdCopyImage2, image_copies)                                                                 \
    X(CmdCopyBufferToImage, uploads)                                                               \
    X(CmdCopyBufferToImage2, uploads)                                                              \
    X(CmdCopyImageToBuffer, downloads)                                                             \
    X(CmdCopyImageToBuffer2, downloads)                                                            \
    X(CopyMemoryToImageEXT, host_copies)                                                           \
    X(CopyImageToMemoryEXT, host_copies)                                                           \
    X(CmdBlitImage, blits)                                                                         \
    X(CmdBlitImage2, blits)                                                                        \
    X(CmdResolveImage, resolves)                                                                   \
    X(CmdResolveImage2, resolves)                                                                  \
    X(CmdClearColorImage, image_clears)                                                            \
    X(CmdClearDepthStencilImage, image_clears)                                                     \
    X(CmdClearAttachments, clears_in_passes)                                                       \
    X(CmdFillBuffer, fills)                                                                        \
    X(CmdUpdateBuffer, updates)                                                                    \
    X(BeginCommandBuffer, recordings)                                                              \
    X(QueuePresentKHR, presents)                                                                   \
    X(AcquireNextImageKHR, acquires)                                                               \
    X(AcquireNextImage2KHR, acquires)                                                              \
    X(CreateBuffer, buffers)                                                                       \
    X(AllocateMemory, allocations)                                                                 \
    X(CreateGraphicsPipelines, pipelines)                                                          \
    X(CreateComputePipelines, pipelines)

// The functions whose arguments the layer reads.
#define KOBALT_WATCHED_FUNCTIONS(X)                                                                \
    X(CreateImage)                                                                                 \
    X(CreateImageView)                                                                             \
    X(CmdBeginRendering)                                                                           \
    X(CmdEndRendering)                                                                             \
    X(CmdBeginRenderPass)                                                                          \
    X(CmdBeginRenderPass2)                                                                         \
    X(CmdEndRenderPass)                                                                            \
    X(CmdEndRenderPass2)                                                                           \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdPipelineBarrier2)                                                                         \
    X(QueueSubmit)                                                                                 \
    X(QueueSubmit2)                                                                                \
    X(QueueWaitIdle)                                                                               \
    X(DeviceWaitIdle)                                                                              \
    X(WaitSemaphores)                                                                              \
    X(WaitForFences)                                                                               \
    X(GetSemaphoreCounterValue)                                                                    \
    X(GetFenceStatus)

namespace kobalt::counting {

/// A device's functions below the layer; null where the device has none.
struct Functions {
#define KOBALT_FUNCTION(name, ...) PFN_vk##name name = nullptr;
    KOBALT_COUNTED_FUNCTIONS(KOBALT_FUNCTION)
    KOBALT_WATCHED_FUNCTIONS(KOBALT_FUNCTION)
#undef KOBALT_FUNCTION
};

/// The functions below for a device's dispatch table, which its queues and command buffers share.
const Functions& functions_of(void* table);

template <class Handle>
const Functions& functions(Handle handle) {
    return functions_of(layer::table_of(handle));
}

/// A function of the layer's, by the name without "vk" and without an extension's ending.
struct Hook {
    std::string_view name;
    PFN_vkVoidFunction function;
};
#define KOBALT_HOOK(vulkan_name, function)                                                         \
    Hook {                                                                                         \
#vulkan_name, layer::erased(function)                                                      \
    }

std::span<const Hook> counted_hooks();
std::span<const Hook> pass_hooks();
std::span<const Hook> barrier_hooks();
std::span<const Hook> queue_hooks();

} // namespace kobalt::counting
