"""JupyterHub for one course on one Linux machine.

As root, in the course's environment: jupyterhub -f jupyterhub_config.py
Set variables of these names where a value is to be another one: setup.sh beside this file
reads the same ones.
"""

import grp
import os
import pwd
import sys
from pathlib import Path

# the course's name in nbgrader's exchange, and its folder's in the instructor's home
COURSE = os.environ.get("COURSE", "spring-2027")
# the system's groups: everybody who may log in, and the instructors, who are members too
MEMBERS = os.environ.get("MEMBERS", "course")
STAFF = os.environ.get("STAFF", "course-staff")
# holds the exchange and the hub's own files
PLACE = Path(os.environ.get("PLACE", "/srv/course"))
# holds everybody/ and staff/, readable for all
HERE = Path(__file__).resolve().parent
BIN = Path(sys.executable).parent

c = get_config()  # noqa: F821

# Who: accounts of the system, with their passwords
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {MEMBERS}
c.PAMAuthenticator.open_sessions = False


def is_staff(name):
    return grp.getgrnam(STAFF).gr_gid in os.getgrouplist(name, pwd.getpwnam(name).pw_gid)


def configuration(spawner):
    """The folders in which a user's server looks for its configuration first."""
    folders = [HERE / "staff"] if is_staff(spawner.user.name) else []
    folders.append(HERE / "everybody")
    return os.pathsep.join(map(str, folders))


# What: JupyterLab under each user's own account, in their home
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.Spawner.cmd = [str(BIN / "jupyterhub-singleuser")]
c.Spawner.default_url = "/lab"
c.Spawner.notebook_dir = "~"
c.Spawner.http_timeout = c.Spawner.start_timeout = 180
c.Spawner.environment = {
    "PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin",
    "COURSE": COURSE,
    "EXCHANGE": str(PLACE / "exchange"),
    "JUPYTER_CONFIG_PATH": configuration,
    "OMP_NUM_THREADS": "1",
}

# Where: the hub's own files, for root alone
c.JupyterHub.db_url = f"sqlite:///{PLACE}/hub/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = str(PLACE / "hub" / "cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(PLACE / "hub" / "proxy.pid")
PROXY = BIN.parent / "hub" / "node_modules" / ".bin" / "configurable-http-proxy"
c.ConfigurableHTTPProxy.command = [str(PROXY)]
c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # behind a web server that has the certificate
