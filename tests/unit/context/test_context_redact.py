import re
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zeroin.answer import Context
from zeroin.beside import table_beside
from zeroin.context.redaction import token_forms
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.redaction.redact import redact, redact_line
from zeroin.context.redaction.secret_patterns import _NAME, _WORDS
from zeroin.evaluate.deferred import Deferred
from zeroin.types import Expansion, ExpansionSource, Reason

OTHER = table_beside(token_forms.__file__, "token_forms.toml")["other"]
LONG = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
TAIL = "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3s"
KEY = "-----BEGIN RSA PRIVATE KEY-----"
BODY = ["MIIEpAIBAAKCAQEA6Z5Qqhw+oWfhtEiMHE32Ht94mwTBpAfjt3vPpX8M7DMCTwHs", "rIcetQpfrJ1cAqz6Ng0pD0mh77vQ13WG1A=="]
END = "-----END RSA PRIVATE KEY-----"
AWS = "AKIA" + "Q6XH7XJV4WLN3ZPD"
GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SLACK = "xoxb-" + "110398721553-220489123456-Zx9Lq2Wv7Rt5Yu3Io1Pa8Sd6"


@pytest.mark.parametrize(
    "line",
    [
        '"integrity": "sha512-DCXu6Ifhqcks7TZKY3Hxp3y6qphY5SJZmrWMDrKcERSOXWQdMh/PYrzyw/ul9jOIyh0N4M0tbC5hodg8dw=="',
        'checksum = "322f4de77956e22ed0e5032c359a0f1273f1f7f0d79bfa3b8ffbc730d7fbcc5c"',
        "down_revision = '1975ea83b712'",
        'password = os.environ["DB_PASSWORD_2"]',
        "sqlalchemy.url = driver://user:pass@localhost/dbname",
        'connect(f"databend://{username}:{password}@{host}:{port}/")',
        'password: "must not be blank", user: "is taken"',
        '"passwd": "change user password", "pwd": "print working directory"',
        'passwordHelp = "lower case letters"',
        'password = "Welche Farbe hat das Haus"',
        "password = prompt('a b', x) or 'c d e'",
        "export function validateToken2(token: Token): Promise<void> {",
        '"alias/aws/secretsmanager": "fee5173a-3972-428e-ae73-cd4c2a371222",',
        "    key = hashlib.sha256(token.encode()).hexdigest()[:16]",
        '    password: "Enter your password",',
        "const createSecretKey = require('crypto2').createSecretKey;",
        'API_KEY = "your-api-key-1234"',
        "if header == '-----BEGIN RSA PRIVATE KEY-----':",
        "api_key: your-api-key-goes-here-1234",
        "secret_key = settings.PAYMENT_SECRET_KEY_V2_2024_A",
        "access_token: oauth2_refresh_token_of_2023_v1",
        "token = base64UrlEncodedTokenOfSha256(value)",
        "token: components/schemas/oauth2/Token2024Response3",
        "headers = {'Authorization': f'Bearer {self.access_token_2}'}",
        '"Authorization: Bearer <YOUR_ACCESS_TOKEN_12345>"',
        "bearer authentication-schemes",
        'url = f"https://{user}:{password1}@{host}:8080"',
        "postgres://$USER:$DB_PASSWORD_2&x@host/db",
        "ssh://git@host.example:2222/a@b",
        "npm_config_registry_of_the_project_2024",
        "<assemblyIdentity publicKeyToken='1fc8b3b9a1e18e3b' />",
        "the password is sha256-hashed, the token is oauth2-based",
        "password: this.form.value.password2!",
        'secretName: "web-tls-2024-cert",',
        'config["secret_file"] = "/run/secrets/db1.txt"',
        "tokenizer = 'bert-base-uncased-v2-512'",
        "mkdir -p build2/output1 && cp -a target1/release2 .",
        "docker run -p 8080:80 -u 1000:1000 image:v1",
        "cookie: Cookie = Cookie(path=Path2)",
        "# the password is bcrypt2-hashed and base64-encoded",
        "password = (await getPassword2())",
        "f'{user}:{password1}@{host2}'",
        "mysql -p$PASS1 -h db1 < schema2.sql",
        "curl -u $USER1:$TOKEN2 https://a.b/c3",
        "  readonly privateKey: X25519PrivateKey;",
        "privateKey: Kyber1024PrivateKey, password: V2Password",
    ],
)
def test_ordinary_code_stays_as_it_is(line: str) -> None:
    assert redact_line("src/a.py", line) == (line, 0)


def test_a_private_key_goes_line_by_line() -> None:
    lines = ["before = 1", KEY, *BODY, END, "after = 2"]
    shown, count = redact("config/server.pem", lines)
    assert len(shown) == len(lines) and count == 2
    assert shown[0] == "before = 1" and shown[1] == KEY and shown[-2:] == [END, "after = 2"]
    assert all(body not in "\n".join(shown) for body in BODY)


def test_a_private_key_in_source_code() -> None:
    lines = ["const key =", f"  '{KEY}\\n' +", *[f"  '{body}\\n' +" for body in BODY], f"  '{END}';", "use(key);"]
    shown, count = redact("test/tls.js", lines)
    assert count == 2 and shown[-1] == "use(key);" and shown[2].startswith("  '[redacted")


