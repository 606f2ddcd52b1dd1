#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright the Kobalt authors
"""Stands in for a dEQP program: takes its options, writes its log's format, and does what the last word of each case's name says."""
import os
import sys
import time

CODES = {"pass": ("Pass", "Pass"), "fail": ("Fail", "Image comparison failed: 12 &lt; 13"), "skip": ("NotSupported", "needs GL_ARB_x"),
         "warn": ("QualityWarning", "coarse"), "broken": ("InternalError", "no memory")}
UNKNOWN = ("unknown",)  # cases that the program hasn't


def main():
    options = dict(word[2:].partition("=")[::2] for word in sys.argv[1:])
    if os.environ.get("STAND_IN") == "dead":
        print("FATAL ERROR: no GL here")
        return 1
    if os.environ.get("STAND_IN") == "silent":
        time.sleep(60)
    if os.environ.get("STAND_IN") != "other":
        print("kobalt: started, no validation layer is on", file=sys.stderr, flush=True)
    with open(options["deqp-caselist-file"], encoding="utf-8") as file:
        names = file.read().split()
    if any(name.endswith("poison") for name in names):
        return 2  # before any case
    with open(options["deqp-log-filename"], "w", encoding="utf-8") as log:
        def say(text):
            log.write(text + "\n")
            log.flush()
        say("#sessionInfo releaseName stand-in\n#beginSession")
        for name in names:
            act = name.split(".")[-1].rstrip("0123456789")
            if act in UNKNOWN:
                continue
            say("\n#beginTestCaseResult %s\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<TestCaseResult Version=\"0.3.4\" CasePath=\"%s\" CaseType=\"SelfValidate\">" % (name, name))
            say(" <Text>what %s says</Text>" % name)
            if act == "crash":
                print("assertion of %s" % name, file=sys.stderr, flush=True)
                os.abort()
            if act == "hang":
                time.sleep(120)
            if act == "slow":  # slow, but never silent for long
                for _ in range(10):
                    time.sleep(0.5)
                    say(" <Text>still here</Text>")
                act = "pass"
            if act == "cut":
                say("#terminateTestCaseResult Timeout")
                continue
            if act != "mute":
                say(" <Number Name=\"TestDuration\" Description=\"Test case duration in microseconds\" Tag=\"Time\" Unit=\"us\">2500000</Number>")
                say(" <Result StatusCode=\"%s\">%s</Result>" % CODES[act])
            say("</TestCaseResult>\n\n#endTestCaseResult")
        say("#beginTestsCasesTime\n#endTestsCasesTime\n#endSession")
    return 0


if __name__ == "__main__":
    sys.exit(main())
