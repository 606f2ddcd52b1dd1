// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "commands.h"
#include "plan.h"
#include "vulkan_layer/layer.h"

// VK_LAYER_KOBALT_fault makes calls fail: those that KOBALT_FAULT_CALL names return an error and
// never reach the driver. Each command of a device or an instance that returns a VkResult can.

namespace kobalt::layer {
namespace {

using fault::Plan;
using fault::State;

class Faults {
public:
    static Faults& get() {
        static Faults faults;
        return faults;
    }

    /// The result of a call that fails; none: the driver answers.
    std::optional<VkResult> strike(size_t index) {
        if (!state_->armed.load(std::memory_order_relaxed))
            return {};
        const uint32_t number = 1 + state_->calls[index].fetch_add(1, std::memory_order_relaxed);
        // What is lost stays lost.
        if (lost_.load(std::memory_order_relaxed) && notices_loss(fault::commands[index]))
            return VK_ERROR_DEVICE_LOST;
        if (fault::commands[index] != plan_.command || number < plan_.first ||
            number - plan_.first >= plan_.count)
            return {};
        state_->struck.fetch_add(1, std::memory_order_relaxed);
        const auto result = static_cast<VkResult>(plan_.result);
        if (result == VK_ERROR_DEVICE_LOST && device_) {
            lost_.store(true, std::memory_order_relaxed);
            // A lost device executes nothing more. The driver's may still be at it.
            wait_idle_(device_);
        }
        return result;
    }
    void device_made(VkDevice device, PFN_vkDeviceWaitIdle wait_idle) {
        lost_.store(false, std::memory_order_relaxed);
        device_ = device;
        wait_idle_ = wait_idle;
    }
    void device_ends(VkDevice device) {
        if (device == device_)
            device_ = VK_NULL_HANDLE;
    }

private:
    Faults() : plan_(Plan::from_environment()), state_(State::map()) {
        if (state_)
            return;
        std::fprintf(stderr, "kobalt: the fault layer finds no KOBALT_FAULT_STATE\n");
        std::abort();
    }
    static bool notices_loss(std::string_view command) {
        return command.starts_with("vkQueue") || command.starts_with("vkWait") ||
               command == "vkGetQueryPoolResults" || command == "vkAcquireNextImageKHR" ||
               command == "vkDeviceWaitIdle";
    }

    const Plan plan_;
    State* const state_;
    VkDevice device_ = VK_NULL_HANDLE; ///< the last one; null: it is destroyed
    PFN_vkDeviceWaitIdle wait_idle_ = nullptr;
    std::atomic<bool> lost_{false};
};

/// The functions below the layer: the same for all devices and instances of a driver.
std::array<std::atomic<PFN_vkVoidFunction>, fault::commands.size()> below;

template <size_t index, class Function>
struct Faulty {
    static PFN_vkVoidFunction function() { return nullptr; } // returns no VkResult
};
template <size_t index, class... Arguments>
struct Faulty<index, VkResult(VKAPI_PTR*)(Arguments...)> {
    static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments... arguments) {
        if (const std::optional<VkResult> refused = Faults::get().strike(index))
            return *refused;
        return reinterpret_cast<VkResult(VKAPI_PTR*)(Arguments...)>(
            below[index].load(std::memory_order_acquire))(arguments...);
    }
    static PFN_vkVoidFunction function() { return erased(call); }
};

struct Entry {
    std::string_view name;
    PFN_vkVoidFunction faulty;
};

template <size_t... indices>
auto make_entries(std::index_sequence<indices...>) {
    return std::array{
        Entry{fault::commands[indices],
              Faulty<indices, std::tuple_element_t<indices, fault::Functions>>::function()}...};
}

} // namespace

PFN_vkVoidFunction replacement(std::string_view name, PFN_vkVoidFunction function) {
    static const auto entries = make_entries(std::make_index_sequence<fault::commands.size()>());
    for (size_t i = 0; i < entries.size(); ++i)
        if (entries[i].name == name && entries[i].faulty && function) {
            below[i].store(function, std::memory_order_release);
            return entries[i].faulty;
        }
    return nullptr;
}

bool device_made(VkDevice device, PFN_vkGetDeviceProcAddr function) {
    Faults::get().device_made(
        device, reinterpret_cast<PFN_vkDeviceWaitIdle>(function(device, "vkDeviceWaitIdle")));
    return true;
}

void device_ends(VkDevice device) {
    Faults::get().device_ends(device);
}

} // namespace kobalt::layer