def test_env_files_keep_names_and_lose_values() -> None:
    lines = ["# database", "DB_HOST=localhost", "export DB_PASS='a b'", "EMPTY=", "", "KEY=1\\", "rest of it"]
    shown, count = redact("deploy/.env.production", lines)
    assert shown == [
        "# database",
        "DB_HOST=[redacted: value]",
        "export DB_PASS=[redacted: value]",
        "EMPTY=",
        "",
        "KEY=[redacted: value]",
        "[redacted: value]",
    ]
    assert count == 4
    assert redact(".env.example", ["DB_HOST=localhost"]) == (["DB_HOST=localhost"], 0)
    assert redact("src/env.py", ["HOST = 'localhost'"]) == (["HOST = 'localhost'"], 0)


def test_quoted_sentences_are_redacted_and_counted(context: Context) -> None:
    term = Expansion("key", "token", 0.5, (ExpansionSource("comment", "a.py", 3, f"token = {GITHUB}"),), "sure")
    said = replace(context.tests[0], reasons=(Reason("passage", f"line 3 says {SLACK}"),))
    given = replace(context, terminology=(term,), warnings=(f"seen {AWS}",), tests=(said,), documents=(said,))
    shown, count = quotes_of(given)
    assert count == 4
    assert SLACK not in repr(shown)
    assert GITHUB not in repr(shown) and AWS not in repr(shown)
    assert shown.files == context.files and shown.task == context.task
    assert quotes_of(replace(given, redact=False)) == (replace(given, redact=False), 0)


def test_cycles_and_ranking_are_redacted_when_they_are_looked_at(context: Context) -> None:
    looked: list[str] = []

    def made() -> tuple[Reason, ...]:
        looked.append("at")
        return (Reason("passage", f"says {SLACK}"),)

    file = replace(context.tests[0], path="other.py", reasons=Deferred(made))
    cycle = replace(context.cycles[-1], judgments=(file,), gaps=Deferred(made))
    shown, _ = quotes_of(replace(context, cycles=(cycle,), ranking=(file,)))
    assert not looked
    assert SLACK not in repr((shown.cycles[-1].gaps, shown.cycles[-1].judgments, shown.ranking))
    assert looked == ["at", "at"]
    again, _ = quotes_of(replace(context, ranking=(file,)))
    assert shown.ranking == again.ranking and hash(shown.ranking) == hash(again.ranking)


@pytest.mark.parametrize(
    ("letters", "form"),
    [((letters,), form.replace("}+", "}")) for _, letters, form in OTHER] + [(_WORDS, f"(?i){_NAME}")],
)
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_match_holds_the_letters_that_are_looked_for_first(
    letters: tuple[str, ...], form: str, data: st.DataObject
) -> None:
    match = re.search(form, data.draw(st.from_regex(form)))
    assert match is not None
    assert any(word in match[0].lower() for word in letters)


def test_redaction_leaves_the_callers_process_as_it_was() -> None:
    code = (
        "import sys, importlib.util\n"
        "from zeroin.context.redaction.redact import redact\n"
        "before = set(sys.modules)\n"
        f"print(redact('a.py', ['k = \"{AWS}\"', 't = \"{SLACK}\"', 'p = \"{GITHUB}\"'])[1])\n"
        "assert set(sys.modules) == before and 'requests' not in sys.modules\n"
        "importlib.util.find_spec('requests')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "3\n"


@pytest.mark.parametrize("end", ["", "\\n"])
def test_a_private_key_on_one_line(end: str) -> None:
    line = (
        '  "private_key": "-----BEGIN PRIVATE KEY-----\\n'
        + "\\n".join([LONG, LONG[::-1], TAIL, "Zk3=="])
        + f'\\n-----END PRIVATE KEY-----{end}",'
    )
    after = ['  "id": "a",', "digest = 'AAAAB3NzaC1yc2EAAAADAQABAAABAQDf8mLk2nQ4v7'"]
    shown, count = redact("account.json", ["{", line, *after])
    assert shown[1] == (
        '  "private_key": "-----BEGIN PRIVATE KEY-----[redacted: private key]-----END PRIVATE KEY-----' + f'{end}",'
    )
    assert shown[2:] == after and count == 1  # nothing is left open
    assert redact_line("", line)[0] == shown[1]


def test_every_run_of_a_private_key_without_an_end_on_its_line() -> None:
    lines = [
        f'key = "-----BEGIN RSA PRIVATE KEY-----\\n{LONG}\\n{TAIL}\\n"',
        f'"{LONG}\\n{LONG[::-1]}\\n"',
        f'"{TAIL}-----END RSA PRIVATE KEY-----"',
        "done()",
    ]
    shown, count = redact("a.py", lines)
    assert count == 5 and LONG not in "".join(shown) and LONG[::-1] not in "".join(shown)
    assert TAIL not in "".join(shown) and shown[3] == "done()"
    code = 'wrap = f"-----BEGIN PRIVATE KEY-----\\n{body}\\n-----END PRIVATE KEY-----"'
    assert redact("a.py", [code]) == ([code], 0)
