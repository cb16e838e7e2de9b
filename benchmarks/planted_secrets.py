"""Made-up secrets of every kind that is looked for, and files that hold them in the ways of many languages.

Each value is made when it is asked for, from its form and a seed: no literal in this repository looks like a secret.
"""

import base64
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
CLASSES = {
    "a": LOWER + UPPER + DIGITS,
    "l": LOWER + DIGITS,
    "u": UPPER + DIGITS,
    "h": "0123456789abcdef",
    "d": DIGITS,
    "w": LOWER + UPPER + DIGITS + "_",
    "b": LOWER + UPPER + DIGITS + "+/",
    "p": LOWER + UPPER + DIGITS + "!#%&*^~",
    "2": "023456789acdefghjklmnpqrstuvwxyz",  # Bech32 without what looks like another
}
_PART = re.compile(r"\{(\w)(\d+)\}")
_UUID = "{h8}-{h4}-4{h3}-a{h3}-{h12}"

# Kinds with a form of their own: `{a20}` is twenty characters of class a; `|` parts what must not stand together here.
TOKENS = {
    "AWS access key": "AK|IA{u16}",
    "AWS temporary key": "AS|IA{u16}",
    "Alibaba access key": "LT|AI{a20}",
    "Tencent access key": "AK|ID{a32}",
    "Google API key": "AI|za{w35}",
    "Google OAuth secret": "GOC|SPX-{w28}",
    "Google OAuth token": "ya|29.{w60}",
    "Firebase server key": "AA|AA{w7}:APA|91b{w134}",
    "Azure AD client secret": "{a3}8|Q~{a34}",
    "Azure storage key": "Account|Key={b86}==",
    "Azure shared access key": "SharedAccess|Key={b43}=",
    "Azure SAS": "https://shop.blob.core.windows.net/a?sv=2022-11-02&se=2030-01-01&sig|={b43}%3D",
    "DigitalOcean": "do|p_v1_{h64}",
    "Databricks": "da|pi{h32}",
    "Heroku": "HR|KU-AA{w58}",
    "Netlify": "nf|p_{a36}",
    "PlanetScale": "psc|ale_tkn_{w43}",
    "Supabase": "sb|p_{h40}",
    "Fly": "fm2|_{b80}",
    "Doppler": "dp|.pt.{a43}",
    "Vault service": "hv|s.{w90}",
    "Vault batch": "hv|b.{w130}",
    "Vault, old": "s|.{a24}",
    "Terraform Cloud": "{a14}.atlas|v1.{w67}",
    "Pulumi": "pu|l-{h40}",
    "Tailscale": "tsk|ey-auth-{a12}CNTRL-{a30}",
    "1Password service account": "op|s_ey|J{a200}",
    "age key": "AGE-SECRET|-KEY-1{u58}",
    "GitHub classic": "gh|p_{a36}",
    "GitHub OAuth": "gh|o_{a36}",
    "GitHub app": "gh|s_{a36}",
    "GitHub fine-grained": "github|_pat_{a22}_{a59}",
    "GitLab": "gl|pat-{w20}",
    "GitLab, routable": "gl|pat-{w27}.01.{l9}",
    "GitLab runner": "gl|rt-{w20}",
    "Bitbucket": "AT|BB{a32}",
    "Atlassian": "AT|ATT3xFfGF0{w150}={u8}",
    "npm": "np|m_{a36}",
    "PyPI": "pypi|-AgEIcHlwaS5vcmc{w90}",
    "RubyGems": "ruby|gems_{h48}",
    "crates.io": "ci|o{a32}",
    "NuGet": "oy|2{l43}",
    "Docker Hub": "dckr|_pat_{w27}",
    "Clojars": "CLO|JARS_{l60}",
    "Artifactory": "AK|Cp{a69}",
    "Sonar": "sq|p_{h40}",
    "CircleCI": "CCI|PAT_{a22}_{h40}",
    "Anthropic": "sk-|ant-api03-{w93}AA",
    "OpenAI project": "sk-|proj-{w74}T3Blbk|FJ{w74}",
    "OpenAI, old": "sk-|{a20}T3Blbk|FJ{a20}",
    "OpenRouter": "sk-|or-v1-{h64}",
    "Hugging Face": "hf|_{a34}",
    "Replicate": "r8|_{a37}",
    "Groq": "gs|k_{a52}",
    "Perplexity": "pp|lx-{a48}",
    "LangSmith": "lsv2|_pt_{h32}_{h10}",
    "Slack bot": "xo|xb-{d12}-{d13}-{a24}",
    "Slack user": "xo|xp-{d12}-{d12}-{d13}-{h32}",
    "Slack app": "xa|pp-1-A{u10}-{d13}-{h64}",
    "Slack webhook": "https://hooks.sl|ack.com/services/T{u10}/B{u10}/{a24}",
    "Slack workflow": "https://hooks.sl|ack.com/workflows/T{u10}/A{u10}/{d18}/{a24}",
    "Discord bot": "M{a25}.{w6}.{w38}",
    "Discord webhook": "https://disc|ord.com/api/webhooks/{d18}/{w68}",
    "Teams webhook": f"https://shop.webhook.off|ice.com/webhookb2/{_UUID}@{_UUID}/IncomingWebhook/{{h32}}/{_UUID}",
    "Telegram bot": "{d10}:AA{w33}",
    "Twilio": "S|K{h32}",
    "SendGrid": "S|G.{w22}.{w43}",
    "Mailgun": "ke|y-{h32}",
    "Mailgun, new": "{h32}-{h8}-{h8}",
    "Mailchimp": "{h32}-u|s21",
    "Brevo": "xkey|sib-{h64}-{a16}",
    "Resend": "r|e_{a8}_{a24}",
    "Postman": "PM|AK-{h24}-{h34}",
    "Stripe": "sk|_live_{a24}",
    "Stripe restricted": "rk|_live_{a99}",
    "Stripe webhook": "wh|sec_{a32}",
    "Square": "sq0|csp-{w43}",
    "Square access": "sq0|atp-{w22}",
    "Shopify": "sh|pat_{h32}",
    "Razorpay": "rz|p_live_{a14}",
    "Grafana cloud": "gl|c_ey|J{a60}",
    "Grafana service account": "gl|sa_{a32}_{h8}",
    "Grafana key": "ey|JrIjoi{a70}",
    "New Relic": "NR|AK-{u27}",
    "Dynatrace": "dt0|c01.{u24}.{u64}",
    "Sentry": "sn|trys_ey|J{a80}",
    "Sentry user": "sn|tryu_{h64}",
    "Sentry DSN": "https://{h32}@o450123.ingest.sen|try.io/4505012345",
    "Linear": "lin|_api_{a40}",
    "Notion": "nt|n_{a46}",
    "Airtable": "pa|t{a14}.{h64}",
    "Figma": "fi|gd_{w40}",
    "HubSpot": f"pa|t-na1-{_UUID}",
    "Contentful": "CF|PAT-{w43}",
    "Okta": "SS|WS 00{w40}",
    "Dropbox": "s|l.{w135}",
    "JSON web token": "ey|JhbGciOiJIUzI1NiJ9.ey|J{a40}.{w43}",
    "URL with a password": "postgresql://app:{a16}@db.internal:5432/shop",
    "base64 of a private key": "LS0tLS1|CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk{b120}",
}

