"""All that one person has: a session with a keyring, a profile, and a server to log in to."""
import collections
import json
import os
import secrets
import subprocess
import time

import sealed
from lab import Lab
from session import Session, wait_until

Outcome = collections.namedtuple("Outcome", "status error seconds")


class Place:
    """One profile, logged in, at a server with strict one-use refresh tokens: a spent one ends the session."""

    def __init__(self, binaries, tables="", store="keyring"):
        self.binary = os.path.join(binaries, "authctl")
        # Of its own: what the kernel keeps for a user, it keeps for all places.
        self.profile = "torture-" + secrets.token_hex(6)
        self.marker = "AUTHCTL_TORTURE=" + secrets.token_hex(12)
        # A session file needs neither a bus nor a keyring, and none is there.
        self.session = Session(has_keyring=store == "keyring")
        self.lab = Lab(binaries)
        name, value = self.marker.split("=")
        self.environment = {**self.session.environment, name: value}
        folder = f"{self.session.folder}/c/authctl/profiles"
        os.makedirs(folder, 0o700)
        self.key = f"{self.session.folder}/store.key" if store == "file" else None
        more = f'store = "file"\nstore_key = "{self.key}"\n' if self.key else ""
        if self.key:
            self.must(self.run("profile", "new-key", self.key), "the new key")
        with open(f"{folder}/{self.profile}.toml", "w", encoding="utf-8") as file:
            file.write(
                f'issuer = "{self.lab.origin}"\nflow = "password"\nusername = "alice"\nclient_id = "cli"\n'
                f'api = ["{self.lab.origin}/api"]\nscope = ["api"]\n{more}{tables}')
        try:
            self.must(self.log_in(), "the first login")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends all that runs, and removes the folder."""
        self.end_all()
        self.lab.stop()
        self.session.close()

    # Running

    def start(self, *arguments, env=None, **more):
        """Starts authctl in a session of its own, so that it and its process group can be signalled."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(
            [self.binary, *arguments], env=env or self.environment, start_new_session=True, **{**streams, **more})

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

    def stored(self):
        """The stored pair as `secret-tool` reads it, or from the session file; None where there is none."""
        if self.key:
            path = f"{self.session.folder}/s/authctl/sessions/{self.profile}.session"
            tokens = (sealed.items(path, self.key) or {}).get("tokens")
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

    def settle(self, seconds=90):
        """Waits until nothing of authctl runs any more."""
        wait_until("nothing runs in the background", lambda: not self.processes(), seconds)

    def end_all(self):
        """Kills all of them at once, as the loss of power would; gives back how many there were."""
        killed = set()
        while found := self.processes():
            for process in found:
                try:
                    os.kill(process, 9)
                    killed.add(process)
                except ProcessLookupError:
                    pass
        return len(killed)
