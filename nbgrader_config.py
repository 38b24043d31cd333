"""nbgrader's configuration for this course: folders, private files, and the judged execution step."""

from coursegrader.course import configure

c = get_config()  # noqa: F821
configure(c)
c.CourseDirectory.course_id = "allyouneed"
