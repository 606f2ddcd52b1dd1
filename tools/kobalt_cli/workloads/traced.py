# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Games that go by the clock: one run on Kobalt is recorded with apitrace, and the trace is replayed on each driver."""
import re
from pathlib import Path

from ..lib import pictures, witness
from . import drawn

TRACE = "program.trace"
CUT = "cut.trace"  # up to the frame that is shown
FRAMES = "frames"  # the numbers of the calls that swap buffers, one a line
SWAP = re.compile(r"^([0-9]+) (?:glX|egl)SwapBuffers", re.MULTILINE)
# A shader says which GLSL it is written in; llvmpipe has none above this.
PEERS_LANGUAGE = {"MESA_GLSL_VERSION_OVERRIDE": "450"}
# apitrace stops at the last picture that it is asked for, and prints the speed only if it reaches the trace's end.
NEVER = 2**31
SPEED = r"average of ([0-9.]+) fps"


class Race:
    """PROGRAM with its WORDS; it prints the renderer as the pattern RENDERER finds it. Frame SHOWN is the picture, the
    first frame the one that lacks what matters."""

    def __init__(self, program, words, renderer, shown):
        self.program, self.words, self.renderer, self.shown = program, words, renderer, shown

    def record(self, env, folder):
        """Records a run on Kobalt in FOLDER; what went wrong, or None."""
        trace, env = Path(folder) / TRACE, {**env, **PEERS_LANGUAGE}
        done = drawn.start(["apitrace", "trace", "-a", "gl", "-o", str(trace), drawn.find(self.program), *self.words], env,
                           seconds=2 * drawn.SECONDS)
        wrong = self.trouble(done, env)
        if wrong:
            return wrong
        listed = drawn.start(["apitrace", "dump", "--color=never", "--calls=frame", str(trace)], env)
        frames = SWAP.findall(listed.text)
        if len(frames) < self.shown:
            return "only %d frames were drawn" % len(frames)
        (Path(folder) / FRAMES).write_text("\n".join(frames[:self.shown]))
        cut = drawn.start(["apitrace", "trim", "--calls=0-%s" % frames[self.shown - 1], "-o", str(Path(folder) / CUT),
                           str(trace)], env)
        return "apitrace trim: %s" % cut.text.strip()[-200:] if cut.code else None

    def trouble(self, done, env):
        """What went wrong in a recorded run; None if nothing did."""
        if done.code is None:
            return "it did not end"
        drew = re.search(self.renderer, done.text)
        said = drawn.FAULT.search(witness.ANNOUNCED.sub("", done.text))
        if done.code or said:
            return "exit status %d, %s" % (done.code, said[0] if said else "no message")
        if not drew or not witness.is_of(drew[1], "kobalt"):
            return "%s drew" % (drew[1] if drew else "nothing")
        return witness.doubt(witness.weakest(done.text), witness.needed(env))

    def draw(self, env, folder, empty):
        """Replays the trace; one replay takes both pictures, so the EMPTY one is there already."""
        frames = (folder / FRAMES).read_text().split()
        first, shown = frames[0], frames[-1]
        shots = Path(env["HOME"])

        def picture(call):
            return shots / ("%010d.png" % int(call))

        if empty:
            shot = picture(first)
            return drawn.Drawing(0, "", pictures.read_png(shot) if shot.exists() else None)
        done = drawn.start(["apitrace", "retrace", "-s", "%s/" % shots, "-S", "%s,%s,%d" % (first, shown, NEVER),
                            str(folder / CUT)], env, picture(shown))
        speed = re.search(SPEED, done.text)
        done.frame = 1000 / float(speed[1]) if speed and float(speed[1]) else None
        return done
