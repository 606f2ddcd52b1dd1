// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#include <cstdio>
#include <cstring>
#include <string>

#include "info/gl_versions.h"
#include "info/windows.h"
#include "info/x11.h"
#include "vulkan/base/variable_document.h"
#include "vulkan/device/report.h"
#include "vulkan/instance/device_choice.h"

// kobalt-info prints which Vulkan device was chosen and why, every capability on or off and why,
// which kind of window the display gets, and the resulting GL versions. The exit status is 1 where
// no device fits. With --x11-driver it says in its exit status alone whether Vulkan's drivers can
// present to the X display (tools/environment.sh). With --variables it prints the environment
// variables that the driver reads, as Markdown.

namespace {

int report_vulkan() {
    using namespace kobalt::vulkan;
    InstanceOptions options;
    options.app_name = "kobalt-info";
    options.environment = Environment::from_process();
    auto choice = choose_device(options, nullptr, Listing::all);
    if (!choice) {
        std::fprintf(stderr, "kobalt: %s\n", choice.error().to_string().c_str());
        return 1;
    }
    std::fputs(device_report(choice->selection).c_str(), stdout);
    auto device = Device::create(choice->instance, choice->selection.device());
    if (!device) {
        std::fprintf(stderr, "kobalt: %s\n", device.error().to_string().c_str());
        return 1;
    }
    std::fputs(capability_report(**device).c_str(), stdout);
    std::fputs(kobalt::info::window_report(**device).c_str(), stdout);
    return 0;
}

/// Whether a device fits and Vulkan has surfaces of X windows.
bool presents_to_x11() {
    using namespace kobalt::vulkan;
    InstanceOptions options;
    options.app_name = "kobalt-info";
    options.environment = Environment::from_process();
    const auto choice = choose_device(options);
    return choice && choice->instance->has_extension("VK_KHR_xcb_surface");
}

} // namespace

int main(int argc, char** argv) {
    bool vulkan = true, gl = true;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--vulkan")) {
            gl = false;
        } else if (!std::strcmp(argv[i], "--gl")) {
            vulkan = false;
        } else if (!std::strcmp(argv[i], "--x11-driver")) {
            return kobalt::info::x11_takes_frames_of_gpus() && presents_to_x11() ? 0 : 1;
        } else if (!std::strcmp(argv[i], "--variables")) {
            std::fputs(kobalt::vulkan::variable_document().c_str(), stdout);
            return 0;
        } else {
            std::puts("usage: kobalt-info [--vulkan | --gl | --x11-driver | --variables]");
            return std::strcmp(argv[i], "--help") ? 2 : 0;
        }
    }
    const int status = vulkan ? report_vulkan() : 0;
    std::fflush(stdout);
    if (gl && status == 0) // without a device there is no GL, and the reason is said
        std::fputs(kobalt::info::gl_report().c_str(), stdout);
    return status;
}
