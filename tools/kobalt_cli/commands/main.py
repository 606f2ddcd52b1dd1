# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""The command line of ./kobalt: its words, and how it ends."""
import argparse
import os
import signal
import sys

from ..lib import paths, target, ui
from . import actions


def gpu_name(text):
    """The word after --gpu: refused at once where no GPU has that name, not after a build."""
    from ..lib import gpu
    try:
        return gpu.find(text).name
    except ui.Stop as stop:
        raise argparse.ArgumentTypeError(str(stop)) from None


def enable_arguments(add):
    """The commands that choose programs, by ADD(name, function, help)."""
    what = "a program's name or path, the name of its menu entry, or steam:APPID for a game of Steam"
    one = add("enable", actions.command_enable, "let programs always start on Kobalt, from the menu, as a command or in Steam")
    one.add_argument("programs", nargs="*", metavar="PROGRAM", help=what)
    one.add_argument("--all", action="store_true", help="each program of your session, from the next login on")
    one.add_argument("--command", dest="typed", action="store_true", help="the command that is typed, also where there is a menu entry")
    one.set_defaults(mine=False)
    one = add("disable", actions.command_enable, "undo `enable`")
    one.add_argument("programs", nargs="*", metavar="PROGRAM", help=what)
    one.add_argument("--all", action="store_true", help="all that is enabled")
    one.add_argument("--mine", action="store_true", help="all that this Kobalt has enabled, and no other one")
    one.set_defaults(typed=False)
    one = add("list", actions.command_enable, "list what is enabled, and whether it still is there")
    one.add_argument("--mine", action="store_true", help="what this Kobalt has enabled, and no other one")
    one.set_defaults(programs=[], all=False, typed=False)


