# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Lets the tests import the launcher's modules."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT / "tools") not in sys.path:
    sys.path.insert(0, str(ROOT / "tools"))
