"""Python: packages, relative dots, src layouts, several roots, namespace packages, the standard library."""


def test_submodules_are_meant_before_the_package_itself(resolved):
    edges = resolved(
        {
            "app/__init__.py": "",
            "app/core/__init__.py": "from .tokens import Token\n",
            "app/core/tokens.py": "class Token: ...\n",
            "app/core/store.py": "",
            "app/main.py": "from app.core import store, Token\nimport app.core.tokens as t\n",
            "app/web/__init__.py": "",
            "app/web/views.py": "from ..core.tokens import Token\nfrom . import forms\nfrom .gone import x\n",
            "app/web/forms.py": "import os\nimport requests\n",
        }
    )
    assert edges["app/main.py"] == {"app/core/store.py", "app/core/__init__.py", "app/core/tokens.py"}
    assert edges["app/web/views.py"] == {"app/core/tokens.py", "app/web/forms.py"}
    assert edges["app/core/__init__.py"] == {"app/core/tokens.py"}
    assert "app/web/forms.py" not in edges


def test_several_roots_and_src_layouts(resolved):
    edges = resolved(
        {
            "pyproject.toml": "",
            "src/alpha/__init__.py": "",
            "src/alpha/one.py": "import beta.two\n",
            "plugins/beta/pyproject.toml": "",
            "plugins/beta/src/beta/__init__.py": "",
            "plugins/beta/src/beta/two.py": "from alpha.one import f\nfrom alpha.absent import g\n",
            "tests/test_one.py": "from alpha import one\nimport helpers\n",
            "tests/helpers.py": "",
        }
    )
    assert edges["src/alpha/one.py"] == {"plugins/beta/src/beta/two.py"}
    assert edges["plugins/beta/src/beta/two.py"] == {"src/alpha/one.py"}
    assert edges["tests/test_one.py"] == {"src/alpha/one.py", "tests/helpers.py"}


def test_namespace_packages_without_an_init(resolved):
    edges = resolved(
        {
            "setup.py": "",
            "src/acme/auth/tokens.py": "",
            "src/acme/api/server.py": "from acme.auth import tokens\nfrom acme.auth.tokens import T\n",
        }
    )
    assert edges["src/acme/api/server.py"] == {"src/acme/auth/tokens.py"}


def test_fixtures_and_standard_names_are_not_taken_for_ours(resolved):
    edges = resolved(
        {
            "app/__init__.py": "",
            "app/main.py": "import logging\nimport yaml\nimport types\n",
            "tests/fixtures/yaml/__init__.py": "",
            "typeshed/stdlib/logging/__init__.pyi": "",
            "scripts/types.py": "",
        }
    )
    assert edges == {}


def test_too_many_dots_are_missing_and_nothing_breaks(resolved):
    edges = resolved({"a.py": "from ....b import c\nfrom . import b\n", "b.py": ""})
    assert edges == {"a.py": {"b.py"}}
