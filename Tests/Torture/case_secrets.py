"""Looks for every secret of a run in output, files, arguments, environments and images of memory."""
import base64
import contextlib
import ctypes
import json
import os
import resource
import subprocess
import tempfile
import threading
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from place import Place
from row import Row
from session import PASSWORD, wait_until

ODD = "conf secret/+%&=é"
TYPED = ("alice-pass", "wrong-password", "wrong-keyring-password", "code-of-a-redirect", ODD)
# What a person puts where all can read it is not repeated elsewhere.
ARGUMENTS = ("key-as-argument", "password-as-argument", "query-as-argument")
BROWSER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Servers", "browser.py")
FORM = ("code", "code_verifier", "client_secret", "refresh_token", "token", "subject_token", "assertion",
        "client_assertion", "device_code", "password")
# The commands that record their requests, and the forms of a record.
TRACED = ("login", "call", "refresh", "exec", "logout")
FORMS = ("har", "html", "mmd", "jsonl")
# What `exec` becomes in these runs: with the token in its environment, as it should be.
COMMAND = ["true"]
HANDED_OUT = b"AUTHCTL_TOKEN="
FAULTS = ({"kind": "status", "status": 500}, {"kind": "drop"}, {"kind": "malformed"}, {"kind": "html"},
          {"kind": "always401"}, {"kind": "truncate"}, {"kind": "retry_after", "milliseconds": 1000}, {"kind": "empty"},
          {"kind": "pad", "bytes": 100_000}, {"kind": "redirect", "location": "/x?code=code-of-a-redirect"})


class Watch:
    """Takes down the arguments and environments of all that runs in a place, until it is closed."""

    def __init__(self, place):
        self.place, self.seen, self.ended = place, set(), threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()

    def look(self):
        while not self.ended.wait(0.005):
            for process in self.place.processes():
                with contextlib.suppress(OSError):
                    # In this order: a program whose environment was read has no arguments of the one before it.
                    environment, words = [read(f"/proc/{process}/{kind}") for kind in ("environ", "cmdline")]
                    # It may have become another program meanwhile, one that is not of this place.
                    if self.place.marker.encode() not in environment:
                        continue
                    if words == b"".join(word.encode() + b"\0" for word in COMMAND):
                        kept = (pair for pair in environment.split(b"\0") if not pair.startswith(HANDED_OUT))
                        environment = b"\0".join(kept)
                    self.seen.update((environment, words))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


