"""All weights of the first query.

Keyword weights are relative to a word of plain prose (1.0). Weights of paths and symbols are about the probability
that the mention leads to a relevant file, 0–1.
"""

from zeroin.types import Origin

MAX_KEYWORD = 6.0  # bound for words of the text, below a keyword of the caller
MAX_MENTION = 1.0  # upper bound of a symbol or path

KEYWORD: dict[Origin, float] = {
    Origin.CALLER: 7.0,  # given on purpose; above anything that the text can reach
    Origin.TITLE: 3.0,  # the author's own summary
    Origin.SYMBOL: 2.2,  # an identifier in prose or backticks names code
    Origin.PATH: 1.8,  # words of a mentioned path
    Origin.ERROR: 1.6,  # messages are often string literals of the file that raises them
    Origin.QUOTED: 1.4,  # quoted strings are literals or labels
    Origin.DIFF: 1.2,  # words on changed lines
    Origin.PROSE: 1.0,
    Origin.CODE: 0.45,  # the reporter's own program: mostly its own names
    Origin.TRACE: 0.3,  # source lines and functions of frames; the frames themselves are paths
}
FOCUS = 5.0  # words of a caller's focus area: wanted, but less exact than a given keyword
PATH_FOLDER = 0.5  # factor for the folders of a path: less specific than the file's name
WEAK_PROSE = 0.35  # prose in version sections, checked boxes, heading words of templates
COMPONENT_PROSE = 2.0  # "Component name: max filter": the reporter points at the place
CODE_LOCAL = 0.15  # a name that the reporter's snippet itself defines
CODE_COMMENT = 0.6  # comments in snippets are prose about the problem
# Factor for words that every report has (bug, expected, reproduce): they are rare in code, so idf overrates them.
REPORT_WORD = 0.35
REPORT_WORD_SHORT = 0.7  # the same in a task of a few words, where each counts
STOP_WORD = 0.1  # only when a task has no other word
NUMBER = 0.5  # factor for bare numbers: status codes matter, counts do not

REPEAT_STEP, REPEAT_MAX = 0.12, 1.5  # a repeated word: × (1 + step · log2 count), at most max
ORIGIN_STEP, ORIGIN_MAX = 0.15, 1.45  # a word in several origins: × (1 + step) for each further one

# Path mentions
PATH_PROSE = 1.0  # a path written out in prose, or a link to a file on a code host
PATH_FOLDERS = 0.4  # folders without a file: often alternatives ("read/write/execute")
PATH_BARE = 0.7  # a file name without folder
PATH_CODE = 0.5  # a path inside a snippet: often the reporter's own file
PATH_IMPORT = 0.3  # a module that the snippet imports
PATH_DOTTED = 0.45  # a dotted name that may be a module
PATH_FRAME = 0.9  # a frame in a file that could be of this repository
PATH_FRAME_PACKAGE = 0.6  # a frame of an installed package: the repository's own when its tail exists here
PATH_FRAME_RUNTIME = 0.05  # the language's own library
PATH_COMPILER = 0.8  # file:line:col of a compiler or linter

# Symbol mentions
SYMBOL_TITLE = 1.0
SYMBOL_BACKTICK = 0.9  # an identifier in backticks
SYMBOL_BACKTICK_WORD = 0.45  # a plain word in backticks: a name or an emphasis
SYMBOL_PROSE = 0.7  # an identifier in running text
SYMBOL_QUOTED = 0.35
SYMBOL_ERROR = 0.4  # the class of an error, names in its message
SYMBOL_FRAME = 0.5  # the function of a frame
SYMBOL_FRAME_PACKAGE = 0.3  # the same of an installed package
SYMBOL_FRAME_DECAY = 0.85  # factor of both for each frame outwards
SYMBOL_CODE_CALL = 0.35  # called in a snippet
SYMBOL_CODE = 0.2  # otherwise named in a snippet
SYMBOL_SHORT = 0.5  # a capitalised word of a short query ("Router", "Codec")
SYMBOL_SHORT_WORD = 0.3  # any other word beside a symbol in a short query ("HTTPAdapter send")
SYMBOL_DIFF_DEFINED = 1.0  # defined on a changed line: its callers are wanted
SYMBOL_DIFF_HUNK = 0.7  # named by a hunk header: the change is inside it
SYMBOL_DIFF_USED = 0.4  # used on a changed line

# Bounds. More than about a hundred keywords gain nothing, and a log of 200 kB must stay cheap.
MAX_KEYWORDS = 120  # besides the caller's, which are never dropped
MAX_SYMBOLS = 60
MAX_STOP_WORDS = 20  # kept if the task has no other word
MAX_PATHS = 60
MAX_TEXT_CHARS = 4_000  # prose for the comparison with history: later text is less specific
MAX_TITLE_CHARS = 300
MAX_LINE_CHARS = 4_000  # read of one line: longer ones are data
MAX_LINES = 20_000  # read of a task: more are a log
MAX_CODE_CHARS = 20_000  # of all snippets together, searched for names
SHORT_QUERY_WORDS = 12  # a single line with at most so many words is a search query, not a report
