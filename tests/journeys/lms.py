"""A learning management system for a test: a platform of LTI 1.3, with a course, logins, a key, and a
gradebook that takes scores by its Assignment and Grade Services."""

from __future__ import annotations

import html
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from journeys.servers import free_port

jwt = pytest.importorskip("jwt", reason="PyJWT comes with the hub: make hub")
rsa = pytest.importorskip(
    "cryptography.hazmat.primitives.asymmetric.rsa", reason="it comes with the hub: make hub"
)

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
ENDPOINT = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/"
CLIENT, COURSE, KEY, PASS = "10000000000042", "course-7", "the-platform's", "a-pass-for-an-hour"


def new_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Platform:
    """It listens on `localhost`, while the hub is at 127.0.0.1: for a browser these are two sites."""

    def __init__(self):
        self.key, self.port = new_key(), free_port()
        self.url = f"http://localhost:{self.port}"
        self.hub = ""  # the hub's address, which ends with a slash: what is entered as the tool
        self.tool_key = None  # the tool's public key, as it was entered
        self.columns, self.scores, self.full_after = [], [], 1000
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
                elif place.path == "/7/lineitems":
                    assert self.headers["Authorization"] == f"Bearer {PASS}"
                    self.say(json.dumps([item for item in platform.columns if item["resourceId"]]))
                else:
                    self.send_error(404)

            def do_POST(self):
                sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
                place = urlsplit(self.path)
                try:
                    made = platform.served(place.path, self.headers, sent)
                except (AssertionError, KeyError, jwt.PyJWTError) as error:
                    self.say(f"refused: {error!r}", status=400)
                else:
                    self.say(json.dumps(made), "application/json")

            def say(self, text, kind="text/html", status=200):
                self.send_response(status)
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
            "LTI_TOKEN": f"{self.url}/token",
            "LTI_COURSE": COURSE,
        }

    def public_keys(self) -> dict:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return {"keys": [public | {"kid": KEY, "use": "sig", "alg": "RS256"}]}

    @property
    def lineitems(self) -> str:
        return f"{self.url}/7/lineitems?type_id=3"

    def served(self, path: str, headers, sent: str):
        """A pass for a signed statement, a new column, or a score, as the standard has them."""
        if path == "/token":
            asked = dict(parse_qsl(sent))
            claims = jwt.decode(
                asked["client_assertion"], self.tool_key, algorithms=["RS256"], audience=f"{self.url}/token"
            )
            assert claims["iss"] == claims["sub"] == CLIENT and claims["jti"] and claims["exp"], claims
            assert asked["grant_type"] == "client_credentials"
            assert asked["client_assertion_type"].endswith(":client-assertion-type:jwt-bearer")
            assert asked["scope"].split() == [SCOPE + "lineitem", SCOPE + "score"]
            return {"access_token": PASS, "token_type": "Bearer", "expires_in": 3600}
        assert headers["Authorization"] == f"Bearer {PASS}"
        made = json.loads(sent)
        if path == "/7/lineitems":
            assert headers["Content-Type"] == "application/vnd.ims.lis.v2.lineitem+json"
            assert made["label"] and made["scoreMaximum"] > 0
            number = len(self.columns) + 1
            self.columns.append(made | {"id": f"{self.url}/7/lineitems/{number}/lineitem?type_id=3"})
            return self.columns[-1]
        assert path in [urlsplit(column["id"]).path + "/scores" for column in self.columns], path
        assert headers["Content-Type"] == "application/vnd.ims.lis.v1.score+json"
        assert len(self.scores) < self.full_after, "too many requests"
        assert made["gradingProgress"] == "FullyGraded" and made["activityProgress"] == "Completed"
        assert made["timestamp"].endswith("+00:00")
        self.scores.append((made["userId"], made["scoreGiven"], made["scoreMaximum"]))
        return {}

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
            ENDPOINT: {"scope": [SCOPE + "lineitem", SCOPE + "score"], "lineitems": self.lineitems},
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
