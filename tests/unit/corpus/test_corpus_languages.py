"""Languages by name, by shebang, and by the first bytes of a name that two languages have."""

from collections import Counter

import pytest

from zeroin.beside import table_beside
from zeroin.corpus import languages
from zeroin.corpus.languages import by_bytes, language_of, named_language
from zeroin.corpus.roles import role_of
from zeroin.types import Role

BY_PATH = """
python a.py a.pyi SConstruct pkg/BUILD x.pyx
javascript a.js a.mjs a.cjs a.jsx
typescript a.ts a.mts a.d.ts
tsx a.tsx
go a.go
rust a.rs
java A.java
kotlin a.kt build.gradle.kts
scala a.scala build.sbt
c a.c a.h
cpp a.cc a.cpp a.hpp a.C a.cu
csharp A.cs
ruby a.rb Rakefile Gemfile x.gemspec config.ru
php a.php
swift a.swift
elixir a.ex a.exs mix.lock
haskell A.hs
lua a.lua
bash a.sh .bashrc t.bats
zig a.zig
vue A.vue
svelte A.svelte
sql a.sql
protobuf a.proto
hcl a.tf a.hcl
yaml a.yml .github/workflows/ci.yaml config.yml.example
toml pyproject.toml Cargo.lock
json package.json tsconfig.json .babelrc
markdown README.md README a.mdx
rst a.rst
html a.html a.html.erb
css a.css a.scss
make Makefile makefile.am a.mk Makefile.common
dockerfile Dockerfile Dockerfile.alpine
cmake CMakeLists.txt
objc a.m a.mm
coffee a.coffee
qml a.qml
haxe a.hx
rescript a.res a.resi
java a.trigger A.apex
html a.heex a.gohtml
yaml values.yaml.tpl
dockerfile Dockerfile.tmpl
yacc parse.y
xml pom.xml
text LICENSE a.txt go.mod unknown.zzz noextension .hidden
"""


@pytest.mark.parametrize("line", BY_PATH.strip().splitlines())
def test_by_name(line):
    language, *paths = line.split()
    assert {path: language_of(path) for path in paths} == dict.fromkeys(paths, language)


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/bin/sh\n", "bash"),
        (b"#! /usr/bin/env python3.11\nimport x", "python"),
        (b"#!/usr/bin/env -S node --flag\n", "javascript"),
        (b"#!/usr/bin/env VAR=1 ruby\n", "ruby"),
        (b"#!/usr/local/bin/lua5.4", "lua"),
        (b"#!/opt/unknown\n", "text"),
        (b"#!\n", "text"),
        (b"#!/usr/bin/env\n", "text"),
        (b"plain", "text"),
    ],
)
def test_by_shebang_where_there_is_no_extension(head, language):
    assert language_of("bin/tool", head) == language
    assert language_of("bin/tool.go", head) == "go"


