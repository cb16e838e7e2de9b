"""A notebook is read as its code, line for line; whatever is no notebook stays as it is."""

import json
import subprocess
import sys
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repositories import ENVIRONMENT, repository
from zeroin.corpus.decode import decode
from zeroin.corpus.notebook import notebook_code


def cell(kind: str, *lines: str, **others: Any) -> dict[str, Any]:
    return {"cell_type": kind, **others, "source": list(lines)}


def notebook(*cells: dict[str, Any]) -> str:
    whole = {"cells": list(cells), "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


CHURN = notebook(
    cell("markdown", "# Who leaves\n", "Customers that stop to pay."),
    cell(
        "code",
        "%matplotlib inline\n",
        "import pandas as pd\n",
        "\n",
        "def leavers(orders, days=90):\n",
        '    """Customers without an order for some days."""\n',
        '    last = orders.groupby("customer")["day"].max()\n',
        "    return last[last < last.max() - days]",
        outputs=[{"data": {"image/png": "iVBORw0KGgo" * 400}, "metadata": {"source": ["def fake(): pass\n"]}}],
    ),
    cell("code", "%%bash\n", "rm -r build"),
    cell("code", "%%time\n", "leavers(orders)"),
    cell("code"),
)


def test_each_line_stays_where_it_is():
    code = notebook_code(CHURN)
    rows, given = code.split("\n"), CHURN.split("\n")
    assert len(rows) == len(given)
    for row, line in zip(rows, given, strict=True):
        assert not row or json.loads(line.strip().removesuffix(",")).rstrip("\n") == row.removeprefix("# ")
    assert [row for row in rows if row] == [
        "# # Who leaves",
        "# Customers that stop to pay.",
        "# %matplotlib inline",
        "import pandas as pd",
        "def leavers(orders, days=90):",
        '    """Customers without an order for some days."""',
        '    last = orders.groupby("customer")["day"].max()',
        "    return last[last < last.max() - days]",
        "# %%bash",
        "# rm -r build",
        "# %%time",
        "leavers(orders)",
    ]
    compile(code, "churn.ipynb", "exec")


def test_a_source_of_one_string():
    cells = [{"cell_type": "code", "source": "a = 1"}, {"cell_type": "code", "source": "b\nc"}]
    spread = json.dumps({"cells": cells}, indent=1)
    assert [row for row in notebook_code(spread).split("\n") if row] == ["a = 1", "# b c"]
    assert notebook_code(json.dumps({"cells": cells[::-1]})) == "# b c a = 1"


def test_layouts_of_other_tools():
    first, second = "def a():\\n", "    return 1"
    spread = f'"source": [\n"{first}",\n"{second}"\n]'
    other = '{"cell_type": "code", "source": ["b = 1"]}'  # in one row, as formatters write it
    last = '{"cell_type": "code", "source" : [\n  "c = 2"]\n}'
    text = f'{{"cells": [{{"cell_type": "code",\n{spread}}},\n{other},\n{last}]}}\n'
    rows = notebook_code(text).split("\n")
    assert [row for row in rows if row] == ["def a():", "    return 1", "b = 1", "c = 2"]
    assert [n for n, row in enumerate(rows) if row] == [2, 3, 5, 7]


def test_an_older_notebook():
    sheet = {"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"], "outputs": [float("nan")]}]}
    text = json.dumps({"nbformat": 3, "worksheets": [sheet]}, indent=2)
    assert [row for row in notebook_code(text).split("\n") if row] == ["x = 1", "y = 2"]


def test_commands_are_comments_and_operators_are_not():
    lines = ("!pip install \\\n", "  -r more.txt\n", "msg = ('%s'\n", "       % name)\n", "ok = (a\n", "  != b)")
    assert [row for row in notebook_code(notebook(cell("code", *lines))).split("\n") if row] == [
        "# !pip install \\",
        "#   -r more.txt",
        "msg = ('%s'",
        "       % name)",
        "ok = (a",
        "  != b)",
    ]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_line_ends_and_characters_that_are_none(ends: str):
    text = notebook(cell("code", "a = '\ud800'\n", "b = 2")).replace("\n", ends)
    assert [row for row in notebook_code(text).split("\n") if row] == ["a = '?'", "b = 2"]


def test_hostile_cells_take_bounded_time():
    many = ",\n".join(['{"source": [\n"a",\n"b"\n]}'] * 50_000)
    deep = '{"source": [' * 200 + '"a", ' * 200_000 + '"b"' + "]}" * 200
    for hidden in (many, many.replace("\n", ""), deep):
        text = '{"cells": [{"cell_type": "code",\n"source":\n[\n"c"\n]}], "metadata": [' + hidden + "]}"
        began = process_time()
        assert notebook_code(text) == text
        assert process_time() - began < 5


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"cell_type": 1}',
        '{"cells": [{"cell_type": "code"}]}',
        '{"cells": [{"cell_type": "code", "source": 1}]}',
        '{"cells": "cell_type", "x": {"cell_type": null}}',
        '{"worksheets": [{}], "x": {"cell_type": [1]}}',
        '{"worksheets": [1], "x": {"cell_type": 1}}',
        '["cells", {"cell_type": "code"}]',
        '{"cells": [{"cell_type": "code", "source": ["a"]}',
        '{"cell_type": ' + "[" * 100_000,
        "{'cell_type': 'a set of Python'}\n",
        "",
    ],
)
def test_what_is_no_notebook_stays(text: str):
    assert notebook_code(text) == text


@given(st.lists(st.lists(st.text(max_size=12), max_size=4), max_size=6))
def test_any_cells_keep_the_lines(cells: list[list[str]]):
    text = notebook(*(cell("code", *(f"{line}\n" for line in lines)) for lines in cells))
    code = notebook_code(text)
    assert code.count("\n") == text.count("\n")
    said = {word for lines in cells for line in lines for word in line.split()}
    assert said <= set(code.split()) | set(code.replace("# ", " ").split())


def test_only_a_file_of_python_is_read_so():
    assert decode(CHURN.encode(), "python").text == notebook_code(CHURN)
    assert decode(CHURN.encode(), "json").text == CHURN


def test_the_answer_shows_the_code_of_a_notebook(tmp_path: Path):
    files = {
        "notebooks/churn.ipynb": CHURN,
        "shop/orders.py": "def read_orders(path):\n    return open(path).read()\n",
        "shop/stock.py": "def count(shelf):\n    return len(shelf)\n",
        "README.md": "# Shop\n\nStock and orders.\n",
    }
    root = repository(tmp_path / "shop", files)
    task = "customers without an order for 90 days: who leaves?"
    command = [sys.executable, "-m", "zeroin", task, str(root), "--format"]
    environment = ENVIRONMENT | {"ZEROIN_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([*command, "json"], capture_output=True, text=True, env=environment, check=True)
    first = json.loads(done.stdout)["files"][0]
    assert (first["path"], first["language"]) == ("notebooks/churn.ipynb", "python")
    done = subprocess.run([*command, "markdown"], capture_output=True, text=True, env=environment, check=True)
    shown = done.stdout.replace("  ", " ")
    number = next(n for n, line in enumerate(CHURN.split("\n"), 1) if "def leavers" in line)
    assert f"{number} def leavers(orders, days=90):" in shown
    assert "iVBORw0KGgo" not in shown
