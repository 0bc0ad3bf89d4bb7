"""The loopback server authlab, and its control interface."""
import base64
import http.client
import json
import os
import subprocess
import urllib.parse


class Lab:
    """One running server, whose access tokens live for an hour; `origin` is where authctl finds it, if not there."""

    def __init__(self, binaries, origin=None):
        self.process = subprocess.Popen(
            [os.path.join(binaries, "authlab"), "--port", "0", "--access-lifetime", "3600", "--exit-with-stdin",
             *(["--origin", origin] if origin else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.origin = self.process.stdout.readline().split()[-1]

    def stop(self):
        """Ends it: from then on its port refuses."""
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def send(self, method, path, body="", kind="application/json", authorization=None):
        """The body of the response; an exception for any status but 200."""
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.origin).netloc, timeout=30)
        try:
            headers = {"Content-Type": kind}
            if authorization:
                headers["Authorization"] = authorization
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status != 200:
                raise RuntimeError(f"{method} {path}: {answer.status} {text}")
            return text
        finally:
            connection.close()

    def count(self, name):
        """How often a thing happened, such as `token.refresh_token.ok`."""
        return json.loads(self.send("GET", "/control/counters")).get(name, 0)

    def asked(self):
        """How often a refresh was asked for, whatever came of it."""
        return self.count("token.refresh_token")

    def exchanges(self):
        """How often a refresh took effect."""
        return self.count("token.refresh_token.ok")

    def reuses(self):
        """How often a spent refresh token came."""
        return self.count("reuse_detected")

    def requests(self):
        """How many requests came since the last reset; at most 2000."""
        return len(json.loads(self.send("GET", "/control/last?n=2000")))

    def reset(self):
        """Forgets counters, requests and faults."""
        self.send("POST", "/control/reset")

    def issued(self):
        """All secrets that it has issued."""
        return json.loads(self.send("GET", "/control/secrets"))

    def fail(self, endpoint, kind, **more):
        """Lets requests fail: `fail("token", "delay", milliseconds=300, after=True, count=1)`."""
        self.send("POST", "/control/fault", json.dumps({"endpoint": endpoint, "kind": kind, **more}))

    def clear_faults(self):
        """Forgets the faults that wait, and sends what they delay."""
        self.send("DELETE", "/control/fault")

    def change(self, **settings):
        """Changes settings: `change(reuse="none")`."""
        self.send("POST", "/control/settings", json.dumps(settings))

    def expire(self):
        """Ends the life of all access tokens."""
        self.send("POST", "/control/expire")

    def revoke_all(self):
        """Revokes everything that was issued."""
        self.send("POST", "/control/revoke-all")

    def is_alive(self, token):
        """Whether the server would still take this access token or refresh token (RFC 7662)."""
        form = urllib.parse.urlencode({"token": token})
        client = "Basic " + base64.b64encode(b"svc:svc-secret").decode()
        answer = self.send("POST", "/introspect", form, "application/x-www-form-urlencoded", client)
        return json.loads(answer)["active"]
