"""All that one person has: a session with a keyring, a profile, and a server to log in to."""
import collections
import json
import os
import secrets
import signal
import subprocess
import time

import sealed
from lab import Lab
from proxy import Proxy
from session import Session, free_port, wait_until

Outcome = collections.namedtuple("Outcome", "status error seconds")


class Place:
    """One profile, logged in, at a server with strict one-use refresh tokens: a spent one ends the session."""

    # How long each profile keeps its access token in the cache; None: no cache.
    cache = None

    def __init__(self, binaries, tables="", store="keyring", over="HTTP/1.1"):
        self.binary = os.path.join(binaries, "authctl")
        # The words before it: a program that runs the rest of its command line, such as one that mounts.
        self.through = []
        # Of its own: what the kernel keeps for a user, it keeps for all places.
        self.profile = "torture-" + secrets.token_hex(6)
        self.marker = "AUTHCTL_TORTURE=" + secrets.token_hex(12)
        # A session file needs neither a bus nor a keyring, and none is there.
        self.session = Session(has_keyring=store == "keyring")
        port = free_port() if over == "HTTP/2" else None
        self.lab = Lab(binaries, port and f"https://127.0.0.1:{port}")
        self.proxy = port and Proxy(self.session.folder, port, self.lab.origin)
        self.origin = f"https://127.0.0.1:{port}" if port else self.lab.origin
        name, value = self.marker.split("=")
        self.environment = {**self.session.environment, name: value}
        os.makedirs(f"{self.session.folder}/c/authctl/profiles", 0o700)
        self.key = f"{self.session.folder}/store.key" if store == "file" else None
        try:
            self.write_profile(self.profile, tables)
            self.prepare()
            if self.key:
                self.must(self.run("profile", "new-key", self.key), "the new key")
            self.must(self.log_in(), "the first login")
        except BaseException:
            self.close()
            raise

    def write_profile(self, name, tables=""):
        """Writes a profile with a password login and the store of this place."""
        more = f'store = "file"\nstore_key = "{self.key}"\n' if self.key else ""
        more += f'cache = "{self.cache}"\n' if self.cache else ""
        tables += f'[network]\ncacert = "{self.proxy.certificate}"\n' if self.proxy else ""
        with open(f"{self.session.folder}/c/authctl/profiles/{name}.toml", "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(
                f'issuer = "{self.origin}"\nflow = "password"\nusername = "alice"\nclient_id = "cli"\n'
                f'api = ["{self.origin}/api"]\nscope = ["api"]\n{more}{tables}')

    def prepare(self):
        """What comes before authctl runs for the first time; nothing here."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends all that runs, and removes the folder."""
        self.end_all()
        if self.proxy:
            self.proxy.stop()
        self.lab.stop()
        self.session.close()

    # Running

    def start(self, *arguments, env=None, **more):
        """Starts authctl in a session of its own, so that it and its process group can be signalled."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(
            [*self.through, self.binary, *arguments], env=env or self.environment, start_new_session=True,
            **{**streams, **more})

    def run(self, *arguments, text=None, seconds=120):
        """Runs authctl to its end."""
        begin = time.monotonic()
        # Its error output goes to a file: a process that outlives it must not keep us waiting.
        with open(f"{self.session.folder}/error-{secrets.token_hex(4)}", "w+b") as error:
            process = self.start(*arguments, stdin=subprocess.PIPE, stderr=error)
            try:
                process.communicate((text or "").encode(), timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return Outcome("never", f"{arguments[0]} did not end within {seconds} s", seconds)
            spent = time.monotonic() - begin
            error.seek(0)
            said = error.read().decode(errors="replace").strip()
        os.unlink(error.name)
        return Outcome(process.returncode, said, spent)

    def refresh(self):
        """Refreshes now."""
        return self.run("refresh", self.profile)

    def call(self):
        """Asks the API."""
        return self.run("call", "-p", self.profile, "me")

    def log_in(self):
        """Logs in with the password."""
        return self.run("login", self.profile, "--password-stdin", text="alice-pass")

    @staticmethod
    def must(outcome, what):
        """An exception where it did not succeed: nothing can be tried then."""
        if outcome.status != 0:
            raise RuntimeError(f"{what}: status {outcome.status}: {outcome.error}")

    # What is stored

    @property
    def session_file(self):
        """The session file, with `store = "file"`."""
        return f"{self.session.folder}/s/authctl/sessions/{self.profile}.session"

    def stored(self):
        """The stored pair as `secret-tool` reads it, or from the session file; None where there is none."""
        if self.key:
            tokens = (sealed.items(self.session_file, self.key) or {}).get("tokens")
            return tokens and json.loads(tokens)
        words = ["application", "authctl", "profile", self.profile, "kind", "tokens"]
        found = subprocess.run(
            ["secret-tool", "lookup", *words], env=self.session.environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, check=False).stdout
        return json.loads(found) if found else None

    def is_alive(self):
        """Whether the server would take the refresh token that is stored."""
        pair = self.stored()
        return pair is not None and self.lab.is_alive(pair["refresh_token"])

    def files_with(self, secrets):
        """The files of the home that hold one of these secrets in the clear."""
        found = []
        for folder, _, names in os.walk(self.session.folder):
            for path in (os.path.join(folder, name) for name in names):
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        content = file.read()
                    found += [path] if any(secret.encode() in content for secret in secrets) else []
        return found

    # What runs

    def processes(self):
        """The processes of authctl in this place: callers, and what continues in the background."""
        marker, found = self.marker.encode(), []
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if marker in file.read().split(b"\0"):
                        found.append(int(name))
            except OSError:
                pass  # It has ended meanwhile.
        return found

    def settle(self, seconds=120):
        """Waits until nothing of authctl runs any more."""
        wait_until("nothing runs in the background", lambda: not self.processes(), seconds)

    def end_all(self):
        """Kills all of them at once, as the loss of power would; gives back how many there were."""
        killed = set()
        while found := self.processes():
            # Stopped first: none of them sees the end of another one.
            for number in signal.SIGSTOP, signal.SIGKILL:
                for process in found:
                    try:
                        os.kill(process, number)
                        killed.add(process)
                    except ProcessLookupError:
                        pass
        return len(killed)
