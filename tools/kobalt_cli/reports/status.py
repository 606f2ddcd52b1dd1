# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""./kobalt status: writes docs/status.md from the results in out/. Nothing is claimed without a result."""
import collections
import json
import re
import shutil
import time
from pathlib import Path

from ..lib import expectations, labels, paths, tally, ui, witness
from ..conformance import corpus, piglit, stats
from ..workloads import bench, fault_walk, overhead, server_matrix, soak, sso_report, window_rates
from . import compute_status, frame_status, gpu_report, picture_report, profile_status, recorded, sanitizers

MISSING = "not measured"
UNKNOWN = expectations.UNKNOWN


# Tracked copies of what was measured last, laid out as out/ is: a clone shows the same numbers.
KEPT = paths.ROOT / "docs/measured/results"
DATES = "dates.tsv"


def located(*parts):
    """The result file out/PARTS, or its tracked copy where this machine has not measured it."""
    path = paths.OUT.joinpath(*parts)
    return path if path.exists() else KEPT.joinpath(*parts)


def modified(path):
    return time.strftime("%Y-%m-%d", time.gmtime(path.stat().st_mtime))


def kept_dates():
    path = KEPT / DATES
    return dict(line.split("\t") for line in path.read_text().splitlines()) if path.exists() else {}


def measured_on(path):
    """The day of a measurement; a tracked copy's file time would be the checkout's."""
    if KEPT in path.parents:
        return kept_dates().get(str(path.relative_to(KEPT)), "at an unknown time")
    return modified(path)


def keep():
    """Copies the results in out/ to the tracked ones; removes tracked piglit records without a head (see results())."""
    for path in KEPT.glob("piglit/*.tsv"):
        if not labels.read_head(path):
            path.unlink()
    names = ["smoke-swiftshader", "gl33", "gl46", "gles32", "full", "sso", profile_status.validated_name("gl46"),
             *smoke_names(paths.OUT)]
    files = [path for path in (paths.OUT / "piglit" / (name + ".tsv") for name in names) if labels.read_head(path)]
    files += [paths.OUT / name for name in ("corpus.json", "corpus-driver.json", "stats.tsv", "sso.json", compute_status.FILE, "test.json", picture_report.FILE, *sanitizers.FILES)] + sorted(bench.FOLDER.glob("*.tsv"))
    files += sorted(overhead.FOLDER.glob("*.tsv"))
    dates = kept_dates()
    for path in files:
        if path.exists():
            name = str(path.relative_to(paths.OUT))
            (KEPT / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, KEPT / name)
            dates[name] = modified(path)
    if dates:
        (KEPT / DATES).write_text("".join("%s\t%s\n" % item for item in sorted(dates.items())))


def smoke_names(folder):
    """Names of the smoke profile's results in FOLDER (out/, or the tracked copies) with capabilities off, sorted; the
    usual run comes first, parts of the profile don't count."""
    found = {p.stem for p in (folder / "piglit").glob("smoke-no-*.tsv") if "-filtered" not in p.stem}
    return ["smoke", *sorted(found)]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]) + "\n"


def results(name):
    """Outcomes of out/piglit/NAME.tsv, or None. A record without a head names neither the driver nor the device, so it
    is ignored."""
    path = located("piglit", name + ".tsv")
    return piglit.read_results(path) if labels.read_head(path) else None


def head_of(name):
    return labels.read_head(located("piglit", name + ".tsv"))


def gl33_section():
    outcomes, peers = results("gl33"), piglit.read_peers("gl33")
    own, stock = head_of("gl33"), labels.read_head(piglit.peers_path("gl33"))
    lines = ["## piglit quick_gl, class OpenGL 3.3\n"]
    total = sum(zink == "pass" for zink, _ in peers.values())
    rows = [["Kobalt", MISSING, MISSING, MISSING, MISSING]]
    if outcomes:
        lines.append("Measured %s on %s; %d of %d tests were run. %s\n"
                     % (measured_on(located("piglit", "gl33.tsv")), labels.on(own), len(outcomes), total,
                        "The list holds what zink passes (`./kobalt profile gl33`)."))
        rows[0] = ["Kobalt", own.get("version", labels.UNKNOWN_VERSION), *passes([o.result for o in outcomes], total)]
    for place, name in enumerate(("zink", "llvmpipe")):
        rows.append([name, stock.get(name, labels.UNKNOWN_VERSION), *passes([pair[place] for pair in peers.values()], total)])
    lines.append(table(["driver", "version", "pass", "of those that zink passes", "crashes"], rows))
    if outcomes:
        lines += [causes(outcomes), groups(outcomes)]
    return "\n".join(lines)


def passes(found, total):
    """The cells for a driver whose results are FOUND: how many pass, their share of TOTAL, and how many crash."""
    passing = found.count("pass")
    return [passing, "%.2f%%" % (100.0 * passing / total) if total else MISSING, found.count("crash")]


