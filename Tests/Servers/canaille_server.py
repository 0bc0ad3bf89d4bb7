#!/usr/bin/env python3
"""Runs canaille, an OAuth 2.0 and OpenID Connect server on Flask and Authlib, for one test run; see loopback_server.py.

Its parts are in .build/python-servers, where install.sh puts them; run it with the python there.
"""
import datetime
import json
import logging
import os

import loopback_server as loopback

# What a client is for, by flow. canaille itself says nothing of which method goes with which grant.
METHODS = {
    "none": "public", "client_secret_basic": "basic", "client_secret_post": "post",
    "client_secret_jwt": "secret-jwt", "private_key_jwt": "key-jwt",
}
GRANTS = {"browser": "authorization_code", "password": "password", "client-credentials": "client_credentials"}
CANNOT = {
    "device": "it has no device authorization grant",
    "token-exchange": "it has no token exchange",
    "*": {"tls_client_auth": "it has no such method"},
    **{flow: {"client_secret_jwt": "it verifies assertions with public keys only"}
       for flow in ("browser", "password")},
    "jwt-bearer": "it verifies assertions with keys of its own only",
    "client-credentials": {
        "none": "a public client has no credentials of its own",
        **{method: "its client credentials grant takes client_secret_basic only"
           for method in METHODS if method not in ("none", "client_secret_basic")},
    },
}


def make(origin, directory):
    from canaille import create_app
    from canaille.app import models
    from canaille.backends import Backend

    app = create_app({
        "SECRET_KEY": "for tests on the loopback only", "SERVER_NAME": origin.removeprefix("http://"),
        "PREFERRED_URL_SCHEME": "http", "TESTING": False, "SESSION_COOKIE_SECURE": False,
        "CANAILLE": {"LOGGING": {"version": 1, "disable_existing_loggers": False}, "JAVASCRIPT": False, "HTMX": False},
        "CANAILLE_OIDC": {"ENABLE_OIDC": True, "REQUIRE_NONCE": True},
        "OAUTH2_TOKEN_EXPIRES_IN": {
            "authorization_code": 3600, "password": 3600, "client_credentials": 3600, "refresh_token": 3600},
    }, env_file=os.devnull)
    logging.disable(logging.CRITICAL)
    key, public_key = loopback.key_pair()
    key_file = os.path.join(directory, "key.pem")
    with open(key_file, "wb") as file:
        file.write(key)
    os.chmod(key_file, 0o600)
    uris = loopback.redirect_uris()
    now = datetime.datetime.now(datetime.timezone.utc)
    with app.app_context():
        backend = Backend.instance
        backend.save(models.User(
            user_name=loopback.USER, family_name="Liddell", formatted_name="Alice Liddell",
            emails=["alice@example.com"], password=loopback.PASSWORD))
        for method, name in METHODS.items():
            grants = [*GRANTS.values(), "refresh_token"]
            client = models.Client(
                client_id=name, client_name=name, client_id_issued_at=now,
                client_secret="" if method == "none" else loopback.SECRET, client_uri="https://client.example",
                redirect_uris=uris, grant_types=grants, response_types=["code"],
                scope=["openid", "profile", "email"], token_endpoint_auth_method=method,
                token_endpoint_auth_signing_alg={"client_secret_jwt": "HS256", "private_key_jwt": "ES256"}.get(method),
                jwks=json.dumps({"keys": [public_key]}) if method == "private_key_jwt" else None)
            backend.save(client)
            # The audience of its tokens, as its page for new clients has it; only what is stored can be referred to.
            client.audience = [client]
            backend.save(client)
    facts = {name: {"id": name, "secret": loopback.SECRET} for name in METHODS.values()}
    facts["public"].pop("secret")
    with app.test_request_context():
        from canaille.oidc.jose import build_client_management_token
        initial_access_token = build_client_management_token(
            "client:register", datetime.timedelta(hours=1), "registered-by-token")
    facts["key-jwt"] = {"id": "key-jwt", "key": key_file, "key_id": loopback.KEY_ID}
    clients = {
        flow: {method: facts[name] for method, name in METHODS.items()
               if method not in CANNOT.get(flow, {})}
        for flow in GRANTS
    }

    def subject(access_token):
        with app.app_context():
            token = Backend.instance.get(models.Token, access_token=access_token)
            if token is None or token.is_expired() or token.is_revoked():
                return None
            return token.subject.user_name if token.subject else token.client.client_id

    return loopback.Resource(app, subject), {
        "issuer": origin, "scopes": ["openid", "profile"],
        "redirect_uris": uris, "clients": clients, "cannot": CANNOT, "assertion_audience": "endpoint",
        # Good for one registration (RFC 7591), which is otherwise closed.
        "initial_access_token": initial_access_token,
    }


if __name__ == "__main__":
    loopback.run(make)
