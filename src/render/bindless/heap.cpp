// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "render/bindless/heap.h"

#include <cstring>
#include <utility>
#include <vector>

#include "render/commands/batch.h"
#include "render/layouts/layout_cache.h"
#include "vulkan/base/round_up.h"
#include "vulkan/capabilities/bindless_limits.h"
#include "vulkan/descriptors/descriptor_pool.h"

namespace kobalt::render {
namespace {

constexpr size_t index_of(BindlessArray array) {
    return static_cast<size_t>(array);
}

} // namespace

BindlessHandle::~BindlessHandle() {
    heap_.give(array_, slot_);
}

Ref<Resource> BindlessHandle::resource() const {
    const std::lock_guard lock(heap_.mutex_);
    return Ref<Resource>(view_ ? static_cast<Resource*>(&view_->image()) : &texels_->buffer());
}

BindlessHeap::BindlessHeap(Core& core, const LayoutCache& layouts, BatchPool& batches)
    : core_(core), layouts_(layouts), batches_(batches),
      texture_count_(layouts.bindless_count(BindlessArray::textures)),
      slots_{BindlessSlots(texture_count_),
             BindlessSlots(layouts.bindless_count(BindlessArray::texel_buffers)),
             BindlessSlots(layouts.bindless_count(BindlessArray::images)),
             BindlessSlots(layouts.bindless_count(BindlessArray::image_texels))} {}

BindlessHeap::~BindlessHeap() {
    // The handles' destructors take the lock, so they run after its release.
    std::unordered_map<uint64_t, Entry> left;
    {
        const std::lock_guard lock(mutex_);
        left.swap(entries_);
    }
    left.clear();
}

void BindlessHeap::move_handles(const Image& from, const Ref<Image>& to) {
    std::vector<Ref<ImageView>> former; // released after the lock
    const std::lock_guard lock(mutex_);
    for (auto& [value, entry] : entries_) {
        BindlessHandle& handle = *entry.handle;
        if (!handle.view_ || &handle.view_->image() != &from)
            continue;
        auto view = handle.view_->of(core_.device(), to);
        if (!view) { // the handle goes on to show the former contents
            core_.device().log().error("a handle of a texture that moved: " +
                                       view.error().to_string());
            continue;
        }
        former.push_back(std::exchange(handle.view_, std::move(*view)));
        if (handle.array_ == BindlessArray::images)
            write_image(handle.slot_, handle.view_->handle());
        else
            write_texture(handle.slot_, handle.sampler_->handle(), handle.view_->handle());
    }
}

vulkan::Result<void> BindlessHeap::prepare() {
    const std::lock_guard lock(mutex_);
    return prepare_locked();
}

vulkan::Result<void> BindlessHeap::prepare_locked() {
    vulkan::Device& device = core_.device();
    const vulkan::DescriptorSetLayout& layout = layouts_.bindless();
    if (buffer_.handle() || set_)
        return {};
    if (core_.paths().descriptor_buffer)
        return make_buffer(layout.size());
    std::array<VkDescriptorPoolSize, bindless_array_count> sizes;
    for (size_t i = 0; i < sizes.size(); ++i)
        sizes[i] = {layout.bindings()[i].type, layout.bindings()[i].count};
    auto pool = vulkan::create_descriptor_pool(
        device, sizes, 1, VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT, "bindless");
    if (!pool)
        return std::unexpected(pool.error());
    const VkDescriptorSetLayout handle = layout.handle();
    VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    info.descriptorPool = pool->get();
    info.descriptorSetCount = 1;
    info.pSetLayouts = &handle;
    VkDescriptorSet set = VK_NULL_HANDLE;
    const VkResult result = device.vk().AllocateDescriptorSets(device.handle(), &info, &set);
    if (result != VK_SUCCESS)
        return vulkan::fail(result, "vkAllocateDescriptorSets", "the bindless set");
    pool_ = std::move(*pool);
    set_ = set;
    return {};
}

vulkan::Result<void> BindlessHeap::make_buffer(VkDeviceSize set_bytes) {
    vulkan::Device& device = core_.device();
    const bool shared = core_.paths().shared_descriptor_buffer;
    const auto& properties = device.properties();
    const VkDeviceSize rings_begin =
        vulkan::round_up(set_bytes, properties.descriptor_buffer.descriptorBufferOffsetAlignment);
    auto buffer = vulkan::DescriptorBuffer::create(
        device, shared ? rings_begin + vulkan::shared_ring_bytes(properties) : set_bytes,
        "bindless");
    if (!buffer)
        return std::unexpected(buffer.error());
    buffer_ = std::move(*buffer);
    if (shared)
        ring_area_.emplace(buffer_, rings_begin, descriptor_ring_bytes);
    return {};
}

VkDescriptorSet BindlessHeap::set() {
    const std::lock_guard lock(mutex_);
    return set_;
}

const vulkan::DescriptorBuffer* BindlessHeap::buffer() {
    const std::lock_guard lock(mutex_);
    return buffer_.handle() ? &buffer_ : nullptr;
}

vulkan::DescriptorArea* BindlessHeap::ring_area() {
    const std::lock_guard lock(mutex_);
    return ring_area_ ? &*ring_area_ : nullptr;
}

/// Takes a slot, whose descriptor is not written yet.
vulkan::Result<Ref<BindlessHandle>> BindlessHeap::take(BindlessArray array) {
    if (auto ready = prepare_locked(); !ready)
        return std::unexpected(ready.error());
    const auto slot = slots_[index_of(array)].take();
    if (!slot)
        return vulkan::fail(VK_ERROR_TOO_MANY_OBJECTS, "making a texture handle",
                            "the device's limit of handles is reached");
    return Ref<BindlessHandle>::adopt(new BindlessHandle(*this, array, *slot));
}

/// Makes a handle of the app's, for which `fill` sets what it names and writes the descriptor.
template <class Fill>
vulkan::Result<Ref<BindlessHandle>> BindlessHeap::make(BindlessArray array, const Fill& fill) {
    const auto attempt = [&]() -> vulkan::Result<Ref<BindlessHandle>> {
        const std::lock_guard lock(mutex_);
        auto made = take(array);
        if (!made)
            return made;
        fill(**made);
        entries_[(*made)->value()] = {*made, 0, false};
        return made;
    };
    auto made = attempt();
    if (made || made.error().result != VK_ERROR_TOO_MANY_OBJECTS)
        return made;
    batches_.collect(); // completed batches may have retained handles
    return attempt();
}

vulkan::Result<Ref<BindlessHandle>> BindlessHeap::create(Ref<ImageView> view,
                                                         Ref<Sampler> sampler) {
    return make(BindlessArray::textures, [&](BindlessHandle& handle) {
        write_texture(handle.slot_, sampler->handle(), view->handle());
        handle.view_ = std::move(view);
        handle.sampler_ = std::move(sampler);
    });
}

vulkan::Result<Ref<BindlessHandle>> BindlessHeap::create(Ref<BufferView> texels) {
    return make(BindlessArray::texel_buffers, [&](BindlessHandle& handle) {
        write_texels(BindlessArray::texel_buffers, handle.slot_, *texels);
        handle.texels_ = std::move(texels);
    });
}

vulkan::Result<Ref<BindlessHandle>> BindlessHeap::create_image(Ref<ImageView> view) {
    return make(BindlessArray::images, [&](BindlessHandle& handle) {
        write_image(handle.slot_, view->handle());
        handle.view_ = std::move(view);
    });
}

vulkan::Result<Ref<BindlessHandle>> BindlessHeap::create_image(Ref<BufferView> texels) {
    return make(BindlessArray::image_texels, [&](BindlessHandle& handle) {
        write_texels(BindlessArray::image_texels, handle.slot_, *texels);
        handle.texels_ = std::move(texels);
    });
}

Ref<BindlessHandle> BindlessHeap::find(uint64_t value) {
    const std::lock_guard lock(mutex_);
    const auto entry = entries_.find(value);
    if (entry == entries_.end() || entry->second.dropped)
        return {};
    return entry->second.handle;
}

void BindlessHeap::drop(uint64_t value) {
    Ref<BindlessHandle> last; // released after the lock, which its destructor takes
    const std::lock_guard lock(mutex_);
    const auto entry = entries_.find(value);
    if (entry == entries_.end())
        return;
    entry->second.dropped = true;
    if (entry->second.announced)
        return;
    last = std::move(entry->second.handle);
    entries_.erase(entry);
}

void BindlessHeap::announce(uint64_t value) {
    const std::lock_guard lock(mutex_);
    if (const auto entry = entries_.find(value); entry != entries_.end())
        ++entry->second.announced;
}

Ref<BindlessHandle> BindlessHeap::find_announced(uint64_t value) {
    const std::lock_guard lock(mutex_);
    const auto entry = entries_.find(value);
    if (entry == entries_.end() || entry->second.announced == 0)
        return {};
    Ref<BindlessHandle> found = entry->second.handle;
    if (--entry->second.announced == 0 && entry->second.dropped)
        entries_.erase(entry); // `found` remains
    return found;
}

void BindlessHeap::give(BindlessArray array, uint32_t slot) {
    const std::lock_guard lock(mutex_);
    slots_[index_of(array)].give(slot);
}

void BindlessHeap::write_texture(uint32_t slot, VkSampler sampler, VkImageView view) {
    if (set_) {
        const VkDescriptorImageInfo info{sampler, view, VK_IMAGE_LAYOUT_GENERAL};
        update_set(BindlessArray::textures, slot, &info, nullptr);
        return;
    }
    const vulkan::DescriptorWriter writer(core_.device());
    std::byte* const first =
        buffer_.mapped() + layouts_.bindless().offset(index_of(BindlessArray::textures));
    const size_t size = writer.size_of(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    const auto& properties = core_.device().properties().descriptor_buffer;
    if (properties.combinedImageSamplerDescriptorSingleArray) {
        writer.combined_image_sampler(first + slot * size, sampler, view, VK_IMAGE_LAYOUT_GENERAL);
        return;
    }
    // The array is one of images followed by one of samplers; a descriptor has both parts.
    std::array<std::byte, 512> both{};
    writer.combined_image_sampler(both.data(), sampler, view, VK_IMAGE_LAYOUT_GENERAL);
    const size_t image = properties.sampledImageDescriptorSize;
    std::memcpy(first + slot * image, both.data(), image);
    std::memcpy(first + texture_count_ * image + slot * properties.samplerDescriptorSize,
                both.data() + image, properties.samplerDescriptorSize);
}

/// The address of a descriptor in the buffer; not for the array of textures, whose halves may lie
/// apart.
std::byte* BindlessHeap::address_of(BindlessArray array, uint32_t slot) const {
    return buffer_.mapped() + layouts_.bindless().offset(index_of(array)) +
           slot * vulkan::DescriptorWriter(core_.device()).size_of(descriptor_type(array));
}

void BindlessHeap::write_image(uint32_t slot, VkImageView view) {
    if (set_) {
        const VkDescriptorImageInfo info{VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
        update_set(BindlessArray::images, slot, &info, nullptr);
        return;
    }
    vulkan::DescriptorWriter(core_.device())
        .storage_image(address_of(BindlessArray::images, slot), view, VK_IMAGE_LAYOUT_GENERAL);
}

void BindlessHeap::write_texels(BindlessArray array, uint32_t slot, const BufferView& texels) {
    if (set_) {
        const VkBufferView view = texels.handle();
        update_set(array, slot, nullptr, &view);
        return;
    }
    const vulkan::DescriptorWriter writer(core_.device());
    const VkDeviceAddress address = texels.buffer().address() + texels.offset;
    writer.texel_buffer(address_of(array, slot),
                        array == BindlessArray::texel_buffers
                            ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                            : VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
                        address, texels.size, texels.format);
}

void BindlessHeap::update_set(BindlessArray array, uint32_t slot,
                              const VkDescriptorImageInfo* image, const VkBufferView* texels) {
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set_;
    write.dstBinding = static_cast<uint32_t>(array);
    write.dstArrayElement = slot;
    write.descriptorCount = 1;
    write.descriptorType = descriptor_type(array);
    write.pImageInfo = image;
    write.pTexelBufferView = texels;
    vulkan::Device& device = core_.device();
    device.vk().UpdateDescriptorSets(device.handle(), 1, &write, 0, nullptr);
}

} // namespace kobalt::render
