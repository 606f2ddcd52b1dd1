# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The part of docs/status.md about kernels: out/compute.json, and what bundles wrote on machines that not every developer has."""
from ..workloads import bench, compute_report, sso_report

FILE = "compute.json"


def section(located, table, missing):
    """The section's text; LOCATED finds results, MISSING stands where nothing was measured."""
    path = located(FILE)
    records = [sso_report.read(path)] if path.exists() else []
    records += [compute_report.read_bundle(one) for one in sorted(bench.MEASURED.glob("*-compute.tsv"))]
    parts = ["%s\n\n%s" % (sso_report.title(record), table(*compute_report.rows(record))) for record in records]
    return ("## Kernels\n\n`./kobalt bench compute`: the same SPIR-V kernels through OpenGL and straight through Vulkan with push "
            "descriptors, in turn in one process ([what they measure](benchmarks.md)); a ratio is the median of those of "
            "neighbouring batches.\n\n" + ("\n".join(parts) or table(["kernel", "unit", "kobalt", "vulkan", "kobalt over vulkan"], [[missing] * 5])))
