"""A learning management system for a test: a platform of LTI 1.3, with a course, logins and a key."""

from __future__ import annotations

import html
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from journeys.servers import free_port

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
CLIENT, COURSE, KEY = "10000000000042", "course-7", "the-platform's"


def new_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Platform:
    """It listens on `localhost`, while the hub is at 127.0.0.1: for a browser these are two sites."""

    def __init__(self):
        self.key, self.port = new_key(), free_port()
        self.url = f"http://localhost:{self.port}"
        self.hub = ""  # the hub's address, which ends with a slash: what is entered as the tool
        platform = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                place = urlsplit(self.path)
                asked = dict(parse_qsl(place.query))
                if place.path == "/keys":
                    self.say(json.dumps(platform.public_keys()), "application/json")
                elif place.path == "/course":
                    link = html.escape(platform.link(asked["user"]))
                    self.say(f'<a href="{link}">Notebooks</a>')
                elif place.path == "/authorize":
                    self.say(platform.form(asked))
                else:
                    self.send_error(404)

            def say(self, text, kind="text/html"):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def variables(self) -> dict[str, str]:
        """What an administrator copies from the LMS into the hub's configuration."""
        return {
            "LTI_ISSUER": self.url,
            "LTI_CLIENT": CLIENT,
            "LTI_AUTHORIZE": f"{self.url}/authorize",
            "LTI_KEYS": f"{self.url}/keys",
            "LTI_COURSE": COURSE,
        }

    def public_keys(self) -> dict:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return {"keys": [public | {"kid": KEY, "use": "sig", "alg": "RS256"}]}

    def link(self, user: str) -> str:
        """Where a click in the course begins: the hub, which sends the browser back to `authorize`."""
        return f"{self.hub}hub/lti13/oauth_login?" + urlencode(
            {
                "iss": self.url,
                "login_hint": user,
                "lti_message_hint": "link-1",
                "target_link_uri": f"{self.hub}hub",
                "client_id": CLIENT,
                "lti_deployment_id": "1",
            }
        )

    def answer(self, asked: dict[str, str], roles=("Learner",), key=None, **changes) -> dict[str, str]:
        """The fields that the platform has the browser post to the hub, after it was `asked` who this is.

        `changes`: other claims; None takes one away."""
        assert asked["redirect_uri"] == f"{self.hub}hub/lti13/oauth_callback"
        expected = {"client_id": CLIENT, "response_type": "id_token", "response_mode": "form_post"}
        assert expected | {"scope": "openid", "prompt": "none"} == {
            name: asked[name] for name in (*expected, "scope", "prompt")
        }
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "sub": f"number-of-{asked['login_hint']}",
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            CLAIM + "version": "1.3.0",
            CLAIM + "message_type": "LtiResourceLinkRequest",
            CLAIM + "deployment_id": "1",
            CLAIM + "target_link_uri": f"{self.hub}hub",
            CLAIM + "resource_link": {"id": asked["lti_message_hint"]},
            CLAIM + "context": {"id": COURSE, "label": "T", "title": "Transformers"},
            CLAIM + "roles": [MEMBERSHIP + role for role in roles],
            CLAIM + "custom": {"account": asked["login_hint"]},
        } | changes
        claims = {name: value for name, value in claims.items() if value is not None}
        algorithm = "none" if key == "" else "RS256"
        token = jwt.encode(
            claims, None if key == "" else key or self.key, algorithm=algorithm, headers={"kid": KEY}
        )
        return {"id_token": token, "state": asked["state"]}

    def form(self, asked: dict[str, str]) -> str:
        fields = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
            for name, value in self.answer(asked).items()
        )
        return (
            f'<form method="post" action="{html.escape(asked["redirect_uri"])}">{fields}</form>'
            "<script>document.forms[0].submit()</script>"
        )
