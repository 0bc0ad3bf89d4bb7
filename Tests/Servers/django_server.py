#!/usr/bin/env python3
"""Runs django-oauth-toolkit, an OAuth 2.0 server on Django, for one test run; see loopback_server.py.

Its parts are in .build/python-servers, where install.sh puts them; run it with the python there.
"""
import logging
import os

import loopback_server as loopback

# A client of it has one grant; either way of sending the secret will do.
GRANTS = {"browser": "authorization-code", "password": "password", "client-credentials": "client-credentials",
          "device": "urn:ietf:params:oauth:grant-type:device_code"}
METHODS = ["client_secret_basic", "client_secret_post"]
ASSERTION = "it knows no client assertions"
CANNOT = {
    **{flow: {"client_secret_jwt": ASSERTION, "private_key_jwt": ASSERTION} for flow in GRANTS},
    "jwt-bearer": "it has no such grant",
    "token-exchange": "it has no token exchange",
    "*": {"tls_client_auth": "it has no such method"},
}
CANNOT["client-credentials"]["none"] = "a public client has no credentials of its own"

LOGIN_PAGE = """<form method="post">{% csrf_token %}<input name="username"><input name="password" type="password">
<input type="hidden" name="next" value="{{ next }}"><button>Log in</button></form>"""


def configure(directory, origin):
    from django.conf import settings
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    apps = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"]
    settings.configure(
        DEBUG=False, SECRET_KEY="for tests on the loopback only", ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__,
        INSTALLED_APPS=apps, USE_TZ=True, LOGIN_URL="/login/", DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        # Tables as they are today, without the history of how they came to be: seconds of start-up.
        MIGRATION_MODULES={app.rsplit(".", 1)[-1]: None for app in apps},
        DATABASES={"default": {
            "ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(directory, "database"),
            "OPTIONS": {"timeout": 20}}},
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware"],
        TEMPLATES=[{
            "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": False,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request", "django.contrib.auth.context_processors.auth"],
                "loaders": [
                    ("django.template.loaders.locmem.Loader", {"registration/login.html": LOGIN_PAGE}),
                    "django.template.loaders.app_directories.Loader"]}}],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        OAUTH2_PROVIDER={
            "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": key, "PKCE_REQUIRED": True,
            "OIDC_ISS_ENDPOINT": f"{origin}/o", "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
            "OAUTH_DEVICE_VERIFICATION_URI": f"{origin}/o/device/", "DEVICE_FLOW_INTERVAL": 1,
            "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": origin + "/o/device/?user_code={user_code}",
            # Dynamic registration (RFC 7591) by anybody, and its management (RFC 7592).
            "DCR_ENABLED": True, "DCR_REGISTRATION_PERMISSION_CLASSES": ["oauth2_provider.dcr.AllowAllDCRPermission"],
            "SCOPES": {"openid": "who you are", "read": "read", "write": "write"}, "DEFAULT_SCOPES": ["read"],
        })


def use_rs256(instance, **_):
    instance.algorithm = "RS256"


def make(origin, directory):
    configure(directory, origin)
    import django
    django.setup()
    from django.contrib.auth.models import User
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.management import call_command
    from django.db.models.signals import pre_save
    from django.utils import timezone
    from oauth2_provider.models import AccessToken, Application

    logging.disable(logging.CRITICAL)
    call_command("migrate", run_syncdb=True, verbosity=0)
    # A client that has registered itself has no algorithm, and its ID token is then answered with 500.
    pre_save.connect(use_rs256, Application, weak=False)
    user = User.objects.create_user(loopback.USER, "alice@example.com", loopback.PASSWORD)
    uris = loopback.redirect_uris()
    clients = {}
    for flow, grant in GRANTS.items():
        clients[flow] = {}
        for kind in ("public", "confidential"):
            name = f"{kind}-{flow}"
            Application.objects.create(
                client_id=name, name=name, user=user, client_type=kind, authorization_grant_type=grant,
                redirect_uris=" ".join(uris),
                client_secret="" if kind == "public" else loopback.SECRET)
            methods = ["none"] if kind == "public" else METHODS
            for method in methods:
                if method not in CANNOT[flow]:
                    secret = {} if kind == "public" else {"secret": loopback.SECRET}
                    clients[flow][method] = {"id": name, **secret}

    def subject(text):
        token = AccessToken.objects.filter(token=text, expires__gt=timezone.now()).first()
        if token is None:
            return None
        return token.user.username if token.user else token.application.client_id

    return loopback.Resource(WSGIHandler(), subject), {
        "issuer": f"{origin}/o", "scopes": ["openid", "read"], "redirect_uris": uris, "clients": clients,
        "cannot": CANNOT,
        # Its metadata does not say it.
        "device_authorization": f"{origin}/o/device-authorization/",
    }


def __getattr__(name):
    """This module is the table of addresses too, once Django is set up."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.contrib.auth.views import LoginView
    from django.urls import include, path
    from oauth2_provider import urls

    return [
        path("login/", LoginView.as_view()), path("o/", include(urls)), path("", include(urls.metadata_urlpatterns))]


if __name__ == "__main__":
    loopback.run(make)
