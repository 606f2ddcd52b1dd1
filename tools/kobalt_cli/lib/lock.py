# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""One ./kobalt at a time sets up, builds and installs; a second one waits, then finds the work done. Those that only look
whether there is something to do don't wait for each other."""
import contextlib
import errno
import fcntl
import os

from . import paths, ui

_depth = {}  # lock file: how often this process is inside


def _open(path):
    """A descriptor of the lock file, or None where nothing can be written: then nothing can be built either."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)  # another user's: reading is enough to lock it
    except OSError:
        return None


def _still_there(descriptor, path):
    """False when the lock file was removed (with all of .kobalt) while this process waited for it."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _acquire(path):
    """A descriptor that holds the lock, or None where the file system knows no locks."""
    told = False
    while True:
        descriptor = _open(path)
        if descriptor is None:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not told:
                ui.remark("another ./kobalt builds here, waiting")
                told = True
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            except BaseException:
                os.close(descriptor)
                raise
        except OSError:
            os.close(descriptor)
            return None
        if _still_there(descriptor, path):
            return descriptor
        os.close(descriptor)


@contextlib.contextmanager
def shared(path=None):
    """Yields True while nobody holds the lock, which nobody gets then; at once False where somebody holds it, or where
    there are no locks."""
    path = path or paths.STATE / "lock"
    descriptor = _open(path)
    free = descriptor is not None
    try:
        if free:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        free = False
    try:
        yield free
    finally:
        if descriptor is not None:
            os.close(descriptor)


@contextlib.contextmanager
def held(path=None):
    """Holds the project's lock; within one process, calls may nest.

    The programs that are started meanwhile don't inherit it, and neither does one that replaces this process.
    """
    path = path or paths.STATE / "lock"
    if _depth.get(path):
        _depth[path] += 1
        try:
            yield
        finally:
            _depth[path] -= 1
        return
    descriptor = _acquire(path)
    _depth[path] = 1
    try:
        yield
    finally:
        del _depth[path]
        if descriptor is not None:
            os.close(descriptor)
