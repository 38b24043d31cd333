"""Reading rosters as instructors have them."""

import pytest

from coursegrader.course.roster import Person, read_roster
from coursegrader.errors import UserError

JANE, OMAR = (
    Person("jane", "Jane", "Doe", "jane@uni.example", "1234"),
    Person("omar", "Omar", "El Amin", "", "77"),
)


@pytest.mark.parametrize(
    "text",
    [
        (
            "id,first_name,last_name,email,lms_user_id\njane,Jane,Doe,jane@uni.example,1234\nomar,Omar,El "
            "Amin,,77\n"
        ),
        (
            "\ufeffId;First name;Surname;E-mail;ID "
            "number\njane;Jane;Doe;jane@uni.example;1234\n;;;;\nomar;Omar;El Amin;;77\n"
        ),
        (
            "First name\tLast name\tUsername\tEmail address\tID "
            "number\nJane\tDoe\tjane\tjane@uni.example\t1234\nOmar\tEl Amin\tomar\t\t77\n"
        ),
        (
            "\ufeffsep=;\nid;first_name;last_name;email;lms_user_id\n"
            '"jane";Jane;Doe;jane@uni.example;1234\nomar;Omar;"El Amin";;77\n'
        ),
    ],
    ids=["own", "semicolons and a byte-order mark", "Moodle, tabs", "Excel's line on top"],
)
def test_a_table_is_read(text, tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    assert read_roster(path) == [JANE, OMAR]


ANONYMOUS = (
    "Identifier,Status,Grade,Last modified (submission),Feedback comments\n"
    'Participant 4720,Submitted,,"Wednesday, 3 March 2027, 11:00 PM",\n'
    'Participant 4721,No submission,,-,"<p>Not yet,\nit seems</p>"\n'
)


def test_an_anonymous_worksheet_of_moodle_is_read(tmp_path):
    path = tmp_path / "worksheet.csv"
    path.write_text(ANONYMOUS, encoding="utf-8")
    assert read_roster(path) == [
        Person("participant-4720", lms_user_id="Participant 4720"),
        Person("participant-4721", lms_user_id="Participant 4721"),
    ]
    path.write_text("Identifier,Full name\nParticipant 4720,Jane Doe\n", encoding="utf-8")
    with pytest.raises(UserError, match="no column for the account"):
        read_roster(path)


def test_an_export_of_canvas_is_read(tmp_path):
    path = tmp_path / "grades.csv"
    path.write_text(
        (
            'Student,ID,SIS User ID,SIS Login ID,Section,Quiz 1\n"    Points '
            'Possible",,,,,10\n"Doe, Jane",1234,S1,jane,A,9\n"El Amin, '
            'Omar",77,S2,omar,A,\n"Student, Test",99,,,A,\n'
        ),
        encoding="utf-8",
    )
    assert [
        (person.id, person.first_name, person.last_name, person.lms_user_id) for person in read_roster(path)
    ] == [("jane", "Jane", "Doe", "1234"), ("omar", "Omar", "El Amin", "77")]


@pytest.mark.parametrize(
    "text, problem",
    [
        ("name,email\nJane,j@x.y\n", "no column for the account"),
        ("", "no column for the account"),
        ("id\n", "no column|no students"),
        ("id\njane\njane\n", "line 3: jane is there twice"),
        ("id,lms_user_id\njane,7\nomar,7\n", "line 3: omar has the LMS's number of jane, 7"),
        ("id\n../jane\n", "cannot be an account"),
        ("id,first_name\n,Jane\n", "line 2: Jane has no account: the column 'id' is empty"),
        (
            "Student,ID,SIS Login ID,Section\nDoe,7,,A\n",
            "line 2: Doe has no account: the column 'SIS Login ID'",
        ),
        ('id,name\nana,Ana\nben,"Ben\ncy,Cy\n', "from line 3 on .unexpected end of data.: close its quot"),
        ('id,name\nana,"Ana\nben,Ben"\ncy,Cy\n', "from line 2 on .a cell has several lines."),
        ('id,name,note\nana,A,"x\nben,B,y" z\ncy,C,z\n', "from line 2 on"),
        ('id,"name\nana,Ana"\nben,Ben\n', "from line 1 on"),
        pytest.param(f"id,name\n\nana,{'x' * 140_000}\n", "from line 3 on .field larger", id="long"),
        ("sep=;\nid;name\n\n../jane;Jane\n", "line 4: '../jane' cannot be an account"),
    ],
)
def test_what_cannot_be_used_is_named(text, problem, tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=problem):
        read_roster(path)


NO_LOGIN = (
    'Student,ID,SIS User ID,Email,Section,Quiz 1\n"    Points Possible",,,,,10\n'
    '"Doe, Jane",1234,,jane@uni.example,A,9\n"Chen, Li",77,S2,chen+1@uni.example,A,9\n'
    '"Student, Test",99,,,A,\n'
)


def test_a_gradebook_of_canvas_without_accounts_says_which_column_is_missing_and_which_could_be_it(tmp_path):
    """Canvas's own number is nobody's account."""
    path = tmp_path / "grades.csv"
    path.write_text(NO_LOGIN, encoding="utf-8")
    with pytest.raises(UserError, match="without the column SIS Login ID") as caught:
        read_roster(path)
    assert "It could be one of these: ID, Email." in str(caught.value) and "--account COLUMN" in str(
        caught.value
    )
    assert read_roster(path, "email") == [
        Person("jane@uni.example", "Jane", "Doe", "jane@uni.example", "1234"),
        Person("chen+1@uni.example", "Li", "Chen", "chen+1@uni.example", "77"),
    ]
    with pytest.raises(UserError, match="has no column 'login'.* these: ID, Email"):
        read_roster(path, "login")
    path.write_text("name,matriculation\nJane,m1\nOmar,m2\n", encoding="utf-8")
    assert [person.id for person in read_roster(path, "Matriculation")] == ["m1", "m2"]


def test_other_encodings_are_refused(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_bytes("id,last_name\njane,Müller\n".encode("latin-1"))
    with pytest.raises(UserError, match="not UTF-8"):
        read_roster(path)