class Hunt:
    """One place, and what was seen of it: pairs of where, and bytes."""

    def __init__(self, place, row, browser):
        self.place, self.row, self.seen = place, row, []
        self.place.environment["BROWSER"] = browser
        self.folder, self.traces = f"{place.session.folder}/work", f"{place.session.folder}/traces"
        os.mkdir(self.folder)
        os.mkdir(self.traces)

    def trace(self, arguments):
        """The options that record a run in all forms; a line of JSON on standard error is no place for a diagram."""
        if arguments[0] not in TRACED:
            return []
        files = [f"{self.traces}/{self.row.rounds}.{form}" for form in FORMS]
        is_json = "--json" in arguments or "AUTHCTL_ERRORS" in self.place.environment
        return [word for file in files + ([] if is_json else ["-"]) for word in ("--trace", file)]

    def run(self, what, arguments, *statuses, text="", shows_token=False, **more):
        """Runs a command with all its traces; a token that is asked for stands on standard output and nowhere else."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as error:
            process = self.place.start(
                arguments[0], *self.trace(arguments), *arguments[1:], stdin=subprocess.PIPE, stdout=output,
                stderr=error, cwd=self.folder, **more)
            process.communicate(text.encode(), timeout=120)
            for name, file in ("output", output), ("error", error):
                file.seek(0)
                told = file.read()
                if not (name == "output" and shows_token):
                    self.seen.append((f"{what}, standard {name}", told))
        self.row.rounds += 1
        self.row.codes[process.returncode] += 1
        self.row.check(process.returncode in statuses, f"{what}: status {process.returncode}: {told.decode()[-400:]}")

    def profile(self, name, **keys):
        """Writes a profile."""
        keys = {"issuer": self.place.lab.origin, "client_id": "cli", "api": [f"{self.place.lab.origin}/api"], **keys}
        lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
        with open(f"{self.place.session.folder}/c/authctl/profiles/{name}.toml", "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write("\n".join(lines) + "\n")

    def secrets(self):
        """All that was typed, issued, sent or made, as it is and as it stands in forms and in Basic credentials."""
        lab, found = self.place.lab, set(TYPED + ARGUMENTS)
        found |= set(lab.issued())
        for request in json.loads(lab.send("GET", "/control/last?n=4000")):
            fields = urllib.parse.parse_qs(request.get("form") or "")
            found |= {value for name in FORM for value in fields.get(name, [])}
            for name, value in request["headers"]:
                if name.lower() == "authorization":
                    found.add(value.partition(" ")[2])
        found |= self.private_keys()
        found |= {urllib.parse.quote(secret, safe="") for secret in found}
        found |= {base64.b64encode(f"odd:{secret}".encode()).decode() for secret in (ODD, urllib.parse.quote(ODD, ""))}
        return {secret.encode() for secret in found if len(secret) > 7}

    def private_keys(self):
        """The private halves of the keys in the keyring."""
        found = set()
        for kind in ("dpop-key", "key"):
            told = subprocess.run(
                ["secret-tool", "lookup", "application", "authctl", "kind", kind], stdout=subprocess.PIPE,
                env=self.place.session.environment, stderr=subprocess.DEVNULL, check=False).stdout
            with contextlib.suppress(ValueError):
                found.add(json.loads(told)["d"])
        return found

    def files(self):
        """All files below the home, which is where the temporary folder is, too."""
        for folder, _, names in os.walk(self.place.session.folder):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path):
                    yield f"the file {os.path.relpath(path, self.place.session.folder)}", read(path)

    def end(self, watch):
        """Compares what was seen with the secrets."""
        secrets = self.secrets()
        self.row.check(len(secrets) > 50, f"only {len(secrets)} secrets are known")
        argued = {argument.encode() for argument in ARGUMENTS}
        places = [(where, told, secrets) for where, told in self.seen + list(self.files())]
        places += [("arguments or environment", told, secrets - argued) for told in watch.seen]
        for where, told, hunted in places:
            for secret in hunted:
                self.row.check(secret not in told, f"{where}: {secret[:6]!r}…: {excerpt(told, secret)}")
        self.row.note = f"{len(secrets)} secrets, {len(places)} places"


def read(path):
    """All bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def excerpt(told, secret):
    """What stands around a secret that should not be there."""
    at = told.find(secret)
    return told[max(0, at - 120):at].decode(errors="replace") if at >= 0 else ""


def logins(hunt, traces):
    """Every flow, right and wrong."""
    place, origin = hunt.place, hunt.place.lab.origin
    browser = ["login", "b", *traces, "--issuer", origin, "--client-id", "cli", "--api", f"{origin}/api", "--scope",
               "openid", "--scope", "api"]
    place.lab.change(par="required")
    hunt.run("pushed browser login", browser, 0)
    place.lab.change(par="off")
    hunt.run("browser login", browser, 0)
    hunt.run("wrong password", ["login", place.profile, *traces, "--password-stdin"], 6, text="wrong-password")
    hunt.run("password", ["login", place.profile, *traces, "--password-stdin"], 0, text="alice-pass")
    for encoding in "form", "percent", "raw":
        hunt.profile(encoding, client_id="odd", flow="client-credentials", basic_encoding=encoding,
                     client_authentication="client_secret_basic")
        hunt.run(f"secret, {encoding}", ["login", encoding, *traces, "--client-secret-stdin"], 0, text=ODD)
    hunt.profile("post", client_id="odd", flow="client-credentials", client_authentication="client_secret_post")
    hunt.run("secret, post", ["login", "post", *traces, "--client-secret-stdin"], 0, text=ODD)
    hunt.profile("d", flow="password", username="alice", dpop=True)
    hunt.run("DPoP", ["login", "d", *traces, "--password-stdin"], 0, text="alice-pass")
    hunt.run("DPoP call", ["call", "-p", "d", *traces, "me"], 0)
    hunt.profile("x", flow="token-exchange")
    subject = place.stored()["access_token"]
    hunt.run("token exchange", ["login", "x", *traces, "--subject-token-stdin"], 0, text=subject)
    hunt.profile("t", flow="token")
    hunt.run("token from stdin", ["login", "t", *traces, "--flow", "token"], 0, text=subject)
    hunt.profile("v", flow="device")
    with ThreadPoolExecutor(1) as threads:
        approval = threads.submit(approve, place.lab)
        hunt.run("device", ["login", "v", *traces], 0)
        approval.result()
    hunt.run("secret as argument", ["login", "t", *traces, "--password=password-as-argument"], 2)


