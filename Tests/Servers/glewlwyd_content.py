"""The setup of glewlwyd: its configuration file, and the objects that its administration interface takes.

Field names are glewlwyd's own (its OIDC.md, CLIENT_DATABASE.md and USER_DATABASE.md). Durations are seconds.
"""
import base64
import json

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

USER = "alice"
PASSWORD = "alice's password"
SCOPES = ["openid", "profile", "email", "read", "write", "offline_access"]
PUBLIC_CLIENT = "cli-public"
CONFIDENTIAL_CLIENT = "cli-confidential"
CONFIDENTIAL_SECRET = "confidential-secret"
ODD_CLIENT = "cli-odd"
# One character for each way in which HTTP Basic is encoded differently in the field.
ODD_SECRET = "conf secret/+%&=é"
SECRET_JWT_CLIENT = "cli-secret-jwt"
# HS256 wants 32 bytes (RFC 7518, section 3.2).
SECRET_JWT_SECRET = "a-secret-that-signs-and-is-never-sent"
# The pages of the package: HTML, scripts and styles, several of them symbolic links.
WEB_PAGES = "/usr/share/glewlwyd/webapp/"


def configuration(port, directory, scheme, options):
    """The text of glewlwyd.conf: loopback only, cookies without TLS, everything below `directory`."""
    modules = "/usr/lib/glewlwyd"
    settings = {
        "port": port,
        "bind_address": "127.0.0.1",
        "external_url": f"{scheme}://127.0.0.1:{port}",
        "login_url": "login.html",
        "api_prefix": "api",
        "static_files_path": f"{directory}/webapp/" if options.pages else WEB_PAGES,
        "log_mode": "file",
        "log_level": options.log_level,
        "log_file": f"{directory}/glewlwyd.log",
        "cookie_domain": "127.0.0.1",
        "cookie_secure": 0,
        "session_key": "GLEWLWYD2_SESSION_ID",
        "session_expiration": 86400,
        "admin_scope": "g_admin",
        "profile_scope": "g_profile",
        "user_module_path": f"{modules}/user",
        # The package has no such directory, and glewlwyd refuses to start without one.
        "user_middleware_module_path": f"{directory}/middleware",
        "client_module_path": f"{modules}/client",
        "user_auth_scheme_module_path": f"{modules}/scheme",
        "plugin_module_path": f"{modules}/plugin",
        "hash_algorithm": "SHA512",
        "use_secure_connection": scheme == "https",
        "secure_connection_key_file": f"{directory}/server.key",
        "secure_connection_pem_file": f"{directory}/server.pem",
        "secure_connection_ca_file": f"{directory}/ca.pem",
    }
    # A value of libconfig's is written as one of JSON's is, as far as these go.
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    lines.append(f'database = {{ type = "sqlite3" path = {json.dumps(directory + "/glewlwyd.db")} }};')
    types = {".html": "text/html", ".js": "application/javascript", ".css": "text/css", ".json": "application/json"}
    files = ", ".join(f'{{ extension = "{end}" mime_type = "{kind}" compress = 0 }}' for end, kind in types.items())
    lines.append(f"static_files_mime_types = ( {files} )")
    return "\n".join(lines) + "\n"


def signing_keys():
    """A fresh private JSON Web Key Set: an RSA key for RS256, a P-256 key for ES256."""
    rsa_key = rsa.generate_private_key(65537, 2048).private_numbers()
    ec_key = ec.generate_private_key(ec.SECP256R1()).private_numbers()
    point = ec_key.public_numbers
    return {
        "keys": [
            {
                "kty": "RSA", "use": "sig", "alg": "RS256", "kid": "rsa-1", "e": "AQAB",
                "n": _base64url(rsa_key.public_numbers.n, 256), "d": _base64url(rsa_key.d, 256),
                "p": _base64url(rsa_key.p, 128), "q": _base64url(rsa_key.q, 128),
                "dp": _base64url(rsa_key.dmp1, 128), "dq": _base64url(rsa_key.dmq1, 128),
                "qi": _base64url(rsa_key.iqmp, 128),
            },
            {
                "kty": "EC", "use": "sig", "alg": "ES256", "kid": "ec-1", "crv": "P-256",
                "x": _base64url(point.x, 32), "y": _base64url(point.y, 32),
                "d": _base64url(ec_key.private_value, 32),
            },
        ]
    }


def _base64url(number, length):
    return base64.urlsafe_b64encode(number.to_bytes(length, "big")).rstrip(b"=").decode()


def client_keys():
    """Fresh private keys of clients that authenticate with private_key_jwt, by the client's name."""
    return {
        "cli-key-rsa": rsa.generate_private_key(65537, 2048),
        "cli-key-ec": ec.generate_private_key(ec.SECP256R1()),
        "cli-key-ed25519": ed25519.Ed25519PrivateKey.generate(),
    }