def parser():
    from ..conformance import deqp
    from ..workloads import frame, fuzz, sso
    top = argparse.ArgumentParser(prog="kobalt", description="OpenGL on Vulkan: build it, run programs on it, test it.")
    top.add_argument("--version", action="version", version="kobalt " + paths.version())
    sub = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name, function, text, **kwargs):
        one = sub.add_parser(name, help=text, description=text, **kwargs)
        one.set_defaults(function=function)
        return one

    def architecture(one, text):
        one.add_argument("--arch", choices=sorted(target.ALL), default=target.AMD64.name, help=text + " (default: %(default)s)")

    one = add("run", actions.command_run, "run a GL program on Kobalt, or the demo scene when none is named")
    one.add_argument("--frames", type=int, default=120, help="demo: frames to render (default 120)")
    one.add_argument("--size", default="640x360", help="demo: WIDTHxHEIGHT in pixels (default 640x360)")
    one.add_argument("--out", default=None, help="demo: folder for the PNG frames (default out/demo)")
    one.add_argument("--gpu", type=gpu_name, metavar="NAME", help="on the driver of this GPU, without the hardware: nothing is drawn")
    one.add_argument("--csv", metavar="FILE", help="write the driver's counters there: a line for each frame, or for each second without one")
    one.add_argument("--no-build", action="store_true", help="use build/prefix as it is")
    architecture(one, "a program of this architecture")
    one.add_argument("app", nargs=argparse.REMAINDER, metavar="-- APP ARGS", help="the program and its arguments")
    enable_arguments(add)
    one = add("test", actions.command_test, "build, then run every suite")
    one.add_argument("--suite", action="append", metavar="NAME", help="only this suite (may be repeated)")
    one.add_argument("--quick", action="store_true", help="a short version: one descriptor backend, small samples")
    one.add_argument("--all", action="store_true", help="the suites as well that take too long for each change; gpus: every GPU")
    one.add_argument("--list", action="store_true", help="list the suites")
    one.add_argument("--gpu", type=gpu_name, action="append", metavar="NAME", help="only the suite gpus, on this GPU (may be repeated)")
    one.add_argument("--jobs", type=int, default=min(os.cpu_count() or 2, 16), help="programs at once")
    one = add("info", actions.command_info, "say which Vulkan device is used and why, and what it can do")
    one.add_argument("--gpu", type=gpu_name, metavar="NAME", help="on the driver of this GPU, without the hardware: nothing is drawn")
    architecture(one, "what programs of this architecture find")
    one.add_argument("rest", nargs=argparse.REMAINDER)
    one = add("variables", actions.command_variables, "list the environment variables that the driver reads")
    one.add_argument("--write", action="store_true", help="write the list into docs/debugging.md")
    one = add("gpus", actions.command_gpus, "list the GPUs that --gpu knows")
    one.add_argument("--write", action="store_true", help="write docs/gpus.md from the results that lie in out/")
    one = add("features", actions.command_features, "ask every GL driver on every device that is here what it offers, and write docs/features.md")
    one.add_argument("--only", action="append", metavar="DEVICE", help="only this device: lavapipe, swiftshader, or a name that ./kobalt gpus lists (may be repeated)")
    one.add_argument("--record", metavar="NAME", help="ask Kobalt and the machine's own GL on this machine's own device, and keep it under that name")
    one.add_argument("--read", metavar="FILE", help="with --record: what the bundle's `./kobalt features` wrote on another machine")
    one.add_argument("--write", action="store_true", help="ask nobody, write docs/features.md from what is recorded")
    one = add("report", actions.command_report, "write a text file to send along with a bug report; nothing private is in it")
    one.add_argument("--out", default=str(paths.OUT / "kobalt-report.txt"), help="the file (default out/kobalt-report.txt)")
    one = add("uninstall", actions.command_uninstall, "take away what Kobalt made outside the project, and say what stays")
    one.add_argument("--all", action="store_true", help="also what was built and fetched inside the project")
    one.add_argument("--dry-run", action="store_true", help="only list it")
    one = add("package", actions.command_package, "build Debian's packages, in a root of the release that they are for (as root)")
    one.add_argument("--release", action="append", choices=["bookworm", "trixie"], help="for this release (may be repeated; default: this machine's)")
    one.add_argument("--write", action="store_true", help="build nothing: write what the suite `packages` has measured into docs/packages.md")
    one = add("bundle", actions.command_bundle, "make a tarball that runs on other x86-64 Linux machines")
    one.add_argument("--out", default=str(paths.OUT), help="folder for the tarball (default out)")
    one.add_argument("--no-build", action="store_true", help="pack the build as it is")
    one.add_argument("--arch", choices=[target.AMD64.name, "both"], default=target.AMD64.name,
                     help="for 64-bit programs, or for both widths (default: %(default)s)")
    one = add("build", actions.command_build, "set up and build, nothing else")
    one.add_argument("--verbose", action="store_true", help="show every build step")
    one.add_argument("--tests", action="store_true", help="also install what ./kobalt test needs")
    architecture(one, "build for this architecture")
    one = add("setup", actions.command_setup, "install and fetch what the build needs, without building")
    one.add_argument("--tests", action="store_true", help="also install what ./kobalt test needs")
    one = add("mesa", actions.command_mesa, "Mesa with Kobalt's patches as a git tree, to change it, and back")
    one.add_argument("action", choices=["checkout", "export", "document"], metavar="checkout|export|document",
                     help="checkout: make DIR a git tree of Mesa's release with a commit for each patch; export: write the commits "
                          "of DIR back as the series; document: write docs/mesa.md and docs/mesa-upstream.md")
    one.add_argument("folder", nargs="?", metavar="DIR")
    one.add_argument("--prepared", action="store_true", help="checkout: only the patches that are ready to be sent to Mesa")
    one = add("peer", actions.command_peer, "run a GL program on stock Mesa 25.0.7, to compare with")
    one.add_argument("driver", choices=["zink", "llvmpipe", "native"])
    one.add_argument("--gpu", type=gpu_name, metavar="NAME", help="on the driver of this GPU, without the hardware: nothing is drawn")
    one.add_argument("app", nargs=argparse.REMAINDER, metavar="-- APP ARGS")
    one = add("piglit", actions.command_piglit, "run a profile of piglit-profiles/ and compare with its expectations")
    one.add_argument("profile", help="smoke, gl33, sso, gl46, gles32, full, or a file with one test name a line")
    one.add_argument("--filter", metavar="REGEX", help="only tests whose name matches")
    one.add_argument("--sample", type=int, metavar="N", help="only N tests, which --seed picks")
    one.add_argument("--seed", metavar="WORD", help="with --sample: any word (default: today's date, so that each day has other tests)")
    one.add_argument("--jobs", type=int, default=min(os.cpu_count() or 2, 16), help="tests at once (default: all cores)")
    one.add_argument("--timeout", type=float, help="seconds a test may take (default 120, on SwiftShader 240)")
    one.add_argument("--env", action="append", default=[], metavar="K=V", help="set a variable for the tests")
    one.add_argument("--disable", action="append", default=[], metavar="CAP", help="switch a capability off (KOBALT_DISABLE)")
    one.add_argument("--vulkan", default="lavapipe", choices=["lavapipe", "swiftshader", "auto", "system"])
    one.add_argument("--driver", default="kobalt", choices=["kobalt", "zink", "llvmpipe", "system", "native"],
                     help="native: the machine's own GL, on its GPU")
    one.add_argument("--no-window", action="store_true", help="without an X server, as on a server's GPU; tests of GLX are skipped")
    one.add_argument("--validation", action="store_true", help="validation layer on; its messages are counted")
    one.add_argument("--sync", action="store_true", help="the same, and the layer checks synchronisation as well")
    one.add_argument("--stats", action="store_true", help="run it twice and count shader compilations inside draws")
    one.add_argument("--record", action="store_true", help="write the outcome as the new expectations")
    one.add_argument("--resume", action="store_true", help="keep the results of an interrupted run")
    one.add_argument("--together", action="store_true",
                     help="many shader tests in a process; what doesn't pass so is run again alone")
    one.add_argument("--name", help="name of the result files below out/piglit (default: the profile and what differs)")
    one.add_argument("--no-build", action="store_true", help="use build/prefix as it is")
    one = add("deqp", actions.command_deqp, "run a list of cases of a dEQP or CTS program that you bring")
    deqp.arguments(one)
    one.add_argument("--gpu", type=gpu_name, metavar="NAME", help="on the driver of this GPU, without the hardware: nothing is drawn")
    one = add("compare", actions.command_compare, "show what differs between two runs of piglit or dEQP, on one page")
    one.add_argument("a", metavar="A", help="a results file, a folder of them, a run's name in out/piglit or out/deqp, or PROFILE@zink, PROFILE@llvmpipe")
    one.add_argument("b", metavar="B", help="the same")
    one.add_argument("--text", action="store_true", help="as text, here")
    one.add_argument("--filter", metavar="REGEX", help="only tests whose name matches")
    one.add_argument("--out", default=str(paths.OUT / "compare.html"), help="the page (default out/compare.html)")
    one = add("corpus", actions.command_corpus, "translate piglit's shaders and check the SPIR-V")
    one.add_argument("--driver", action="store_true", help="through the whole driver, drawing on lavapipe (slower)")
    one.add_argument("--sample", type=int, default=0, metavar="N", help="shader tests to take (default: all)")
    one.add_argument("--filter", metavar="REGEX", help="only tests whose name matches")
    one.add_argument("--record", action="store_true", help="with --driver: write the outcome as the new expectations")
    one.add_argument("--jobs", type=int, default=min(os.cpu_count() or 2, 16))
    one.add_argument("--no-build", action="store_true", help="use build/prefix as it is")
    one = add("profile", actions.command_profile, "make the lists of piglit-profiles/ anew, from runs of stock Mesa")
    one.add_argument("name", choices=["gl33", "smoke", "gl46", "gles32", "full"])
    one.add_argument("--part", metavar="I/N", help="gl46, gles32, full: run only the I-th of N parts of what the peers have no results of")
    one.add_argument("--driver", action="append", choices=["zink", "llvmpipe"], help="gl46, gles32, full: run only this peer (may be repeated)")
    one.add_argument("--import", dest="take", action="append", metavar="FILE", help="gl46, gles32, full: run nothing, take a peer's results over from FILE: "
                     "a run's results, or a table with a column for each peer (may be repeated)")
    one.add_argument("--no-run", action="store_true", help="gl46, gles32, full: run nothing, make the list from the results that are there")
    one.add_argument("--jobs", type=int, default=min(os.cpu_count() or 2, 16), help="tests at once (default: all cores)")
    one = add("matrix", actions.command_matrix, "run the smoke profile with capabilities switched off, one at a time")
    one.add_argument("--jobs", type=int, default=min(os.cpu_count() or 2, 16))
    one.add_argument("--capability", action="append", metavar="CAP", help="only this one (may be repeated)")
    one.add_argument("--no-build", action="store_true", help="use build/prefix as it is")
    one = add("bench", actions.command_bench, "frame times of the demo on Kobalt, zink and llvmpipe, what draws cost the CPU, or how stages are picked")
    one.add_argument("what", nargs="?", choices=["demo", "sso", "frame", "transfer", "compute", "servers", "faults"], default="demo",
                     help="the demo (default), separable shaders and their like, what a frame asks of the GPU, how fast textures get there and "
                          "back, kernels through OpenGL and through Vulkan, windows on each X server, or Vulkan calls that fail")
    sso.arguments(one)
    frame.arguments(one)
    one.add_argument("--overhead", action="store_true", help="piglit's drawoverhead on Kobalt and zink, without the drawing itself")
    one.add_argument("--gpu", type=gpu_name, metavar="NAME", help="on the driver of this GPU, without the hardware: nothing is drawn")
    one.add_argument("--instructions", action="store_true", help="count the instructions of a draw and compare with the budget")
    one.add_argument("--record", action="store_true", help="instructions: write what was counted as the new budget")
    one.add_argument("--arch", choices=[target.AMD64.name, target.I386.name], default=target.AMD64.name,
                     help="instructions: of programs of this architecture, beside the machine's own (default: %(default)s)")
    one.add_argument("--threaded", action="store_true", help="overhead: with Mesa's threads, not all in the program's")
    one.add_argument("--frames", type=int, default=120)
    one.add_argument("--size", default="640x360")
    one.add_argument("--rounds", type=int, default=3)
    one = add("cost", actions.command_cost, "check the counters that `run --csv` wrote against what a frame may cost")
    one.add_argument("file", metavar="FILE", help="what `./kobalt run --csv FILE` wrote")
    one.add_argument("statement", nargs="+", metavar="COUNTER=MOST", help="for example draw-compiles=0 passes=3")
    one.add_argument("--skip", type=int, default=0, metavar="N", help="not the first N frames, in which things are loaded")
    one.add_argument("--whole", action="store_true", help="all that each process did, not each frame")
    one = add("soak", actions.command_soak, "let programs run that never wait, and watch the memory that the driver takes")
    one.add_argument("--seconds", type=int, default=20, help="for each load (default 20)")
    one.add_argument("--driver", action="append", choices=["kobalt", "zink", "llvmpipe", "system"],
                     help="only this one (may be repeated; default: kobalt and zink)")
    one.add_argument("--load", action="append", default=[], metavar="NAME", help="only this load (may be repeated)")
    one.add_argument("--no-build", action="store_true", help="use build/prefix as it is")
    one = add("fuzz", actions.command_fuzz, "feed inputs from a seed to the driver, until something is wrong")
    one.add_argument("target", choices=fuzz.names(), metavar="TARGET", help="what is fed: " + ", ".join(fuzz.names()))
    one.add_argument("--seconds", type=float, help="how long (default 20 where --inputs isn't given)")
    one.add_argument("--inputs", type=int, metavar="N", help="how many inputs")
    one.add_argument("--seed", type=int, default=1, help="of the run (default 1)")
    one.add_argument("--first", type=int, default=0, metavar="I", help="the number of the first input (default 0): with --inputs 1, this one again")
    one.add_argument("--validation", action="store_true", help="under the validation layer, synchronisation checked")
    one.add_argument("--driver", default="kobalt", choices=list(fuzz.DRIVERS), help="a peer: does it have the same fault?")
    one.add_argument("--no-build", action="store_true", help="use build/prefix as it is")
    one = add("apps", actions.command_apps, "run real programs in windows, and write docs/apps.md")
    sections = ["small", "openarena", "screensavers", "blender", "supertuxkart", "vtk", "moderngl", "godot", "mpv",
                "openscad", "alacritty"]
    one.add_argument("--only", action="append", choices=sections, metavar="NAME",
                     help="only this section (may be repeated), the others stay as written: " + ", ".join(sections))
    one.add_argument("--stats", action="store_true", help="run each section twice and count shader compilations inside draws "
                     "(default: openarena, screensavers)")
    one = add("status", actions.command_status, "write docs/status.md from the results that lie in out/")
    one.add_argument("--out", default=str(paths.ROOT / "docs/status.md"))
    one.add_argument("--check", action="store_true", help="write nothing: fail unless the run of ./kobalt test that is recorded is one of this "
                     "code, without a failure")
    return top


def main(argv):
    args = parser().parse_args(argv)
    if os.environ.get("KOBALT_DRY_RUN"):
        print("would run: kobalt " + " ".join(argv))
        return 0
    # A plain kill ends what we started (X servers, tests) as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return args.function(args) or 0
    except ui.Stop as stop:
        ui.warn(str(stop))
        return 1
    except KeyboardInterrupt:
        ui.warn("interrupted")
        return 130
    except BrokenPipeError:
        return 141
    except OSError as error:
        known = ui.advise_file(error)
        if not known:
            raise
        ui.warn(str(known))
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
