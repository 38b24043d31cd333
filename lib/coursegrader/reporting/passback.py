"""Finished scores straight into the gradebook of a learning management system (LMS), by LTI Advantage's
Assignment and Grade Services.

Where they go, and who has which number there, the hub notes at each launch (`lti_config.py`). What has been
sent is kept in the course's private folder after each score, so that a second run sends what has changed
since, and a run that broke off goes on.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from coursegrader.course.damaged import STUMBLES, said_if_damaged
from coursegrader.course.kept import private_folder
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.files import write_whole
from coursegrader.grading.due_dates import settle_all
from coursegrader.grading.verdicts import graded_verdicts
from coursegrader.reporting.lms_export import Grade, grades
from coursegrader.reporting.status import check_points
from coursegrader.text import in_a_line

SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/"
ITEM, ITEMS, SCORE = (
    f"application/vnd.ims.lis.{kind}+json" for kind in ("v2.lineitem", "v2.lineitemcontainer", "v1.score")
)
KEY, SENT = "lti-key.pem", "lti-sent.json"
WAIT = 60  # seconds for one answer of the LMS


@dataclass(frozen=True)
class Plan:
    """What there is to send: `scores`, and why not for the others. `launches`: the LMS and its people."""

    scores: list[Grade]
    most: float
    already: int
    left_out: list[tuple[str, str]]
    launches: dict

    def __str__(self) -> str:
        lines = [f"  {grade.student:<24} {grade.final:g} of {self.most:g}" for grade in self.scores]
        lines += [f"  {student:<24} not sent: {why}" for student, why in self.left_out]
        lines += [f"  {self.already} sent before, and the same since"] if self.already else []
        return "\n".join(lines)


def plan(problem_set: ProblemSet, launches: Path) -> Plan:
    """What a run would send. Nothing leaves the machine."""
    graded_verdicts(problem_set)
    check_points(problem_set)
    noted = _noted(launches)
    settle_all(problem_set.root)
    everybody, most = grades(problem_set, {})
    sent = _sent(problem_set.root).get(noted["lineitems"], {}).get(problem_set.name, {}).get("scores", {})
    scores, left_out, already = [], [], 0
    for grade in everybody:
        if grade.final is None:
            left_out.append((grade.student, grade.status))
        elif not noted["people"].get(grade.student.lower()):
            left_out.append(
                (grade.student, "never came to the hub from the LMS, which alone tells their number")
            )
        elif sent.get(grade.student) == [grade.final, most]:
            already += 1
        else:
            scores.append(grade)
    return Plan(scores, most, already, left_out, noted)


def send(problem_set: ProblemSet, planned: Plan) -> int:
    """Send them one after another; return how many. Raises UserError where the LMS does not take one."""
    noted, root, name, done = planned.launches, problem_set.root, problem_set.name, 0
    kept, path = _sent(root), private_folder(root) / SENT
    here = kept.setdefault(noted["lineitems"], {})
    try:
        token = _token(root, noted)
        column = _column(token, noted["lineitems"], name, planned.most)
        before = here.get(name, {"column": column, "scores": {}})
        here[name] = {"column": column, "scores": before["scores"] if before["column"] == column else {}}
        if before["column"] != column:
            write_whole(path, json.dumps(kept).encode())
            raise UserError(
                f"The LMS has another column {name} than before, in which all scores are missing."
            )
        address, _, query = column.partition("?")
        address = f"{address}/scores{'?' if query else ''}{query}"
        for grade in planned.scores:
            score = {
                "userId": noted["people"][grade.student.lower()],
                "scoreGiven": grade.final,
                "scoreMaximum": planned.most,
                "activityProgress": "Completed",
                "gradingProgress": "FullyGraded",
                "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
            }
            _ask("POST", address, token, data=json.dumps(score), content=SCORE, about=grade.student)
            here[name]["scores"][grade.student] = [grade.final, planned.most]
            write_whole(path, json.dumps(kept).encode())
            done += 1
    except UserError as error:
        raise UserError(
            f"{error} {done} of {len(planned.scores)} scores were sent. The same command sends the others."
        ) from error
    return done


def public_key(root: Path) -> tuple[str, str]:
    """The key that the LMS must know, in Moodle's form (PEM) and in Canvas's (JWK); made the first time."""
    jwt = _jwt()
    from cryptography.hazmat.primitives import serialization as forms
    from cryptography.hazmat.primitives.asymmetric import rsa

    path = private_folder(root) / KEY
    if not path.exists():
        made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(file, "wb") as stream:
            stream.write(
                made.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())
            )
    public = _private_key(path).public_key()
    pem = public.public_bytes(forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo).decode()
    jwk = jwt.algorithms.RSAAlgorithm.to_jwk(public, as_dict=True)
    return pem, json.dumps(jwk | {"kid": KEY, "alg": "RS256", "use": "sig"})


def _private_key(path: Path):
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    with said_if_damaged(path, "put it back from a backup, or delete it and tell the LMS the new one"):
        key = load_pem_private_key(path.read_bytes(), None)
        if not isinstance(key, RSAPrivateKey):
            raise TypeError("it is no RSA key")
    return key


def _jwt():
    try:
        import jwt
    except ImportError as error:
        raise UserError("This needs PyJWT, which comes with the hub: make hub") from error
    return jwt


def _noted(path: Path) -> dict:
    try:
        with said_if_damaged(path, "put it back from a backup, or delete it: who enters is noted again"):
            noted = json.loads(path.read_text(encoding="utf-8"))
            noted["people"] = dict(noted["people"].items())
            texts = ("lineitems", "client", "token")
            if wrong := [name for name in texts if not isinstance(noted.get(name, ""), str | None)]:
                raise TypeError(f"{wrong[0]} is no text")
    except FileNotFoundError as error:
        raise UserError(
            f"{path} is not there: the hub writes it when somebody comes from the LMS. If it is elsewhere, "
            "name it with --launches."
        ) from error
    for name, why in (
        ("lineitems", "the LMS does not offer its gradebook to the hub; switch the service on there"),
        ("token", "the hub was started without LTI_TOKEN"),
    ):
        if not noted.get(name):
            raise UserError(f"{path} does not say where scores go: {why}, and enter once by the link.")
    return noted


def _sent(root: Path) -> dict:
    path = private_folder(root) / SENT
    if not path.exists():
        return {}
    with said_if_damaged(path, "put it back from a backup, or delete it: all scores are sent again then"):
        return {
            address: {
                name: {"column": own["column"], "scores": dict(own["scores"])} for name, own in here.items()
            }
            for address, here in json.loads(path.read_text(encoding="utf-8")).items()
        }


def _token(root: Path, noted: dict) -> str:
    """A pass for this run, which the LMS gives for a statement signed with the course's key."""
    path = private_folder(root) / KEY
    if not path.exists():
        raise UserError("This course has no key that the LMS knows. Run: coursegrader passback")
    now = int(time.time())
    statement = {
        "iss": noted["client"],
        "sub": noted["client"],
        "aud": noted["token"],
        "iat": now,
        "exp": now + 300,
        "jti": uuid4().hex,
    }
    signed = _jwt().encode(statement, _private_key(path), algorithm="RS256", headers={"kid": KEY})
    asked = {
        "grant_type": "client_credentials",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": signed,
        "scope": f"{SCOPE}lineitem {SCOPE}score",
    }
    with _understood(noted["token"]):
        given = _ask("POST", noted["token"], None, data=asked, about="the course's key")
        return given["access_token"].strip()


