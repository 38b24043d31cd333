"""nbgrader for instructors on the hub.

The course folder in their home, and the judged grader, for formgrader's buttons too.
"""

import os

from coursegrader.course import configure

c = get_config()  # noqa: F821
configure(c)
c.CourseDirectory.root = os.path.join(os.path.expanduser("~"), os.environ["COURSE"])
