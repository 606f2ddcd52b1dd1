// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/descriptor_check.h"
#include "render/recorder/impl.h"

#include <string>

// KOBALT_DEBUG=descriptors: checks what each draw and dispatch would read.
// KOBALT_DEBUG=breadcrumbs: notes each for the report of a lost device.

namespace kobalt::render {
namespace {

void look_at(DescriptorCheck& check, Stage stage, const StageState& bound,
             const StageBinding& binding) {
    using Kind = StageNames::Kind;
    const uint32_t slot = binding.slot;
    const auto image_of = [](ImageView* view) { return view ? &view->image() : nullptr; };
    const auto buffer_of = [](BufferView* view) { return view ? &view->buffer() : nullptr; };
    switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        check.buffer(stage, Kind::uniform_buffer, slot, bound.uniform_buffers[slot]);
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        check.buffer(stage, Kind::storage_buffer, slot, bound.storage_buffers[slot]);
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        check.texels(stage, Kind::texture, slot, buffer_of(bound.texel_buffers[slot]));
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        check.texels(stage, Kind::image, slot, buffer_of(bound.image_texels[slot]));
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        check.image(stage, Kind::image, slot, image_of(bound.images[slot]));
        break;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        break; // the framebuffer's, whose faults GL reports
    default:
        check.image(stage, Kind::texture, slot, image_of(bound.views[slot]));
        break;
    }
}

} // namespace

void Recorder::Impl::check_stage(Stage stage) {
    const StageState& bound = state(stage);
    const StageNames* names = watch->check->names(stage);
    if (!bound.shader || !names)
        return;
    for (const StageBinding& binding : bound.shader->bindings())
        look_at(*watch->check, stage, bound, binding);
    for (const StageNames::Handle& handle : names->handles)
        watch->check->handle(stage, handle, bound.uniform_buffers[handle.slot], residency,
                             engine.bindless());
}

void Recorder::Impl::watch_draw() {
    if (watch->check) {
        watch->check->begin("draw", tally.draws + 1, batch->id());
        for (uint32_t i = 0; i < graphics_stage_count; ++i)
            check_stage(static_cast<Stage>(i));
    }
    if (watch->breadcrumbs) {
        std::string what = "draw " + std::to_string(tally.draws + 1);
        for (uint32_t i = 0; i < graphics_stage_count; ++i)
            if (const ShaderStage* shader = state(static_cast<Stage>(i)).shader.get())
                what += ", " + shader->source().name;
        watch->breadcrumbs->leave(commands(), true, std::move(what));
    }
    dirty |= dirty_check; // so that the next draw is watched too, changes or not
}

void Recorder::Impl::watch_dispatch() {
    if (watch->check) {
        watch->check->begin("dispatch", tally.dispatches + 1, batch->id());
        check_stage(Stage::compute);
    }
    if (watch->breadcrumbs)
        watch->breadcrumbs->leave(commands(), false,
                                  "dispatch " + std::to_string(tally.dispatches + 1) + ", " +
                                      state(Stage::compute).shader->source().name);
}

void Recorder::Impl::watch_pass() {
    if (watch->breadcrumbs)
        watch->breadcrumbs->leave(commands(), false,
                                  "pass " + std::to_string(tally.passes + 1) + ", " +
                                      std::to_string(framebuffer.width) + " x " +
                                      std::to_string(framebuffer.height) + ", " +
                                      std::to_string(framebuffer.color_count) + " colours" +
                                      (framebuffer.depth_stencil ? " and depth" : ""));
}

void Recorder::mark(std::string_view name) {
    if (impl_->watch && impl_->watch->breadcrumbs)
        impl_->watch->breadcrumbs->mark(std::string(name));
}

bool Recorder::checks_descriptors() const {
    return impl_->watch && impl_->watch->check;
}

void Recorder::name_stage(Stage stage, std::shared_ptr<const StageNames> names) {
    if (checks_descriptors())
        impl_->watch->check->set_names(stage, std::move(names));
}

void Recorder::set_descriptor_listener(std::function<void(const char*)> listener) {
    if (checks_descriptors())
        impl_->watch->check->set_listener(std::move(listener));
}

} // namespace kobalt::render
