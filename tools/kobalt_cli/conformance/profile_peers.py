# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The peers' results over piglit's own lists, for the profiles gl46, gles32 and full: run in parts, merged, imported.

Both lists on both peers take hours. So a part may be run at a time, on any machine, and the results in out/piglit as
LIST-DRIVER.tsv, LIST-DRIVER-part-I-of-N.tsv and LIST-DRIVER-import-NAME.tsv counts together.
"""
import re
from pathlib import Path

from ..lib import environment, expectations, labels, ui
from . import piglit, piglit_tests
from .peer_tables import NOT_RUN, PEERS

TIMEOUT_S = 60.0


def files(source, driver):
    """The results of DRIVER over piglit's list SOURCE; later files override earlier ones."""
    own = piglit.FOLDER / ("%s-%s.tsv" % (source, driver))
    found = [sorted(piglit.FOLDER.glob("%s-%s-%s-*.tsv" % (source, driver, kind))) for kind in ("import", "part")]
    return [*found[0], *found[1], *([own] if own.exists() else [])]


def results(source, driver):
    """({test: result}, head) of all files()."""
    merged, head = {}, {}
    for path in files(source, driver):
        merged.update((o.name, o.result) for o in piglit.read_results(path))
        head.update(labels.read_head(path))
    return merged, head


def recorded():
    """({test: (zink, llvmpipe)}, {driver: head}) of what full-peers.tsv has kept."""
    path = piglit.peers_path("full")
    if not path.exists():
        return {}, {driver: {} for driver in PEERS}
    head = labels.read_head(path)
    shared = {key: head[key] for key in ("device", "machine", "day") if key in head}
    return piglit.read_peers("full"), {driver: dict(shared, version=head.get(driver, labels.UNKNOWN_VERSION)) for driver in PEERS}


def pairs(wanted):
    """({test: (zink, llvmpipe)}, {driver: head}) of {test: its list}: the results on record, overridden by those of
    files(); NOT_RUN if there is neither."""
    kept, heads = recorded()
    known = {driver: {name: pair[place] for name, pair in kept.items()} for place, driver in enumerate(PEERS)}
    for driver in PEERS:
        for source in sorted(set(wanted.values())):
            found, head = results(source, driver)
            known[driver].update(found)
            heads[driver].update(head)
    return {name: tuple(known[driver].get(name, NOT_RUN) for driver in PEERS) for name in wanted}, heads


def missing(table, place):
    return [name for name, pair in table.items() if pair[place] == NOT_RUN]


def parse_part(text):
    """(i, n) of I/N."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ui.Stop("--part wants I/N, as 3/20: the third of twenty parts")
    return int(found[1]), int(found[2])


def run_missing(wanted, table, drivers, jobs, part=None):
    """Runs what no file has yet of {test: its list}, or of its PART (i, n), on DRIVERS."""
    for place, driver in enumerate(PEERS):
        if driver not in drivers:
            continue
        lacking = set(missing(table, place))
        for source in sorted(set(wanted.values())):
            names = sorted(name for name, of in wanted.items() if of == source)
            label = "%s-%s" % (source, driver)
            if part:
                names = names[part[0] - 1::part[1]]
                label += "-part-%d-of-%d" % part
            own = {o.name for o in piglit.read_results(piglit.FOLDER / (label + ".tsv"))}
            # Tests that this file has stay in it; tests that only other files have are not run again.
            names = [name for name in names if name in lacking or name in own]
            if any(name in lacking for name in names):
                piglit.run([*names, *sorted(own - set(names))], label, environment.peer(driver), jobs, TIMEOUT_S, resume=True, label=label, driver=driver,
                           together=True)


def columns_of(path):
    """{driver: (column, title)} of a table whose first line names them, `# test<TAB>…<TAB>zink …<TAB>llvmpipe …`."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    titles = first.lstrip("# ").split("\t") if first.startswith("#") else []
    return {driver: (i, title) for driver in PEERS for i, title in enumerate(titles) if i and title.split(" ")[0] == driver}


def head_of_title(driver, title):
    """The head of a column called `zink 25.0.7 (what it ran on)`."""
    version, bracket, device = title.partition("(")
    return {"driver": driver, "version": version.strip(), **({"device": device.rstrip(")")} if bracket else {})}


def read_import(path):
    """{driver: ({test: result}, head)} of a file: a run's results, or a table with a column for each peer."""
    try:
        head, columns = labels.read_head(path), columns_of(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ui.Stop("%s can't be read (%s)" % (path, error)) from None
    rows = [line.split("\t") for line in expectations.read_names(path)]
    if head.get("driver") in PEERS:
        found = {head["driver"]: ({row[0]: row[1] for row in rows if len(row) > 1}, head)}
    elif columns:
        found = {driver: ({row[0]: row[column] for row in rows if len(row) > column}, head_of_title(driver, title))
                 for driver, (column, title) in columns.items()}
    else:
        raise ui.Stop("%s is neither a run of a peer (its head has no `driver`) nor a table whose first line names zink and llvmpipe" % path)
    for results_of, _ in found.values():
        strange = set(results_of.values()) - set(piglit_tests.ORDER)
        if strange:
            raise ui.Stop("%s has results that are none of piglit's: %s" % (path, ", ".join(sorted(strange))))
    return found


def import_file(path, lists):
    """Imports the results in PATH as files of their own. Prints how many tests of each list they have."""
    path = Path(path)
    for driver, (found, head) in read_import(path).items():
        for source, tests in lists.items():
            rows = {name: result for name, result in found.items() if name in tests}
            if rows:
                piglit.FOLDER.mkdir(parents=True, exist_ok=True)
                target = piglit.FOLDER / ("%s-%s-import-%s.tsv" % (source, driver, path.stem))
                target.write_text(labels.write_head(dict(head, imported=path.name)) + "".join("%s\t%s\t0.00\t\n" % row for row in sorted(rows.items())),
                                  encoding="utf-8")
                ui.note("%s: %d of %d tests of %s" % (driver, len(rows), len(tests), source))
