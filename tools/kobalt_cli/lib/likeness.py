# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Decides whether two drivers' pictures count as alike, and whether a comparison could have failed.

A difference is what pictures.compare says: (mean, share of different pixels, greatest)."""
MEAN_LIMIT, SHARE_LIMIT = 0.5, 0.005
# A picture that lacks what matters has to differ by this many times the limits, or the comparison proves nothing.
MARGIN = 3


def within(difference):
    mean, share, _ = difference
    return mean <= MEAN_LIMIT and share <= SHARE_LIMIT


def far_beyond(difference):
    mean, share, _ = difference
    return mean >= MARGIN * MEAN_LIMIT and share >= MARGIN * SHARE_LIMIT


def row(name, difference, good):
    cells = "%.4f | %.3f%% | %d" % (difference[0], 100 * difference[1], difference[2]) if difference else "| |"
    return "| %s | %s | %s |" % (name, cells, "pass" if good else "**fail**")
