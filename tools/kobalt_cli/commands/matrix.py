# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt matrix: the smoke profile gives the same results whichever capability is missing."""
from ..lib import ui
from ..conformance import piglit
from ..reports import status


def command(args):
    _, names = piglit.names_of("smoke")
    reference, different = None, 0
    for capability in [None, *(args.capability or status.MATRIX)]:
        disable = [capability] if capability else []
        label = piglit.result_name("smoke", "kobalt", "lavapipe", disable)
        env = piglit.test_environment("kobalt", "lavapipe", disable, True, [])
        outcomes = piglit.run(names, label, env, args.jobs, 60.0, label=label)
        found = {o.name: o.result for o in outcomes}
        ui.note("%s: %s" % (label, piglit.counts_text(outcomes)))
        if reference is None:
            reference = found
            continue
        for name in names:
            if found[name] != reference[name]:
                different += 1
                ui.note("  %s: %s (%s with everything on)" % (name, found[name], reference[name]))
    ui.note("%d results differ" % different)
    return 1 if different else 0
