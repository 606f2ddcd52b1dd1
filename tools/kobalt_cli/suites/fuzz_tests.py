# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The suite `fuzz`: each target of ./kobalt fuzz for a while; with --all, with other inputs each day."""
import time

from ..lib import tally, ui
from ..workloads import fuzz

# Of each target and way: for each change, and with --all. A million inputs of `calls` take a day.
SECONDS = 20
LONG_SECONDS = 1800


def ways():
    """[(target, with the validation layer?)]"""
    return [(target.name, validation) for target in fuzz.TARGETS
            for validation in ([False, True] if target.validated else [False])]


def seed_of_day():
    """For --all: the results tell the seed. A change is judged by inputs that the changes before it were judged by."""
    return int(time.strftime("%Y%m%d", time.gmtime()))


def suite(args):
    """One result for each target and way."""
    result = tally.Tally()
    for name, validation in ways():
        outcome = fuzz.run(name, validation=validation, seed=seed_of_day() if args.all else 1,
                           seconds=LONG_SECONDS if args.all else SECONDS)
        label = name + (" under the validation layer" if validation else "")
        ui.note("      %s: %d inputs, %.1f a second, %d faults" % (label, outcome.inputs, outcome.rate, len(outcome.faults)))
        notes = ["fuzz: " + fault for fault in outcome.faults] + (["fuzz: %s: %s" % (label, outcome.doubt)] if outcome.doubt else [])
        result.add(tally.Tally(passed=not notes, failed=len(notes), notes=notes))
    return result
