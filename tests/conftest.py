"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

# No deadline: how long an example takes says more about the machine's other work than about the code. The same
# examples every time: a test that fails is then about the change that it fails on.
settings.register_profile("azsearch-ops", deadline=None, derandomize=True)
settings.load_profile("azsearch-ops")
