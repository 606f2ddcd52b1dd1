# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Programs that are watched or timed: real ones in windows, the demo, and benchmarks."""
