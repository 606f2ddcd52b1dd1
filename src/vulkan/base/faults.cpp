// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/base/faults.h"

#include "vulkan/base/variable_values.h"

namespace kobalt::vulkan {

std::optional<FaultRequest> parse_fault(std::string_view text) {
    FaultRequest request;
    if (text == "opaque-exports") {
        request.opaque_exports = true;
        return request;
    }
    const size_t first = text.find(':'), last = text.rfind(':');
    if (first == std::string_view::npos)
        return std::nullopt;
    const auto count = parse_number(text.substr(last + 1), INT64_MAX);
    const std::string_view kind = text.substr(0, first);
    if (!count || (kind == "refuse") != (first != last))
        return std::nullopt;
    const auto number = static_cast<int64_t>(*count);
    if (kind == "oom")
        request.allocation = number;
    else if (kind == "lost")
        request.lost = number;
    else if (kind == "translate")
        request.translation = number;
    else if (kind == "refuse")
        request.refusal = number;
    else
        return std::nullopt;
    if (request.refusal)
        request.refused_text = text.substr(first + 1, last - first - 1);
    return request;
}

bool faults_can_be_requested() {
    return kobalt_fault_request != nullptr;
}

FaultRequest requested_fault() {
    const char* const text = faults_can_be_requested() ? kobalt_fault_request() : nullptr;
    return text ? parse_fault(text).value_or(FaultRequest{}) : FaultRequest{};
}

} // namespace kobalt::vulkan
