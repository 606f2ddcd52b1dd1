# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""No source is longer than 400 lines: a longer one has more than one concept."""
import unittest

import support

LIMIT = 400
FOLDERS = ("src", "tests", "tools", "bench")
ENDINGS = (".cpp", ".h", ".c", ".py", ".sh")
# What no person writes or reads line by line.
EXCEPTIONS = {"tests/gl/support/spirv_modules.h": "words of SPIR-V, as glslang made them"}


def lengths():
    """{source: its lines}."""
    return {str(path.relative_to(support.ROOT)): len(path.read_text(encoding="utf-8").splitlines())
            for folder in FOLDERS for path in (support.ROOT / folder).rglob("*")
            if path.suffix in ENDINGS and path.is_file() and "__pycache__" not in path.parts}


class FileSizes(unittest.TestCase):
    def test_no_source_is_too_long(self):
        found = lengths()
        self.assertGreater(len(found), 300)
        for name, lines in found.items():
            if name not in EXCEPTIONS:
                self.assertLessEqual(lines, LIMIT, "%s has more than one concept: split it" % name)

    def test_each_exception_is_needed(self):
        found = lengths()
        for name, reason in EXCEPTIONS.items():
            self.assertTrue(reason)
            self.assertGreater(found.get(name, 0), LIMIT, "%s needs no exception" % name)


if __name__ == "__main__":
    unittest.main()
