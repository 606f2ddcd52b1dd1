// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors

#include "vulkan/instance/instance.h"

#include "vulkan/base/variable_access.h"
#include "vulkan/instance/validation_suppressions.h"

#include <array>
#include <cstring>
#include <string_view>
#include <vector>

namespace kobalt::vulkan {

namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";
/// The message name under which GPU-assisted validation reports which limits it lowers and which
/// checks it skips on this device.
constexpr std::string_view layer_adjusts = "WARNING-Setting-Limit-Adjusted";

constexpr const char* surface_extensions[] = {
    "VK_KHR_surface",
    "VK_KHR_xcb_surface",
    "VK_KHR_xlib_surface",
    "VK_KHR_wayland_surface",
    "VK_EXT_headless_surface",
    "VK_KHR_get_surface_capabilities2",
    "VK_EXT_surface_maintenance1",
};

// The loader opens and closes every driver's library on each query, so it is queried once, with
// room for more extensions than any loader has.
std::set<std::string> offered_extensions(const GlobalDispatch& global, const char* layer) {
    std::vector<VkExtensionProperties> list(128);
    for (;;) {
        auto count = static_cast<uint32_t>(list.size());
        const VkResult result =
            global.EnumerateInstanceExtensionProperties(layer, &count, list.data());
        if (result < 0)
            return {};
        if (result == VK_INCOMPLETE) {
            list.resize(list.size() * 4);
            continue;
        }
        list.resize(count);
        break;
    }
    std::set<std::string> names;
    for (const VkExtensionProperties& extension : list)
        names.insert(extension.extensionName);
    return names;
}

bool offers_layer(const GlobalDispatch& global, const char* name) {
    uint32_t count = 0;
    if (global.EnumerateInstanceLayerProperties(&count, nullptr) < 0)
        return false;
    std::vector<VkLayerProperties> list(count);
    if (global.EnumerateInstanceLayerProperties(&count, list.data()) < 0)
        return false;
    list.resize(count);
    for (const VkLayerProperties& layer : list)
        if (std::strcmp(layer.layerName, name) == 0)
            return true;
    return false;
}

bool suppressed(const char* id, const char* text) {
    for (const Suppression& suppression : validation_suppressions())
        if (suppression.message_id == id &&
            std::string_view(text).find(suppression.contains) != std::string_view::npos)
            return true;
    return false;
}

/// What the validation layer checks, as structures for VkInstanceCreateInfo::pNext, which point
/// into this object.
class LayerChecks {
public:
    /// `core`: the layer's default checks. `sync`: synchronisation checks, too.
    LayerChecks(bool core, bool sync)
        : core_(core), sync_(sync), settings_{
                                        setting("gpuav_enable", on),
                                        // Safe mode: accesses found to be invalid aren't executed,
                                        // since they could crash.
                                        setting("gpuav_safe_mode", on),
                                        setting("validate_core", core_),
                                        setting("validate_sync", sync_),
                                    } {
        by_name_.settingCount = static_cast<uint32_t>(settings_.size());
        by_name_.pSettings = settings_.data();
        features_.enabledValidationFeatureCount = 1;
        features_.pEnabledValidationFeatures = &sync_feature;
    }
    LayerChecks(const LayerChecks&) = delete;
    LayerChecks& operator=(const LayerChecks&) = delete;

    /// GPU-assisted checks of descriptor contents, plus those chosen in the constructor
    /// (VK_EXT_layer_settings).
    const void* by_name() const { return &by_name_; }
    /// Synchronisation checks in addition to the layer's default ones (VK_EXT_validation_features).
    const void* synchronisation() const { return &features_; }

private:
    static VkLayerSettingEXT setting(const char* name, const VkBool32& value) {
        return {validation_layer, name, VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &value};
    }

    static constexpr VkBool32 on = VK_TRUE;
    static constexpr VkValidationFeatureEnableEXT sync_feature =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    // The layer advises against combining GPU-assisted checks with its others, since GPU-assisted
    // checks are slow already.
    const VkBool32 core_, sync_;
    const std::array<VkLayerSettingEXT, 4> settings_;
    VkLayerSettingsCreateInfoEXT by_name_ =
        vk_struct<VkLayerSettingsCreateInfoEXT>(VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT);
    VkValidationFeaturesEXT features_ =
        vk_struct<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
};

} // namespace

VkBool32 VKAPI_PTR Instance::on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                        VkDebugUtilsMessageTypeFlagsEXT,
                                        const VkDebugUtilsMessengerCallbackDataEXT* data,
                                        void* user) {
    auto* instance = static_cast<Instance*>(user);
    const char* id = data->pMessageIdName ? data->pMessageIdName : "(no id)";
    const char* text = data->pMessage ? data->pMessage : "";
    if (!instance->environment_.has_debug("suppressed") && suppressed(id, text))
        return VK_FALSE;
    // The layer reports limits it lowers and checks it skips, which is not an error.
    if (instance->gpu_assisted_ && std::string_view(id) == layer_adjusts) {
        instance->log_.info(std::string("validation: ") + text);
        return VK_FALSE;
    }
    instance->validation_messages_.fetch_add(1, std::memory_order_relaxed);
    const bool is_error = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    instance->log_.message(is_error ? LogLevel::error : LogLevel::warning,
                           std::string("validation: ") + id + ": " + text);
    return VK_FALSE;
}

