"""Secrets with a form of their own: a table of what the services' documentation states.

Every form takes time linear in the length of a line: it begins with fixed letters or at the start of a run, and what
repeats is bounded, or takes all that it can and gives nothing back.
"""

from collections.abc import Iterator

from zeroin.patterns import lazy_pattern

Secret = tuple[int, int, str]  # where it begins and ends in its line, and what it is called

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_ALONE = r"(?<![A-Za-z0-9])"
_AWS = r"[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=]"

# What a token is called, the letters that it begins with, and the form of the rest.
PREFIXED = (
    ("Anthropic API key", "sk-ant-", r"[\w-]{20,}"),
    ("OpenAI Token", "sk-", r"(?:proj|svcacct|admin)-[\w-]{20,}"),
    ("OpenRouter key", "sk-or-", r"v1-[0-9a-f]{40,}"),
    ("API key", "sk-", r"[A-Za-z0-9]{32,}"),  # OpenAI's first form, DeepSeek, and others
    ("Google API key", "AIza", r"[\w-]{35,}"),
    ("Google OAuth secret", "GOCSPX-", r"[\w-]{20,}"),
    ("Google OAuth token", "ya29.", r"[\w-]{20,}"),
    ("Hugging Face token", "hf_", r"[A-Za-z0-9]{34,}"),
    ("Replicate token", "r8_", r"[A-Za-z0-9]{37,}"),
    ("Groq API key", "gsk_", r"[A-Za-z0-9]{40,}"),
    ("Perplexity API key", "pplx-", r"[A-Za-z0-9]{40,}"),
    ("xAI API key", "xai-", r"[A-Za-z0-9]{60,}"),
    ("LangSmith key", "lsv2_", r"(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("Pinecone key", "pcsk_", r"\w{40,}"),
    ("GitHub Token", "github_pat_", r"\w{40,}"),
    ("GitHub Token", "gh", r"[pousr]_[A-Za-z0-9_]{36,}"),
    ("GitLab Token", "gl", r"(?:[a-z]{1,4}t|agent|oas)-[\w-]{20,}(?:\.[a-z0-9]{2,9}){0,2}"),
    ("GitLab Token", "GR1348941", r"[\w-]{20,}"),
    ("Atlassian token", "AT", r"(?:ATT|CTT)3x[\w=-]{50,}"),
    ("Bitbucket password", "ATBB", r"[A-Za-z0-9_]{32,}"),
    ("NPM token", "npm_", r"[A-Za-z0-9]{36,}"),
    ("PyPI Token", "pypi-AgE", r"[\w-]{60,}"),
    ("RubyGems key", "rubygems_", r"[0-9a-f]{48}"),
    ("crates.io token", "cio", r"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("NuGet key", "oy2", r"[a-z0-9]{43}(?![A-Za-z0-9])"),
    ("Docker token", "dckr_", r"[op]at_[\w-]{20,}"),
    ("Clojars token", "CLOJARS_", r"[a-z0-9]{60}"),
    ("Sonar token", "sq", r"[apu]_[0-9a-f]{40}"),
    ("CircleCI token", "CCIP", r"(?:AT|RJ)_[A-Za-z0-9]{20,}_[0-9a-f]{40}"),
    ("Buildkite token", "bk", r"[a-z]{1,3}_[0-9a-f]{40}"),
    ("AWS Access Key", "A", r"(?:3T[A-Z0-9]|BIA|CCA|KIA|SIA)[0-9A-Z]{16}"),
    ("Alibaba access key", "LTAI", r"[A-Za-z0-9]{12,}"),
    ("Tencent access key", "AKID", r"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("Azure key", "AccountKey=", r"[A-Za-z0-9+/=]{40,}"),
    ("Azure key", "SharedAccessKey=", r"[A-Za-z0-9+/=]{40,}"),
    ("DigitalOcean token", "do", r"[opr]_v1_[0-9a-f]{64}"),
    ("Databricks token", "dapi", r"[0-9a-f]{32}(?:-\d)?"),
    ("Heroku key", "HRKU-", r"[\w-]{36,}"),
    ("Netlify token", "nfp_", r"[A-Za-z0-9]{36,}"),
    ("PlanetScale token", "pscale_", r"(?:tkn|pw|oauth)_[\w.-]{32,}"),
    ("Supabase token", "sb", r"(?:p_[0-9a-f]{40}|_secret_[\w-]{20,})"),
    ("Fly token", "fm", r"[12][ar]?_[\w+/=-]{40,}"),
    ("Doppler token", "dp.", r"(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,}"),
    ("Vault token", "hv", r"[sbr]\.[\w-]{24,}"),
    ("Vault token", "s.", r"[A-Za-z0-9]{24}(?![\w.(-])"),
    ("Pulumi token", "pul-", r"[0-9a-f]{40}"),
    ("Tailscale key", "tskey-", r"[a-z]{1,10}-[\w-]{20,}"),
    ("1Password token", "ops_eyJ", r"[\w-]{100,}={0,2}"),
    ("age key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{50,}"),
    ("Slack Token", "xox", r"[a-z](?:\.xox[a-z])?-[\w-]{20,}"),
    ("Slack Token", "xapp-", r"\d-[\w-]{20,}"),
    ("Twilio API Key", "SK", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("Twilio API Key", "AC", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("SendGrid API Key", "SG.", r"[\w-]{16,40}\.[\w-]{40,}"),
    ("Mailgun key", "key-", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("Brevo key", "xkeysib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("Resend key", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9])"),
    ("Postman key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("Stripe Access Key", "sk_", r"(?:live|test)_[0-9a-zA-Z]{24,}"),
    ("Stripe Access Key", "rk_", r"(?:live|test)_[0-9a-zA-Z]{24,}"),
    ("webhook secret", "whsec_", r"[A-Za-z0-9+/=]{32,}"),
    ("Square token", "sq0", r"(?:csp|atp)-[\w-]{22,}"),
    ("Shopify token", "shp", r"(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("Razorpay key", "rzp_", r"(?:live|test)_[A-Za-z0-9]{14,}"),
    ("Grafana token", "glc_", r"[A-Za-z0-9+/=_-]{32,}"),
    ("Grafana token", "glsa_", r"[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    ("Grafana token", "eyJrIjoi", r"[A-Za-z0-9+/_-]{40,}={0,2}"),
    ("New Relic key", "NR", r"(?:AK|JS|II|RA|BR)-[A-Za-z0-9]{19,}"),
    ("Dynatrace token", "dt0", r"[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("Sentry token", "sntry", r"[su]_[\w+/=-]{40,}"),
    ("Honeycomb key", "hc", r"[a-z]{1,3}ik_[a-z0-9]{50,}"),
    ("Linear key", "lin_", r"(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("Notion token", "ntn_", r"[A-Za-z0-9]{40,}"),
    ("Notion token", "secret_", r"[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    ("Airtable token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("HubSpot token", "pat-", rf"[a-z]{{2}}\d-{_UUID}"),
    ("Figma token", "fig", r"[dou]r?_[\w-]{40,}"),
    ("Contentful token", "CFPAT-", r"[\w-]{40,}"),
    ("Okta token", "SSWS ", r"[\w-]{40,}"),
    ("Dropbox token", "sl.", r"(?:u\.)?[\w-]{120,}"),
    ("Typeform token", "tfp_", r"[\w-]{40,}"),
    ("EasyPost key", "EZ", r"[AT]K[A-Za-z0-9]{54}"),
    ("Prefect key", "pn", r"[bu]_[A-Za-z0-9]{36}"),
    ("Trello token", "ATTA", r"[0-9a-f]{64}"),
    ("private key", "LS0tLS1CRUdJTi", r"(?!BDRVJU|BQVUJM|BUUlVTVE)[A-Za-z0-9+/]{30,}={0,2}"),  # base 64 of PEM
)  # fmt: skip

# What a token is called, letters (in lower case) that each holds, and its form; a group in it is the value.
OTHER = (
    ("OpenAI Token", "t3blbkfj", rf"{_ALONE}sk-[\w-]{{0,200}}?T3BlbkFJ[\w-]{{20,}}"),
    ("NPM token", "_authtoken=", rf"(?i):_authToken=\s{{0,4}}[\"']?(npm_\w{{8,}}|{_UUID})"),
    ("AWS Secret Key", "aws", rf"(?i)aws.{{0,20}}(?:secret|key|pwd?|pass|token).{{0,20}}?[=:>,(\s][\"'`]?({_AWS})"),
    ("Azure client secret", "8q~", r"(?<![\w~.-])[\w~.-]{3}8Q~[\w~.-]{31,34}(?![\w~-])"),
    ("Azure signature", "sig=", r"(?i)[?&;]sig=([A-Za-z0-9%+/]{40,}={0,2})"),
    ("Terraform token", ".atlasv1.", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    ("Firebase key", ":apa91b", r"(?<![\w-])[\w-]{5,40}:APA91b[\w-]{100,}"),
    ("Slack webhook", "hooks.slack.com", r"(?i)hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,}"),
    ("Discord webhook", "/webhooks/", r"(?i)discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{17,20}/[\w-]{50,}"),
    ("Teams webhook", "/incomingwebhook/", r"(?i)/webhook\w{0,2}/[0-9a-f@-]{36,80}/incomingwebhook/[\w/-]{60,}"),
    ("Discord Bot Token", ".", r"(?<![\w-])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}"),
    ("Telegram Bot Token", ":", r"(?<![A-Za-z0-9])\d{8,10}:[\w-]{35,}"),
    ("Mailchimp Access Key", "-us", rf"{_ALONE}[0-9a-f]{{32}}-us[0-9]{{1,2}}"),
    ("Mailgun key", "-", rf"{_ALONE}[0-9a-f]{{32}}-[0-9a-f]{{8}}-[0-9a-f]{{8}}(?![\w-])"),
    ("Sentry DSN", "sentry", r"://([0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{0,60}sentry"),
    ("JSON Web Token", "eyj", r"(?<![\w-])eyJ[\w=-]{8,8000}+\.(?:e[\w=-]{2,9}|[\w-]{20})[\w.+/=-]{0,8000}+"),
    ("Artifactory Credentials", "ak", r"(?<![A-Za-z0-9])AKC[A-Za-z0-9]{10,}"),
    ("Artifactory Credentials", "ap", r"(?<![^\s=:\"'])AP[\dA-F][A-Za-z0-9]{10,}+(?=[\s\"'`]|$)"),
    ("Artifactory Credentials", "cmvmdgtu", r"(?<![A-Za-z0-9])cmVmdGtu[A-Za-z0-9]{40,}"),
    ("JSON web key", ":", r"[\"'](?:d|dp|dq|qi|k)[\"']\s{0,4}:\s{0,4}[\"']([\w-]{40,})[\"']"),
    ("PuTTY key", "private-mac", r"Private-MAC:\s{0,4}([0-9a-f]{32,})"),
)  # fmt: skip
_FORMS = (
    *(
        (label, start.lower(), lazy_pattern(rf"{_ALONE}{start.replace('.', r'[.]')}{rest}"))
        for label, start, rest in PREFIXED
    ),
    *((label, letters, lazy_pattern(form)) for label, letters, form in OTHER),
)  # fmt: skip


def tokens_in(text: str, folded: str) -> Iterator[Secret]:
    """Yield the tokens in a line (`folded` is the line in lower case), the surest first."""
    for label, letters, pattern in _FORMS:
        for match in pattern.finditer(text) if letters in folded else ():
            yield *match.span(match.lastindex or 0), label