@pytest.mark.parametrize(
    ("path", "language", "head"),
    [
        ("a.m", "matlab", b"% What it does.\nfunction y = f(x)\n"),
        ("a.m", "objc", b"// What it does\n#import <A/A.h>\n@implementation B\n"),
        ("a.m", "text", b'(* ::Package:: *)\nBeginPackage["A`"]\n'),
        ("a.h", "objc", b"#import <A/A.h>\n\n@interface B : C\n"),
        ("a.h", "c", b"/* @interface */\nint a;\n"),
        ("A.cls", "java", b"// License\npublic with sharing class A {\n"),
        ("a.cls", "latex", b"\\NeedsTeXFormat{LaTeX2e}\n"),
        ("A.cls", "visualbasic", b"VERSION 1.0 CLASS\nBEGIN\n"),
        ("a.pp", "puppet", b"# What it does\nclass a::b (\n"),
        ("a.pp", "pascal", b"unit A;\ninterface\nuses B;\n"),
        ("a.cl", "c", b"__kernel void f(__global float *a) {\n"),
        ("a.cl", "lisp", b";;; What it does\n(defun f (x) x)\n"),
        ("a.inc", "php", b"<?php\nfunction f() {}\n"),
        ("a.inc", "c", b"// What it holds\nX(a)\n"),
        ("a.inc", "text", b"SUMMARY = 1\n"),
        ("a.v", "verilog", b"// What it does\nmodule top(input clk);\n"),
        ("a.v", "coq", b"(* What it proves *)\nRequire Import List.\n"),
        ("a.v", "v", b"module main\n\nimport os\n"),
        ("a.fs", "fsharp", b"module A\nlet f x = x\n"),
        ("a.fs", "glsl", b"#version 330\nout vec4 c;\n"),
        ("a.re", "c", b"/* Generated from here */\n#include <a.h>\n"),
        ("a.re", "rescript", b"let x = 1;\n"),
        ("a.d", "text", b"#pragma D option quiet\n"),
        ("a.d", "d", b"module a.b;\n"),
        ("a.l", "lex", b"%{\n#include <a.h>\n%}\n%%\n"),
        ("a.module", "php", b"<?php\n\n/** A module of Drupal. */\n"),
        ("start.run", "bash", b"#!/bin/sh\n"),
        ("a.zzz", "text", b"what it says\n"),
        # What looks like the other language in ordinary files of the one by default.
        ("a.pp", "pascal", b"unit A;\ntype T = class\n  class function New: T;\nconst E = 'x' +\n  #13#10;\n"),
        ("a.pp", "puppet", b"class nginx::package inherits nginx::params {\n"),
        ("a.v", "verilog", b"// Set the clock\n/* Section 3\n Set the clock\n*/\nmodule counter\n(\n input clk\n);\n"),
        ("a.v", "verilog", b"module counter\n  #(parameter W = 8)\n"),
        (
            "a.m",
            "objc",
            b'#import "a.h"\n@implementation A\n    (*callback)(1);\n    % self.count;\n  clear the caches\n',
        ),
        ("a.m", "matlab", b"close all\naddpath('x')\n"),
        ("A.cls", "visualbasic", b'VERSION 1.0 CLASS\nAttribute VB_Name = "A"\nPublic Enum Color\n'),
        ("A.cls", "java", b"/* What it tests */\n@isTest\nclass ATest {\n"),
        ("a.h", "c", b"#ifdef __OBJC__\n@class NSString;\n@protocol Later;\n#endif\nint f(void);\n"),
        ("a.h", "objc", b"// " + b"x" * 5000 + b"\n@protocol A <NSObject>\n"),
        ("a.fs", "fsharp", b'module S\nlet v = """\n#version 330\ngl_Position = x;\n"""\n'),
        ("a.inc", "text", b"# if you want it\n# define the name\nA = 1\n"),
        ("a.inc", "assembly", b"; What it holds\nmov ax, bx\n"),
        ("a.inc", "pascal", b"{ What it holds }\nconst a = 1;\n"),
        ("a.cl", "lisp", b"#|\n// like C\n|#\n(defun f (x) x)\n"),
        ("a.l", "lisp", b";;; What it does\n(defun f (x) x)\n"),
        ("a.tpl", "html", b"{{ if a }}\n<div class=x></div>\n"),
        ("a.tpl", "text", b"package {{.name}}\n\nfunc f(c <-chan int) {}\n"),
        ("a.tmpl", "bash", b"#!/bin/bash\necho {{.name}}\n"),
    ],
)
def test_by_the_first_bytes_where_languages_share_an_extension(path: str, language: str, head: bytes) -> None:
    assert language_of(path, head) == language
    assert by_bytes(named_language(path))


def test_no_extension_has_two_languages() -> None:
    found = Counter(
        word
        for words in table_beside(languages.__file__, "languages.toml")["extensions"].values()
        for word in words.split()
    )
    assert [word for word, times in found.items() if times > 1] == []


@pytest.mark.parametrize("head", [b"<?xml version='1.0'?>", b"\xef\xbb\xbf\n<!DOCTYPE TS>"])
def test_translations_of_qt_are_no_typescript(head: bytes) -> None:
    assert language_of("src/lang/app_de.ts", head) == "xml"
    assert language_of("src/main.ts", b"const x = <T>y;") == "typescript"
    assert role_of("src/lang/app_de.ts", language="xml") is Role.DATA
    assert role_of("src/main.ts", language="typescript") is Role.IMPLEMENTATION
