#!/usr/bin/python3
"""A scripted browser: plays the person who logs in. Usage: browser.py URL

Opens an authorization URL, logs in and consents on the page of glewlwyd or on plain HTML forms (inputs `username` or
`login`, and `password`, on one page or two; the buttons of DECISIONS), follows the redirects, and really requests the
redirect URI, by POST where the answer is a form (response_mode=form_post). The page of a device login (RFC 8628) is
another such URL, after which nothing is redirected.

  BROWSER_USER      alice unless set
  BROWSER_PASSWORD  needed where a page asks for it
  BROWSER_ACTION    approve (unless set), deny; walk-away: look at the page, and leave it;
                    and after an approval: bad-state, no-state, bad-issuer, no-code: the redirect arrives changed;
                    twice: it arrives twice; favicon: /favicon.ico is asked for first
  BROWSER_SCOPE     grant these scopes only (glewlwyd)
  BROWSER_DELAY     seconds to think before the first request
  BROWSER_DETACH    1: return at once and go on in the background, as xdg-open does
  BROWSER_LOG       file to append to: one JSON object for each answer, and {"outcome": …} at the end
  BROWSER_CACERT    authority to trust for https, instead of the system's

Exit status: 0 did what was asked, 1 could not, with a line on standard error.
"""
import html.parser
import http.client
import json
import os
import ssl
import sys
import time
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit, urlunsplit

TAMPERINGS = ("bad-state", "no-state", "bad-issuer", "no-code")
ACTIONS = ("approve", "deny", "walk-away", *TAMPERINGS, "twice", "favicon")
NAMES = ("username", "login")
# What the buttons of a consent page are called: name, value that allows, value that denies; None for none of them.
DECISIONS = (("decision", "allow", "deny"), ("answer", "accept", "deny"), ("allow", "Authorize", None),
             ("action", "accept", "deny"))
STEP_LIMIT = 20  # pages and redirects
REQUEST_LIMIT = 120.0  # seconds


class Failure(Exception):
    """The person cannot go on."""


class Done(Exception):
    """The end of what was asked, in words."""


def log(**entry):
    path = os.environ.get("BROWSER_LOG")
    if path:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, (json.dumps(entry, ensure_ascii=False) + "\n").encode())
        os.close(file)


class Page:
    """One answer."""

    def __init__(self, url, status, headers, text):
        self.url, self.status, self.headers, self.text = url, status, headers, text

    @property
    def location(self):
        """Where it redirects to, absolute; None for any other answer."""
        if self.status in (301, 302, 303, 307, 308) and self.headers.get("Location"):
            return urljoin(self.url, self.headers["Location"])
        return None


class Network:
    """Sends requests, and keeps cookies by host: ports share them, as in browsers."""

    def __init__(self):
        self.cookies = {}

    def request(self, method, url, body=None, media_type="application/x-www-form-urlencoded"):
        parts = urlsplit(url)
        if parts.scheme == "https":
            context = ssl.create_default_context(cafile=os.environ.get("BROWSER_CACERT"))
            connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=REQUEST_LIMIT, context=context)
        elif parts.scheme == "http":
            connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=REQUEST_LIMIT)
        else:
            raise Failure(f"not a web address: {url}")
        headers = {"User-Agent": "Mozilla/5.0 (scripted)", "Accept": "text/html,*/*;q=0.8", "Accept-Language": "en"}
        jar = self.cookies.setdefault(parts.hostname, {})
        if jar:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in jar.items())
        if body is not None:
            headers["Content-Type"] = media_type
        target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        try:
            connection.request(method, target, body, headers)
            answer = connection.getresponse()
            page = Page(url, answer.status, answer.headers, answer.read().decode("utf-8", "replace"))
        except (OSError, http.client.HTTPException) as error:
            log(method=method, url=url, error=str(error) or type(error).__name__)
            raise
        finally:
            connection.close()
        for cookie in page.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";", 1)[0].partition("=")
            jar[name.strip()] = value.strip()
        log(method=method, url=url, status=page.status, location=page.headers.get("Location"))
        return page


