"""Words of everyday English, which no reader asks a codebase about: a gap that names one is not worth reading."""

from __future__ import annotations

import re

from zeroin.terms import INTENT_WORDS, STOPWORDS, stem

# Words that speak of anything: verbs of coming and going, thinking and wanting; what is big, new, usual or wrong;
# persons in general; how a report is told. Not here: what programs are about as well (send, lock, order, color).
_EVERYDAY = """
ability able absolutely accident accidentally accomplish according achieve across actual actually additional
additionally adjust advance advice affect afford afterward afterwards against age ago agree ahead air alias alike
alive allow alone along already alter amid among amongst amount ample anger annoy annoying another anybody anyhow
anymore anyone anyway anywhere apart apologies apparent appear appreciate approach appropriate apt arbitrary area
arise around arrange arrive ascending aside ask assume attention available avoid aware away awful awkward awkwardly
bare barely basically beautiful became become bed beg began begin beginning behave behind belief believe belong
beneath benefit besides best better beyond big bigger bizarre born bother bottom bound brief bring broad broke bug
bugs bunch burst came cannot care careful case caution certain chance changeable cheap choose circumstance clash
cleanly clever closely colleague combine come comfort comfortable common commonly complain complaint complicated
concern concerned conclude condition conditions confuse confusing consider contain continuing contrary convenient cool
correct could couple course crazy curious current currently danger dangerous day days dead deal dear death decade
decide decision definite deliberate demand describe deserve desire desired despite develop differ difference different
difficult difficulty disappear disappoint distance distinct doubt downside dozen dream due dumb duplicated duty eager
earlier early earn ease easily easy eat effort eight eighteen elder elegant eleven else elsewhere embarrass emerge
empty encounter encourage end endless enjoy enormous enough enter entire entirely especially essential etc eventual
evermore every everybody everyone everything everytime everywhere evident evil exact exactly exceed excellent
excessive excite excuse exist expensive extensive extra extras extremely fact fair faith fall familiar family famous
far fast faster fat favor favorite favour favourite fear feasible feel feeling few fewer fifteen fifty fight figure
figures finally fine finish first five fix flaky flawless flexible fly follow following follows food forever forget
former forth fortunate fortunately forty four fourteen fractional frequent frequently fresh friendly full fully fun
functionality funny furthermore future gap gaps gave general generally gentle genuine glad go goal goes going gone
good got gotten gradual grand great greatly grew ground grow growing guess guilty guy habit half hand handy happen
happily happy hard hardly harm harmless hate hear heard heavy held hell hello hence hi highly hill hint hold holds
hole honest hope hopefully horrible however huge hundred hungry hurry hurt idea ideal identical idle illegal imagine
immediate immediately imply important impossible impress improve inability incompatibility incompatible inconsistency
inconsistent inconvenient indeed indefinitely inherently initially inner innocent inside insist instance instead
intend intent interact interest interested interesting introduce intuitive invisible involve irrelevant judge just
keep kept kick kid kind kinda knew knock know knowledge known lack ladder land large largely last lastly late lately
later latter laugh lead leading learn least leave led left legitimate letter liberty lie life likelihood likewise
listen literally little logic logical lonely long longer look loose lose loss lost lot lots loud love lovely low luck
lucky machine mad main mainly majority man manner marry massive matter maximum maybe mean meaning meaningful
meaningless meant meanwhile meet mention mere merely mess met might million mine minute misleading misplaced miss
mistake moment mood moral moreover most mostly movement multiple mysterious mystery naive narrow nasty nature near
nearby nearly neat necessary neither nest never nevertheless newer newest news nice nine nobody noise noisy
nonetheless nonsense nope normal normally notable noted notice notion nowadays nowhere nth numerous obey observe
obtain obvious obviously occasion occasional occasionally occur odd official often oil okay old older once ones
oneself online opinion opinionated opportunity oppose opposite optional order original originally otherwise ought
ourselves outcome outer outside overall overlap owe pardon part particular partly party patience people per perfect
perform perhaps permanently permit persist person personal persons persuade pick piece place plain pleasant please
pleased plenty plus pointless polite poor poorly pop pops popular positive possess possibility possible possibly
potential practical practice prepare present presently presumably pretend pretty prevent previous pride prior probable
probably problem problematic proceed proper properly proposed proud prove provide provision purpose put puzzle
quantity question quick quickly quite ran randomly rare rarely rather readily real realise realize really reason
reasonable reasonably recent recently reckon recognise recognize refuse regard regardless regret regular relevant
reliable relief remain remark remember represent representation respect respectively responsible rest retain reuse
ride ridiculous rise road rough roughly ruin rush sad said saw say scarce scare scratch scream seat second secondly
secret seemingly seems segment seldom self sense sensible sent serious seriously seven several severe shall shame
sharp shine shoot short shorten shortly shout showed shut sick side sight significant silently silly similarly simple
simply simultaneous since single situation six sixteen sixty slight slightly slip slow slower slowly small smart smell
smile soft solely solution solve somebody someday somehow someone sometime sometimes somewhat somewhere soon sorry
sought speak special specific specifically spelling spend spirit spoke spot spread stand standalone standing stay
steady steps stiff still stood stop stops story straight strange strangely stranger strike struggle stuck stuff stupid
suboptimal subsequent subtle succeed success successful such sudden suddenly suffer sufficient suggestion suit suppose
supposed surely surface surprise surprising surround suspect suspicious swap sweet take taken talk tall technical
tedious tell ten tend tendency terms terrible test than thank themselves therefore thick thin thing third thirteen
thirty thorough thought thousand thousands threat three threw throughout thus tidy times tiny tire tired today
together told tolerate tomorrow tonight took top totally touch tough toward towards tradition tremendous tricky
trivial trouble troubleshooting true truly truth twelve twenty twice two typical typically ugly ultimate unable
unacceptable unaware unclear underneath understand undesirable undesired unexpected unexpectedly unfortunate
unfortunately unhappy unintuitive universe unless unlike unlikely unnecessary unneeded unofficial unpleasant
unreasonable unrecognized unrelated unreliable unsure unused unusual unwanted upset upward usable useful useless user
users usual usually utter vague valuable various vast visitor visitors vital wake war wash waste wasteful way weird
weirdly welcome went wet whatever whatsoever whenever whereas wherever whether whichever whilst whoever whole wide
wild willing win wise wish woke woman wonder wonderful wore work workaround workarounds world worry worse worst worth
worthless wow wrapping wrong wrote yesterday young yourself
"""
# Words of any code: nothing is called by them alone.
_OF_CODE = """
api app application argument arguments argv assign bool boolean builtin call caller cause char character characters
class code command compatible computation computer configure construct context create creation data default define
definition deprecate dict docs documentation element enable equal error example exception execute execution exit
expression fail false field file files float function handle id implementation init initialization initialize input
int integer invalid invoke issue item keywords len library line lines list message messages method missing name names
negative null number numbers numeric object objects ok operation option options output param parameter parameters
parent parse pass performance point program programming project raise read remove rename replace required result
return returned run runtime save set show size software standard statement string structure support throw tool type
types undefined unknown unsupported update utility valid value values variable variables warnings word write zero
"""
_BY_STEM: dict[str, list[str]] = {}
for _word in (_EVERYDAY + _OF_CODE).split():
    _BY_STEM.setdefault(stem(_word), []).append(_word)
