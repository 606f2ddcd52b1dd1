// SPDX-License-Identifier: MIT
// Copyright the Kobalt authors
#pragma once

namespace kobalt::gltest {

/// True with KOBALT_TEST_RECORDING=1: the tests run on a device that takes every command and draws
/// nothing. The commands are what is tested, so what a test thinks of the *contents* that it read
/// back doesn't count.
bool recording_mode();

/// In recording mode, watches the current context's read-back functions. A test that makes another
/// context calls it again, for that loads all functions anew.
void watch_contents();

/// For a test that reads contents back by a function that isn't among those: it is about to.
void expect_contents();

/// In recording mode, drops the failures of one test that contents may be the reason for. A
/// failure counts all the same
///  - before the test reads anything back (ReadPixels, GetTexImage, GetBufferSubData, a mapped
///    buffer, the result of a query), or Mesa does for a vertex shader that it runs (RasterPos,
///    feedback);
///  - wherever it stands, if it is about a GL error, a shader that doesn't compile, a program that
///    doesn't link, an incomplete framebuffer or a context that can't be made.
/// What goes unseen is a wrong answer about state (glGet...) that a test asks for after it has read
/// contents: the ordinary runs judge those. How many failures were dropped is the test's property
/// `comparisons_not_judged`.
class RecordedTest {
public:
    /// Needs a current context, and calls watch_contents().
    RecordedTest();
    ~RecordedTest();
    RecordedTest(const RecordedTest&) = delete;
    RecordedTest& operator=(const RecordedTest&) = delete;
};

} // namespace kobalt::gltest
