#!/usr/bin/python3
"""Takes the picture of a first login that the README begins with: picture.py BINARIES FILE.svg

The programs of BINARIES run in a pseudo-terminal, and what the terminal shows at the end is drawn. Nothing in the
picture is written by hand but the commands. The server is authlab, behind a proxy that speaks TLS under the names of
the picture. All of it is in namespaces of its own: another network without a way out, another /etc/hosts, another
/home, a D-Bus session and a keyring for itself. Nothing of the user's is touched.

Two runs make the same file: names, ports and the home are chosen here, and random numbers come from fixed.c.
"""
import fcntl
import http.client
import http.server
import json
import os
import pty
import shutil
import ssl
import struct
import subprocess
import sys
import tempfile
import termios
import threading

import pyte

import svg

FOLDER = os.path.dirname(os.path.abspath(__file__))
HOME = "/home/alice"
API, SERVER, LAB = "api.example.com", "id.example.com", 8000
COLUMNS, LINES = 96, 60
COMMANDS = (
    f"authctl login https://{API}/v1",
    "authctl call me",
)
SETTINGS = {
    "resource_metadata": True, "resource_metadata_url": f"https://{API}/.well-known/oauth-protected-resource/v1",
    "resource_members": json.dumps({"resource": f"https://{API}/v1"}),
    "scopes": ["openid", "offline_access", "items.read"],
}


def run(*words, **more):
    """Runs a program that must succeed."""
    return subprocess.run(words, check=True, **more)


def isolate(arguments):
    """Starts this script again in namespaces of its own, and in a D-Bus session; returns its exit status."""
    place = tempfile.mkdtemp(prefix="authctl-picture-", dir="/tmp")
    try:
        for folder in ("bin", "run"):
            os.mkdir(f"{place}/{folder}", 0o700)
        for name in ("authctl", "authlab"):
            shutil.copy(f"{arguments[0]}/{name}", f"{place}/bin")
        environment = {
            "PLACE": place, "PATH": f"{place}/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": HOME, "LANG": "C.UTF-8",
            "TERM": "xterm-256color", "XDG_RUNTIME_DIR": f"{place}/run", "SSL_CERT_FILE": f"{place}/certificate.pem",
            # The person at the browser: follows the redirects, as one who is logged in at the server already.
            "BROWSER": f"curl --silent --location --cacert {place}/certificate.pem --output /dev/null",
        }
        inside = ["unshare", "--map-root-user", "--mount", "--net", sys.executable, os.path.abspath(__file__), "mounts"]
        return subprocess.run([*inside, *arguments], env=environment, check=False).returncode
    finally:
        shutil.rmtree(place)


def mount(place, arguments):
    """Brings up loopback and the names of the picture, an empty /home and a D-Bus session; goes on in that."""
    run("ip", "link", "set", "lo", "up")
    with open(f"{place}/hosts", "w", encoding="ascii") as hosts:
        hosts.write(f"127.0.0.1 localhost {API} {SERVER}\n")
    run("mount", "--bind", f"{place}/hosts", "/etc/hosts")
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", f"/CN={SERVER}", "-addext", f"subjectAltName=DNS:{SERVER},DNS:{API}",
        "-keyout", f"{place}/key.pem", "-out", f"{place}/certificate.pem", stderr=subprocess.DEVNULL)
    run("gcc", "-shared", "-fPIC", "-O1", "-o", f"{place}/fixed.so", f"{FOLDER}/fixed.c")
    # The picture may be below /home, which is covered later: it is opened before.
    file = os.open(arguments[1], os.O_WRONLY | os.O_CREAT, 0o644)
    errors = os.dup(2)
    for descriptor in (file, errors):
        os.set_inheritable(descriptor, True)
    # The dbus-daemon says that it may not raise its limit of open files: only the session itself writes to the errors.
    words = ["dbus-run-session", "--", sys.executable, os.path.abspath(__file__), "session", str(file), str(errors)]
    return subprocess.run(words, stderr=subprocess.DEVNULL, close_fds=False, check=False).returncode


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes requests on to authlab: all of SERVER, and of API what is below /v1."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Logs nothing."""

    def forward(self):
        path = self.path
        if self.headers.get("Host") == API:
            path = "/api" + path.removeprefix("/v1") if path.startswith("/v1") else "/resource-metadata"
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        connection = http.client.HTTPConnection("127.0.0.1", LAB)
        connection.request(self.command, path, body, dict(self.headers))
        response = connection.getresponse()
        content = response.read()
        self.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = do_PUT = forward


def serve(place):
    """Starts authlab and the proxy; returns authlab's process."""
    lab = subprocess.Popen(
        ["authlab", "--port", str(LAB), "--origin", f"https://{SERVER}", "--registration", "--grant-without-page",
         "--access-lifetime", "3600", "--exit-with-stdin"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "LD_PRELOAD": f"{place}/fixed.so"})
    if not lab.stdout.readline():
        raise SystemExit("picture: authlab has not started")
    connection = http.client.HTTPConnection("127.0.0.1", LAB)
    connection.request("POST", "/control/settings", json.dumps(SETTINGS))
    if (response := connection.getresponse()).status != 200:
        raise SystemExit(f"picture: authlab: {response.status} {response.read()}")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(f"{place}/certificate.pem", f"{place}/key.pem")
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 443), Proxy)
    proxy.socket = tls.wrap_socket(proxy.socket, server_side=True)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    return lab


def show(command, stream, place):
    """Runs a command at a terminal, which `stream` draws; returns its exit status."""
    stream.feed(f"\x1b[90m$\x1b[0m \x1b[1m{command}\x1b[0m\r\n".encode())
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    process = subprocess.Popen(
        command.split(), stdin=end, stdout=end, stderr=end, start_new_session=True, cwd=HOME,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        env={**os.environ, "LD_PRELOAD": f"{place}/fixed.so"})
    os.close(end)
    while True:
        try:
            shown = os.read(terminal, 65536)
        except OSError:  # the last process has closed the terminal
            break
        if not shown:
            break
        stream.feed(shown)
    os.close(terminal)
    return process.wait()


def take(place, file, errors):
    """Logs in and calls, and writes the picture."""
    os.dup2(errors, 2)
    run("mount", "-t", "tmpfs", "-o", "mode=755", "none", "/home")
    os.mkdir(HOME, 0o700)
    run("gnome-keyring-daemon", "--unlock", "--components=secrets", input=b"picture", stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    screen = pyte.Screen(COLUMNS, LINES)
    stream = pyte.ByteStream(screen)
    lab = serve(place)
    try:
        for number, command in enumerate(COMMANDS):
            if number:
                stream.feed(b"\r\n")
            if (status := show(command, stream, place)) != 0:
                text = "\n".join(row.rstrip() for row in screen.display).rstrip()
                print(f"{text}\npicture: {command}: exit status {status}", file=sys.stderr)
                return 1
    finally:
        lab.stdin.close()
        lab.wait()
    text = "\n".join(row.rstrip() for row in screen.display).strip()
    os.ftruncate(file, 0)
    with os.fdopen(file, "w", encoding="utf-8") as picture:
        picture.write(svg.draw(screen, "A first login with authctl, and a call", text))
    return 0


def main():
    arguments = sys.argv[1:]
    match arguments:
        case ["mounts", binaries, file]:
            return mount(os.environ["PLACE"], [binaries, file])
        case ["session", file, errors]:
            return take(os.environ["PLACE"], int(file), int(errors))
        case [_, _]:
            return isolate(arguments)
    print(__doc__.splitlines()[0], file=sys.stderr)
    return 2


sys.exit(main())
