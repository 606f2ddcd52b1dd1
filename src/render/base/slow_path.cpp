// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/base/slow_path.h"

namespace kobalt::render {
namespace {

constexpr std::array<SlowPathText, slow_path_count> texts{{
    {"converted_primitives", "primitives that Vulkan lacks are converted by the CPU"},
    {"restart_split", "a draw is split by the CPU where its restart index stands"},
    {"restart_index", "indices are copied to put Vulkan's restart index in the place of GL's"},
    {"indirect_read", "the parameters of an indirect draw are waited for and read by the CPU"},
    {"widened_indices", "8-bit indices are widened by the CPU"},
    {"converted_vertices", "vertices that the device can't fetch are converted by the CPU"},
    {"faces_apart", "front and back faces are drawn one after the other"},
    {"sample_draws", "a draw without GL_MULTISAMPLE is made once for each sample of its target"},
    {"busy_map", "a buffer that is being mapped is in use, so the GPU is waited for"},
    {"read_back", "contents are copied back to memory, and the GPU is waited for"},
    {"converted_texels", "texels are converted by the CPU on their way"},
    {"stencil_bits", "stencil is blitted with a draw for each bit"},
    {"condition_wait", "the CPU decides a render condition, and waits for its query"},
    {"shader_wait", "a draw waits for its shaders, which are still being compiled"},
    {"late_shader", "a shader was made outside of a link"},
    {"draw_compile", "a draw compiles"},
    {"run_ahead", "too much work is queued, so the GPU is waited for"},
}};

} // namespace

const SlowPathText& slow_path_text(SlowPath kind) {
    return texts[static_cast<size_t>(kind)];
}

void SlowPaths::tell(SlowPath kind, uint32_t bit, std::string_view detail) {
    const bool prints = printing_ && !(printed_ & bit);
    if (!prints && !listener_)
        return;
    std::string text = std::string("slow path: ") + slow_path_text(kind).text;
    if (!detail.empty())
        text.append(" (").append(detail).append(")");
    if (prints)
        log_.info(text);
    printed_ |= prints ? bit : 0;
    if (listener_ && listener_(text.c_str()))
        told_ |= bit;
}

} // namespace kobalt::render
