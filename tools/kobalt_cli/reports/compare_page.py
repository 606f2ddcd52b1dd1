# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The page of ./kobalt compare: one HTML file with its style, its data and the few lines that filter it."""
import html
import json

from ..conformance import piglit_tests

STYLE = """
:root { color-scheme: light dark; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5em auto; max-width: 84em; padding: 0 1em; }
table { border-collapse: collapse; margin: .6em 0 1.4em; }
th, td { text-align: left; padding: .15em .7em; border-bottom: 1px solid #8884; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
td.name { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: .3em 0; font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 70em; }
.pass, .warn, .better { color: #1a7f37; } .fail, .unseen, .worse { color: #c0392b; } .crash, .timeout { color: #fff; background: #b02a37; padding: 0 .3em; }
.skip, .notrun { color: #888; } button { font: inherit; } .bar { position: sticky; top: 0; background: Canvas; padding: .5em 0; }
.bar label { margin-right: 1em; }
"""

# Rows are created only for what the filter selects, a page's worth at a time: 30,000 at once would be slow.
SCRIPT = """
const data = JSON.parse(document.getElementById('data').textContent), step = 500;
const kinds = [...document.querySelectorAll('input[data-kind]')], search = document.getElementById('search');
const from = document.getElementById('from'), to = document.getElementById('to');
const body = document.getElementById('rows'), more = document.getElementById('more'), shown = document.getElementById('shown');
let found = [], next = 0;
function cell(row, text, name) { const td = row.insertCell(); td.textContent = text; if (name) td.className = name; return td; }
function result(row, text) { const span = document.createElement('span'); span.textContent = text; span.className = text; row.insertCell().append(span); }
function said(td, title, text) {
  if (!text) return;
  const details = document.createElement('details'), summary = document.createElement('summary'), pre = document.createElement('pre');
  summary.textContent = title; pre.textContent = text; details.append(summary, pre); td.append(details);
}
function add() {
  for (const end = Math.min(next + step, found.length); next < end; next++) {
    const one = found[next], row = body.insertRow(), name = cell(row, one[0], 'name');
    said(name, 'A said', one[4]); said(name, 'B said', one[5]);
    result(row, one[2]); result(row, one[3]); cell(row, one[1], one[1]);
  }
  more.hidden = next >= found.length;
  shown.textContent = next + ' of ' + found.length + ' shown';
}
function filter() {
  let pattern; try { pattern = new RegExp(search.value, 'i'); } catch { pattern = null; }
  const wanted = new Set(kinds.filter(k => k.checked).map(k => k.dataset.kind));
  found = data.filter(one => wanted.has(one[1]) && (!from.value || one[2] === from.value) && (!to.value || one[3] === to.value)
    && (pattern ? pattern.test(one[0]) : one[0].includes(search.value)));
  next = 0; body.textContent = ''; add();
}
for (const one of [...kinds, from, to]) one.addEventListener('change', filter);
search.addEventListener('input', filter); more.addEventListener('click', add);
for (const group of document.querySelectorAll('a[data-group]')) group.addEventListener('click', () => {
  search.value = '^' + group.dataset.group.replace(/[.*+?^${}()|[\\]\\\\]/g, '\\\\$&') + '($|[@.])'; filter(); });
filter();
"""


def escape(text):
    return html.escape(str(text), quote=True)


def counts_table(difference):
    """All results of both sides."""
    sums = difference.total()
    results = [r for r in reversed(piglit_tests.ORDER) if sums[0][r] or sums[1][r]]
    rows = ["<tr><th></th>%s<th class=n>all</th></tr>" % "".join('<th class=n><span class="%s">%s</span></th>' % (r, r) for r in results)]
    for side, run, total in zip("AB", (difference.a, difference.b), sums):
        rows.append("<tr><td><b>%s</b> %s<br>%s</td>%s<td class=n>%d</td></tr>" % (
            side, escape(run.name), escape(run.about()), "".join("<td class=n>%d</td>" % total[r] for r in results), sum(total.values())))
    return "<table>%s</table>" % "".join(rows)


def groups_table(difference, kinds):
    rows = ["<tr><th>group</th><th class=n>tests</th><th class=n>A passes</th><th class=n>B passes</th>%s</tr>"
            % "".join("<th class=n>%s</th>" % k for k in kinds)]
    for group, a, b, of in difference.groups():
        rows.append('<tr><td><a href="#changes" data-group="%s">%s</a></td><td class=n>%d</td><td class=n>%d</td><td class=n>%d</td>%s</tr>' % (
            escape(group), escape(group), max(sum(a.values()), sum(b.values())), a["pass"] + a["warn"], b["pass"] + b["warn"],
            "".join("<td class=n>%s</td>" % (of[k] or "") for k in kinds)))
    return "<table>%s</table>" % "".join(rows)


def data_of(difference):
    """The changes as JSON that may stand inside a page."""
    said_a, said_b = difference.outputs()
    rows = [[c.name, c.kind, c.a, c.b, said_a.get(c.name, ""), said_b.get(c.name, "")] for c in difference.changes]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def choice(name, words):
    return '<select id="%s"><option value="">any</option>%s</select>' % (name, "".join("<option>%s</option>" % escape(w) for w in words))


def page(difference):
    kinds = [k for k in ("worse", "better", "other", "only in A", "only in B") if difference.kinds()[k]]
    title = "%s and %s" % (difference.a.name, difference.b.name)
    boxes = "".join('<label><input type=checkbox checked data-kind="%s"> %s (%d)</label>' % (k, k, difference.kinds()[k]) for k in kinds)
    filters = '<p class=bar>%s A: %s B: %s <input id=search type=search placeholder="part of a name, or a pattern" size=36> <span id=shown></span></p>' % (
        boxes, choice("from", sorted({c.a for c in difference.changes})), choice("to", sorted({c.b for c in difference.changes})))
    return ("<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>%s</title>\n<style>%s</style>\n"
            "<h1>%s</h1>\n%s\n<h2>Groups that differ</h2>\n%s\n<h2 id=changes>Tests that differ: %d</h2>\n%s\n"
            "<table><thead><tr><th>test</th><th>A</th><th>B</th><th></th></tr></thead><tbody id=rows></tbody></table>\n"
            "<button id=more>more</button>\n<noscript>This page shows its rows with JavaScript; ./kobalt compare --text does without.</noscript>\n"
            "<script type=\"application/json\" id=data>%s</script>\n<script>%s</script>\n</html>\n"
            % (escape(title), STYLE, escape(title), counts_table(difference), groups_table(difference, kinds), len(difference.changes), filters,
               data_of(difference), SCRIPT))
