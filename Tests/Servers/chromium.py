#!/usr/bin/python3
"""A person who logs in with a real Chromium, without a window. Usage: chromium.py < VISITS

Reads one JSON object a line: a visit. `url` is an authorization URL, `user` and `password` are typed into the forms of
authlab or glewlwyd, `action` is approve or deny. Follows the login to the page at the redirect URI, and looks at that
page on a desktop and a phone, light and dark; `images` is the prefix of the screenshots' file names, or absent.

Prints one JSON object a line: first {"version": …} when Chromium is ready, then one for each visit: `title` and `text`
of the last page, `console` (its errors and warnings), `requests` (the URLs that it has loaded or tried to load),
`foreign` (requests of the whole visit that did not go to the loopback interface), `scripts` (how many it has),
`seconds` (from the authorization URL to the last page) and `views`, an object for each view: `overflow` (pixels beyond
the width), `contrast` (the lowest of its texts, WCAG 2.2), `back` (the colour behind) and `image`. {"failure": …} is a
visit that did not come to its end.

An object with `page` in place of `url` is a page to look at: its address, and in `open` the selector of an element that
is clicked. Also printed: `opened` (whether the click has opened a `details` element), `dimmed` (how many of its steps a
click on `choose` has dimmed), and `openViews`, the views after the first click. These images show the whole page.

Serves until its input ends; then Chromium and its profile, a temporary directory, are gone. Exit status: 0, or 1 with
the reason on standard error.
"""
import base64
import ctypes
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

BINARY = "/usr/bin/chromium"
START_LIMIT = 120.0  # seconds
VISIT_LIMIT = 110.0
# Nothing but the pages: no updates, reports, sync or sign-in, and no name but these is resolved.
FLAGS = [
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
    "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-default-apps", "--disable-extensions", "--disable-domain-reliability", "--disable-breakpad",
    "--disable-client-side-phishing-detection", "--no-pings", "--metrics-recording-only", "--password-store=basic",
    "--hide-scrollbars", "--mute-audio", "--proxy-server=direct://",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--disable-features=Translate,OptimizationHints,MediaRouter,AutofillServerCommunication",
]
# Name, width and height in CSS pixels, whether it is a phone.
SCREENS = [("desktop", 1280, 800, False), ("phone", 360, 740, True)]
SCHEMES = ["light", "dark"]

# What is on the page, and how to go on. Typing is left to the browser: a framework would not see a changed value.
LOOK = """
(() => {
  const visible = (e) => e && e.offsetParent !== null && !e.disabled;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);
  const empty = (selector) => all(selector).find((e) => e.value === '');
  return {
    url: location.href, ready: document.readyState, acted: window.acted === true,
    name: !!empty('input[name=username], #username'), password: !!empty('input[type=password]'),
    boxes: all('input[type=checkbox]:not(:checked)').length, decisions: all('button[name=decision]').length,
    buttons: all('button').filter((e) => !e.dataset.clicked).map((e) => e.innerText.trim()),
  };
})()
"""
FOCUS = "document.querySelector(%s).focus()"
SUBMIT = "(window.acted = true, document.querySelector('button[name=decision][value=%s]').click())"
TICK = "document.querySelectorAll('input[type=checkbox]:enabled:not(:checked)').forEach((e) => e.click())"
CLICK = """
(() => {
  const button = [...document.querySelectorAll('button')].find((e) => e.innerText.trim() === %s && !e.dataset.clicked);
  button.dataset.clicked = 'yes';
  button.click();
})()
"""
MEASURE = """
(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = parts(colour).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (parts(colour).length === 3) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const contrast = (e) => {
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  return {
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    contrast: Math.min(...[...document.querySelectorAll(
      'h1, h2, p, blockquote, svg:not([aria-hidden]), td, th, pre, time, small, .text, .note, .token',
    )].filter((e) => e.checkVisibility()).map(contrast)),
    back: getComputedStyle(document.body).backgroundColor,
  };
})()
"""

# The middle of an element on the screen, after it has been scrolled there.
MIDDLE = """
(() => {
  const e = document.querySelector(%s);
  e.scrollIntoView({block: 'center'});
  const box = e.getBoundingClientRect();
  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
})()
"""
DIMMED = """
[...document.querySelectorAll('.step')].filter((e) => {
  e.getAnimations().forEach((a) => a.finish());
  return Number(getComputedStyle(e).opacity) < 0.5;
}).length
"""
WHOLE = """
({x: 0, y: 0, scale: 1, width: document.documentElement.clientWidth, height: document.documentElement.scrollHeight})
"""


class Failure(Exception):
    """The visit, or Chromium itself, did not come to its end."""