def private_pem(key):
    """A private key as a client keeps it."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def _public_pem(key):
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def scope(name):
    """A scope that asks for the password once a session, and for nothing more."""
    return {
        "name": name, "display_name": name, "description": f"the scope {name}", "password_required": True,
        "password_max_age": 0, "scheme": {}, "scheme_required": {},
    }


def user():
    """The one person who logs in."""
    return {
        "username": USER, "password": PASSWORD, "name": "Alice Liddell", "email": "alice@example.com",
        "enabled": True, "scope": SCOPES + ["g_profile"],
    }


def clients(redirect_uris, keys):
    """A public client, and confidential ones for each method of authentication."""
    grants = ["code", "refresh_token", "device_authorization", "delete_token"]

    def client(client_id, secret, methods, key=None):
        confidential = secret is not None or key is not None
        return {
            "client_id": client_id, "name": client_id, "enabled": True, "confidential": confidential,
            "redirect_uri": redirect_uris, "token_endpoint_auth_method": methods,
            # glewlwyd gives the password grant and revocation to confidential clients only.
            "authorization_type": grants + (["password", "client_credentials"] if confidential else []),
            # The scopes of the client itself, for client_credentials.
            "scope": ["read", "write"] if confidential else [],
            **({"client_secret": secret} if secret is not None else {}),
            **({"pubkey": _public_pem(key)} if key is not None else {}),
        }

    return [
        client(PUBLIC_CLIENT, None, ["none"]),
        client(CONFIDENTIAL_CLIENT, CONFIDENTIAL_SECRET, ["client_secret_basic"]),
        client(ODD_CLIENT, ODD_SECRET, ["client_secret_basic", "client_secret_post"]),
        client(SECRET_JWT_CLIENT, SECRET_JWT_SECRET, ["client_secret_jwt"]),
        *[client(name, None, ["private_key_jwt"], key) for name, key in keys.items()],
    ]


def plugin(issuer, options):
    """The OpenID Connect plugin: every grant on, PKCE demanded of public clients, `iss` in the response (RFC 9207)."""
    def on(*names):
        return {name: True for name in names}

    return {
        "module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "enabled": True,
        "parameters": {
            "iss": issuer, "subject-type": "public", "jwks-private": json.dumps(signing_keys()), "jwks-public": "",
            "default-kid": "rsa-1", "jwt-type": "rsa", "jwt-key-size": "256",
            "access-token-duration": options.access_lifetime,
            "refresh-token-duration": options.refresh_lifetime,
            "code-duration": options.code_lifetime,
            "refresh-token-rolling": options.rolling,
            "refresh-token-one-use": options.refresh_one_use,
            "client-refresh-token-one-use-parameter": "refresh-token-one-use",
            **on("jwks-show", "allow-non-oidc", "auth-type-code-enabled", "auth-type-code-revoke-replayed",
                 "auth-type-token-enabled", "auth-type-id-token-enabled", "auth-type-none-enabled",
                 "auth-type-password-enabled", "auth-type-client-enabled", "auth-type-device-enabled",
                 "auth-type-refresh-enabled"),
            "device-authorization-interval": options.device_interval, "device-authorization-expiration": 120,
            "allowed-scope": SCOPES, "scope": [], "additional-parameters": [], "claims": [],
            "name-claim": "on-demand", "name-claim-scope": ["profile"],
            "email-claim": "on-demand", "email-claim-scope": ["email"],
            "scope-claim": "no", "scope-claim-scope": [], "address-claim": {"type": "no"},
            **on("pkce-allowed", "pkce-required-public-client"),
            "pkce-required": False, "pkce-method-plain-allowed": False, "pkce-scopes": [],
            **on("introspection-revocation-allowed", "introspection-revocation-allow-target-client"),
            "introspection-revocation-auth-scope": [],
            **on("oauth-as-iss-id", "session-management-allowed"),
            "session-cookie-name": "GLEWLWYD2_OIDC_SID", "session-cookie-expiration": 86400,
            "oauth-dpop-allowed": options.dpop, "oauth-dpop-nonce-mandatory": options.dpop,
            "oauth-dpop-iat-duration": 60, "oauth-dpop-iat-gap-duration": 5, "oauth-dpop-nonce-counter": 3,
            "oauth-par-allowed": True, "oauth-par-required": False, "oauth-par-duration": 90,
            "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
            # Client authentication by assertion hangs on this switch.
            "request-parameter-allow": True, "request-maximum-exp": 3600, "client-pubkey-parameter": "pubkey",
            # Dynamic registration (RFC 7591) without an initial access token, and its management (RFC 7592).
            "register-client-allowed": options.registration, "register-client-auth-scope": [],
            "register-client-management-allowed": options.registration, "register-client-credentials-scope": [],
            "encrypt-out-token-allow": False,
            "resource-allowed": False, "oauth-rar-allowed": False, "oauth-ciba-allowed": False,
            "back-channel-logout-allowed": False, "front-channel-logout-allowed": False,
        },
    }
