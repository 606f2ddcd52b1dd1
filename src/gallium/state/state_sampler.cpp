// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <algorithm>
#include <cstring>
#include <optional>

#include "gallium/context/operations.h"
#include "vulkan/device/device.h"
#include "vulkan/resources/sampler.h"

namespace kobalt::gallium {
namespace {

// The shader does the part of GL_CLAMP that blends edge and border (the state tracker clamps the
// coordinates). The sampler clamps to the border for linear, to the edge for nearest filtering.
VkSamplerAddressMode address_mode(const vulkan::Device& device, unsigned wrap, bool linear) {
    const auto mirror_edge = device.has(vulkan::Capability::sampler_mirror_clamp_to_edge)
                                 ? VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE
                                 : VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    switch (wrap) {
    case PIPE_TEX_WRAP_REPEAT:
        return VK_SAMPLER_ADDRESS_MODE_REPEAT;
    case PIPE_TEX_WRAP_CLAMP:
        return linear ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
                      : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    case PIPE_TEX_WRAP_CLAMP_TO_BORDER:
        return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    case PIPE_TEX_WRAP_MIRROR_REPEAT:
        return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    case PIPE_TEX_WRAP_MIRROR_CLAMP:
    case PIPE_TEX_WRAP_MIRROR_CLAMP_TO_EDGE:
    case PIPE_TEX_WRAP_MIRROR_CLAMP_TO_BORDER:
        return mirror_edge;
    default:
        return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    }
}

VkFilter filter(unsigned gallium) {
    return gallium == PIPE_TEX_FILTER_LINEAR ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
}

std::optional<VkBorderColor> predefined_border(const pipe_color_union& color, bool integer) {
    const uint32_t one = integer ? 1u : fui(1.0f);
    const auto is = [&](uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
        return color.ui[0] == r && color.ui[1] == g && color.ui[2] == b && color.ui[3] == a;
    };
    if (is(0, 0, 0, 0))
        return integer ? VK_BORDER_COLOR_INT_TRANSPARENT_BLACK
                       : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    if (is(0, 0, 0, one))
        return integer ? VK_BORDER_COLOR_INT_OPAQUE_BLACK : VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
    if (is(one, one, one, one))
        return integer ? VK_BORDER_COLOR_INT_OPAQUE_WHITE : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    return std::nullopt;
}

// The predefined border colour that is nearest to `color`, for devices without custom colours.
VkBorderColor nearest_border(const pipe_color_union& color, bool integer) {
    if (integer) {
        if (color.ui[3] == 0)
            return VK_BORDER_COLOR_INT_TRANSPARENT_BLACK;
        return color.ui[0] ? VK_BORDER_COLOR_INT_OPAQUE_WHITE : VK_BORDER_COLOR_INT_OPAQUE_BLACK;
    }
    if (color.f[3] < 0.5f)
        return VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    const float light = (color.f[0] + color.f[1] + color.f[2]) / 3.0f;
    return light < 0.5f ? VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK : VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
}

/// A VkSamplerCreateInfo with the structures of its pNext chain.
struct SamplerInfo {
    VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSamplerCustomBorderColorCreateInfoEXT border{
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT};
    VkSamplerReductionModeCreateInfo reduction{
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO};
};

void set_border(SamplerInfo& out, const vulkan::Device& device, const pipe_sampler_state& gl) {
    const bool integer = gl.border_color_is_integer;
    pipe_color_union color = gl.border_color;
    VkFormat format = VK_FORMAT_UNDEFINED;
    if (gl.border_color_format != PIPE_FORMAT_NONE) {
        const FormatMapping mapping = map_format(device, gl.border_color_format);
        color = store_color(mapping, gl.border_color_format, color);
        format = mapping.format;
    }
    if (const auto predefined = predefined_border(color, integer)) {
        out.info.borderColor = *predefined;
        return;
    }
    const bool without_format = device.has(vulkan::Capability::custom_border_color_without_format);
    if (!device.has(vulkan::Capability::custom_border_color) ||
        (format == VK_FORMAT_UNDEFINED && !without_format)) {
        out.info.borderColor = nearest_border(color, integer);
        return;
    }
    std::memcpy(&out.border.customBorderColor, &color, sizeof(color));
    out.border.format = without_format ? VK_FORMAT_UNDEFINED : format;
    out.border.pNext = out.info.pNext;
    out.info.pNext = &out.border;
    out.info.borderColor =
        integer ? VK_BORDER_COLOR_INT_CUSTOM_EXT : VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
}

/// Smallest distance between a sampler's minLod and maxLod. Lavapipe doesn't clamp the result of
/// textureQueryLod where they are equal. The distance is below the precision of devices' LODs.
constexpr float lod_apart = 1.0f / 4096.0f;

void set_lod(VkSamplerCreateInfo& info, const vulkan::Device& device,
             const pipe_sampler_state& gl) {
    const float limit = device.limits().maxSamplerLodBias;
    info.mipLodBias = std::clamp(gl.lod_bias, -limit, limit);
    info.mipmapMode = gl.min_mip_filter == PIPE_TEX_MIPFILTER_LINEAR
                          ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                          : VK_SAMPLER_MIPMAP_MODE_NEAREST;
    if (gl.max_lod <= 0.0f) // GL never uses the minification filter
        info.minFilter = info.magFilter;
    if (gl.min_mip_filter != PIPE_TEX_MIPFILTER_NONE) {
        info.minLod = std::max(gl.min_lod, 0.0f);
        info.maxLod = std::max(gl.max_lod, info.minLod + lod_apart);
        return;
    }
    // Vulkan can't switch mipmaps off. A level of detail up to 0.25 rounds to level 0 and still
    // distinguishes magnification from minification (Vulkan 1.3, VkSamplerCreateInfo, the note on
    // GL filters). GL's limits then only select one of the two filters.
    info.minLod = gl.min_lod > 0.0f ? 0.125f : 0.0f;
    info.maxLod = 0.25f;
}

void translate(SamplerInfo& out, const vulkan::Device& device, const pipe_sampler_state& gl) {
    VkSamplerCreateInfo& info = out.info;
    info.magFilter = filter(gl.mag_img_filter);
    info.minFilter = filter(gl.min_img_filter);
    const bool linear = info.minFilter == VK_FILTER_LINEAR || info.magFilter == VK_FILTER_LINEAR;
    info.addressModeU = address_mode(device, gl.wrap_s, linear);
    info.addressModeV = address_mode(device, gl.wrap_t, linear);
    info.addressModeW = address_mode(device, gl.wrap_r, linear);
    set_lod(info, device, gl);
    if (gl.max_anisotropy > 1 && device.features().core.samplerAnisotropy) {
        info.anisotropyEnable = VK_TRUE;
        info.maxAnisotropy =
            std::min(static_cast<float>(gl.max_anisotropy), device.limits().maxSamplerAnisotropy);
    }
    if (gl.compare_mode == PIPE_TEX_COMPARE_R_TO_TEXTURE) {
        info.compareEnable = VK_TRUE;
        info.compareOp = static_cast<VkCompareOp>(gl.compare_func);
    }
    if (!gl.seamless_cube_map && device.has(vulkan::Capability::non_seamless_cube_map))
        info.flags |= VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
    if (gl.reduction_mode != PIPE_TEX_REDUCTION_WEIGHTED_AVERAGE && !info.compareEnable &&
        device.has(vulkan::Capability::sampler_filter_minmax)) {
        out.reduction.reductionMode = gl.reduction_mode == PIPE_TEX_REDUCTION_MIN
                                          ? VK_SAMPLER_REDUCTION_MODE_MIN
                                          : VK_SAMPLER_REDUCTION_MODE_MAX;
        out.reduction.pNext = info.pNext;
        info.pNext = &out.reduction;
    }
    const auto to_border = [](VkSamplerAddressMode mode) {
        return mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    };
    if (to_border(info.addressModeU) || to_border(info.addressModeV) ||
        to_border(info.addressModeW))
        set_border(out, device, gl);
}

void* create_sampler(pipe_context* context, const pipe_sampler_state* templ) {
    auto object = std::make_unique<SamplerObject>();
    object->sampler = make_sampler(Context::from(context)->kobalt_screen().device(), *templ);
    return object.release();
}

void bind_samplers(pipe_context* pcontext, pipe_shader_type shader, unsigned start, unsigned count,
                   void** samplers) {
    Context& context = *Context::from(pcontext);
    Bindings::PerStage& bound = context.bound.stages[shader];
    for (unsigned i = 0; i < count && start + i < bound.samplers.size(); ++i) {
        auto* object = samplers ? static_cast<SamplerObject*>(samplers[i]) : nullptr;
        const unsigned slot = start + i;
        if (bound.samplers[slot] == object)
            continue;
        bound.samplers[slot] = object;
        context.recorder.set_sampler(render_stage(shader), slot,
                                     object ? object->sampler.get() : nullptr);
    }
    uint32_t used = std::max<uint32_t>(bound.sampler_count, start + count);
    used = std::min<uint32_t>(used, bound.samplers.size());
    while (used && !bound.samplers[used - 1])
        --used;
    bound.sampler_count = used;
}

// GL may delete a sampler object that is bound; the state tracker unbinds it before the next
// draw, but the recorder's pointer must not dangle until then.
void delete_sampler(pipe_context* pcontext, void* handle) {
    Context& context = *Context::from(pcontext);
    for (unsigned stage = 0; stage < context.bound.stages.size(); ++stage) {
        Bindings::PerStage& bound = context.bound.stages[stage];
        for (unsigned slot = 0; slot < bound.sampler_count; ++slot) {
            if (bound.samplers[slot] != handle)
                continue;
            bound.samplers[slot] = nullptr;
            context.recorder.set_sampler(render_stage(stage), slot, nullptr);
        }
    }
    std::unique_ptr<SamplerObject>{static_cast<SamplerObject*>(handle)};
}

} // namespace

render::Ref<render::Sampler> make_sampler(vulkan::Device& device, const pipe_sampler_state& state) {
    SamplerInfo info;
    translate(info, device, state);
    auto sampler = vulkan::create_sampler(device, info.info);
    if (!sampler && info.info.pNext) {
        // Devices limit custom border colours (maxCustomBorderColorSamplers): do without one.
        info.info.borderColor = nearest_border(state.border_color, state.border_color_is_integer);
        info.info.pNext = nullptr;
        sampler = vulkan::create_sampler(device, info.info);
    }
    if (sampler)
        return render::make_ref<render::Sampler>(std::move(*sampler));
    mesa_loge("kobalt: %s; textures with this sampler read as zero",
              sampler.error().to_string().c_str());
    return {};
}

void init_sampler_functions(Context& context) {
    context.create_sampler_state = create_sampler;
    context.bind_sampler_states = bind_samplers;
    context.delete_sampler_state = delete_sampler;
}

} // namespace kobalt::gallium
