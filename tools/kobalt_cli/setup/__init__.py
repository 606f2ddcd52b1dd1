# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""What the build and the tests need: packages, Mesa's release with the patches, the build, the bundle."""
