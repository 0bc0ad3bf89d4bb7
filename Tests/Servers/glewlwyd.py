#!/usr/bin/python3
"""Runs Debian's glewlwyd, an OAuth 2.0 and OpenID Connect server, for one test run.

A fresh directory, a fresh database, free ports of the loopback. Prints one line of JSON when the server is ready, and
serves until its standard input is closed or SIGTERM or SIGINT arrives; then ends glewlwyd and removes the directory.
Exit status: 0 ended as asked, 1 with the reason on standard error. The packages come from install.sh.
"""
import argparse
import ctypes
import datetime
import http.client
import ipaddress
import json
import os
import random
import select
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree
import glewlwyd_content as content  # noqa: E402

BINARY = "/usr/bin/glewlwyd"
SCHEMA = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
PAGE_SETTINGS = "/usr/share/glewlwyd/templates/config.json"
START_LIMIT = 100.0  # seconds
STOP_LIMIT = 5.0  # seconds


class Failure(Exception):
    """The server could not be brought up, or went away."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    seconds = {"type": int, "metavar": "SECONDS"}
    parser.add_argument("--access-lifetime", default=10, **seconds)
    parser.add_argument("--refresh-lifetime", default=3600, **seconds)
    parser.add_argument("--code-lifetime", default=60, **seconds)
    parser.add_argument("--refresh-one-use", choices=["always", "never", "client-driven"], default="always")
    parser.add_argument("--rolling", action="store_true", help="every refresh prolongs the life of the refresh token")
    parser.add_argument("--device-interval", default=1, **seconds)
    parser.add_argument("--dpop", action="store_true", help="DPoP with nonces (RFC 9449)")
    parser.add_argument("--registration", action="store_true", help="dynamic registration (RFC 7591, RFC 7592)")
    parser.add_argument("--pages", action="store_true", help="its login pages work in a real browser")
    parser.add_argument("--tls", action="store_true", help="https, with a throw-away authority ('ca' in the line)")
    parser.add_argument("--log-level", default="WARNING", choices=["ERROR", "WARNING", "INFO", "DEBUG"])
    parser.add_argument("--log", metavar="FILE", help="where to copy glewlwyd's log at the end")
    return parser.parse_args()


def free_ports(count):
    """Ports below the kernel's range for outgoing connections: nothing takes them by chance before they are used."""
    held = []
    candidates = random.sample(range(20000, 32000), 200)
    try:
        while len(held) < count and candidates:
            listener = socket.socket()
            held.append(listener)
            try:
                listener.bind(("127.0.0.1", candidates.pop()))
            except OSError:
                held.pop().close()
        if len(held) < count:
            raise Failure("no free port")
        return [listener.getsockname()[1] for listener in held]
    finally:
        for listener in held:
            listener.close()


def make_certificates(directory):
    """Writes ca.pem, server.pem and server.key for 127.0.0.1 and localhost."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    now = datetime.datetime.utcnow()

    def certificate(name, issuer, key, signer, extensions):
        builder = (
            x509.CertificateBuilder().subject_name(name).issuer_name(issuer).public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=2))
        )
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        return builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    def named(text):
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    authority, server = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    names = [x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName("localhost")]
    files = {
        "ca.pem": certificate(
            named("test authority"), named("test authority"), authority, authority,
            [(x509.BasicConstraints(ca=True, path_length=None), True)]),
        "server.pem": certificate(
            named("localhost"), named("test authority"), server, authority,
            [(x509.SubjectAlternativeName(names), False),
             (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)]),
        "server.key": server.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption()),
    }
    for name, data in files.items():
        with open(os.path.join(directory, name), "wb") as file:
            file.write(data)


class Administration:
    """A session of glewlwyd's administrator, by its JSON interface."""

    def __init__(self, port, authority):
        self.port, self.cookies = port, {}
        self.context = ssl.create_default_context(cafile=authority) if authority else None

    def request(self, method, path, body=None):
        """Answers the status and the body; a refused connection is status 0."""
        kind = http.client.HTTPSConnection if self.context else http.client.HTTPConnection
        more = {"context": self.context} if self.context else {}
        connection = kind("127.0.0.1", self.port, timeout=60, **more)
        headers = {"Content-Type": "application/json"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            return 0, ""
        finally:
            connection.close()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";", 1)[0].partition("=")
            self.cookies[name.strip()] = value.strip()
        return answer.status, text

    def must(self, method, path, body):
        status, text = self.request(method, "/api" + path, body)
        if status != 200:
            raise Failure(f"{method} {path}: {status} {text}")

    def fill(self, issuer, redirect_uris, keys, options):
        # The account that the schema of the package comes with.
        self.must("POST", "/auth", {"username": "admin", "password": "password"})
        for name in content.SCOPES:
            known = name == "openid"  # it is in the schema, without display name
            self.must("PUT" if known else "POST", "/scope/" + (name if known else ""), content.scope(name))
        self.must("POST", "/user/", content.user())
        self.must("POST", "/mod/plugin/", content.plugin(issuer, options))
        for client in content.clients(redirect_uris, keys):
            self.must("POST", "/client/", client)


def private(path, flags):
    """Opens a file that its owner alone may read."""
    return os.open(path, flags, 0o600)