# What is left of contractions.
REMAINS = frozenset(
    "ain aren couldn didn doesn don hadn hasn haven isn mustn needn shouldn wasn weren won wouldn ll ve re".split()
)
_NO_ADVERBS = frozenset(
    "ally anomaly apply assembly bully butterfly cataly comply family fly imply italy monopoly multiply poly rally "
    "readonly reply reapply supply tally underly".split()
)
_LEAST = 3  # letters of a word
_TEST_NAME = re.compile(r"^_*[tT]ests?(?=[A-Z_\d])|_(?:tests?|specs?)$|(?<=[a-z\d])(?:Tests?|Spec|TestCase)$")


def is_telling(word: str, text: str) -> bool:
    """Whether a word of a text can be somebody's name for a thing: written like a name, quoted, or no everyday word."""
    if is_test_name(word) or len(word) < _LEAST or word.isdigit() or word.lower() in REMAINS:
        return False
    lower = word.lower()
    if (
        not word.isascii()
        or _is_code(word)
        or f"`{word}`" in text
        or f'"{word}"' in text
        or f"'{word}'" in text
    ):
        return True
    # The stem of "important" is that of "import": what is an inflection begins like the whole word.
    everyday = any(lower.startswith(word[:-1]) for word in _BY_STEM.get(stem(lower), ()))
    adverb = lower.endswith("ly") and lower not in _NO_ADVERBS
    done = lower.endswith("ed") and not lower.endswith("eed")  # "resolved" names no thing
    return not (adverb or done or lower in STOPWORDS or lower in INTENT_WORDS or everyday)


def is_test_name(word: str) -> bool:
    """Whether a name is that of a test: no codebase has another word for it."""
    return bool(_TEST_NAME.search(word))


def _is_code(word: str) -> bool:
    """Whether a word is written as no English word is: `max_size`, `maxSize`, `TLS`, `sha256`."""
    return "_" in word or any(c.isdigit() for c in word) or any(c.isupper() for c in word[1:])
