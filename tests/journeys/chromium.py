"""A headless Chromium, driven over the DevTools protocol by two pipes (https://chromedevtools.github.io)."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

KEYS = {"Escape": 27, "Enter": 13, "Tab": 9}
"""What a key without a character is known by."""


def find_chromium() -> str | None:
    """The command of an installed browser, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One page. `errors` holds what its script reported, `requests` every address that it asked for."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = os.fdopen(read, "rb", buffering=0), os.fdopen(write, "wb", buffering=0)
        self._buffer = b""
        self._next = 0
        self._session: str | None = None
        self._loaded = False
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """The result of a protocol command; what happens meanwhile is noted."""
        self._next += 1
        message = {"id": self._next, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._write.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._next:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self._note(answer)

    def open(self, path: Path, *, width: int = 1280, height: int = 900, dark: bool = False, fragment: str = "") -> None:
        """Load a file in a window of that size and wait for it."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)
        self._loaded = False
        self.requests.clear()
        self.call("Page.navigate", url="about:blank")
        while not self._loaded:
            self._note(self._message())
        self._loaded = False
        self.call("Page.navigate", url=path.resolve().as_uri() + fragment)
        while not self._loaded:
            self._note(self._message())

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        more: dict[str, Any] = {"text": key} if len(key) == 1 else {"windowsVirtualKeyCode": KEYS[key]}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def screenshot(self, path: Path, *, whole: bool = False) -> bytes:
        """Write what the window (or the whole page) shows to a PNG file."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        data = base64.b64decode(shot["data"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return data

    def pdf(self) -> bytes:
        """The page as it is printed."""
        return base64.b64decode(self.call("Page.printToPDF")["data"])

    def close(self) -> None:
        """Let go of the browser."""
        self._write.close()
        self._read.close()

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            part = self._read.read(1 << 20)
            assert part, "the browser has ended"
            self._buffer += part
        raw, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(raw)
        return message

    def _note(self, event: dict[str, Any]) -> None:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(parameters["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])


@contextmanager
def browser(profile: Path) -> Iterator[Page]:
    """A page of a browser of its own, which is ended with it."""
    command = find_chromium()
    assert command is not None
    to_read, to_write = os.pipe(), os.pipe()
    flags = [
        "--headless",
        "--remote-debugging-pipe",
        "--no-sandbox",  # As root, in containers
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
        f"--user-data-dir={profile}",
    ]

    def as_3_and_4() -> None:
        commands, answers = os.dup(to_read[0]), os.dup(to_write[1])
        os.dup2(commands, 3)
        os.dup2(answers, 4)

    process = subprocess.Popen(
        [command, *flags],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=False,
        preexec_fn=as_3_and_4,
    )
    os.close(to_read[0])
    os.close(to_write[1])
    page = None
    try:
        page = Page(to_write[0], to_read[1])
        yield page
    finally:
        if page is not None:
            page.close()
        process.terminate()
        process.wait(timeout=20)