def _column(token: str, address: str, name: str, most: float) -> str:
    """The address of this problem set's column in the LMS's gradebook, made if it is not there."""
    wanted = f"{address}{'&' if '?' in address else '?'}resource_id={name}"
    with _understood(address):
        for item in _ask("GET", wanted, token, accept=ITEMS, about=f"the column {name}"):
            if item.get("resourceId") == name:
                return item["id"].strip()
        data = json.dumps({"label": name, "resourceId": name, "scoreMaximum": most})
        made = _ask("POST", address, token, data=data, content=ITEM, accept=ITEM, about=name)
        return made["id"].strip()


@contextmanager
def _understood(address: str) -> Iterator[None]:
    """Whatever an answer of another form than the standard's makes its reader stumble over is a UserError."""
    try:
        yield
    except STUMBLES as error:
        why = in_a_line(f"{type(error).__name__}: {error}", 150)
        raise UserError(f"The LMS at {address} answered otherwise than the standard says ({why}).") from error


def _ask(method, address, token, about, data=None, content=None, accept="application/json"):
    import requests

    headers = {"Accept": accept} | ({"Content-Type": content} if content else {})
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    try:
        answer = requests.request(
            method, address, data=data, headers=headers, timeout=WAIT, allow_redirects=False
        )
        if answer.status_code // 100 == 2:
            return answer.json() if answer.content else {}
    except (requests.RequestException, ValueError) as error:
        raise UserError(
            f"The LMS at {address} gave no answer for {about} ({type(error).__name__})."
        ) from error
    said = " ".join(answer.text.split())[:200]
    raise UserError(f"The LMS refused {about}: {answer.status_code} {answer.reason}. {said}")
