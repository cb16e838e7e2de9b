"""All features in one table: what each is evidence of, its weight in the linear model, its meaning and unit.

A section is a module of this folder; the order is the order of the columns. A column that is not in the table, or is
never computed, is an error.
"""

from typing import NamedTuple

# A model names the version of the features that it was trained on; another version is refused.
FEATURES_VERSION = 5

# Columns: name, evidence, weights (of [retrieval] alone), meaning and unit.
# Evidence names the reason that is written if the feature moved the score (`reasons/writer.py`). "role" is the only one
# that is shown when it speaks against a file. "-" moves the score without a fact that could be cited. "restated"
# repeats the linear model or the previous cycle: its contribution goes to the features of the linear model.
# Weights are score per unit of the feature, for a task in words and for a change. Words: set by hand within the bounds
# that pay in the ablation (benchmarks/NOTES.md, "Ablation and learning curve"). Change: the mean of weights set
# by hand and of a listwise fit on 146 commits of the tuned half of `benchmarks.review`; cross-validated over
# repositories, neither beats the other.
_TABLE = """
[retrieval]  Scores of the retrievers and of the passages read: all that the linear model uses.
lexical              passage       2.2    2  BM25F of the whole document, share of the best candidate's score
definitions          definitions   0.7  0.7  BM25 of defined names, share of the best
path_terms           name          0.8  0.6  BM25 of the path, share of the best
title                passage       0.7  0.4  BM25F of the title alone, share of the best
symbols              symbols       1.1  0.8  definitions of symbols that the task names, share of the best
paths                path            2  1.9  mentions of the path, module or frame, share of the best
history              history       1.3  0.2  BM25 over messages of commits that touched the file, share of the best
graph                graph         0.5    1  import neighbours among the best, share of the best
cochange             cochange      0.2  2.6  changes along with the best, share of the best
expansions           passage       0.4    0  BM25F of learned words, share of the best
dense                dense         1.8  1.8  dense retrieval of passages, share of the best
followed             followed        3  0.5  defines symbols that selected files use and none defines, 0–1 by how many
asked                asked         1.5  1.5  score by searches of gaps of other kinds, 0–1, the best of them
lexical_rank         passage       0.3  0.2  1 / rank by whole document
symbols_rank         symbols       0.3  0.2  1 / rank by named symbols
agreement            -             0.9  0.8  share of the retrievers that have the file among their first ten
covered              passage       0.9  0.9  share of the term weight that the file matches anywhere
passage              passage         1  1.1  share of the term weight in the best passage
title_passage        passage       0.9  0.6  share of the title's term weight in the best passage
test                 role         -2.2  0.1  1 for a test file, unless the task is about tests
doc                  role         -2.1 -2.2  1 for documentation, unless the task is about it
config               role         -1.2 -1.2  1 for configuration, unless the task is about it
example              role         -1.4 -1.2  1 for an example, unless the task is about it
machine              role         -2.1 -1.9  1 for generated, vendored or data files
entry                -            -0.4 -0.5  1 for a package's entry file (__init__, index, mod) that defines little
size                 -             0.2  0.2  log10 of lines, divided by 4
pattern              pattern       0.2  0.2  1 if a learned location pattern matches the file
same_stem_as_changed changed_stem    0  1.1  has the name of a changed file, marks of tests aside, share of the best
folder               folder          0  0.5  lies beside changed files, share of the best
callers              callers         0  1.4  uses rare names that the change touches, share of the best
cochange_rank        cochange        0  0.7  1 / rank by co-change with the changed files
counterpart          role            0  0.5  1 for a test if only implementation is changed, and the other way round
untouched_role       role            0  0.2  1 for tests, documentation and so on if no changed file is of that role
landmarks            landmarks       0    0  when exploring: a hub or a document on the whole, share of the best

[coverage]  Which of the task's terms a file holds, field by field.
cover_definitions       definitions  share of the term weight among the words of defined names, 0–1
cover_identifiers       passage      share of the term weight among identifiers, 0–1
cover_comments          passage      share of the term weight in comments, 0–1
cover_text              passage      share of the term weight in strings and prose, 0–1
cover_path              name         share of the term weight in the path, 0–1
cover_title_definitions definitions  share of the title's term weight among the words of defined names, 0–1
cover_title_identifiers passage      share of the title's term weight among identifiers, 0–1
cover_title_path        name         share of the title's term weight in the path, 0–1
rare_words              passage      log2(1 + words of the task that at most three files hold, this one among them)
rare_names              names        log2(1 + identifiers of the task in at most three files, this one among them)
named_names             names        Σ weight / √files over identifiers of the task that the file holds, at most 4
stem_in_task            name         share of the file's own name that the task holds, weighted by rarity, 0–1
stem_in_title           name         share of the file's own name that the title holds, weighted by rarity, 0–1
folder_in_task          name         share of the nearest folder's name that the task holds, weighted by rarity, 0–1

[mentions]  Symbols, paths and trace frames that the task names, by where it names them.
defines_title   symbols  defines a symbol of the title: best weight / √files that define it
defines_prose   symbols  defines a symbol that prose or inline code names: best weight / √files
defines_code    symbols  defines a symbol of a code block or error: best weight / √files
defines_trace   symbols  defines the function of a trace frame: best weight / √files
defines_sole    symbols  symbols that the task names and this file alone defines, log2(1 + n)
path_mentioned  path     surest mention of the file's path or module, weight × confidence
frame           path     1 / (1 + frames of the repository inside it) of the innermost frame in this file
frame_innermost path     1 for the innermost frame of the trace that lies in the repository

[definition_names]  The definition of a file whose name matches the task best.
name_title       definitions  share of the title's term weight that the best definition's name holds, 0–1
name_task        definitions  share of the term weight that the best definition's name holds, 0–1
name_exact       definitions  best definition: harmonic mean of title covered and share of its words that match, 0–1
name_with_parent definitions  share of the title's term weight in the best definition's name and its parent's, 0–1

[history]  Commits that touched a file.
commits_cover_task  history   share of the term weight in the messages of commits that touched the file, 0–1
commits_cover_title history   the same of the title's term weight
closest_commit      history   term weight in the best matching commit that touched the file, share of the best commit
recency             changes   1 − share of the commits that came after the last one that touched the file, 0–1
churn               changes   log2(1 + commits that touched the file), share of the most changed candidate
new                 -         1 where fewer than three commits touched the file, and history is known
with_best           cochange  share of the best file's commits that touched this file as well, 0–1

[file]  What kind of file this is, and where it lies beside the best files.
is_implementation role       1 for implementation
is_test           role       1 for a test file, whatever the task
is_doc            role       1 for documentation, whatever the task
is_config         role       1 for configuration, whatever the task
is_wanted_role    role       1 for a role besides implementation that the task is about
language_match    language   1 for the language that the task names or shows, 0.5 where it shows none, else 0
language_share    -          share of the implementation files that are in this file's language, 0–1
definitions_count -          log2(1 + definitions), divided by 8
importers         hub        log2(1 + files that import it), divided by 8
imports           -          log2(1 + files that it imports), divided by 8
depth             -          folders above the file, divided by 8
folder_support    beside     first score of the best other file of its folder, share of the best
package_support   beside     mean first score of the pool's files in its folder, share of the best
beside_best       beside     1 if it lies in the folder of the best file, 0.5 one folder up or down
same_stem_as_best same_stem  1 if it has the name of one of the three best files, marks of tests aside
imports_best      graph      1 if it imports the best file, 0.5 one of the next two
imported_by_best  graph      1 if the best file imports it, 0.5 one of the next two
test_of_best      same_stem  1 for a test that imports one of the three best files or is named like it

[pool_features]  Ranks and distances within the pool, and what the task and the tree are like.
prior                 restated     score of the linear model
prior_rank            restated     1 / rank by the linear model
prior_gap             restated     score of the linear model minus that of the best other file
prior_ahead           restated     files ahead by the linear model, log2(1 + n), divided by 8
fused                 restated     fused score of the retrievers, share of the best
title_rank            passage      1 / rank by the title alone
path_rank             name         1 / rank by the words of the path
definitions_rank      definitions  1 / rank by defined names
history_rank          history      1 / rank by BM25 over commits
graph_rank            graph        1 / rank among import neighbours
passage_lead          passage      best passage's share minus that of the pool's best file
two_lines             passage      share of the term weight in the best two lines that follow each other
two_lines_lead        passage      two_lines minus the greatest of the pool
matched_lines         passage      log2(1 + lines that match), divided by 12
task_words            -            log2(1 + content words of the task), divided by 8
task_title_words      -            words of the title, divided by 16
task_symbols          -            log2(1 + symbols that the task names), divided by 6
task_paths            -            log2(1 + paths that the task names), divided by 6
task_trace            -            1 if the task holds a trace
task_best             -            score of the linear model of the best file
task_second           -            how far the second file is behind the first by the linear model
task_best_passage     -            share of the term weight in the pool's best passage
task_found            -            candidates, log2(1 + n), divided by 9
tree_files            -            log10 of the files of the tree, divided by 5
tree_commits          -            log10(1 + commits of the history), divided by 5
tree_code             -            log10(1 + implementation files of the tree), divided by 5
cycle_later           -            1 from the second cycle on
expansions_count      -            log2(1 + expansions of the query), divided by 5
gaps_asked            -            log2(1 + gaps that the query asks), divided by 6
read                  -            1 for a file whose text was read
no_lexical_match      -            1 for a file that no list by the task's words or names holds
overridden_share      -            share of what the file matches in words for which the codebase has others, 0–1
task_is_trace         -            1 for a bug report with trace
task_is_bug           -            1 for a bug report in prose
task_is_feature       -            1 for a feature request
task_is_refactoring   -            1 for a refactoring
task_is_documentation -            1 for a documentation request
task_is_config        -            1 for a dependency or config change
task_is_question      -            1 for a question about the code
task_is_symbol        -            1 for a symbol look-up
task_is_diff          -            1 for a diff

[dense]  Similarity to the task in the encoder's space.
dense_enabled       -      1 unless dense retrieval is switched off
dense_cosine        dense  cosine of the task with the file's best passage
dense_path          dense  cosine of the task with the file's path
dense_zscore        dense  z-score of the file's similarity among the repository's files, divided by 8
dense_title_zscore  dense  the same for the title alone, divided by 8
dense_zscore_behind dense  z-score of the nearest file of the repository minus the file's own, divided by 8
dense_zscore_best   -      z-score of the nearest file of the repository, divided by 8
dense_whole_zscore  dense  estimated cosine with all passages together, z-score in the repository, divided by 8
dense_ahead         dense  files of the repository with a higher dense_zscore, log2(1 + n), divided by 8
similarity_computed -      1 where documents as a whole are compared with the task
similar_path        dense  words of the path near the task's, z-score among the best candidates, divided by 4
similar_passages    dense  the sum of all passages near the task, the same
similar_definitions dense  defined names near the task, the same
similar_identifiers dense  identifiers near the task, the same
similar_comments    dense  comments near the task, the same
similar_sum         dense  the sum of these five, divided by 2

[previous_cycle]  The judgment of the previous cycle; all 0 in the first.
previously_judged     restated  1 for a file that a previous cycle judged
previous_score        restated  its previous score, log odds; -8 for a file that was not judged
previous_score_behind restated  how far that was behind the best file, log odds
previous_score_best   restated  previous score of the best file, log odds
previously_read       -         1 for a file whose text a previous cycle read

[gaps]  Results of the searches of gaps; all 0 in the first cycle.
asked_terminology asked     1 − Π (1 − share · relevance of the asking file) over gaps of kind terminology, 0–1
asked_reference   followed  1 − Π (1 − share · relevance of the asking file) over gaps of kind reference, 0–1
asked_dependency  asked     1 − Π (1 − share · relevance of the asking file) over gaps of kind dependency, 0–1
asked_counterpart asked     1 − Π (1 − share · relevance of the asking file) over gaps of kind counterpart, 0–1
asked_aspect      asked     1 − Π (1 − share · relevance of the asking file) over gaps of kind aspect, 0–1
asked_precision   asked     precision of the best gap that asks for the file, 0–1
asked_user        asked     relevance of the best file that asks for it, 0–1
asked_times       asked     log2(1 + gaps that ask for the file), divided by 4
asked_kinds       asked     kinds of gap that ask for the file, divided by 5
asked_test        asked     1 − Π (1 − relevance of the asking file) over gaps that name the file as its test, 0–1
asked_together    asked     the same over gaps that name the file as changed together with it, 0–1
"""

NONE, ROLE, RESTATED = "-", "role", "restated"
RETRIEVAL = "retrieval"


class Feature(NamedTuple):
    """One line of the table."""

    section: str
    evidence: str
    words: float
    change: float


def _read(table: str) -> dict[str, Feature]:
    out: dict[str, Feature] = {}
    section = ""
    for line in filter(None, table.split("\n")):
        if line[0] == "[":
            section = line[1:].partition("]")[0]
            continue
        name, evidence, rest = line.split(maxsplit=2)
        words, change = rest.split(maxsplit=2)[:2] if section == RETRIEVAL else ("0", "0")
        out[name] = Feature(section, evidence, float(words), float(change))
    return out


FEATURES = _read(_TABLE)
COLUMN = {name: number for number, name in enumerate(FEATURES)}


def names_of(section: str) -> tuple[str, ...]:
    """Name the columns of a section, in order."""
    return tuple(name for name, feature in FEATURES.items() if feature.section == section)
