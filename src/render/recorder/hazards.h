// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "render/bindless/residency.h"
#include "render/commands/batch.h"

namespace kobalt::render {

/// The hazards of a recorder's main stream. Each use of a resource is noted here, before the
/// command that uses it. The barriers that the uses need are gathered as one: memory() and images()
/// say what it is, until clear() begins the next. Used by the recorder's thread.
///
/// Images are in VK_IMAGE_LAYOUT_GENERAL, so that one global memory barrier serves all, but for
/// attachments: a pass may have one in an attachment layout, for GPUs that clear and compress
/// better there. It stays so for the passes that follow, until something else uses it or the batch
/// ends: between batches all images are in GENERAL, whichever context uses them next.
///
/// GL leaves loads and stores of shaders unordered until glMemoryBarrier (OpenGL 4.6, 7.13.2),
/// which begins an epoch here: the first use after it of what was stored before has a barrier.
class Hazards {
public:
    /// `residency`: the recorder's. `epoch`: BatchPool::next_epoch().
    Hazards(Residency& residency, uint64_t epoch) : residency_(residency), epoch_(epoch) {}

    /// The batch that is being recorded. Null: there is none, and nothing may be noted.
    void set_batch(Batch* batch) { batch_ = batch; }

    void read(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access) {
        ++uses_;
        if (attachment_layout(resource)) [[unlikely]]
            return make_general(resource, stages, access, false);
        const Hazard needed = batch_->add_read(resource, stages, access);
        if (needed && !covered(resource, needed))
            add(resource, needed);
    }
    /// Notes the read of a part of the resource.
    void read(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
              const ByteRange& part) {
        ++uses_;
        add(batch_->add_read(resource, stages, access, part));
    }
    /// Notes a write, and any read at the same time.
    void write(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access);
    /// Notes what a pass does with an attachment, in the layout that is wanted: GENERAL, or one for
    /// attachments, which is the same for all passes of an image.
    void attach(Image& image, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                VkImageLayout wanted);
    /// Notes that a pass only tests an attachment of depth and stencil, in the layout that it has.
    void attach_to_read(Image& image, VkPipelineStageFlags2 stages, VkAccessFlags2 access);
    /// The layout that an image has behind the gathered barrier.
    VkImageLayout layout(const Image& image) const;
    /// Whether the image is in an attachment layout.
    bool attachment_layout(const Resource& resource) const {
        return resource.attachment_layout_in.load(std::memory_order_relaxed) == this;
    }
    /// Whether any image is.
    bool attachment_layouts() const { return !attachments_.empty(); }
    /// Where something leaves such a layout for the next pass: has all images leave theirs but
    /// those that `attached` says the pass draws to. Else each would end the pass that samples it
    /// first.
    template <class Attached>
    void move_others(const Attached& attached) {
        if (std::ranges::none_of(moved_, [](const VkImageMemoryBarrier2& barrier) {
                return barrier.newLayout == VK_IMAGE_LAYOUT_GENERAL;
            }))
            return;
        for (size_t i = attachments_.size(); i-- > 0;)
            if (!attached(*attachments_[i].image))
                make_general(*attachments_[i].image, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                             VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, false);
    }
    /// To be called behind the batch's last pass: moves all images to GENERAL.
    void end_batch();
    /// Notes a use as a storage buffer or image.
    void storage(Resource& resource, VkPipelineStageFlags2 stages, bool writes);
    /// Notes loads and stores through a resident handle.
    void resident_storage(Resource& resource, VkPipelineStageFlags2 stages);
    /// Has the next commands wait, whatever they use.
    void add(const Hazard& needed) {
        if (needed)
            gathered_.merge(needed);
    }

    /// Has the open pass end before the next draw.
    void break_pass() {
        add({VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
             VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
             VK_ACCESS_2_SHADER_SAMPLED_READ_BIT});
    }

    /// Whether a barrier has to be recorded before the next command.
    bool any() const { return static_cast<bool>(gathered_) || !moved_.empty(); }
    /// The gathered barrier: that of memory, and those of images.
    const Hazard& memory() const { return gathered_; }
    std::span<const VkImageMemoryBarrier2> images() const { return moved_; }
    /// To be called where the gathered barrier was recorded, or would have been if there were any:
    /// begins a new, empty one.
    void clear() {
        recorded_[time_++ % recorded_.size()] = gathered_;
        gathered_ = {};
        moved_.clear();
        moved_of_.clear();
    }

    /// Whether a shader stored something in this epoch.
    bool stored() const { return stored_; }
    /// Begins an epoch: glMemoryBarrier.
    void begin_epoch(uint64_t epoch) {
        epoch_ = epoch;
        stored_ = false;
        ++uses_;
    }
    /// A number that changes with each use and each epoch. Never 0.
    uint64_t uses() const { return uses_; }

private:
    void note_resident_write(Resource& resource);
    /// Whether a barrier that was recorded after the resource's last write orders this read, too.
    /// Known of attachments alone: other writes may go on without being noted.
    bool covered(Resource& resource, const Hazard& needed);
    /// Gathers what a use of the resource needs.
    void add(const Resource& resource, const Hazard& needed) {
        if (needed && (moved_.empty() || !move_for(resource, needed)))
            gathered_.merge(needed);
    }
    /// The resource's own barrier; null: none is gathered.
    VkImageMemoryBarrier2* moved(const Resource& resource);
    /// Has the resource's own barrier, if one is gathered, serve this use as well: barriers of one
    /// command don't wait for each other. False: there is none.
    bool move_for(const Resource& resource, const Hazard& needed);
    void move(Image& image, VkImageLayout from, VkImageLayout to, const Hazard& needed);
    /// Notes a use, other than by a pass, of an image in an attachment layout.
    void make_general(Resource& resource, VkPipelineStageFlags2 stages, VkAccessFlags2 access,
                      bool write);

    /// An image in an attachment layout. The batch retains it.
    struct Attachment {
        Image* image;
        VkImageLayout layout;
    };

    Residency& residency_;
    Batch* batch_ = nullptr;
    Hazard gathered_;
    /// The last barriers, by their times.
    std::array<Hazard, 4> recorded_{};
    uint64_t time_ = 1;                        ///< counts calls of clear()
    std::vector<VkImageMemoryBarrier2> moved_; ///< of the images in `moved_of_`
    std::vector<const Resource*> moved_of_;
    std::vector<Attachment> attachments_;
    uint64_t epoch_;
    uint64_t uses_ = 1;
    bool stored_ = false;
};

} // namespace kobalt::render