Result<std::shared_ptr<Instance>> Instance::create(InstanceOptions options) {
    environment::report_mistakes(options.log);
    Result<std::shared_ptr<const Loader>> loader = Loader::open(options.environment.loader);
    if (!loader)
        return std::unexpected(loader.error());

    std::shared_ptr<Instance> instance(new Instance);
    instance->loader_ = *loader;
    instance->log_ = options.log;
    instance->environment_ = std::move(options.environment);
    const Environment& environment = instance->environment_;

    GlobalDispatch global;
    global.load((*loader)->get_instance_proc_addr());
    if (!global.CreateInstance || !global.EnumerateInstanceVersion)
        return fail(VK_ERROR_INCOMPATIBLE_DRIVER, "finding vkCreateInstance",
                    "the Vulkan loader (it is older than Vulkan 1.1)");

    std::set<std::string> offered = offered_extensions(global, nullptr);
    std::vector<const char*> extensions;
    const auto enable = [&](const char* name) {
        if (offered.contains(name) && instance->enabled_.insert(name).second)
            extensions.push_back(name);
    };
    if (options.surfaces && offered.contains("VK_KHR_surface"))
        for (const char* name : surface_extensions)
            // Needs get_surface_capabilities2, which comes before it in the list.
            if (std::strcmp(name, "VK_EXT_surface_maintenance1") != 0 ||
                instance->enabled_.contains("VK_KHR_get_surface_capabilities2"))
                enable(name);

    std::vector<const char*> layers;
    // KOBALT_DEBUG=descriptors also checks descriptor contents on the GPU if the layer is
    // installed. The user didn't ask for the layer itself, so a missing layer gives no warning.
    const bool check_descriptors = environment.has_debug("descriptors");
    if (environment.validation || check_descriptors) {
        if (offers_layer(global, validation_layer)) {
            layers.push_back(validation_layer);
            instance->validation_ = true;
            offered.merge(offered_extensions(global, validation_layer));
        } else if (environment.validation) {
            instance->log_.warning(
                std::string("KOBALT_VALIDATION is set but ") + validation_layer +
                " is not installed: running without validation (set VK_LAYER_PATH)");
        }
    }
    if (instance->validation_ || environment.debug_names)
        enable("VK_EXT_debug_utils");
    instance->debug_names_ = instance->enabled_.contains("VK_EXT_debug_utils");

    const bool validate_sync = instance->validation_ && environment.has_debug("sync");
    const bool gpu_assisted = instance->validation_ && check_descriptors;
    // Layer settings offer more than the older structure, and the layer accepts only one of the
    // two. The layer reads the settings itself: the extension isn't enabled by name, since loaders
    // older than the extension refuse it.
    instance->gpu_assisted_ = gpu_assisted && offered.contains("VK_EXT_layer_settings");
    if (validate_sync && !instance->gpu_assisted_)
        enable("VK_EXT_validation_features");
    const bool sync_feature_on = instance->enabled_.contains("VK_EXT_validation_features");
    const LayerChecks checks(environment.validation, validate_sync);
    auto application = vk_struct<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.pApplicationName = options.app_name.c_str();
    application.pEngineName = "kobalt";
    application.apiVersion = options.api_version;
    auto info = vk_struct<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    if (instance->gpu_assisted_)
        info.pNext = checks.by_name();
    else if (sync_feature_on)
        info.pNext = checks.synchronisation();
    info.pApplicationInfo = &application;
    info.enabledLayerCount = static_cast<uint32_t>(layers.size());
    info.ppEnabledLayerNames = layers.data();
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    VkResult result = global.CreateInstance(&info, nullptr, &instance->instance_);
    // SwiftShader refuses an apiVersion newer than its own, although drivers since Vulkan 1.1 must
    // accept it. The error comes only where no other driver is there; else the loader goes on
    // without that one (device_choice.h).
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER && application.apiVersion > oldest_api_version) {
        application.apiVersion = oldest_api_version;
        result = global.CreateInstance(&info, nullptr, &instance->instance_);
    }
    if (result != VK_SUCCESS) {
        instance->instance_ = VK_NULL_HANDLE;
        return fail(result, "vkCreateInstance",
                    result == VK_ERROR_INCOMPATIBLE_DRIVER
                        ? "the Vulkan loader (no Vulkan driver is installed; Debian: "
                          "mesa-vulkan-drivers, or your GPU vendor's)"
                        : "the Vulkan loader");
    }
    instance->api_version_ = application.apiVersion;
    instance->vk_.load((*loader)->get_instance_proc_addr(), instance->instance_);

    if (instance->validation_ && instance->vk_.CreateDebugUtilsMessengerEXT) {
        auto messenger = vk_struct<VkDebugUtilsMessengerCreateInfoEXT>(
            VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
        messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                                    VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
        // No general messages: they come from the loader and are about other drivers.
        messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
        messenger.pfnUserCallback = &Instance::on_message;
        messenger.pUserData = instance.get();
        instance->vk_.CreateDebugUtilsMessengerEXT(instance->instance_, &messenger, nullptr,
                                                   &instance->messenger_);
    }
    // Tests need this line: without it, "no messages" could mean that validation is off.
    if (environment.has_debug("announce")) {
        const bool heard = instance->messenger_ != VK_NULL_HANDLE;
        const bool sync = heard && validate_sync && (instance->gpu_assisted_ || sync_feature_on);
        const bool gpu = heard && instance->gpu_assisted_;
        instance->log_.info(!heard ? std::string("started, no validation layer is on")
                                   : std::string("started, ") + validation_layer + " is on" +
                                         (sync ? ", with synchronisation" : "") +
                                         (gpu ? ", GPU-assisted" : ""));
    }
    return instance;
}

Instance::~Instance() {
    if (messenger_ != VK_NULL_HANDLE)
        vk_.DestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
    if (instance_ != VK_NULL_HANDLE)
        vk_.DestroyInstance(instance_, nullptr);
}

} // namespace kobalt::vulkan