def approve(lab):
    """Approves the login on another device as soon as it waits."""
    def is_approved():
        lab.send("POST", "/control/device", '{"decision":"allow","user":"alice"}')
        return lab.count("token.device_code.ok") > 0
    wait_until("the login on another device", is_approved)


def reports(hunt, traces):
    """What shows a token's claims and the state of a profile, and what hands a token out."""
    place, profile = hunt.place, hunt.place.profile
    for more in [], ["--json"], ["--online", "--explain"]:
        hunt.run(f"inspect {more}", ["inspect", profile, *more, *traces], 0)
    hunt.run("inspect -", ["inspect", "-", "-p", profile, *traces], 0, text=place.stored()["access_token"])
    for more in [], ["--json"]:
        hunt.run(f"doctor {more}", ["doctor", *more, *traces], 0, 3, 6)
    hunt.run("exec", ["exec", "-p", profile, *traces, "--", *COMMAND], 0)
    for _ in range(2):
        hunt.run("cached call", ["call", "-p", profile, *traces, "--cache", "1s", "me"], 0)
    hunt.run("cached token", ["token", "-p", profile, *traces, "--cache", "1s"], 0, shows_token=True)
    hunt.run("batch", ["call", "-p", profile, *traces, "--batch", "-"], 0, text="me\nme\n")
    place.session.lock()
    unlock = ["keyring", "unlock", *traces, "--password-stdin"]
    hunt.run("wrong password of the keyring", unlock, 4, text="wrong-keyring-password")
    hunt.run("password of the keyring", unlock, 0, text=PASSWORD.decode())


def uses(hunt, traces):
    """Calls, refreshes, reports, and the end."""
    lab, profile = hunt.place.lab, hunt.place.profile
    common = ["-p", profile, *traces]
    hunt.run("call", ["call", *common, "me"], 0)
    lab.expire()
    hunt.run("replay", ["call", *common, "-d", "a=b", "me?access_token=query-as-argument"], 0, 22)
    hunt.run("refresh", ["refresh", profile, *traces], 0)
    hunt.run("refresh --json", ["refresh", "--all", "--json", *traces], 0, 3, 6)
    for fault in FAULTS:
        lab.fail("token", **{**fault, "count": 3})
        hunt.run(f"refresh, {fault}", ["refresh", profile, *traces], 0, 3, 5, 6)
        lab.clear_faults()
        hunt.run("password again", ["login", profile, *traces, "--password-stdin"], 0, 5, 6, text="alice-pass")
    for fault in FAULTS:
        lab.fail("api", **{**fault, "count": 3})
        hunt.run(f"call, {fault}", ["call", *common, "me"], 0, 1, 5, 6, 22)
        lab.clear_faults()
    hunt.run("status", ["status", *traces], 0)
    hunt.run("status --json", ["status", "--json", *traces], 0)
    hunt.run("profile show", ["profile", "show", profile, *traces], 0)
    hunt.run("token", ["token", *common], 0, shows_token=True)
    hunt.run("foreign origin", ["call", *common, "http://127.0.0.2:1/x"], 7)
    hunt.run("refused", ["call", *common, "-H", "X-Api-Key: key-as-argument", "me?client_secret=query-as-argument"], 0)