def die_with_parent():
    """In the child: SIGTERM when this process goes, however it goes (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Server:
    """One glewlwyd process in a directory of its own."""

    def __init__(self, options):
        self.options = options
        self.scheme = "https" if options.tls else "http"
        self.directory = tempfile.mkdtemp(prefix="glewlwyd-")
        self.process = None

    def path(self, name):
        return os.path.join(self.directory, name)

    def start(self):
        """Brings it up and answers what the tests need to know."""
        if not os.access(BINARY, os.X_OK):
            raise Failure(f"no {BINARY}: run install.sh")
        os.mkdir(self.path("middleware"))
        if self.options.pages:
            # It serves no symbolic links; and the package has a directory where the pages look for their settings.
            shutil.copytree(content.WEB_PAGES, self.path("webapp"), ignore=lambda *_: ["config.json"])
            shutil.copyfile(PAGE_SETTINGS, self.path("webapp/config.json"))
        if self.options.tls:
            make_certificates(self.directory)
        with open(SCHEMA, encoding="utf-8") as schema, sqlite3.connect(self.path("glewlwyd.db")) as database:
            database.executescript(schema.read())
        database.close()
        port, *ports = free_ports(4)
        base = f"{self.scheme}://127.0.0.1:{port}"
        issuer = f"{base}/api/oidc"
        redirect_uris = [f"http://{host}:{p}/callback" for host in ("127.0.0.1", "localhost") for p in ports]
        with open(self.path("glewlwyd.conf"), "w", encoding="utf-8") as file:
            file.write(content.configuration(port, self.directory, self.scheme, self.options))
        with open(self.path("output"), "wb") as output:
            self.process = subprocess.Popen(
                [BINARY, "--config-file=" + self.path("glewlwyd.conf")], stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, cwd=self.directory, start_new_session=True, preexec_fn=die_with_parent)
        administration = Administration(port, self.path("ca.pem") if self.options.tls else None)
        self.wait_until_it_answers(administration)
        keys = content.client_keys()
        administration.fill(issuer, redirect_uris, keys, self.options)
        for name, key in keys.items():
            with open(self.path(name + ".pem"), "wb", opener=private) as file:
                file.write(content.private_pem(key))
        return {
            "issuer": issuer, "base": base, "resource": f"{issuer}/userinfo",
            "public_client": content.PUBLIC_CLIENT,
            "confidential_client": content.CONFIDENTIAL_CLIENT, "confidential_secret": content.CONFIDENTIAL_SECRET,
            "odd_client": content.ODD_CLIENT, "odd_secret": content.ODD_SECRET,
            "secret_jwt_client": content.SECRET_JWT_CLIENT, "secret_jwt_secret": content.SECRET_JWT_SECRET,
            "keys": {name: self.path(name + ".pem") for name in keys},
            "user": content.USER, "password": content.PASSWORD, "scopes": content.SCOPES,
            "ports": ports, "redirect_uris": redirect_uris, "pid": self.process.pid,
            **({"ca": self.path("ca.pem")} if self.options.tls else {}),
        }

    def wait_until_it_answers(self, administration):
        end = time.monotonic() + START_LIMIT
        while administration.request("GET", "/config")[0] != 200:
            if self.process.poll() is not None:
                raise Failure(f"glewlwyd ended with {self.process.returncode}")
            if time.monotonic() > end:
                raise Failure(f"glewlwyd did not answer within {START_LIMIT:g} s")
            time.sleep(0.02)

    def complaint(self):
        """What glewlwyd itself said, for a failure's message."""
        said = []
        for name in ("output", "glewlwyd.log"):
            if os.path.exists(self.path(name)):
                with open(self.path(name), encoding="utf-8", errors="replace") as file:
                    said.append(file.read())
        return "".join(said)

    def stop(self):
        """Ends the process and removes the directory."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_LIMIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.options.log and os.path.exists(self.path("glewlwyd.log")):
            shutil.copyfile(self.path("glewlwyd.log"), self.options.log)
        shutil.rmtree(self.directory, ignore_errors=True)


def wait_for_the_end(server, wakeup):
    """Returns when the input is closed or a signal asked for the end; glewlwyd's own end is a failure."""
    while True:
        ready, _, _ = select.select([sys.stdin.fileno(), wakeup], [], [])
        if wakeup in ready and set(os.read(wakeup, 64)) & {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}:
            return
        if server.process.poll() is not None:
            raise Failure(f"glewlwyd ended with {server.process.returncode}")
        if sys.stdin.fileno() in ready and not os.read(sys.stdin.fileno(), 4096):
            return


class Stopped(Exception):
    """A signal that came before the server was ready."""


def main():
    options = arguments()
    wakeup, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def stop_early(number, frame):
        raise Stopped

    ends = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    for number in ends:
        signal.signal(number, stop_early)
    server = Server(options)
    try:
        facts = server.start()
        signal.set_wakeup_fd(waker)
        for number in (*ends, signal.SIGCHLD):
            signal.signal(number, lambda number, frame: None)
        print(json.dumps(facts), flush=True)
        wait_for_the_end(server, wakeup)
        return 0
    except Stopped:
        return 0
    except Failure as failure:
        print(f"glewlwyd.py: {failure}\n{server.complaint()}", file=sys.stderr)
        return 1
    finally:
        for number in ends:
            signal.signal(number, signal.SIG_IGN)
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
