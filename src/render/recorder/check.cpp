// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/recorder/descriptor_check.h"
#include "render/recorder/impl.h"

// KOBALT_DEBUG=descriptors: checks what each draw and dispatch would read.

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
    const StageNames* names = check->names(stage);
    if (!bound.shader || !names)
        return;
    for (const StageBinding& binding : bound.shader->bindings())
        look_at(*check, stage, bound, binding);
    for (const StageNames::Handle& handle : names->handles)
        check->handle(stage, handle, bound.uniform_buffers[handle.slot], residency,
                      engine.bindless());
}

void Recorder::Impl::check_draw() {
    check->begin("draw", tally.draws + 1, batch->id());
    for (uint32_t i = 0; i < graphics_stage_count; ++i)
        check_stage(static_cast<Stage>(i));
    dirty |= dirty_check; // so that the next draw is checked too, changes or not
}

void Recorder::Impl::check_dispatch() {
    check->begin("dispatch", tally.dispatches + 1, batch->id());
    check_stage(Stage::compute);
}

bool Recorder::checks_descriptors() const {
    return impl_->check != nullptr;
}

void Recorder::name_stage(Stage stage, std::shared_ptr<const StageNames> names) {
    if (impl_->check)
        impl_->check->set_names(stage, std::move(names));
}

void Recorder::set_descriptor_listener(std::function<void(const char*)> listener) {
    if (impl_->check)
        impl_->check->set_listener(std::move(listener));
}

} // namespace kobalt::render