def ends(hunt, traces):
    """Revocation that works and that fails."""
    hunt.place.lab.fail("revoke", kind="always401", count=1)
    hunt.run("logout, refused", ["logout", "b", *traces], 0, 6)
    hunt.place.lab.clear_faults()
    hunt.run("dead", ["call", "-p", "b", *traces, "me"], 3)
    # Another token: one that the API has refused in spite of a refresh is not refreshed again for a while.
    hunt.run("login", ["login", hunt.place.profile, *traces, "--password-stdin"], 0, text="alice-pass")
    hunt.place.lab.revoke_all()
    hunt.run("revoked", ["call", "-p", hunt.place.profile, *traces, "me"], 3)
    hunt.run("logout", ["logout", hunt.place.profile, *traces], 0, 5, 6)


def crash(process):
    """Lets a process continue at the address 0; a process that is not dumpable is root's alone to be led there."""
    libc = ctypes.CDLL(None, use_errno=True)
    attach, poke, detach, instruction_pointer = 16, 6, 17, 16 * 8
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if libc.ptrace(attach, process.pid, None, None) != 0:
        return False
    os.waitpid(process.pid, 0)
    libc.ptrace(poke, process.pid, instruction_pointer, None)
    libc.ptrace(detach, process.pid, None, None)
    return True


def crashes(hunt):
    """A call that crashes says by which signal, and leaves no image of its memory."""
    if os.uname().machine != "x86_64":
        return
    hunt.place.must(hunt.place.log_in(), "a login")
    asked = hunt.place.lab.count("api")
    process = hunt.place.start(
        "call", "-p", hunt.place.profile, "slow?ms=3000", cwd=hunt.folder, stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2))
    wait_until("the request", lambda: hunt.place.lab.count("api") > asked)
    expected = 1 if crash(process) else 0  # a crash is reported as an error
    said = process.communicate(timeout=120)[1].decode()
    hunt.row.check(process.returncode == expected, f"it ended with {process.returncode}, not {expected}: {said}")
    hunt.row.check(not expected or "an internal error (SIGSEGV)" in said, f"it said: {said}")
    hunt.row.rounds += 1
    left = os.listdir(hunt.folder)
    hunt.row.check(not left, f"a crash left {left}")


def one(torture, traces, variables):
    """All of it with one way to be told."""
    row = Row("secrets, " + " ".join(traces + list(variables)))
    hook = "[on]\nlogin_required = 'env >> \"$HOME/told\"; cat /proc/$$/cmdline >> \"$HOME/told\"'\n"
    with Place(torture.binaries, hook) as place, tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False) as script:
        # Its own way to the password, which is not in its environment.
        script.write("#!/bin/sh\nunset AUTHCTL_TORTURE\n"
                     f'BROWSER_USER=alice BROWSER_PASSWORD=alice-pass exec {BROWSER} "$@"\n')
        script.close()
        os.chmod(script.name, 0o700)
        place.environment |= {**variables, "TMPDIR": f"{place.session.folder}/k"}
        hunt = Hunt(place, row, script.name)
        try:
            with Watch(place) as watch, open(f"{place.session.folder}/watch", "wb") as shown:
                process = place.start("status", "--watch", *traces, stdout=shown, stderr=shown)
                logins(hunt, traces)
                uses(hunt, traces)
                reports(hunt, traces)
                ends(hunt, traces)
                process.terminate()
                row.check(process.wait() == 143, "the watch had ended")
                place.settle()
            crashes(hunt)
            hunt.end(watch)
        finally:
            os.unlink(script.name)
    return row.end()


def run(torture):
    """With little and with much told, and with errors as JSON; side by side, since much of it is waiting."""
    ways = ((["-v"], {}), (["-vv"], {}), ([], {"AUTHCTL_ERRORS": "json"}))
    with ThreadPoolExecutor(3) as threads:
        yield from threads.map(lambda way: one(torture, *way), ways[1:] if torture.short else ways)
