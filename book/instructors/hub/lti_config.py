"""The hub of jupyterhub_config.py, entered from a learning management system (LMS) by LTI 1.3.

As root, in the course's environment: jupyterhub -f lti_config.py
The variables LTI_... hold what the LMS shows once the hub is entered there as a tool.
"""

import grp
import json
import os
import pwd
import subprocess
import time
from pathlib import Path

from ltiauthenticator.lti13.auth import LTI13Authenticator
from ltiauthenticator.lti13.handlers import LTI13LoginInitHandler
from tornado.web import HTTPError

c = get_config()  # noqa: F821
load_subconfig("jupyterhub_config.py", path=os.path.dirname(__file__))  # noqa: F821
MEMBERS = os.environ.get("MEMBERS", "course")
STAFF = os.environ.get("STAFF", "course-staff")
PLACE = Path(os.environ.get("PLACE", "/srv/course"))
COURSE_THERE = os.environ.get("LTI_COURSE", "")  # the course's number in the LMS; launch once to see it
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
SCORES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
INSTRUCTOR = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"


def note(token, name):
    """Keep what `coursegrader passback` needs: where scores go, and who has which number in the LMS."""
    path = PLACE / "launches.json"
    kept = json.loads(path.read_text()) if path.exists() else {"people": {}}
    kept["people"][name] = token.get("sub")
    kept["client"], kept["token"] = os.environ["LTI_CLIENT"], os.environ.get("LTI_TOKEN")
    kept["lineitems"] = (token.get(SCORES) or {}).get("lineitems") or kept.get("lineitems")
    scratch = path.with_name("hub") / "launches.part"  # a folder of root's own
    scratch.write_text(json.dumps(kept))
    os.chown(scratch, 0, grp.getgrnam(STAFF).gr_gid)
    scratch.chmod(0o640)
    scratch.replace(path)


class Start(LTI13LoginInitHandler):
    """A browser brings the two cookies of a launch back with a form of another site, the LMS."""

    def _set_oauth_cookie(self, key, value):
        self._set_cookie(key, value, expires_days=1, samesite="None", secure=True)

    def post(self):
        if "iss" not in self.request.arguments:
            raise HTTPError(403, "The way into this hub is the link in your LMS.")
        super().post()

    get = post


class Launch(LTI13Authenticator):
    """Who comes from this course of the LMS, as the account that the parameter `account` names."""

    login_handler = Start
    used = {}  # the numbers of launches, each good for one

    async def authenticate(self, handler, token):
        now, number = time.time(), token["nonce"]
        self.used = {old: until for old, until in self.used.items() if until > now}
        if number in self.used:
            raise HTTPError(403, "This launch was used before. Open the link in your LMS again.")
        self.used[number] = token["exp"]
        course = str((token.get(CLAIM + "context") or {}).get("id"))
        if course != COURSE_THERE:
            self.log.warning("A launch from the course %r of the LMS; LTI_COURSE is %r", course, COURSE_THERE)
            raise HTTPError(403, "This hub belongs to another course of your LMS.")
        name = (token.get(CLAIM + "custom") or {}).get("account")
        if not name:
            raise HTTPError(403, "Your LMS sent no parameter `account`. Tell your instructor.")
        name = self.normalize_username(str(name))  # in small letters
        try:
            groups = os.getgrouplist(name, pwd.getpwnam(name).pw_gid)
        except KeyError:
            groups = []
        if grp.getgrnam(MEMBERS).gr_gid not in groups:
            raise HTTPError(403, f"This hub has no account {name!r} for the course. Tell your instructor.")
        # the role in the LMS decides who is an instructor here
        instructor = INSTRUCTOR in token[CLAIM + "roles"]
        if instructor != (grp.getgrnam(STAFF).gr_gid in groups):
            change = "--add" if instructor else "--delete"
            subprocess.run(["gpasswd", change, name, STAFF], check=True, stdout=subprocess.DEVNULL)
        note(token, name)
        return name


c.JupyterHub.authenticator_class = Launch
c.Authenticator.allow_all = True  # all whom `authenticate` lets in
c.LTI13Authenticator.issuer = os.environ["LTI_ISSUER"]
c.LTI13Authenticator.client_id = {os.environ["LTI_CLIENT"]}
c.LTI13Authenticator.authorize_url = os.environ["LTI_AUTHORIZE"]
c.LTI13Authenticator.jwks_endpoint = os.environ["LTI_KEYS"]
