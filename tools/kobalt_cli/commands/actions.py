# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What each command of ./kobalt does: it brings what is needed here, then hands over to the module that does the work."""
from ..lib import paths, ui
from ..lib.target import AMD64, ARM64, I386


def run_words(words):
    """The words after `--`, or all of them when there is no `--`."""
    return words[1:] if words[:1] == ["--"] else words


def gpu_of(args, peers=False):
    """The GPU that --gpu names, with all that it needs, or None."""
    if not args.gpu:
        return None
    from ..lib import gpu
    from ..setup import gpu_setup
    chosen = gpu.find(args.gpu)
    gpu_setup.ensure(peers)
    gpu.say(chosen)
    return chosen


def built_for(args):
    """The architecture that --arch names, with the build for it."""
    if args.arch == ARM64.name:
        raise ui.Stop("this machine starts no programs of arm64 by itself: CONTRIBUTING.md says how qemu starts them")
    if args.arch == I386.name:
        if args.gpu:
            raise ui.Stop("--gpu has drivers of the machine's own architecture alone: leave --arch or --gpu out")
        from ..setup import i386_setup
        i386_setup.ensure()
        return I386
    from ..setup import setup
    if not getattr(args, "no_build", False):
        setup.ensure(only_use=True, tests=False)
    return AMD64


def command_run(args):
    from . import run
    target = built_for(args)
    chosen, app = gpu_of(args), run_words(args.app)
    return run.application(app, chosen, args.csv, target) if app else run.demo(args, chosen, args.csv, target)


def command_enable(args):
    from . import enable
    return enable.command(args)


def command_info(args):
    from . import run
    target = built_for(args)
    return run.program("kobalt-info", run_words(args.rest), gpu_of(args), target)


def command_variables(args):
    from ..setup import setup
    from ..reports import variables
    setup.ensure(only_use=not args.write, tests=False)
    return variables.command(args.write)


def command_gpus(args):
    from ..reports import gpu_report
    return gpu_report.command(args)


def command_features(args):
    from ..setup import gpu_setup, setup
    from ..conformance import features
    if not (args.write or args.read):
        setup.ensure(setup.BUILD)
        if not args.record:
            setup.ensure_peers()
            gpu_setup.ensure(peers=True)
    return features.command(args)


def command_test(args):
    from ..setup import setup
    from ..suites import suites
    if not args.list:
        setup.ensure(setup.TESTS)
    return suites.run(args)


def command_build(args):
    from ..setup import arm64_setup, i386_setup, setup
    for target, other in ((I386, i386_setup), (ARM64, arm64_setup)):
        if args.arch == target.name:
            other.ensure(args.tests, args.verbose)
            ui.note("Kobalt %s for %s is in %s" % (paths.version(), target.name, target.prefix.relative_to(paths.ROOT)))
            return 0
    setup.ensure(setup.TESTS if args.tests else setup.BUILD, verbose=args.verbose, tests=args.tests)
    ui.note("Kobalt %s is in %s" % (paths.version(), paths.PREFIX.relative_to(paths.ROOT)))
    return 0


def command_setup(args):
    from ..setup import setup
    setup.prepare(setup.TESTS if args.tests else setup.BUILD)
    return 0


def command_bundle(args):
    from ..setup import bundle, i386_setup, setup
    both = args.arch == "both"
    if not args.no_build:
        setup.compile_current()
        if both:
            i386_setup.compile_current()
    return bundle.make(args.out, both)


def command_package(args):
    from ..setup import debian_package
    from ..reports import package_page
    return package_page.write() if args.write else debian_package.command(args)


def command_mesa(args):
    from ..setup import mesa_series, mesa_source, setup
    from ..reports import mesa_docs
    if args.action != "document" and not args.folder:
        raise ui.Stop("name the folder of the git tree: ./kobalt mesa %s DIR" % args.action)
    if args.action == "checkout":
        if not mesa_source.present():
            setup.prepare(setup.BUILD)
        mesa_series.checkout(args.folder, prepared=args.prepared)
        ui.note("%s is a git tree of Mesa %s with a commit for each patch" % (args.folder, paths.MESA_VERSION))
        return 0
    if args.action == "export":
        ui.note("%d patches are in %s" % (len(mesa_series.export(args.folder)), mesa_series.FOLDER.relative_to(paths.ROOT)))
    mesa_docs.write()
    return 0


