"""Each command in each state of a store, with a terminal and without: exit status, message, requests, time."""
import collections
import contextlib
import fcntl
import os
import pty
import re
import secrets
import select
import shutil
import signal
import subprocess
import termios
import time
from concurrent.futures import ThreadPoolExecutor

from mounts import Mounts
from place import Place
from row import Row
from session import PASSWORD, wait_until
from tree import USER

COMMANDS = {
    "status": ["status", "{profile}"], "doctor": ["doctor", "{profile}", "--offline"],
    "token": ["token", "-p", "{profile}"], "exec": ["exec", "-p", "{profile}", "--", "true"],
    "call": ["call", "-p", "{profile}", "me"], "refresh": ["refresh", "{profile}"],
    "logout": ["logout", "{profile}"],
    "login": ["login", "{profile}", "--password-file", "{folder}/password"],
}
USES = ("token", "exec", "call")
# What waits for a service that never responds, all at the same time; the others do so one after another.
WAITING = ("status", "doctor", "token", "exec", "call", "login")
FORMS = ("pipe", "terminal")
LIMIT = 120
OPENING = PASSWORD.decode()
# Mounts a folder on itself.
AGAIN_READ_ONLY = 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"'
PROMPTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prompter.py")

Cell = collections.namedtuple("Cell", "status output text requests seconds")


class State:
    """A state of a store: how a place gets into it, and what is expected of each command."""

    def __init__(self, name, enter, words, store="keyring", prompting=(), expired=False, **statuses):
        self.name, self.enter, self.store, self.prompting, self.expired = name, enter, store, prompting, expired
        self.waits = enter is silent
        # What the message of each refusal has: the place, and the remedy.
        self.words = words
        # Other statuses than 4; those on a terminal are named `login_terminal`.
        self.statuses = statuses

    def expected_words(self, command, form, status):
        """What the message of a refusal has."""
        if status == 3:
            return ("not logged in", "authctl login")
        # Only a login on a terminal lets the keyring prompt.
        return self.prompting if self.prompting and (command, form) == ("login", "terminal") else self.words

    def status(self, command, form):
        """The expected exit status."""
        return self.statuses.get(f"{command}_{form}", self.statuses.get(command, self.statuses.get("every", 4)))


# States of the keyring

@contextlib.contextmanager
def opened(_):
    """All is well."""
    yield


@contextlib.contextmanager
def no_bus(place):
    """Neither bus nor keyring."""
    place.session.kill_keyring()
    place.session.kill_bus()
    yield
    place.session.start_bus()
    place.session.start_keyring()


@contextlib.contextmanager
def no_service(place):
    """A bus without a keyring."""
    place.session.kill_keyring()
    yield
    place.session.start_keyring()


@contextlib.contextmanager
def silent(place):
    """A keyring that never responds."""
    place.session.keyring.send_signal(signal.SIGSTOP)
    yield
    place.session.keyring.send_signal(signal.SIGCONT)


