#!/usr/bin/python3
"""Measures authctl against what people use today, each pair in turn on the same machine: bench.py FOLDER

FOLDER holds authctl and authlab of the release build; copies of them run, as `make install` makes them. Everything
happens on loopback, in D-Bus sessions of its own. Of each ratio the median, minimum and maximum are printed, with what
must be reached and what is aimed at; the end of the output names what has missed. RUNS=N takes at most N pairs of each.
"""
import collections
import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile

import paired
import sizes

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Torture"))
import case_storm  # noqa: E402
from place import Place  # noqa: E402
from row import Row  # noqa: E402
from session import free_port, wait_until  # noqa: E402

GIB = 1 << 30
MOST = int(os.environ.get("RUNS", "60"))
ITEM = b'{"id": 1, "name": "a small response", "tags": ["one", "two", "three"]}'.ljust(200)
NGINX = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr crit;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  default_type application/json;
  sendfile on;
  keepalive_requests 1000000;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  {servers}
}}
"""
ITEMS = """
  server {{
    listen 127.0.0.1:{port};
    root {folder};
    location / {{
      if ($http_authorization != "{header}") {{ return 401; }}
      try_files /item =404;
    }}
  }}
"""
# What people write into a configuration today.
PROXY = """
  upstream api{port} {{ server {api}; keepalive 64; }}
  server {{
    listen 127.0.0.1:{port};
    client_max_body_size 0;
    location / {{
      proxy_pass http://api{port};
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_set_header Connection "";
      proxy_set_header Authorization "{header}";
    }}
  }}
"""
Comparison = collections.namedtuple("Comparison", "name must aim runs first second")


def output(*words):
    """The standard output of a command."""
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout


@contextlib.contextmanager
def running(command, **more):
    """A server that ends with the block."""
    with subprocess.Popen(command, **more) as server:
        try:
            yield server
        finally:
            server.kill()


@contextlib.contextmanager
def place_of(binaries):
    """A place of one's own with a profile that is logged in, whose environment all commands have."""
    before = dict(os.environ)
    with Place(binaries) as place:
        os.environ.clear()
        os.environ.update(place.environment, PATH=f"{binaries}:{place.environment['PATH']}")
        try:
            yield place
        finally:
            os.environ.clear()
            os.environ.update(before)


def listens(port):
    """Whether something listens on a port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


@contextlib.contextmanager
def nginx(folder, port, servers):
    """nginx with these servers, of which one listens on the port."""
    folder = tempfile.mkdtemp(dir=folder)
    with open(f"{folder}/nginx.conf", "w", encoding="utf-8") as file:
        file.write(NGINX.format(folder=folder, servers=servers))
    with running(["/usr/sbin/nginx", "-p", folder, "-e", "stderr", "-c", f"{folder}/nginx.conf"]):
        wait_until("nginx listens", lambda: listens(port))
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def items(folder, port, header):
    """nginx with a file of 200 bytes at each path, for requests with the token."""
    with open(f"{folder}/item", "wb") as file:
        file.write(ITEM)
    with nginx(folder, port, ITEMS.format(folder=folder, port=port, header=header)) as url:
        yield url


@contextlib.contextmanager
def proxies(folder, url, header):
    """authctl and nginx as proxies of an address: their addresses, and the process of authctl."""
    port = free_port()
    servers = PROXY.format(api=url.removeprefix("http://"), port=port, header=header)
    with running(["authctl", "proxy", url], stdout=subprocess.PIPE, text=True) as proxy, \
            nginx(folder, port, servers) as other:
        yield proxy.stdout.readline().strip(), other, proxy.pid


def compare_proxies(folder, url, bulk, header):
    """Prints the lines of `proxy` compared with nginx's proxy_pass; returns what has missed."""
    missed = []
    with proxies(folder, url, header) as (ours, other, process):
        for count, parallel in ((10000, 20), (20000, 200)):
            commands = [["curl", "-sf", "--stderr", "/dev/null", "-Z", "--parallel-max", str(parallel),
                         "-K", sizes.config_file(tempfile.mkdtemp(dir=folder), address, count)]
                        for address in (ours, other)]
            missed += show(f"proxy, {count:,} GETs, {parallel} at once ÷ nginx", 3, 1.5,
                           paired.compare(commands, min(9, MOST)))
        sizes.show("proxy, peak memory", sizes.peak(process))
    with proxies(folder, bulk, header) as (ours, other, process):
        for name, words in (("down", [f"/bytes/{GIB}"]), ("up", ["/count", "-T", f"{folder}/gib"])):
            commands = [["curl", "-sf", address + words[0], *words[1:]] for address in (ours, other)]
            missed += show(f"proxy, 1 GiB {name} ÷ nginx", 3, 1.5, paired.compare(commands, min(9, MOST)))
        sizes.show("proxy, peak memory at 1 GiB", sizes.peak(process))
    return missed


