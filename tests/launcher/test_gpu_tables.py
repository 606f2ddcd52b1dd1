# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What Mesa's drivers offer by the tables in their sources, and Kobalt's capabilities decided from that."""
import unittest

import support  # noqa: F401 (puts tools/ into the path)
from kobalt_cli.lib import paths
from kobalt_cli.reports import gpu_report, gpu_tables, source_tables

SOURCE = """
#define A_VERSION VK_MAKE_VERSION(1, 3, VK_HEADER_VERSION)
#ifdef ANDROID_STRICT
#define A_VERSION VK_MAKE_VERSION(1, 9, VK_HEADER_VERSION)
#endif
   *ext = (struct vk_device_extension_table) {
      .KHR_one = true, /* .KHR_none = true, */
#ifdef A_USE_WSI_PLATFORM
      .KHR_swapchain = true,
#endif
#if DETECT_OS_ANDROID
      .ANDROID_x = true,
#endif
      .EXT_late = device->devinfo.ver >= 71 &&
                  own_compiler(info),
      .EXT_last = f(a, b),
   };
   *features = (struct vk_features) {
      .robust = true,
      .never = false,
      .linked = device->vk.supported_extensions.EXT_late,
   };
   features->assigned = pdevice->info->chip >= 7;
"""
RULES = """
    rule(C::both, {"VK_KHR_one|VK_KHR_two", "VK_EXT_none"}, {BIT(a.robust)}, {BIT(a.optional)});
    rule(C::newer, {"VK_KHR_absent|Vulkan 1.4"});
    core(C::plain, BIT(core.robust), {BIT(core.never)});
    core(C::late, BIT(core.assigned));
    rule(C::on_late, {}, {BIT(a.linked)}, {}, {C::late, C::plain});
    rule(C::line_rasterization, {"VK_KHR_one"});
    line(C::smooth, BIT(lines.never)); // rule(C::comment, {});
"""


class Tables(unittest.TestCase):
    def setUp(self):
        self.offer = source_tables.read(SOURCE, (("own_compiler(info)", "true"),))

    def test_each_form_of_entry(self):
        self.assertEqual(self.offer.version, (1, 3))
        states = {name: self.offer.state(name) for name in (
            "VK_KHR_one", "VK_KHR_none", "VK_KHR_swapchain", "VK_ANDROID_x", "VK_EXT_late", "VK_EXT_last", "robust", "never",
            "absent", "linked", "assigned")}
        self.assertEqual(states, {
            "VK_KHR_one": True, "VK_KHR_none": False, "VK_KHR_swapchain": True, "VK_ANDROID_x": False,
            "VK_EXT_late": "devinfo.ver >= 71", "VK_EXT_last": "f(a, b)", "robust": True, "never": False, "absent": False,
            "linked": "devinfo.ver >= 71", "assigned": "info->chip >= 7"})

    def test_capabilities(self):
        found = source_tables.off(self.offer, source_tables.rules(RULES))
        self.assertEqual(found, {
            "both": ("VK_EXT_none", None), "newer": ("VK_KHR_absent or Vulkan 1.4", None),
            "late": ("assigned", "info->chip >= 7"),
            "on_late": ("linked", "devinfo.ver >= 71 && info->chip >= 7"), "smooth": ("never", None)})

    def test_the_profile(self):
        wanted = source_tables.profile("version < VK_API_VERSION_1_4 want(v13.robust, x); want(v12.absent, y);")
        self.assertEqual(source_tables.missing_from_profile(self.offer, wanted), ["Vulkan 1.4 (it has 1.3)", "absent"])


class Kobalt(unittest.TestCase):
    def test_every_rule_is_read(self):
        table = source_tables.rules(source_tables.RULES.read_text(encoding="utf-8"))
        queues = {"dedicated_transfer_queue", "dedicated_compute_queue"}
        self.assertEqual({rule.name for rule in table} | queues, gpu_report.capabilities())
        by_name = {rule.name: rule for rule in table}
        self.assertEqual(by_name["bindless"].features[0], "descriptorBindingUniformTexelBufferUpdateAfterBind")
        self.assertEqual(by_name["maintenance6"].extensions, [("VK_KHR_maintenance6", "Vulkan 1.4")])
        version, features = source_tables.profile(source_tables.DECISION.read_text(encoding="utf-8"))
        self.assertEqual(version, (1, 3))
        self.assertLessEqual({"dynamicRendering", "runtimeDescriptorArray"}, set(features))

    def test_versions(self):
        self.assertLessEqual(set(gpu_tables.VERSIONS), gpu_report.capabilities())
        self.assertEqual(gpu_tables.versions(["viewport_mask"]), ("4.6", "3.2"))
        self.assertEqual(gpu_tables.versions(["multi_viewport", "tessellation_shader"]), ("3.3", "3.1"))

    @unittest.skipUnless((paths.MESA_TREE / "src").is_dir(), "Mesa is not unpacked")
    def test_each_capability_that_is_off_has_its_consequence(self):
        found = gpu_tables.survey()
        accepted = [off for _, missing, off in found.values() if not missing]
        self.assertGreater(len(accepted), 1)
        self.assertEqual(set(gpu_tables.reasons()), set().union(*accepted))
        for driver, (offer, _, _) in found.items():
            self.assertGreater(len(offer.values), 150, driver.name)


if __name__ == "__main__":
    unittest.main()
