"""Ruby, PHP, Elixir, Haskell, Lua, Bash, style sheets."""


def test_ruby_require_forms(resolved):
    edges = resolved(
        {
            "lib/acme.rb": "require 'acme/token'\nrequire 'json'\nautoload :Store, 'acme/store'\nrequire 'acme/gone'\n",
            "lib/acme/token.rb": "require_relative 'store'\n",
            "lib/acme/store.rb": "",
            "spec/token_spec.rb": "require 'spec_helper'\nrequire_relative '../lib/acme/token'\n",
            "spec/spec_helper.rb": "",
        }
    )
    assert edges["lib/acme.rb"] == {"lib/acme/token.rb", "lib/acme/store.rb"}
    assert edges["lib/acme/token.rb"] == {"lib/acme/store.rb"}
    assert edges["spec/token_spec.rb"] == {"spec/spec_helper.rb", "lib/acme/token.rb"}


def test_php_namespaces_and_require(resolved):
    edges = resolved(
        {
            "src/Auth/Token.php": "<?php\nnamespace Acme\\Auth;\n\nclass Token {}\n",
            "src/Web/Page.php": (
                "<?php\nnamespace Acme\\Web;\n\nuse Acme\\Auth\\Token;\nuse Acme\\Auth\\Gone;\nuse Psr\\Log\\X;\n"
                "require_once __DIR__ . '/boot.php';\n\nclass Page {}\n"
            ),
            "src/Web/boot.php": "<?php\n",
            "tests/PageTest.php": "<?php\nnamespace T;\nuse Acme\\Web\\{Page};\n\nclass PageTest {}\n",
        }
    )
    assert edges["src/Web/Page.php"] == {"src/Auth/Token.php", "src/Web/boot.php"}
    assert edges["tests/PageTest.php"] == {"src/Web/Page.php"}


def test_elixir_modules_and_groups(resolved):
    edges = resolved(
        {
            "lib/acme/token.ex": "defmodule Acme.Token do\n  defmodule Claims do\n  end\nend\n",
            "lib/acme/store.ex": "defmodule Acme.Store do\n  use GenServer\n  alias Acme.Token.Claims\nend\n",
            "lib/acme_web/page.ex": (
                "defmodule AcmeWeb.Page do\n  alias Acme.{Token, Store}\n  import Acme.Token.Gone\nend\n"
            ),
        }
    )
    assert edges["lib/acme/store.ex"] == {"lib/acme/token.ex"}
    assert edges["lib/acme_web/page.ex"] == {"lib/acme/token.ex", "lib/acme/store.ex"}


def test_haskell_module_paths(resolved):
    edges = resolved(
        {
            "src/Acme/Token.hs": "module Acme.Token (Token) where\nimport qualified Data.Map as M\n",
            "app/Main.hs": "module Main where\nimport Acme.Token (Token)\nimport Acme.Gone\n",
        }
    )
    assert edges == {"app/Main.hs": {"src/Acme/Token.hs"}}


def test_lua_and_bash_paths(resolved):
    edges = resolved(
        {
            "lua/acme/init.lua": "local t = require('acme.token')\nlocal u = require 'acme.util'\n",
            "lua/acme/token.lua": "require('plenary.job')\nrequire('acme.gone')\n",
            "lua/acme/util/init.lua": "local a = require('acme')\n",
            "bin/run.sh": '#!/bin/bash\nsource "$DIR/../lib/log.sh"\n. ./env.sh\nsource /etc/profile\n',
            "bin/env.sh": "",
            "lib/log.sh": "",
        }
    )
    assert edges["lua/acme/init.lua"] == {"lua/acme/token.lua", "lua/acme/util/init.lua"}
    assert edges["lua/acme/util/init.lua"] == {"lua/acme/init.lua"}
    assert edges["bin/run.sh"] == {"bin/env.sh", "lib/log.sh"}
