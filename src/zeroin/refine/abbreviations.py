"""Abbreviations: `auth` for authentication, `cfg` for configuration, `sso` for single sign-on.

Three ways: a list of our own making for what no rule tells; a beginning of the word; the word's consonants (`mgr`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from zeroin.refine.scores import ExpansionScores, Phrase
from zeroin.refine.vocabulary import MIN_WORD, Vocabulary
from zeroin.terms import stem
from zeroin.types import ExpansionSource

# Short form: what it stands for, one word or several.
_LISTED = """
a11y: accessibility, accessible | acct: account | acl: access control | addr: address | admin: administrator |
amt: amount | anno: annotation | app: application | arch: architecture | arg: argument, parameter | arr: array |
attr: attribute | auth: authentication, authorization, authorisation, authenticate, authorize |
authn: authentication | authz: authorization, authorisation | avg: average | bg: background | bin: binary |
bmp: bitmap | bool: boolean | btn: button | buf: buffer | ca: certificate authority |
calc: calculate, calculation | cat: category | cb: callback | cert: certificate | cfg: configuration, config |
char: character | chk: check | cli: command line | clr: color, colour | cmd: command | cmp: compare, comparison |
col: column | coll: collection | concat: concatenate | cond: condition | conf: configuration, config |
config: configuration | conn: connection | const: constant | conv: convert, conversation | coord: coordinate |
cred: credential | creds: credential, credentials | crypto: cryptography, cryptographic |
csrf: cross-site request forgery | csv: comma separated | ctl: control, controller | ctor: constructor |
ctrl: control, controller | ctx: context | cur: current, cursor | curr: current |
cwd: current working directory, working directory | db: database | dbg: debug | decl: declaration |
def: definition, default | del: delete | dep: dependency | deps: dependencies | desc: description, descending |
dest: destination | dev: development, developer, device | diff: difference | dim: dimension | dir: directory |
dist: distance, distribution | doc: document, documentation | dst: destination | dt: datetime | dup: duplicate |
dyn: dynamic | el: element | elem: element | enc: encoding, encode, encryption, encrypt | enum: enumeration |
env: environment | eof: end of file | eol: end of line | err: error | eval: evaluate, evaluation | evt: event |
exc: exception | exec: execute, execution | exp: expression, expiry, export | expr: expression |
ext: extension, external | fmt: format | fn: function | freq: frequency | fs: file system, filesystem |
func: function | gc: garbage collection, garbage | gen: generator, generate | geo: geography, geographic |
gpu: graphics | grp: group | gui: graphical user interface, user interface | hdr: header | hist: history |
i18n: internationalization, internationalisation | id: identifier, identity | idx: index | img: image |
impl: implementation | indent: indentation | info: information | init: initialize, initialise | int: integer |
interp: interpolate, interpreter | ip: address | iter: iterator, iterate | kbd: keyboard |
l10n: localization, localisation | lang: language | len: length | lib: library | lim: limit |
loc: location, locale | lru: least recently used | lvl: level | max: maximum | mem: memory | meta: metadata |
mfa: multi-factor | mgr: manager | mid: middle | min: minimum | misc: miscellaneous |
mod: module, modulo, modifier | mq: message queue | msg: message | mut: mutable, mutate | nav: navigation |
neg: negative, negate | net: network | nl: newline | norm: normalize | ns: namespace | num: number | obj: object |
op: operation, operator | opt: option, optimize | opts: options | org: organization, organisation |
orig: original | os: operating system | otp: one-time password | param: parameter, argument | params: parameters |
pct: percent, percentage | perf: performance | perm: permission | pic: picture | pid: process identifier |
pkg: package | pos: position | pred: predicate | pref: preference | prefs: preferences | prev: previous |
prio: priority | priv: private, privilege | proc: process, procedure | prod: production, product | prof: profile |
prog: program, progress | prop: property | props: properties | proto: protocol, prototype | pub: publish, public |
pubsub: publish subscribe | pw: password | pwd: password | qty: quantity | rand: random |
rbac: role-based access control | rec: record | rect: rectangle | recv: receive | ref: reference |
refs: references | reg: register, registry | regex: regular expression | regexp: regular expression |
rel: relative, relation, release | repo: repository | req: request, requirement |
res: response, result, resource | resp: response | ret: return | rev: revision, reverse | rnd: random, round |
rpc: remote procedure call | sched: schedule, scheduler | sec: security, second | sel: selection, select |
sem: semantic, semaphore | sep: separator | seq: sequence | ser: serialize | sess: session |
sig: signature, signal | sock: socket | spec: specification | src: source | srv: server, service |
sso: single sign-on | stat: statistic, status | stats: statistics | stderr: standard error |
stdout: standard output | stmt: statement | str: string | struct: structure |
sub: subscription, subscribe, substitute | svc: service | sym: symbol |
sync: synchronize, synchronise, synchronization | sys: system | tbl: table | temp: temporary, temperature |
thumb: thumbnail | tmp: temporary | tmpl: template | tok: token | tpl: template |
trans: transaction, translation, transition | ts: timestamp | ttl: time to live | tx: transaction |
txn: transaction | txt: text | tz: timezone, time zone | ui: user interface | uid: user | univ: universal |
usr: user | util: utility | uuid: unique identifier | val: value, validate | var: variable | vec: vector |
ver: version | vert: vertical | vid: video | vm: virtual machine | vol: volume | warn: warning |
wd: working directory | win: window | ws: websocket, whitespace
"""
_VOWELS = frozenset("aeiou")
_LIST_SHARE = 1.0
_RULE_SHARE = 0.8
_INITIALS = 3  # words of a run whose initials may name it
_WEAKLY_NAMED = 2
_SUFFIX = 2
_MOST_CUT, _ENDING = 5, 3  # letters that are left of a word; letters of an ending at most


def _read() -> dict[str, tuple[str, ...]]:
    """Short form → what it stands for."""
    rows = (row.partition(":") for row in _LISTED.replace("\n", " ").split("|"))
    return {short.strip(): tuple(long.strip() for long in longs.split(",")) for short, _, longs in rows}


_LONG_OF = _read()
_SHORT_OF: dict[str, list[str]] = defaultdict(
    list
)  # stems of a long form, joined by a blank → its short forms
for _short, _longs in _LONG_OF.items():
    for _long in _longs:
        _SHORT_OF[" ".join(stem(w) for w in _long.replace("-", " ").split())].append(_short)


def listed_short(word: str) -> tuple[str, ...]:
    """The customary short forms of a word (lower case)."""
    return tuple(_SHORT_OF.get(stem(word), ()))


def listed_long(short: str) -> tuple[str, ...]:
    """The single words that a customary short form stands for."""
    return tuple(long for long in _LONG_OF.get(short, ()) if long.isalpha())


def short_forms(
    vocabulary: Vocabulary,
    phrases: Sequence[Phrase],
    task_terms: frozenset[str],
    scores: ExpansionScores,
) -> None:
    """Credit vocabulary words that abbreviate a phrase, or that a phrase abbreviates."""
    if not scores.wants("abbreviation"):
        return
    alike: dict[str, list[int]] = defaultdict(
        list
    )  # first letter → rows of short words that several files say
    for row, held in enumerate(vocabulary.documents.tolist()):
        if held >= _WEAKLY_NAMED and MIN_WORD <= len(vocabulary.words[row]) <= _MOST_CUT:
            alike[vocabulary.words[row][0]].append(row)
    for phrase in phrases:
        for other, share in dict(_forms(phrase, vocabulary, alike)).items():
            at = vocabulary.number.get(stem(other))
            if at is not None and stem(other) not in task_terms:
                text = (
                    f"{other} / {' '.join(phrase)}"
                    if len(other) < len(" ".join(phrase))
                    else f"{' '.join(phrase)} / {other}"
                )
                scores.add(
                    phrase,
                    at,
                    "abbreviation",
                    share,
                    ExpansionSource("abbreviation", "", None, text),
                    told=share == _LIST_SHARE,
                )


def _forms(
    phrase: Phrase, vocabulary: Vocabulary, alike: Mapping[str, Sequence[int]]
) -> Iterator[tuple[str, float]]:
    """Other forms of a phrase with their share; the surest last."""
    lower = [word.lower() for word in phrase]
    if len(phrase) >= _INITIALS:
        yield "".join(word[0] for word in lower), _RULE_SHARE
    if len(phrase) == 1:
        yield from _by_rule(lower[0], vocabulary, alike.get(lower[0][0], ()))
    for short in _SHORT_OF.get(" ".join(stem(w) for w in lower), ()):
        yield short, _LIST_SHARE
    for long in _LONG_OF.get(" ".join(lower), ()):
        row = vocabulary.number.get(stem(long))
        # The stem of `authorization` is that of `author`: what the code says must begin like the whole word.
        if row is not None and vocabulary.words[row].startswith(long[:-_SUFFIX]):
            yield vocabulary.words[row], _LIST_SHARE


def _by_rule(word: str, vocabulary: Vocabulary, rows: Sequence[int]) -> Iterator[tuple[str, float]]:
    """Vocabulary words that shorten a word; `rows` are those that begin like it."""
    for row in rows:
        short = vocabulary.words[row]
        known = len(short) >= len(word) or short in _LONG_OF or vocabulary.terms[row] == stem(word)
        if not known and (_is_beginning(short, word) or _is_skeleton(short, word)):
            yield short, _RULE_SHARE


def _is_beginning(short: str, long: str) -> bool:
    """Whether a word is cut after a consonant, before a vowel, and more goes than an ending: `auth|entication`."""
    rest = long[len(short) :]
    return (
        long.startswith(short)
        and len(short) <= _MOST_CUT
        and len(rest) > _ENDING
        and short[-1] not in _VOWELS
        and rest[0] in _VOWELS
    )


def _is_skeleton(short: str, long: str) -> bool:
    """Whether a short form is made of a word's consonants: first letter kept, none out of order, most of them there."""
    if len(short) > 5 or len(long) < len(short) + 2 or _VOWELS & set(short[1:]):
        return False
    consonants = long[0] + "".join(c for c in long[1:] if c not in _VOWELS)
    letters = iter(consonants)
    return (
        all(c in letters for c in short) and 2 * len(short) > len(consonants) and short[-1] == consonants[-1]
    )