@contextlib.contextmanager
def prompter(place, mode):
    """The variables for a keyring whose prompts are responded to."""
    if mode is None:
        yield {}
        return
    process = subprocess.Popen(
        [PROMPTER, mode], env=place.session.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    name = process.stdout.readline().strip()
    if not name:
        raise RuntimeError("the prompter did not start")
    yield {"GNOME_KEYRING_TEST_PROMPTER": name}
    process.communicate()


def restarted(mode, has_collection):
    """A keyring that is locked, or has no collection, and prompts for it."""
    @contextlib.contextmanager
    def enter(place):
        session = place.session
        session.kill_keyring()
        data = f"{session.folder}/d/keyrings"
        with prompter(place, mode) as variables:
            if has_collection:
                session.start_keyring(**variables)
                session.lock()
            else:
                os.rename(data, f"{data}.away")
                session.start_keyring(unlocked=False, **variables)
            yield
            session.kill_keyring()
        if not has_collection:
            shutil.rmtree(data, ignore_errors=True)
            os.rename(f"{data}.away", data)
        session.start_keyring()
    return enter


@contextlib.contextmanager
def read_only_keyring(place):
    """A keyring that can't write its file."""
    session = place.session
    session.kill_keyring()
    with Mounts(AGAIN_READ_ONLY, f"{session.folder}/d/keyrings") as mounts:
        session.start_keyring(through=mounts.through)
        yield
        session.kill_keyring()
    session.start_keyring()


# States of a session file

def changed(which, change):
    """A session file or its key after a change of its bytes; None: it is not there."""
    @contextlib.contextmanager
    def enter(place):
        path = place.key if which == "key" else place.session_file
        with open(path, "rb") as file:
            content = file.read()
        os.unlink(path)
        new = change(place, content)
        if new is not None:
            write(path, new)
        yield
        write(path, content)
    return enter


def write(path, content):
    """Writes a file that only its owner can read."""
    with open(path, "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(content)


def another_key(place, _):
    """A good key, but another one."""
    path = f"{place.session.folder}/another.key"
    if not os.path.exists(path):
        place.must(place.run("profile", "new-key", path), "another key")
    with open(path, "rb") as file:
        return file.read()


def of_another_profile(place, _):
    """The session file of another profile, which has the same key."""
    with open(place.session_file.replace(place.profile, place.other), "rb") as file:
        return file.read()


@contextlib.contextmanager
def foreign_owner(place):
    """A session file that belongs to another user."""
    os.chown(place.session_file, USER, USER)
    yield
    os.chown(place.session_file, os.geteuid(), os.getegid())


def mounted(script):
    """The folder of the session files on another file system, which holds them, too."""
    @contextlib.contextmanager
    def enter(place):
        with Mounts(f'cp -a "$1" "$1.copy"; {script}', os.path.dirname(place.session_file)) as mounts:
            place.through = mounts.through
            yield
            place.through = []
        shutil.rmtree(f"{os.path.dirname(place.session_file)}.copy")
    return enter


FULL = mounted('mount -t tmpfs -o size=200k,mode=700 none "$1"; cp -a "$1.copy"/. "$1"')
READ_ONLY = mounted(AGAIN_READ_ONLY)

# Only root can mount, and give a file to another user.
PRIVILEGED = (read_only_keyring, foreign_owner, FULL, READ_ONLY)
NO_COLLECTION = ("the keyring has no default collection", "keyring unlock")
REFUSING = ("the keyring refuses", "check the keyring")
IS_LOCKED = ("the keyring is locked", "keyring unlock")
DISMISSED = ("the keyring's password prompt was dismissed", "enter the keyring's password")
FULL_WORDS = (".session", "No space left on device", "free some space")
READ_ONLY_WORDS = (".session", "Read-only file system", "check the owner and the mode")
NOTHING = {"status": 0, "logout": 0, **dict.fromkeys(("refresh", *USES), 3)}
READABLE = dict.fromkeys(("status", *USES), 0)
KEYRING = (
    State("keyring, open", opened, (), every=0),
    State("no bus", no_bus, ("no D-Bus session bus responds", "DBUS_SESSION_BUS_ADDRESS")),
    State("no Secret Service", no_service, ("no keyring is running", "start a keyring")),
    State("no collection", restarted(None, False), NO_COLLECTION, prompting=DISMISSED, **NOTHING),
    State("no collection, prompter", restarted(OPENING, False), NO_COLLECTION, **NOTHING, login_terminal=0),
    State("no collection, refused", restarted("--refuse", False), NO_COLLECTION, prompting=DISMISSED, **NOTHING),
)
LOCKED = (
    State("locked, no prompter", restarted(None, True), IS_LOCKED, prompting=DISMISSED),
    State("locked, prompter", restarted(OPENING, True), IS_LOCKED, login_terminal=0),
    State("locked, prompt refused", restarted("--refuse", True), IS_LOCKED, prompting=DISMISSED),
    State("read-only keyring", read_only_keyring, REFUSING, **READABLE, doctor=0),
    State("read-only, token expired", read_only_keyring, REFUSING, expired=True, status=0, doctor=0),
)
SILENT = (State("keyring never responds", silent, ("did not respond", "restart it")),)
FILE = tuple(State(*state, store="file", **statuses) for *state, statuses in (
    ("file, right key", opened, (), {"every": 0}),
    ("file, key missing", changed("key", lambda *_: None), ("store.key", "rm "), {}),
    ("file, another key", changed("key", another_key), (".session: it was sealed with another key", "rm "), {}),
    ("file, key too short", changed("key", lambda _, key: key[:20] + b"\n"), ("store.key", "rm "), {}),
    ("file truncated", changed("file", lambda _, content: content[:-9]), (".session: it is truncated", "rm "), {}),
    ("file of another profile", changed("file", of_another_profile), (".session: it belongs to session", "rm "), {}),
    ("file of another user", foreign_owner, (".session", "chown"), {}),
    ("full disk", FULL, FULL_WORDS, {**READABLE, "logout": 0}),
    ("full disk, token expired", FULL, FULL_WORDS, {"expired": True, "status": 0, "logout": 0}),
    ("read-only disk", READ_ONLY, READ_ONLY_WORDS, READABLE),
    ("read-only disk, expired", READ_ONLY, READ_ONLY_WORDS, {"expired": True, "status": 0}),
))


# Running

def on_terminal(place, arguments):
    """Runs authctl with a terminal as its input and both outputs; the status, and all that it shows."""
    leader, follower = pty.openpty()
    process = place.start(
        *arguments, stdin=follower, stdout=follower, stderr=follower,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(follower)
    shown, end = b"", time.monotonic() + LIMIT
    while select.select([leader], [], [], max(0, end - time.monotonic()))[0]:
        try:
            read = os.read(leader, 65536)
        except OSError:  # The last process has closed the terminal.
            break
        shown += read
    os.close(leader)
    if time.monotonic() > end:
        process.kill()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode(errors="replace")).replace("\r", "\n")
    return process.wait(), text


def through_pipes(place, arguments):
    """Runs authctl without a terminal: the status, what is on standard output, and on standard error."""
    process = place.start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        output, error = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        output, error = process.communicate()
    return process.returncode, output.decode(), error.decode()


def cell(place, command, form):
    """Runs one command; the requests of all are counted elsewhere."""
    arguments = [word.format(profile=place.profile, folder=place.session.folder) for word in COMMANDS[command]]
    begin = time.monotonic()
    if form == "terminal":
        output = ""
        status, text = on_terminal(place, arguments)
    else:
        status, output, text = through_pipes(place, arguments)
    return Cell(status, output, text, None, time.monotonic() - begin)


def cells(place, keys):
    """Runs commands at the same time, each with its form; to each belong the requests of all."""
    before = place.lab.requests()
    with ThreadPoolExecutor(len(keys)) as threads:
        found = list(threads.map(lambda key: cell(place, *key), keys))
    requests = place.lab.requests() - before
    return {key: one._replace(requests=requests) for key, one in zip(keys, found)}


def first(place, one):
    """The first line of what is shown if a command fails, with short names; of a report, the first failing check."""
    shown = [line.strip() for line in (one.text + one.output).splitlines() if line.strip()]
    line = next((line for line in shown if line.startswith(("authctl: ", "✗"))), "") if one.status else ""
    for name, short in (place.session.folder, "~"), (place.profile, "work"):
        line = line.replace(name, short)
    return line


def judge(row, state, command, form, cell):
    """Compares a cell with what is expected."""
    told = f"{command}, {form}"
    expected = state.status(command, form)
    row.codes[cell.status] += 1
    row.rounds += 1
    row.check(cell.status == expected, f"{told}: status {cell.status}, not {expected}: {cell.output}{cell.text}")
    if cell.status == 0:
        row.check(command != "call" or cell.requests > 0, f"{told}: no request was counted")
        return
    row.check(cell.requests == 0, f"{told}: {cell.requests} requests")
    row.check(command in ("status", "doctor") or not cell.output, f"{told}: standard output has {cell.output}")
    for word in state.expected_words(command, form, cell.status):
        row.check(word in cell.text + cell.output, f"{told}: '{word}' is missing in: {cell.output}{cell.text}")


def logged_in(place, state):
    """Logs in, with a token that has expired where the state wants that."""
    place.lab.change(access_lifetime=1 if state.expired else 3600)
    place.must(place.log_in(), "a login")
    if state.expired:
        end = time.monotonic() + 1.2
        wait_until("the token has expired", lambda: time.monotonic() > end)


def examine(place, state, short):
    """All cells of a state, and the session afterwards; the row, and the lines of the table."""
    row, found = Row(f"store: {state.name}"), {}
    if state.enter in PRIVILEGED and os.geteuid() != 0:
        row.note = "not run: needs root"
        return row.end(), []
    for forms in [FORMS] if state.waits else [[form] for form in FORMS]:
        logged_in(place, state)
        place.lab.reset()
        with state.enter(place):
            if state.waits:
                found |= cells(place, [(command, form) for command in WAITING for form in forms])
            for command in COMMANDS if not state.waits else () if short else COMMANDS.keys() - WAITING:
                for form in forms:
                    found |= cells(place, [(command, form)])
            place.settle()
        # What could only be refused has left the session as it was.
        if state.status("logout", forms[0]) == 4:
            lives = place.refresh().status == 0 and place.is_alive()
            row.lost += 0 if row.check(lives, f"{forms[0]}: the session is lost") else 1
    for (command, form), one in found.items():
        judge(row, state, command, form, one)
    row.note = f"at most {max(one.seconds for one in found.values()):.1f} s"
    return row.end(), list(lines(place, state, found))


def lines(place, state, found):
    """The lines of the table: one for the commands with the same result in each form."""
    same = {}
    for command in dict.fromkeys(command for command, _ in found):
        both = [found[command, form] for form in FORMS]
        key = tuple((one.status, one.requests, first(place, one)) for one in both)
        same.setdefault(key, []).append((command, [one.seconds for one in both]))
    name = state.name
    for (pipe, terminal), commands in same.items():
        seconds = [max(times) for times in zip(*(times for _, times in commands))]
        numbers = "  ".join(
            f"{status:4}  {requests:8}  {spent:4.1f}"
            for (status, requests, _), spent in zip((pipe, terminal), seconds))
        names = " ".join(command for command, _ in commands)
        yield f"{name:26}  {names:43}  {numbers}  {pipe[2]}".rstrip()
        name = ""
        if pipe[2] != terminal[2]:
            yield f"{'':26}  {'':43}  {'':{len(numbers)}}  on the terminal: {terminal[2]}"


HEAD = f"{'state':26}  {'commands':43}  {'exit  requests     s  ' * 2}first line of the message"


def group(torture, states):
    """The states of a group, one after another in one place."""
    store = states[0].store
    with Place(torture.binaries, store=store) as place:
        write(f"{place.session.folder}/password", b"alice-pass")
        if store == "file":
            place.other = "other-" + secrets.token_hex(4)
            place.write_profile(place.other)
            place.must(place.run("login", place.other, "--password-stdin", text="alice-pass"), "the other login")
        return [examine(place, state, torture.short) for state in states]


def run(torture):
    """The groups side by side; then the table."""
    with ThreadPoolExecutor(5) as threads:
        groups = (SILENT, KEYRING, LOCKED, FILE[:6], FILE[6:])
        examined = [pair for pairs in threads.map(lambda states: group(torture, states), groups) for pair in pairs]
    print("exit status, requests and longest time, first without a terminal, then with one", HEAD, sep="\n")
    for _, told in examined:
        print("\n".join(told))
    for row, _ in examined:
        yield row
