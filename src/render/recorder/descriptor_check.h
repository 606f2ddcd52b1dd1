// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "render/pipelines/shader_stage.h"
#include "render/shaders/stage_names.h"
#include "vulkan/base/log.h"

namespace kobalt::render {

class BindlessHeap;
class Buffer;
class Image;
class Residency;
struct BufferRange;

/// What can be wrong with a resource that a draw reads through a descriptor.
enum class DescriptorFault : uint8_t {
    nothing_bound,
    incomplete_texture, ///< GL's (0, 0, 0, 1) stands in
    never_written,
    too_small,   ///< the range has less than the block
    behind_end,  ///< the range begins after the buffer's end
    no_handle,   ///< 0
    dead_handle, ///< deleted, or never made
    not_resident,
};

/// KOBALT_DEBUG=descriptors: checks what is bound before a draw or dispatch, as far as the CPU can
/// tell, and reports each fault of a program's binding once in a context. Not thread-safe.
class DescriptorCheck {
public:
    /// Receives the messages besides the log, for the app.
    using Listener = std::function<void(const char* text)>;

    explicit DescriptorCheck(const vulkan::Log& log) : log_(log) {}
    void set_listener(Listener listener) { listener_ = std::move(listener); }
    /// Sets the app's names for the shader that is bound to the stage. Null: the shader isn't the
    /// app's, and nothing is checked.
    void set_names(Stage stage, std::shared_ptr<const StageNames> names) {
        names_[static_cast<size_t>(stage)] = std::move(names);
    }
    const StageNames* names(Stage stage) const { return names_[static_cast<size_t>(stage)].get(); }

    /// Begins the draw or dispatch that the following calls are about: its number in its batch.
    void begin(const char* what, uint64_t number, uint64_t batch);
    void buffer(Stage stage, StageNames::Kind kind, uint32_t slot, const BufferRange& range);
    /// `image`: null where nothing is bound.
    void image(Stage stage, StageNames::Kind kind, uint32_t slot, const Image* image);
    /// Checks a buffer that is read as texels, likewise.
    void texels(Stage stage, StageNames::Kind kind, uint32_t slot, const Buffer* buffer);
    /// Checks a handle in the uniform buffer's range, if the CPU sees its memory and no GPU writes
    /// it.
    void handle(Stage stage, const StageNames::Handle& handle, const BufferRange& range,
                const Residency& resident, BindlessHeap* heap);

private:
    void report(Stage stage, std::string_view what, DescriptorFault fault, std::string_view found);
    std::string named(Stage stage, StageNames::Kind kind, uint32_t slot) const;

    vulkan::Log log_;
    Listener listener_;
    std::array<std::shared_ptr<const StageNames>, stage_count> names_;
    std::string draw_;
    /// Faults already reported: program, stage, what, fault.
    std::set<std::tuple<std::string, Stage, std::string, DescriptorFault>> told_;
};

} // namespace kobalt::render
