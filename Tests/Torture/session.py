"""A D-Bus session with a real gnome-keyring-daemon that touches neither the user's bus nor keyring."""
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

COLLECTION = "/org/freedesktop/secrets/collection/login"
PASSWORD = b"pw"
LIMITS = "".join(f'<limit name="{name}">100000</limit>' for name in (
    "max_completed_connections", "max_incomplete_connections", "max_connections_per_user"))


def wait_until(what, condition, seconds=120):
    """Asks again and again until the condition holds; an exception when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"gave up waiting until {what}")
        time.sleep(0.005)


def free_port():
    """A port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Session:
    """A folder with a bus and a keyring in it, both of which can be killed and started again on what is there."""

    def __init__(self, has_keyring=True):
        # The path of a unix socket has 107 bytes.
        self.folder = tempfile.mkdtemp(prefix="at-", dir="/tmp")
        for name in "rdcsk":
            os.mkdir(f"{self.folder}/{name}", 0o700)
        self.bus_socket = f"{self.folder}/r/bus"
        with open(f"{self.folder}/bus.conf", "w", encoding="utf-8") as file:
            # No folder of services: nothing may start by itself.
            file.write(
                f"<busconfig><type>session</type><listen>unix:path={self.bus_socket}</listen><auth>EXTERNAL</auth>"
                '<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>'
                f'<allow own="*"/></policy>{LIMITS}</busconfig>')
        self.environment = {
            "HOME": self.folder, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": f"{self.folder}/r", "XDG_DATA_HOME": f"{self.folder}/d",
            "XDG_CONFIG_HOME": f"{self.folder}/c", "XDG_STATE_HOME": f"{self.folder}/s",
            "XDG_CACHE_HOME": f"{self.folder}/k", "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.bus_socket}"}
        self.bus = self.bus_process = self.keyring = None
        self.keyring_errors = open(f"{self.folder}/keyring.err", "a+", encoding="utf-8")
        if has_keyring:
            self.start_bus()
            self.start_keyring()
        else:
            del self.environment["DBUS_SESSION_BUS_ADDRESS"]

    def close(self):
        """Ends all of it and removes the folder."""
        self.kill_keyring()
        self.kill_bus()
        self.keyring_errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start_bus(self):
        """Starts the bus, also after it was killed; clients of the old one are not on this one."""
        if os.path.exists(self.bus_socket):
            os.unlink(self.bus_socket)
        # The shell ends the bus when its input is closed, which the system does even when this program is killed.
        script = '"$@" </dev/null & child=$!; read -r _; kill -9 $child; wait'
        command = ["dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile", "--print-pid=1"]
        self.bus = subprocess.Popen(
            ["/bin/sh", "-c", script, "sh", *command], env=self.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.bus_process = int(self.bus.stdout.readline())

    def kill_bus(self):
        """Kills the bus."""
        if self.bus is None:
            return
        # Before the shell: it is a child of the shell, so that its process id can't have become another's.
        os.kill(self.bus_process, signal.SIGKILL)
        self.bus.kill()
        self.bus.wait()
        self.bus.stdin.close()
        self.bus.stdout.close()
        self.bus = None

    def start_keyring(self, unlocked=True, through=(), **variables):
        """Starts the keyring on the data that is there, and waits until it is on the bus.

        `through` is a command that runs the rest of its command line; the variables are added to its environment.
        """
        try:
            self.start_daemon(unlocked, through, variables)
        except OSError:  # A time-out is one, too.
            # It happens less than once in a thousand starts that the daemon ends, or opens no control socket.
            self.kill_keyring()
            self.start_daemon(unlocked, through, variables)

    def start_daemon(self, unlocked, through, variables):
        """Starts the keyring, as above, and tries it once."""
        command = ["gnome-keyring-daemon", "--foreground", *(["--unlock"] if unlocked else []), "--components=secrets"]
        self.keyring = subprocess.Popen(
            [*through, *command], env={**self.environment, **variables}, stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=self.keyring_errors)
        if unlocked:
            self.keyring.stdin.write(PASSWORD)
        self.keyring.stdin.close()
        wait_until("the keyring is on the bus", lambda: self.is_on_bus() or self.keyring_end(), 60)
        if end := self.keyring_end():
            raise OSError(end)
        if unlocked:
            try:
                wait_until("the keyring is unlocked", lambda: self.is_locked() is False, 20)
            except TimeoutError:
                # Once in a thousand starts it makes nothing of the password on its input.
                self.unlock()

    def is_on_bus(self):
        """Whether a keyring is on the bus."""
        return bool(self.call("/org/freedesktop/secrets", "org.freedesktop.DBus.Peer.Ping"))

    def kill_keyring(self):
        """Kills the keyring."""
        if self.keyring is not None:
            self.keyring.kill()
            self.keyring.wait()
            self.keyring = None

    def keyring_end(self):
        """How the keyring ended by itself, with the last that it said; empty while it runs."""
        status = self.keyring and self.keyring.poll()
        if status is None:
            return ""
        self.keyring_errors.seek(0)
        return f"gnome-keyring-daemon ended with {status}: {self.keyring_errors.read()[-500:].strip()}"

    def is_locked(self):
        """Whether the collection is locked; None where there is none."""
        answer = self.call(
            COLLECTION, "org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.Secret.Collection",
            "string:Locked")
        found = re.search(r"boolean (true|false)", answer)
        return found and found.group(1) == "true"

    def lock(self):
        """Locks the collection."""
        self.call("/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock", f"array:objpath:{COLLECTION}")
        if self.is_locked() is not True:
            raise RuntimeError("the collection did not lock")

    def unlock(self):
        """Unlocks the collection by the keyring's control socket, as a login does."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(60)
            control.connect(f"{self.folder}/r/keyring/control")
            # One byte, with which the credentials travel; then length, operation (1: unlock) and the password.
            control.sendall(b"\0" + struct.pack(">III", 12 + len(PASSWORD), 1, len(PASSWORD)) + PASSWORD)
            if control.recv(8) != struct.pack(">II", 8, 0):
                raise RuntimeError("the keyring did not take the password")

    def call(self, path, method, *arguments):
        """What `dbus-send` prints for a call of the Secret Service; empty where it fails."""
        return subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--reply-timeout=60000", "--dest=org.freedesktop.secrets", path,
             method, *arguments],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