def comparisons(place, url, bulk):
    """The ratios that must be reached; the programs are found in PATH."""
    folder = place.session.folder
    header, cached = f"@{folder}/header", ["--cache", "5m"]
    lookup = ["secret-tool", "lookup", "application", "authctl", "profile", place.profile, "kind", "tokens"]
    by_secret = f'exec curl -sf -H "Authorization: Bearer $(secret-tool lookup bench token)" {url}/item'
    down = f"{bulk}/bytes/{GIB}"

    def batch(count):
        lines = sizes.batch_file(folder, url, count)
        return (["authctl", "call", "--batch", lines, "--parallel", "20"],
                # The meter of parallel transfers is shown with -s, too.
                ["curl", "-sf", "--stderr", "/dev/null", "-H", header, "-Z", "--parallel-max", "20",
                 "-K", sizes.config_file(folder, url, count)])

    return [Comparison(*row) for row in (
        ("--version ÷ curl --version", 0.32, 0.30, 60, ["authctl", "--version"], ["curl", "--version"]),
        ("call ÷ curl with $(secret-tool …)", 0.88, 0.75, 60, ["authctl", "call", f"{url}/item"],
         ["sh", "-c", by_secret]),
        ("call, cached ÷ curl -H @file", 1.40, 1.10, 60, ["authctl", "call", *cached, f"{url}/item"],
         ["curl", "-sf", "-H", header, f"{url}/item"]),
        ("token ÷ secret-tool lookup", 1.00, 0.90, 60, ["authctl", "token"], lookup),
        ("token, cached ÷ secret-tool lookup", 0.40, 0.30, 60, ["authctl", "token", *cached], lookup),
        ("1,000 GETs, --batch ÷ curl -Z", 1.30, 1.00, 60, *batch(1000)),
        ("10,000 GETs, --batch ÷ curl -Z", 1.10, 1.00, 9, *batch(10000)),
        ("1 GiB down ÷ curl", 1.05, 1.00, 9, ["authctl", "call", "-s", down], ["curl", "-sf", down]),
        ("1 GiB up ÷ curl", 1.05, 1.00, 9,
         ["authctl", "call", "-X", "PUT", "--data-binary", f"@{folder}/gib", f"{bulk}/count"],
         ["curl", "-sf", "-T", f"{folder}/gib", f"{bulk}/count"]),
        ("call --trace ÷ call", 1.03, 1.00, 60,
         ["authctl", "call", "--trace", f"{folder}/trace.har", f"{url}/item"], ["authctl", "call", f"{url}/item"]),
    )]


def show(name, must, aim, pairs):
    """Prints a line of the table; returns what has missed, if anything."""
    median, text = paired.ratio(pairs)
    print(f"{name:36} {must:5.2f} {aim:5.2f}  {text}", flush=True)
    return [f"{name}: {median:.2f}, must be {must:.2f}"] if median > must else []


def storms(binaries, runs):
    """Prints the line of storms with an expired token and with a valid one; returns what has missed."""
    pairs, row = [], Row("storm of 500")
    with place_of(binaries) as place:
        for _ in range(runs):
            valid = case_storm.storm(place, row, 500)
            place.lab.expire()
            pairs.append((case_storm.storm(place, row, 500), valid))
        row.check(place.lab.exchanges() == runs, f"{place.lab.exchanges()} exchanges")
    if row.problems:
        sys.exit("bench.py: the storm failed")
    return show("storm of 500, expired ÷ valid token", 1.2, 1.1, pairs)


def measure(place, binaries):
    """Prints the table, and what needs its servers; returns what has missed."""
    missed, folder = [], place.session.folder
    ports = [free_port(), free_port()]
    with running([sys.executable, f"{HERE}/../Servers/bulk.py"], stdout=subprocess.PIPE, text=True) as server:
        bulk = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        sizes.allow(place, [bulk, *(f"http://127.0.0.1:{port}" for port in ports)])
        header = output("authctl", "token", "--header").strip()
        value = header.partition(": ")[2]
        with open(f"{folder}/header", "w", encoding="utf-8") as file:
            file.write(header + "\n")
        with open(f"{folder}/gib", "wb") as file:
            file.truncate(GIB)
        # What people keep with secret-tool: the bare access token.
        subprocess.run(["secret-tool", "store", "--label=bench", "bench", "token"], check=True, text=True,
                       input=header.split()[-1])
        with items(folder, ports[0], value) as url:
            output("curl", "-sf", "-H", f"@{folder}/header", f"{url}/item")
            for name, must, aim, runs, *commands in comparisons(place, url, bulk):
                missed += show(name, must, aim, paired.compare(commands, min(runs, MOST)))
            missed += compare_proxies(folder, url, bulk, value)
            missed += storms(binaries, min(3, MOST))
            print("== latency of a line of 10,000 events: call ÷ curl -N", flush=True)
            clients = ["--", "authctl", "call", "URL", "--", "curl", "-s", "-N", "URL"]
            subprocess.run([sys.executable, f"{HERE}/latency.py", "latency", *clients], check=True,
                           env={**os.environ, "STREAM_PORT": str(ports[1])})
            print("== cost against size", flush=True)
            sizes.batches(folder, url, min(3, MOST))
        sizes.bodies(folder, bulk, min(3, MOST))
    return missed


def main():
    # What the linker has written in small pieces starts 1 ms later, until the kernel reads it from the disk again.
    copies = tempfile.TemporaryDirectory()
    binaries = copies.name
    subprocess.run(["install", f"{sys.argv[1]}/authctl", f"{sys.argv[1]}/authlab", binaries], check=True)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"{'== ratio of times':36} {'must':>5} {'aim':>5}  median (minimum to maximum)", flush=True)
    try:
        with place_of(binaries) as place:
            missed = measure(place, binaries)
        with place_of(binaries) as place:
            for part in (sizes.profile_bytes, sizes.keyrings, sizes.profiles):
                part(place, min(11, MOST))
    except (paired.Failure, OSError, subprocess.CalledProcessError) as failure:
        sys.exit(f"bench.py: {failure}")
    print("== missed" if missed else "== every must is reached")
    print("".join(f"{line}\n" for line in missed), end="")


if __name__ == "__main__":
    main()
