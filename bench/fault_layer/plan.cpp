// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include "plan.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vulkan/vulkan_core.h>

namespace kobalt::fault {
namespace {

struct Name {
    std::string_view text;
    VkResult result;
};
constexpr Name names[] = {
    {"OUT_OF_HOST_MEMORY", VK_ERROR_OUT_OF_HOST_MEMORY},
    {"OUT_OF_DEVICE_MEMORY", VK_ERROR_OUT_OF_DEVICE_MEMORY},
    {"INITIALIZATION_FAILED", VK_ERROR_INITIALIZATION_FAILED},
    {"DEVICE_LOST", VK_ERROR_DEVICE_LOST},
    {"MEMORY_MAP_FAILED", VK_ERROR_MEMORY_MAP_FAILED},
    {"TOO_MANY_OBJECTS", VK_ERROR_TOO_MANY_OBJECTS},
    {"FRAGMENTED_POOL", VK_ERROR_FRAGMENTED_POOL},
    {"OUT_OF_POOL_MEMORY", VK_ERROR_OUT_OF_POOL_MEMORY},
    {"INVALID_EXTERNAL_HANDLE", VK_ERROR_INVALID_EXTERNAL_HANDLE},
    {"SURFACE_LOST", VK_ERROR_SURFACE_LOST_KHR},
    {"OUT_OF_DATE", VK_ERROR_OUT_OF_DATE_KHR},
    {"NATIVE_WINDOW_IN_USE", VK_ERROR_NATIVE_WINDOW_IN_USE_KHR},
    {"EXTENSION_NOT_PRESENT", VK_ERROR_EXTENSION_NOT_PRESENT},
    {"FEATURE_NOT_PRESENT", VK_ERROR_FEATURE_NOT_PRESENT},
    {"UNKNOWN", VK_ERROR_UNKNOWN},
};

std::string_view cut(std::string_view& text) {
    const std::string_view word = text.substr(0, text.find(':'));
    text.remove_prefix(word.size() < text.size() ? word.size() + 1 : text.size());
    return word;
}

bool read_number(std::string_view word, uint32_t& number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size();
}

std::optional<Plan> parse(std::string_view text) {
    Plan plan;
    plan.command = cut(text);
    if (!read_number(cut(text), plan.first) || plan.first == 0)
        return {};
    const std::string_view wanted = cut(text);
    if (!text.empty() && !read_number(text, plan.count))
        return {};
    for (const Name& name : names)
        if (name.text == wanted) {
            plan.result = name.result;
            return plan;
        }
    return {};
}

} // namespace

State* State::map() {
    const char* const path = std::getenv("KOBALT_FAULT_STATE");
    const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return nullptr;
    void* const memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return memory == MAP_FAILED ? nullptr : static_cast<State*>(memory);
}

Plan Plan::from_environment() {
    const char* const text = std::getenv("KOBALT_FAULT_CALL");
    if (!text)
        return {};
    if (const std::optional<Plan> plan = parse(text))
        return *plan;
    std::fprintf(stderr, "kobalt: KOBALT_FAULT_CALL=%s is not COMMAND:N:RESULT[:COUNT]\n", text);
    std::abort();
}

} // namespace kobalt::fault