class Form:
    """A form of a page: where it goes, what it sends, which buttons it has."""

    def __init__(self, attributes):
        self.action = attributes.get("action") or ""
        self.method = (attributes.get("method") or "get").upper()
        self.fields, self.buttons = {}, []

    @property
    def has_login(self):
        return any(name in self.fields for name in (*NAMES, "password"))

    @property
    def decision(self):
        """The entry of DECISIONS whose button that allows is here; None on a page of another kind."""
        return next((entry for entry in DECISIONS if entry[:2] in self.buttons), None)


class FormReader(html.parser.HTMLParser):
    """Reads the forms of a page."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.current = [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.current = Form(attributes)
            self.forms.append(self.current)
        elif self.current and tag in ("input", "button") and attributes.get("name"):
            kind = (attributes.get("type") or ("submit" if tag == "button" else "text")).lower()
            name, value = attributes["name"], attributes.get("value") or ""
            if kind in ("submit", "image"):
                self.current.buttons.append((name, value))
            elif kind not in ("checkbox", "radio", "button", "reset") or "checked" in attributes:
                self.current.fields[name] = value

    def handle_endtag(self, tag):
        if tag == "form":
            self.current = None


class Person:
    """Decides what happens on each page."""

    def __init__(self, url, environment):
        self.network = Network()
        self.start_url = url
        self.redirect_uri = dict(parse_qsl(urlsplit(url).query)).get("redirect_uri")
        self.user = environment.get("BROWSER_USER", "alice")
        self.password = environment.get("BROWSER_PASSWORD")
        self.scope = environment.get("BROWSER_SCOPE")
        self.action = environment.get("BROWSER_ACTION") or "approve"
        if self.action not in ACTIONS:
            raise Failure(f"BROWSER_ACTION={self.action}: one of {', '.join(ACTIONS)}")
        self.logins, self.decided = 0, False

    def browse(self):
        """Goes from page to page. Returns by an exception only: Done, or Failure."""
        page = self.network.request("GET", self.start_url)
        for _ in range(STEP_LIMIT):
            page = self.follow(page) if page.location else self.act(page)
        raise Failure("too many pages and redirects")

    def follow(self, page):
        if self.is_callback(page.location):
            self.call_back(page.location)
        if page.status in (307, 308):
            raise Failure(f"a redirect of status {page.status} to {page.location}")
        return self.network.request("GET", page.location)

    def act(self, page):
        if page.status >= 400:
            raise Failure(f"{page.status} from {page.url}")
        parts = urlsplit(page.url)
        query = dict(parse_qsl(parts.query))
        forms = FormReader(page.text).forms
        posting = next((form for form in forms if self.is_callback(urljoin(page.url, form.action))), None)
        if posting:
            self.post_back(urljoin(page.url, posting.action), posting.fields)
        if self.action == "walk-away":
            raise Done("walked away")
        if parts.path == "/login.html" and "callback_url" in query:
            return self.act_on_glewlwyd(page, query)
        form = next((form for form in forms if form.has_login or form.decision or "user_code" in form.fields), None)
        if not form and self.decided and not self.redirect_uri:
            raise Done("decided, on the page of a device")
        if not form:
            raise Failure(f"no form to fill in at {page.url}")
        return self.submit(page, form)

    def submit(self, page, form):
        fields = dict(form.fields)
        if form.has_login:
            if "password" in fields:
                self.count_login()
                fields["password"] = self.password
            fields.update({name: self.user for name in NAMES if name in fields})
        if form.decision:
            name, allow, deny = form.decision
            value = deny if self.action == "deny" else allow
            if value is not None and (name, value) not in form.buttons:
                raise Failure(f"no button {value} at {page.url}")
            fields.update({name: value} if value is not None else {})
            self.decided = True
        elif form.buttons:
            fields.update(form.buttons[:1])
        target = urljoin(page.url, form.action) if form.action else page.url
        if form.method == "POST":
            return self.network.request("POST", target, urlencode(fields))
        return self.network.request("GET", urlunsplit(urlsplit(target)._replace(query=urlencode(fields))))

    def act_on_glewlwyd(self, page, query):
        """Does what the script of glewlwyd's login page does: its JSON interface, then the authorization URL again."""
        if query.get("prompt") == "deviceComplete":
            raise Done("approved a device")
        self.count_login()
        base = urljoin(page.url, "/api/auth")

        def send(method, url, body):
            answer = self.network.request(method, url, json.dumps(body), "application/json")
            if answer.status != 200:
                raise Failure(f"{answer.status} from {url}")

        send("POST", base, {"username": self.user, "password": self.password})
        if self.action == "deny":
            # Its page has no such button: one leaves, and the client never hears of it.
            raise Done("denied by leaving: glewlwyd has no redirect for it")
        scope = self.scope or query.get("scope", "")
        send("PUT", f"{base}/grant/{quote(query['client_id'], safe='')}", {"scope": scope})
        again = query["callback_url"]
        return self.network.request("GET", again + ("&" if "?" in again else "?") + "g_continue")

    def count_login(self):
        self.logins += 1
        if self.logins > 1:
            raise Failure("asked to log in again: the login was refused, or no scope was granted")
        if self.password is None:
            raise Failure("BROWSER_PASSWORD is not set")

    def is_callback(self, url):
        """Whether this is the client's address: its redirect URI, or, where that was pushed, any other origin."""
        here = urlsplit(url)
        if self.redirect_uri:
            there = urlsplit(self.redirect_uri)
            return (here.scheme, here.netloc, here.path) == (there.scheme, there.netloc, there.path)
        start = urlsplit(self.start_url)
        return (here.scheme, here.netloc) != (start.scheme, start.netloc)

    def tamper(self, pairs):
        """The parameters of the answer as the client shall get them."""
        if self.action == "bad-state":
            return [(name, "tampered" if name == "state" else value) for name, value in pairs]
        if self.action == "no-state":
            return [pair for pair in pairs if pair[0] != "state"]
        if self.action == "bad-issuer":
            return [pair for pair in pairs if pair[0] != "iss"] + [("iss", "https://other.example")]
        if self.action == "no-code":
            return [pair for pair in pairs if pair[0] != "code"]
        return pairs

    def call_back(self, url):
        if self.action in TAMPERINGS:
            parts = urlsplit(url)
            pairs = self.tamper(parse_qsl(parts.query, keep_blank_values=True))
            url = urlunsplit(parts._replace(query=urlencode(pairs)))
        self.arrive("GET", url, None)

    def post_back(self, url, fields):
        self.arrive("POST", url, urlencode(self.tamper(list(fields.items()))))

    def arrive(self, method, url, body):
        """Delivers the answer to the client; what the client thinks of a changed one is its own affair."""
        if self.action == "favicon":
            self.network.request("GET", urljoin(url, "/favicon.ico"))
        page = self.network.request(method, url, body)
        for _ in range(STEP_LIMIT):
            if not page.location:
                break
            page = self.network.request("GET", page.location)
        log(page=page.text, status=page.status)
        if self.action == "twice":
            try:
                self.network.request(method, url, body)
            except (OSError, http.client.HTTPException):
                pass  # the client may have left by now
        if page.status >= 400 and self.action in ("approve", "twice", "favicon"):
            raise Failure(f"the client answered {page.status}")
        raise Done(f"the client answered {page.status}")


def detach():
    """Leaves the caller: a session of its own, none of its streams."""
    if os.fork():
        os._exit(0)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def main():
    try:
        if len(sys.argv) != 2:
            raise Failure("usage: browser.py URL")
        if os.environ.get("BROWSER_DETACH") == "1":
            detach()
        time.sleep(float(os.environ.get("BROWSER_DELAY") or 0))
        Person(sys.argv[1], os.environ).browse()
    except Done as done:
        log(outcome="done", message=str(done))
        return 0
    except (Failure, OSError, http.client.HTTPException, ValueError) as error:
        log(outcome="failed", message=str(error))
        print(f"browser.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
