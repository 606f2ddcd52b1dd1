# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt gpus: the list of GPUs without the hardware, and docs/gpus.md from what was measured on them."""
from . import gpu, ui


def command(args):
    for line in gpu.listing():
        ui.note(line)
    return 0
