// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "render/base/attempt.h"
#include "render/base/ref.h"
#include "render/shaders/stage.h"
#include "vulkan/base/error.h"
#include "vulkan/pipelines/shader_module.h"

namespace kobalt::render {

class PipelineStore;
struct SetLayout;

/// One shader, compiled alone. Immutable after creation and shared by contexts.
class ShaderStage final : public RefCounted {
public:
    /// Returns a living stage of equal code and bindings, whatever its name; otherwise creates the
    /// set layout (shared by equal shapes) and compiles what the stage will be drawn with
    /// (PipelineStore::prepare).
    static vulkan::Result<Ref<ShaderStage>> create(PipelineStore& store, StageSource source);
    ~ShaderStage() override;

    Stage stage() const { return source_.stage; }
    /// All bindings, the pushed ones first, in the order of their set.
    std::span<const StageBinding> bindings() const { return source_.bindings; }
    std::span<const StageBinding> pushed_bindings() const { return bindings().first(pushed_); }
    /// A mask of the pushed bindings.
    uint32_t pushes() const { return pushes_; }
    /// The bindings of the stage's own set.
    std::span<const StageBinding> set_bindings() const { return bindings().subspan(pushed_); }
    const StageSource& source() const { return source_; }
    /// A module for the creation of a pipeline: it isn't needed once that is made, and drivers keep
    /// a copy of the code in it.
    vulkan::Result<vulkan::ShaderModule> module() const;
    /// Whether any source that it was created from was separable.
    bool separable() const { return separable_.load(); }
    /// Whether it can be a shader object.
    bool can_be_object() const { return object_bindings_.has_value(); }
    /// The binding numbers of its own set's descriptors in a shader object
    /// (ShaderObjects::binding_numbers()).
    std::span<const uint32_t> object_bindings() const { return *object_bindings_; }
    /// The smallest size that its own descriptors fit in.
    ObjectSize object_size() const { return object_size_; }
    /// The stage as a shader object: compiled by the first caller, a draw or not; others wait.
    /// Null: it can't be one.
    VkShaderEXT object(ObjectSize size, bool in_draw = false);
    /// Whether object() returns at once.
    bool object_ready(ObjectSize size) const {
        return objects_[static_cast<size_t>(size)].ready.load(std::memory_order_acquire);
    }
    /// Whether no job that compiles anything of it is left (PipelineStore::prepared()).
    bool prepared() const;
    /// nullptr where the stage's own set is empty.
    const SetLayout* set_layout() const { return set_layout_; }
    uint64_t id() const { return id_; }
    /// Whether it fetches from the pass's attachments.
    bool fetches_attachments() const;
    /// Whether it fetches from the depth or stencil attachment.
    bool fetches_depth_stencil() const;
    /// The size of its libraries and links.
    uint64_t retained_bytes() const override;

private:
    friend class StageTable;
    ShaderStage(PipelineStore& store, StageSource source, uint64_t digest);
    vulkan::Result<void> make();

    PipelineStore& store_; ///< outlives all stages
    const StageSource source_;
    const size_t pushed_; ///< of the source's bindings
    uint32_t pushes_ = 0; ///< mask of the bindings that are pushed
    const uint64_t digest_;
    const uint64_t id_;
    Attempt made_; ///< by the first of those that created equal stages; the others wait
    const SetLayout* set_layout_ = nullptr;
    std::atomic<bool> separable_{false};
    struct Object {
        std::once_flag made;
        std::atomic<bool> ready{false};
        vulkan::ShaderObject shader; ///< null: it can't be made
    };
    std::optional<std::vector<uint32_t>> object_bindings_;
    ObjectSize object_size_ = ObjectSize::small;
    std::array<Object, object_size_count> objects_; ///< by ObjectSize
};

} // namespace kobalt::render