def command_peer(args):
    from ..setup import setup
    from . import run
    setup.prepare()
    setup.ensure_peers()
    if args.app[:1] == ["--gpu"] and len(args.app) > 1:  # after the driver's name, it would go to the program
        args.gpu, args.app = args.app[1], args.app[2:]
    return run.peer(args.driver, run_words(args.app), gpu_of(args))


def command_piglit(args):
    from ..setup import setup
    from ..conformance import piglit
    if args.driver == "kobalt":
        if not args.no_build:
            setup.ensure(setup.TESTS)
    elif not args.no_build:
        setup.prepare(setup.TESTS)
    if args.driver in ("zink", "llvmpipe"):
        setup.ensure_peers()
    return piglit.command(args)


def command_deqp(args):
    from ..setup import setup
    from ..conformance import deqp
    if args.peer or args.no_build:
        setup.prepare()
    else:
        setup.ensure()
    if args.peer in ("zink", "llvmpipe") or (args.peer and args.gpu):
        setup.ensure_peers()
    return deqp.command(args, gpu_of(args, peers=bool(args.peer)))


def command_compare(args):
    from ..reports import compare
    return compare.command(args)


def command_corpus(args):
    from ..setup import setup
    from ..conformance import corpus
    if not args.no_build:
        setup.ensure(setup.TESTS)
    return corpus.command(args)


def command_profile(args):
    from ..setup import setup
    from ..reports import profiles
    setup.prepare(setup.TESTS)
    if not (args.no_run or args.take):
        setup.ensure_peers()
    return profiles.command(args)


def command_matrix(args):
    from ..setup import setup
    from . import matrix
    if not args.no_build:
        setup.ensure(setup.TESTS)
    return matrix.command(args)


def command_bench(args):
    from ..setup import i386_setup, setup
    from ..workloads import bench, compute, fault_walk, frame, gpu_bench, overhead, server_matrix, sso, transfer, width_cost
    if args.read:
        return (compute if args.what == "compute" else sso).command(args, None)
    if args.what == "servers":
        setup.ensure(setup.TESTS)
        return server_matrix.command(args)
    if args.what == "faults":
        setup.ensure(setup.TESTS)
        setup.ensure_peers()
        return fault_walk.command(args)
    setup.ensure(setup.TESTS if args.overhead or args.instructions else setup.BUILD)
    if args.instructions and args.arch == I386.name:
        i386_setup.ensure(tests=True)
        return width_cost.command(args)
    setup.ensure_peers()
    chosen = gpu_of(args, peers=True)
    if args.what == "sso":
        return sso.command(args, chosen)
    if args.what == "frame":
        return frame.command(args, chosen)
    if args.what == "transfer":
        return transfer.command(args, chosen)
    if args.what == "compute":
        return compute.command(args, chosen)
    if chosen or args.instructions:
        return gpu_bench.command(args, chosen)
    return overhead.command(args) if args.overhead else bench.command(args)


def command_cost(args):
    from . import cost
    return cost.command(args)


def command_soak(args):
    from ..setup import setup
    from ..workloads import soak
    if not args.no_build:
        setup.ensure(setup.BUILD)
    if not args.driver or set(args.driver) & {"zink", "llvmpipe"}:
        setup.ensure_peers()
    return soak.command(args)


def command_fuzz(args):
    from ..setup import setup
    from ..workloads import fuzz
    if not args.no_build:
        setup.ensure(setup.TESTS)
    if args.driver != "kobalt":
        setup.ensure_peers()
    return fuzz.command(args)


def command_apps(args):
    from ..setup import setup
    from ..workloads import apps
    setup.ensure(setup.APPS)
    setup.ensure_peers()
    return apps.command(args)


def command_status(args):
    from ..reports import status
    return status.check() if args.check else status.write(args.out)


def command_report(args):
    from . import report
    return report.write(args.out)


def command_uninstall(args):
    from . import uninstall
    return uninstall.command(args)