# Values that only their name calls secret.
NAMED = {
    "database password": ("db_password", "{p14}"),
    "password of letters and digits": ("password", "{a12}"),
    "passphrase": ("key_passphrase", "{p18}"),
    "secret key": ("secret_key", "{p40}"),
    "client secret": ("client_secret", "{w40}"),
    "API key": ("api_key", "{h32}"),
    "authentication token": ("twilio_auth_token", "{h32}"),
    "access token": ("access_token", "{a40}"),
    "AWS secret key": ("aws_secret_access_key", "{b40}"),
    "encryption key": ("encryption_key", "{b43}="),
    "API key of Heroku": ("heroku_api_key", _UUID),
    "base64 password": ("admin_password", "BASE64"),
}

_FORMATS = {  # path, line with a value under a name that says nothing, line with a value that its name calls secret
    "Python": ("shop/client.py", 'client = connect("{v}")', '{n} = "{v}"'),
    "TypeScript": ("src/client.ts", "const client = connect('{v}');", "  {c}: '{v}',"),
    "Go": ("client.go", 'client := connect("{v}")', 'const {c} string = "{v}"'),
    "Java": ("Client.java", 'Client c = connect("{v}");', 'static final String {N} = "{v}";'),
    "Rust": ("src/client.rs", 'let client = connect("{v}");', 'let {n}: &str = "{v}";'),
    "Ruby": ("lib/client.rb", "client = connect '{v}'", "  :{n} => '{v}',"),
    "PHP": ("client.php", "$client = connect('{v}');", "define('{N}', '{v}');"),
    "C#": ("Client.cs", 'var client = Connect("{v}");', 'options["{c}"] = "{v}";'),
    "shell": ("run.sh", "connect '{v}' --now", "export {N}='{v}'"),
    "YAML": ("app.yaml", "  client: {v}", "  {n}: {v}"),
    "JSON": ("app.json", '  "client": "{v}",', '  "{c}": "{v}",'),
    "TOML": ("app.toml", 'client = "{v}"', '{n} = "{v}"'),
    "HCL": ("main.tf", '  client = "{v}"', '  {n} = "{v}"'),
    "Dockerfile": ("Dockerfile", "ENV CLIENT={v}", "ENV {N}={v}"),
    "INI": ("app.ini", "client = {v}", "{n} = {v}"),
    "XML": ("app.xml", "<client>{v}</client>", "<{c}>{v}</{c}>"),
    "SQL": ("seed.sql", "INSERT INTO clients VALUES ('{v}');", "SET @{n} = '{v}';"),
    "Markdown": ("NOTES.md", "Connect with {v} and go on.", "The {s} is `{v}`."),
}