def causes(outcomes, profile="gl33"):
    """What does not pass, by cause: piglit-profiles/PROFILE-causes.txt, else the reason in the expectations."""
    reasons = expectations.read(expectations.expected_path(profile))
    known = expectations.read_causes(profile)
    by_reason = collections.Counter()
    for outcome in outcomes:
        if outcome.result != "pass":
            cause = expectations.cause_of(outcome, known)
            by_reason[cause or reasons.get(outcome.name, ("", ""))[1] or UNKNOWN] += 1
    if not by_reason:
        return "Nothing fails.\n"
    return "### By cause\n\n" + table(["cause", "tests"], by_reason.most_common())


def groups(outcomes):
    total, bad = collections.Counter(), {}
    for outcome in outcomes:
        group = piglit.group_of(outcome.name)
        total[group] += 1
        if outcome.result != "pass":
            bad.setdefault(group, collections.Counter())[outcome.result] += 1
    if not bad:
        return ""
    rows = [[g, total[g], sum(c.values()), ", ".join("%d %s" % (n, r) for r, n in c.most_common())]
            for g, c in sorted(bad.items(), key=lambda item: -sum(item[1].values()))]
    return "### By group\n\n" + table(["group", "tests", "not passing", "as"], rows)


def parts_section():
    """The profile sso: programs in parts, tessellation, texture handles."""
    lines = ["## piglit: programs in parts, tessellation, texture handles (profile sso)\n"]
    outcomes = results("sso")
    if not outcomes:
        return "\n".join([*lines, "Not measured yet.\n"])
    lines.append("Measured %s on %s: %d of %d pass, %d crash.\n"
                 % (measured_on(located("piglit", "sso.tsv")), labels.on(head_of("sso")),
                    sum(o.result == "pass" for o in outcomes), len(outcomes), sum(o.result == "crash" for o in outcomes)))
    return "\n".join([*lines, causes(outcomes, "sso"), groups(outcomes)])


def smoke_section():
    """The smoke profile: its usual run, and with capabilities switched off."""
    base = results("smoke")
    reference = {o.name: o.result for o in base or []}
    rows = []
    names = [("smoke", "everything on")]
    off = {"smoke-no-" + cap for cap in MATRIX}.union(smoke_names(paths.OUT)[1:], smoke_names(KEPT)[1:])
    names += [(n, n.removeprefix("smoke-no-").removesuffix("-sync").replace("-no-", ", ") + " off") for n in sorted(off)]
    names.append(("smoke-swiftshader", "on SwiftShader"))
    for name, text in names:
        outcomes = results(name)
        if not outcomes:
            rows.append([text] + [MISSING] * 5)
            continue
        head = head_of(name)
        counts = collections.Counter(o.result for o in outcomes)
        other = sum(reference.get(o.name) != o.result for o in outcomes) if base else MISSING
        # The absence of messages means something only if the layer was seen to be on.
        validated = head.get("layer", witness.PLAIN) != witness.PLAIN
        messages = sum(len(o.validation) for o in outcomes) if validated else MISSING
        rows.append([text + (", synchronisation checked" if head.get("layer") == witness.SYNCHRONISED else ""),
                     labels.on(head), "%d of %d" % (counts["pass"], len(outcomes)), counts["crash"],
                     "—" if name == "smoke" else other, messages])
    return ("## piglit smoke\n\nThe last column counts messages of the validation layer, in runs where each test was seen to "
            "have it on.\n\n"
            + table(["run", "device", "pass", "crashes", "other than with everything on", "validation messages"], rows))


MATRIX = ("descriptor_buffer", "graphics_pipeline_library", "extended_dynamic_state3")


def corpus_section():
    """The translator over every shader of piglit (corpus.json), and a sample through the driver (corpus-driver.json)."""
    text = "## SPIR-V corpus\n\n"
    path = located("corpus.json")
    if not path.exists():
        return text + table(["shader tests", "shaders", "modules", "valid", "invalid"], [[MISSING] * 5])
    data = json.loads(path.read_text())
    text += ("Every shader that Mesa's compiler accepts in piglit's %d shader tests is translated for a device that has "
             "everything, for one that has nothing optional, and with transform feedback of its outputs (%s); %s checks "
             "each module for %s. Measured %s with `./kobalt corpus`, %d s on %d processes.\n\n"
             % (data["files"], "stages before the rasteriser", data["validator"], data["target"], measured_on(path),
                round(data["seconds"]), data["jobs"]))
    text += corpus.compared(data)
    text += table(["stage", "shaders", "all modules valid", "invalid", "wrongly refused", "not translated"],
                  [[corpus.STAGES[s], sum(c.values()), c.get("valid", 0), c.get("invalid", 0) + c.get("misreported", 0), c.get("disputed", 0), c.get("refused", 0)]
                   for s, c in data["stages"].items()]
                  + [["modules in all", data["modules"], data["valid"], data["invalid"] + data.get("misreported", 0),
                      sum(data["wrong_complaints"].values()), ""]])
    if data["not_translated"]:
        text += "\n" + table(["not translated yet: needs", "shaders"], data["not_translated"].items())
    if data["wrong_complaints"]:
        text += "\n" + table(["modules refused by spirv-val, wrongly", "modules"], data["wrong_complaints"].items())
    if data["not_compiled"]:
        text += "\n" + table(["nothing to translate in", "files"], data["not_compiled"].items())
    path = located("corpus-driver.json")
    if path.exists():
        data = json.loads(path.read_text())
        text += "\nThrough the whole driver, drawing on lavapipe (`./kobalt corpus --driver`):\n\n"
        found = data.get("results", {})
        text += table(["shader tests", "their probes pass", "skip", "fail", "crash or hang", "modules", "valid by spirv-val"],
                      [[data["shader_tests"], found.get("pass", MISSING), found.get("skip", 0 if found else MISSING),
                        found.get("fail", 0 if found else MISSING), data["crashes"], data["modules"], data["passed"]]])
    return text


