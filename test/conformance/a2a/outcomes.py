"""Writes how each test of the kit has ended, one JSON object a line, into the file that A2A_OUTCOMES names."""

import json
import os


def pytest_runtest_logreport(report):
    # Before and after a test only what went wrong is of interest.
    if report.when != "call" and report.passed:
        return
    expected = hasattr(report, "wasxfail")
    outcome = {
        "test": report.nodeid.removeprefix("tests/compatibility/"),
        "outcome": "fell short" if expected else report.outcome,
        "reason": report.wasxfail if expected else _reason(report),
    }
    with open(os.environ["A2A_OUTCOMES"], "a", encoding="utf-8") as file:
        file.write(json.dumps(outcome) + "\n")


def _reason(report):
    if report.skipped:
        return report.longrepr[2]
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(report.longrepr or "") if crash is None else crash.message