# Passwords in places of their own: `{v}` is the secret.
PLACED = {
    "JDBC": ("Db.java", ['String u = "jdbc:mysql://db/shop?user=app&password={v}&ssl=true";'], "{a14}"),
    "JDBC, SQL Server": ("app.properties", ["url=jdbc:sqlserver://db;user=sa;password={v};"], "{a14}"),
    "ADO.NET": ("App.config", ['<add connectionString="Server=db;User Id=sa;Password={v};" />'], "{p14}"),
    "ADO.NET, short": ("Db.cs", ['var s = "Server=db;Uid=sa;Pwd={v}";'], "{a14}"),
    "ODBC": ("db.py", ['c = "DRIVER=x;UID=sa;PWD={v};TrustServerCertificate=yes"'], "{p14}"),
    "libpq": ("db.go", ['dsn := "host=db user=app password={v} dbname=shop"'], "{a14}"),
    "mysql -p": ("backup.sh", ["mysqldump -u root -p{v} shop > out.sql"], "{a14}"),
    "mysql -p, quoted": ("backup.sh", ["mysql -h db -uroot -p'{v}' shop"], "{p14}"),
    "curl -u": ("deploy.sh", ["curl -s -u admin:{v} https://shop.internal/api"], "{a14}"),
    "curl --user": ("deploy.yml", ['  - run: curl --user "admin:{v}" https://shop.internal/api'], "{p14}"),
    "sshpass": ("deploy.sh", ["sshpass -p '{v}' ssh root@shop.internal"], "{p14}"),
    "redis-cli": ("cache.sh", ["redis-cli -h cache -a {v} ping"], "{a14}"),
    "PGPASSWORD": ("backup.sh", ["PGPASSWORD={v} psql -h db shop"], "{a14}"),
    "option of a command": ("login.sh", ["docker login --username ci --password {v}"], "{a14}"),
    "default of a variable": ("app.py", ['password = os.environ.get("DB_PASSWORD", "{v}")'], "{p14}"),
    "call": ("app.js", ["store.set('apiKey', '{v}');"], "{h32}"),
    "typed attribute": ("app.py", ['    password: str = "{v}"'], "{p14}"),
    "typed in Go": ("app.go", ['var dbPassword string = "{v}"'], "{p14}"),
    "shell variable": ("run.sh", ["DB_PASSWORD={v}"], "{a14}"),
    "next line, Python": ("app.py", ["PASSWORD = (", '    "{v}"', ")"], "{p14}"),
    "next line, Go": ("app.go", ["\tPassword:", '\t\t"{v}",'], "{p14}"),
    "next line, YAML": ("app.yaml", ["  password: >-", "    {v}"], "{a14}"),
    "next line, Kubernetes": ("pod.yaml", ["  - name: DB_PASSWORD", '    value: "{v}"'], "{p14}"),
    "next line, key file": ("app.json", ['  "apiKey":', '    "{v}",'], "{h32}"),
    "prose": ("README.md", ["Log in as admin, the password is {v}."], "{p14}"),
    "prose in a comment": ("app.c", ["/* the root password for staging is {v} */"], "{p14}"),
    "prose with a colon": ("NOTES.txt", ["Password: {v}"], "{p14}"),
    "prose, a word with digits": ("README.md", ["Log in as admin, the password is {v}."], "{l5}7{l5}4k"),
    "colon, a word with digits": ("NOTES.txt", ["Password: {v}"], "{l5}7{l5}4k"),
    "Django": ("settings.py", ["SECRET_KEY = 'django-insecure-{v}'"], "{p20}({p20}"),
    "header of a key": ("call.http", ["X-Api-Key: {v}"], "{h32}"),
    "basic authorization": ("call.http", ["Authorization: Basic {v}="], "{b31}"),
    "bearer authorization": ("call.py", ['h = {"Authorization": "Bearer {v}"}'], "{a40}"),
    "cookie": ("call.http", ["Cookie: theme=dark; sessionid={v}; lang=en"], "{a32}"),
    "set-cookie": ("call.py", ['h["Set-Cookie"] = "sid={v}; HttpOnly"'], "{a40}"),
    "token in a query": ("call.js", ['fetch("https://shop.internal/a?access_token={v}&n=1")'], "{a32}"),
    "XML attribute": ("app.xml", ['<property name="password" value="{v}"/>'], "{a14}"),
    "Maven settings": ("settings.xml", ["<password>{v}</password>"], "{a14}"),
    "JSON web key": ("jwk.json", ['  "d": "{v}",'], "{w43}"),
    "WireGuard": ("wg0.conf", ["PrivateKey = {v}="], "{b43}"),
    "kubeconfig": ("config", ["    client-key-data: LS0tLS1|CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpN{v}"], "{b80}"),
    "netrc": (".netrc", ["machine shop.internal login ci password {v}"], "{a14}"),
    "npmrc": (".npmrc", ["//registry.shop.internal/:_authToken={v}"], _UUID),
    "environment file": (".env", ["ANYTHING={v}"], "{a14}"),
    "SQL user": ("init.sql", ["CREATE USER 'app'@'%' IDENTIFIED BY '{v}';"], "{p14}"),
    "PostgreSQL user": ("init.sql", ["ALTER ROLE app WITH LOGIN PASSWORD '{v}';"], "{p14}"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """A file with a secret: none of `secrets` may be shown of it."""

    kind: str
    form: str
    path: str
    lines: tuple[str, ...]
    secrets: tuple[str, ...]


def value_of(form: str, seed: str) -> str:
    """Return a value of a form, the same for the same seed."""
    random = Random(seed)
    if form == "BASE64":
        return base64.b64encode(value_of("{p14}", seed).encode()).decode()
    return _PART.sub(lambda m: _characters(CLASSES[m[1]], int(m[2]), random), form).replace("|", "")


def _characters(letters: str, count: int, random: Random) -> str:
    """Random characters, as a generator of keys gives them: of each sort that the class has, where there is room."""
    sorts = [s for s in (DIGITS, LOWER, UPPER, "!#%&*^~") if set(s) & set(letters)]
    needed = [random.choice([c for c in s if c in letters]) for s in (*sorts, *sorts)] if count > 11 else []
    drawn = needed + random.choices(letters, k=count - len(needed))
    random.shuffle(drawn)
    if not drawn[0].isalnum():  # a value that begins with a mark must be quoted in some formats
        drawn[0] = random.choice(sorted(set(letters) & set(LOWER + DIGITS)))
    return "".join(drawn)


def key_lines(seed: str, count: int = 12) -> tuple[str, ...]:
    """Return lines of base 64, as a private key has."""
    random = Random(seed)
    return tuple(_characters(CLASSES["b"], 64 if n < count - 1 else 36, random) for n in range(count))


def planted() -> Iterator[Planted]:
    """Every kind in every format that it has."""
    for kind, form in TOKENS.items():
        for name, (path, plain, _) in _FORMATS.items():
            value = value_of(form, kind)
            yield Planted(kind, name, path, (plain.replace("{v}", value),), (_secret_part(value),))
    for kind, (name, form) in NAMED.items():
        for language, (path, _, assigned) in _FORMATS.items():
            yield Planted(kind, language, path, *_line(assigned, name, value_of(form, kind + language)))
    for kind, (path, lines, form) in PLACED.items():
        value = value_of(form, kind)
        yield Planted(kind, "its own", path, tuple(r.replace("|", "").replace("{v}", value) for r in lines), (value,))
    yield from _keys()


def _line(template: str, name: str, value: str) -> tuple[tuple[str], tuple[str]]:
    """A line that assigns a value, and the value."""
    words = name.split("_")
    camel = words[0] + "".join(w.title() for w in words[1:])
    names = {"{n}": name, "{N}": name.upper(), "{c}": camel, "{s}": " ".join(words)}
    for mark, text in names.items():
        template = template.replace(mark, text)
    return (template.replace("{v}", value),), (value,)


def _keys() -> Iterator[Planted]:
    """Private keys over many lines."""
    for sort in ("RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""):
        body = key_lines(sort)
        begin, end = (f"-----{word} {sort}PRIVATE" + " KEY-----" for word in ("BEGIN", "END"))
        kind = f"{sort}private key".strip()
        yield Planted(kind, "PEM", "server.pem", (begin, *body, end), body)
        code = (f"const key = '{begin}\\n' +", *(f"  '{line}\\n' +" for line in body), f"  '{end}';")
        yield Planted(kind, "JavaScript", "tls.js", code, body)
        yield Planted(kind, "YAML", "tls.yaml", ("key: |", *(f"  {row}" for row in (begin, *body, end))), body)
        flat = '  "private_key": "' + "\\n".join((begin, *body, end)) + '\\n",'
        yield Planted(kind, "JSON", "account.json", (flat,), body)
    for kind, path, opening, around in (
        ("base 64 over lines, YAML", "secret.yaml", "  client_secret: |", "    {}"),
        ("base 64 over lines, Python", "secret.py", "SECRET_KEY = (", '    "{}"'),
        ("base 64 over lines, JavaScript", "secret.js", "const apiKey =", "  '{}' +"),
    ):
        body = key_lines(kind, 4)
        yield Planted(kind, "its own", path, (opening, *map(around.format, body)), body)
    body = (value_of("LS0tLS1|CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk{b38}", "wrapped"), *key_lines("wrapped", 4))
    yield Planted("wrapped private key", "YAML", "tls.yaml", ("  tls.key: |", *(f"    {b}" for b in body)), body)
    rest = (f"  tls.key: {body[0]}", *(f"    {row}" for row in body[1:]))
    yield Planted("wrapped private key", "YAML, folded", "tls.yaml", rest, body)
    body = key_lines("PuTTY")
    mac = value_of("{h64}", "PuTTY")
    head = ("PuTTY-User-Key-File-3: ssh-rsa", "Encryption: none", "Comment: me", "Public-Lines: 2")
    rows = (*head, *key_lines("public", 2), "Private-Lines: 12", *body, f"Private-MAC: {mac}")
    yield Planted("PuTTY private key", "PPK", "me.ppk", rows, (*body, mac))
    body = key_lines("PGP")
    begin, end = (f"-----{word} PGP PRIVATE" + " KEY BLOCK-----" for word in ("BEGIN", "END"))
    yield Planted("PGP private key", "ASC", "me.asc", (begin, "", *body, "=aB3d", end), body)


_OPENED = (  # of kinds that are not secret as a whole: what stands before the secret, and after it
    ("://app:", "@db"), ("sig=", "%3D"), ("Key=", None), ("office.com", None), ("://", "@o45"),
)  # fmt: skip


def _secret_part(value: str) -> str:
    """What of a planted text is the secret: the password of a URL, the signature of an address, else all of it."""
    for before, after in _OPENED:
        if before in value and (after or "") in value:
            rest = value.split(before, 1)[1]
            return rest.split(after)[0] if after else rest
    return value


def seen(secrets: tuple[str, ...], text: str, least: int = 10) -> list[str]:
    """The secrets of which at least `least` characters in a row stand in a text."""
    return [s for s in secrets if any(s[i : i + least] in text for i in range(max(1, len(s) - least + 1)))]