def demo_section():
    lines = ["## The demo scene\n\nFrame times as ratios: a peer's time over Kobalt's (above 1: Kobalt is faster).\n"]
    files = (sorted(bench.FOLDER.glob("*.tsv")) or sorted((KEPT / "bench").glob("*.tsv"))) + sorted(bench.MEASURED.glob("*-demo.tsv"))
    if not files:
        return lines[0] + "\n" + table(["device", "result"], [["any", MISSING]])
    for path in files:
        machine, rows = bench.read_table(path)
        own = next((times for driver, times in rows.items() if driver.startswith("kobalt")), None)
        body = []
        for driver, times in rows.items():
            ratio = ["%.2f" % (times[k] / own[k]) if own and own[k] else MISSING for k in ("p50", "p99")]
            body.append([driver, *("%.2f" % times[k] for k in bench.KEYS), *ratio])
        # A tracked table carries its date: its file's time is the checkout's.
        dated = machine if re.search(r"\d{4}-\d\d-\d\d$", machine) else "%s, %s" % (machine, measured_on(path))
        lines.append(dated + "\n\n"
                     + table(["driver", "p50 ms", "p95 ms", "p99 ms", "max ms", "p50 ratio", "p99 ratio"], body))
    return "\n".join(lines)


def sso_section():
    """Stages picked as a program draws: out/sso.json, and what bundles wrote on machines that not every developer has."""
    text = ("## Stages picked while drawing\n\n`./kobalt bench sso`: the first use of each combination of separable stages "
            "(*extra*: first less second use), steady changes, many objects, bindless textures, loading; a ratio above 1: "
            "Kobalt is better, of rates as of times.\n\n")
    path = located("sso.json")
    records = [sso_report.read(path)] if path.exists() else []
    records += [sso_report.read_bundle(one) for one in sorted(bench.MEASURED.glob("*-sso.tsv"))]
    parts = ["%s\n\n%s" % (sso_report.title(record), table(*sso_report.rows(record))) for record in records]
    return text + ("\n".join(parts) or table(["case", "metric", "unit", "Kobalt"], [[MISSING] * 4]))


def compile_section():
    """Shaders compiled inside draws: the driver's counters, from out/stats.tsv."""
    rows = stats.read(located("stats.tsv")) or [[MISSING] * 5]
    return ("## Shader compilations inside a draw\n\n`./kobalt piglit PROFILE --stats` and `./kobalt apps --stats`, each twice "
            "with the same caches. A draw *waits* for a shader that no link had made: one of a blit, of the fixed function, of "
            "Mesa's own or for other state.\n\n" + table(["of", "pass", "draws", "compilations", "waits"], rows))


def suites_section():
    return recorded.section(located("test.json"), table, MISSING)


def document():
    head = ("# Status\n\nWritten by `./kobalt status` from measured results, never by hand. "
            "Kobalt %s.\n" % paths.version())
    return "\n".join([head, gl33_section(), profile_status.section(results, head_of, table), parts_section(), smoke_section(), corpus_section(), compile_section(), demo_section(), overhead.status_section(located, measured_on, table, MISSING), sso_section(), frame_status.section(table, MISSING), compute_status.section(located, table, MISSING),
                      soak.status_section(table), window_rates.status_section(table, MISSING) + "\n\n" + server_matrix.status_section(table, MISSING), fault_walk.status_section(table, MISSING), gpu_report.status_section(), picture_report.status_section(located, measured_on, table, MISSING), sanitizers.status_section(located, table, MISSING), suites_section()]).rstrip("\n") + "\n"


def check():
    return recorded.command(KEPT / "test.json")


def write(out):
    if (paths.OUT / "test.json").exists():
        recorded.refuse(json.loads((paths.OUT / "test.json").read_text()))
    keep()
    text = re.sub(r"\n{3,}", "\n\n", document())
    Path(out).write_text(text, encoding="utf-8")
    ui.note("wrote %s" % out)
    return 0
