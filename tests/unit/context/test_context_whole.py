"""Secrets that end later than their first quote, comma or blank: all of one goes, and no half is shown."""

import re
from base64 import b64encode

import pytest

from zeroin.context.redaction.redact import redact, redact_line

HALF, TAIL = "aB3dE5" + "fG7", "hI9jK1" + "mN"
ACCOUNT = b64encode(f"bob:{HALF}".encode()).decode()


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", f'password = "«{HALF}\\"{TAIL}»"'),
        ("a.json", f'{{"password": "«{HALF}\\"{TAIL}»", "port": 1}}'),
        ("a.py", f'password = "«{HALF}\'&{TAIL}»"  # since 2024'),
        ("a.py", f"password = '«{HALF}\"{TAIL}»', other = 'word1'"),
        ("a.py", f'api_key = "«{HALF * 60}»"'),
        ("a.yml", f"password: «{HALF},{TAIL}»"),
        ("a.yml", f"password: «{HALF};{TAIL}»"),
        ("a.yml", f"password: «{HALF}'{TAIL}»"),
        ("a.yml", f"PASSWORD: &pw «{HALF}»"),
        ("a.yml", f"password: !!str «{HALF}»"),
        ("a.yml", f"- {{name: DB_PASSWORD, value: «{HALF}»}}"),
        ("a.yml", f"token: «{HALF * 30}»"),
        ("a.ini", f"password = «{HALF} {TAIL}»"),
        ("a.properties", f"db.password=«{HALF},{TAIL}»"),
        ("a.properties", f"db.password=«{HALF}'{TAIL}»"),
        ("a.md", f'The password is «{HALF}"{TAIL}»'),
        ("a.cs", f'"Server=x;Password=«{HALF}\'{TAIL}»;Database=y"'),
        ("a.xml", f"<password>«{HALF}'{TAIL}»</password>"),
        ("a.sh", f"mysql -uroot -p'«{HALF}\"{TAIL}»' db"),
        ("a.sh", f"curl -u 'bob:«{HALF} {TAIL}»' http://x"),
        ("a.py", f"url = 'postgres://u:«{HALF}@{TAIL}»@h/db'"),
        ("a.py", f"url = 'postgres://u:«{HALF}/{TAIL}»@h/db'"),
        ("a.py", f"url = 'postgres://u:«{HALF}?{TAIL}»@h/db'"),
        (".npmrc", f"//registry.example/:_auth=«{ACCOUNT}»"),
        (".docker/config.json", f'"auth": "«{ACCOUNT}»"'),
    ],
)
def test_all_of_a_secret_goes(path: str, line: str) -> None:
    before, secret, after = re.split("[«»]", line)
    text, count = redact_line(path, before + secret + after)
    assert count == 1 and HALF not in text and TAIL not in text and ACCOUNT not in text
    assert re.sub(r"\[redacted: [^\]]*\]\}?", "", text) == before + after.removeprefix("}")


@pytest.mark.parametrize(
    "line",
    [
        "form = '<input password=\"' + form.pass1 + '\" type=\"A1b2\">'",
        "password = \"'+user.Pass1.value2+'\"",
        '"auth": "basic_authentication_v2"',
        "url = 'http://registry.example:5000/image/v1@sha256'",
        "https://host:8443/Some1/Path2@x3",
        "MultiHostUrl('https://foo.com:123,foo:bar@bar.com/path')",
        "'password must hold 8 characters, Abc1 is none'",
    ],
)
def test_what_only_looks_so_stays(line: str) -> None:
    assert redact_line("src/a.py", line) == (line, 0)


@pytest.mark.parametrize("path", [".env~", "prod.env~", "prod.env.bak"])
def test_copies_of_files_of_secrets_lose_values(path: str) -> None:
    assert redact(path, ["DB_HOST=localhost"]) == (["DB_HOST=[redacted: value]"], 1)