def die_with_parent():
    """In the child: SIGKILL when this process goes, however it goes (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Chromium:
    """One browser with one tab, driven through its debugging pipe (Chrome DevTools Protocol)."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="chromium-")
        self.number, self.buffer, self.session = 0, b"", None
        self.console, self.requests, self.foreign = [], [], []
        commands, self.writing = os.pipe2(os.O_CLOEXEC)
        self.reading, answers = os.pipe2(os.O_CLOEXEC)
        # Out of the way of the numbers that they get.
        commands, answers = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (commands, answers))

        def place_pipes():
            die_with_parent()
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": self.directory,
                       "DBUS_SESSION_BUS_ADDRESS": "disabled:", "DBUS_SYSTEM_BUS_ADDRESS": "disabled:"}
        flags = FLAGS + ([] if os.getuid() else ["--no-sandbox"])
        self.log = open(os.path.join(self.directory, "log"), "wb")
        self.process = subprocess.Popen(
            [BINARY, *flags, "--user-data-dir=" + os.path.join(self.directory, "profile"), "about:blank"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment, cwd=self.directory,
            start_new_session=True, preexec_fn=place_pipes, pass_fds=(3, 4))
        os.close(commands)
        os.close(answers)

    def start(self):
        """Waits until it is ready, and returns its version."""
        end = time.monotonic() + START_LIMIT
        version = self.call("Browser.getVersion", end=end)["product"]
        target = next(t for t in self.call("Target.getTargets", end=end)["targetInfos"] if t["type"] == "page")
        attached = self.call("Target.attachToTarget", end=end, targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable", end=end)
        return version

    def call(self, method, end, **parameters):
        """Calls a method and returns its result."""
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(end)
            if answer.get("id") == number:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error'].get('message')}")
                return answer["result"]

    def receive(self, end):
        """Returns the next message; events are noted on the way."""
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.reading], [], [], left)[0]:
                raise Failure("Chromium did not answer in time")
            data = os.read(self.reading, 1 << 16)
            if not data:
                raise Failure("Chromium has ended")
            self.buffer += data
        text, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(text)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, event, facts):
        if event == "Page.frameNavigated" and "parentId" not in facts["frame"]:
            # Another page: what the former one has said does not count.
            self.console, self.requests = [], []
        elif event == "Log.entryAdded":
            entry = facts["entry"]
            if entry["level"] in ("error", "warning"):
                self.console.append(f"{entry['level']}: {entry['text']} {entry.get('url', '')}")
        elif event == "Runtime.consoleAPICalled" and facts["type"] in ("error", "warning", "assert"):
            self.console.append(f"{facts['type']}: {facts['args']}")
        elif event == "Runtime.exceptionThrown":
            self.console.append(f"exception: {facts['exceptionDetails'].get('text')}")
        elif event == "Network.requestWillBeSent":
            url = facts["request"]["url"]
            self.requests.append(url)
            parts = urlsplit(url)
            if parts.scheme not in ("data", "file") and parts.hostname not in ("127.0.0.1", "localhost"):
                self.foreign.append(url)

    def evaluate(self, script, end):
        """Runs a script in the page and returns its value; None where the page has just gone."""
        try:
            result = self.call("Runtime.evaluate", end, expression=script, returnByValue=True)
        except Failure as failure:
            if "context" in str(failure) or "navigated" in str(failure):
                return None
            raise
        if "exceptionDetails" in result:
            raise Failure(f"script: {result['exceptionDetails']}")
        return result["result"].get("value")

    def pause(self, end):
        """Waits for an event, or for a moment in which a page of scripts may change itself."""
        if select.select([self.reading], [], [], 0.03)[0] or b"\0" in self.buffer:
            self.receive(end)

    def visit(self, order):
        """Logs in and returns what the last page is like."""
        end = time.monotonic() + VISIT_LIMIT
        begin = time.monotonic()
        self.foreign = []
        self.call("Emulation.clearDeviceMetricsOverride", end)
        self.call("Page.navigate", end, url=order["url"])
        while not self.has_arrived(order["url"], end):
            self.act(order, end)
            self.pause(end)
        seconds = time.monotonic() - begin
        page = self.evaluate(
            "({title: document.title, text: document.body.innerText, scripts: document.scripts.length})", end)
        views = self.views(order.get("images"), end)
        return {**page, "seconds": round(seconds, 3), "views": views, "console": self.console,
                "requests": self.requests, "foreign": self.foreign}

    def look(self, order):
        """Opens a page, looks at it, clicks, and looks again."""
        end = time.monotonic() + VISIT_LIMIT
        self.foreign = []
        self.call("Emulation.clearDeviceMetricsOverride", end)
        self.call("Page.navigate", end, url=order["page"])
        while self.evaluate("document.readyState + location.href", end) != "complete" + order["page"]:
            self.pause(end)
        page = self.evaluate(
            "({title: document.title, text: document.body.innerText, scripts: document.scripts.length})", end)
        images = order["images"]
        views = self.views(images, end, is_whole=True)
        self.click(order["open"], end)
        opened = self.evaluate(f"document.querySelector({json.dumps(order['open'])}).closest('details').open", end)
        open_views = self.views(images + "-open", end, is_whole=True)
        self.click(order["choose"], end)
        dimmed = self.evaluate(DIMMED, end)
        return {**page, "opened": opened, "dimmed": dimmed, "views": views, "openViews": open_views,
                "console": self.console, "requests": self.requests, "foreign": self.foreign}

    def click(self, selector, end):
        """Clicks with the mouse in the middle of an element."""
        middle = self.evaluate(MIDDLE % json.dumps(selector), end)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", end, type=kind, x=middle["x"], y=middle["y"], button="left",
                      clickCount=1)

    def views(self, images, end, is_whole=False):
        """Looks at the page on each screen, in each colour scheme."""
        return {
            f"{screen[0]}-{scheme}": self.view(screen, scheme, images, end, is_whole)
            for screen in SCREENS for scheme in SCHEMES
        }

    def has_arrived(self, start, end):
        """Whether the page of the redirect URI is shown: that of any other origin, as the URI may have been pushed."""
        place = self.evaluate("({url: location.href, ready: document.readyState})", end)
        if place and place["url"].startswith("chrome-error:"):
            raise Failure("the page could not be loaded")
        if not place or place["ready"] != "complete" or not place["url"].startswith("http"):
            return False
        return urlsplit(place["url"]).netloc != urlsplit(start).netloc

    def act(self, order, end):
        """Does the next thing that a person would do on the page that is shown."""
        page = self.evaluate(LOOK, end)
        if not page or page["ready"] != "complete" or page["acted"]:
            return
        if page["name"]:
            self.type("input[name=username], #username", order["user"], end)
        elif page["password"]:
            self.type("input[type=password]", order["password"], end)
        elif page["decisions"]:
            self.evaluate(SUBMIT % ("deny" if order["action"] == "deny" else "allow"), end)
        elif page["boxes"]:
            self.evaluate(TICK, end)
        else:
            # glewlwyd: log in, grant the scopes that are ticked, go on to the client.
            label = next((label for label in ("OK", "Grant access", "Continue") if label in page["buttons"]), None)
            if label:
                self.evaluate(CLICK % json.dumps(label), end)

    def type(self, selector, text, end):
        self.evaluate(FOCUS % json.dumps(selector), end)
        self.call("Input.insertText", end, text=text)

    def view(self, screen, scheme, images, end, is_whole=False):
        """Looks at the page on a screen, in a colour scheme."""
        name, width, height, is_phone = screen
        self.call("Emulation.setDeviceMetricsOverride", end, width=width, height=height, deviceScaleFactor=1,
                  mobile=is_phone)
        self.call("Emulation.setEmulatedMedia", end, features=[{"name": "prefers-color-scheme", "value": scheme}])
        view = self.evaluate(MEASURE, end)
        if images:
            view["image"] = f"{images}-{name}-{scheme}.png"
            shot = self.call("Page.captureScreenshot", end, format="png", captureBeyondViewport=is_whole,
                             **({"clip": self.evaluate(WHOLE, end)} if is_whole else {}))
            with open(view["image"], "wb") as file:
                file.write(base64.b64decode(shot["data"]))
        return view

    def stop(self):
        """Ends Chromium with all its processes and removes its profile."""
        if self.process.poll() is None:
            try:
                os.write(self.writing, b'{"id":0,"method":"Browser.close"}\0')
                self.process.wait(5)
            except (OSError, subprocess.TimeoutExpired):
                pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def complaint(self):
        """What Chromium itself said, for a failure's message."""
        with open(os.path.join(self.directory, "log"), encoding="utf-8", errors="replace") as file:
            return file.read()[-2000:]


def main():
    def stop_early(number, frame):
        raise SystemExit(0)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop_early)
    chromium = Chromium()
    try:
        print(json.dumps({"version": chromium.start()}), flush=True)
        for line in sys.stdin:
            try:
                order = json.loads(line)
                print(json.dumps(chromium.look(order) if "page" in order else chromium.visit(order)), flush=True)
            except Failure as failure:
                print(json.dumps({"failure": str(failure)}), flush=True)
        return 0
    except Failure as failure:
        print(f"chromium.py: {failure}\n{chromium.complaint()}", file=sys.stderr)
        return 1
    finally:
        chromium.stop()


if __name__ == "__main__":
    sys.exit(main())
