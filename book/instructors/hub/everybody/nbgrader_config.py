"""nbgrader for everybody on the hub: the course and its exchange.

A submission is readable to its student and the instructor alone.
"""

import os

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = os.environ["COURSE"]
c.Exchange.root = os.environ["EXCHANGE"]
c.ExchangeFactory.submit = "coursegrader.submissions.exchange.ClosedSubmit"
