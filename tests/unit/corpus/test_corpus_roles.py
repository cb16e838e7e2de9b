"""Roles by path across languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.corpus.roles import role_of
from zeroin.types import Role

BY_PATH = {
    Role.IMPLEMENTATION: """
        src/a.py lib/attest.py src/latest.js contest/main.go app/config/settings.py src/config.ts src/index.html
        src/migration.py src/install.py app/changes/x.ts app/lang/parser.py src/i18n/index.ts include/foo.h
        src/build/x.ts src/compiler/target/x.rs doc/man_docs.go dask/_task_spec.py src/prefect/tasks.py src/next.ts
        dubbo-metrics/src/main/java/org/apache/dubbo/metrics/collector/sample/Sampler.java src/builtin.jq
        include/internal/catch_test_registry.h optimum_benchmark/trackers/latency.py website/views.py pkg/pods/pod.go
        src/views/user.tpl bin/run bin/log fixtures/loader.py src/dist/matrix.py lib/code_gen.py contrib/spec.py
        src/main/scala-2.13/A.scala lib/src-2.12/a.js kafka-0.10.2/src/A.java board-1.0.2/pins.c lib/lua52.py
        lib/zlib/wrapper.rb src/deps/graph.c deps/build.jl lib/http2/frame.c lib/lua/bind.c ext/zlib/bind.c
        lib/scala_2.13/A.scala lib/api_v1.2/x.rb libs/python-3.11/x.py addons/nodes/cooldown.gd bin/timer
        src/main/java/AnnotationSpec.java okhttp/src/commonJvmAndroid/kotlin/ConnectionSpec.kt ui/ButtonProps.tsx
        src/benchmark/executor.rs crates/xtask/src/bench/mod.rs
        zio-http-testkit/src/main/scala/TestServer.scala okio/src/jvmMain/kotlin/TestExecutor.kt R/test-that.R
        ignite/metrics/regression/r2.py Sources/ProjectSpec/Target.swift conans/model/conf.py
        mealie/schema/cookbook/cookbook.py src/license.py src/view/page.tpl app/main.qml
        scripts/check-license bin/add-license lib/distro/debian/apt.py pro/readfits.pro service/user.api
        """,
    Role.TEST: """
        tests/test_a.py a_test.go x.spec.ts TestFoo.java FooTest.java src/test/java/x/Foo.java conftest.py
        src/__tests__/a.js src/Foo.Tests/Bar.cs lib/spec/x_spec.rb spec/foo.rb benches/x.rs x/tests/__init__.py
        t/basic.t test/run.bats Tests/FooTests/Foo.swift jvm/test/FooTest.kt core/src/commonTest/kotlin/Foo.kt
        src/FooSpec.scala test/properties.hs asv_bench/benchmarks/frame.py sinatra/test.rb a/b.e2e.ts jsonTest/x.kt
        tests/mock_repo.go ui/Button.test.tsx spec/support/helper.rb pkg/foo_test.exs
         tests/unit/datasets/test_split.py test/locale/sr.test.js test/absinthe/language/input_test.exs
         tests/installed/lib/demo-1.0/setup_demo.py test/workflow.vader features/login.feature test/cooldown_test.gd
         src/testFixtures/kotlin/Clock.kt src/test/kotlin/ConnectionSpec.kt metrics/src/main/java/ParseBenchmark.java
        tests/testthat/test-that.R regression/run.py src/benchmark/main.cpp benches/src/bench.rs tests/src/bench/x.rs
        src/main/webapp/app/settings.component.spec.ts tools/regression/aio/aiop.c UIKit/Spec/UIButtonSpec.mm
        src/core/Akka.Cluster.Tests.MultiNode/ConvergenceSpec.cs src/main/python/pkg/conftest.py
        """,
    Role.DOC: """
        docs/index.md docs/conf.py README.md CHANGELOG LICENSE a/b/guide.rst man/foo.1 NEWS.txt docs/code/main.c
        newsfragments/12.bugfix tests/README.md notes.txt jq.1 src/sha256sum.1 lib/Foo.3pm tool.8.in
        x/guide.texi Foo.pod
        """,
    Role.EXAMPLE: "examples/a.py demo/app.js packages/x/samples/a.ts example/a.zig notebooks/a.py Example-iOS/V.swift",
    Role.VENDORED: """
        vendor/x/y.go a/node_modules/b/c.js a.min.js third_party/z/test/a.c src/_vendor/x.py Pods/A/a.m
        winlib/SDL2-2.0.10/i686-w64-mingw32/include/SDL2/SDL_video.h winlib/SDL2-2.0.10/test/a.c lib/foo-1.2/README.md
        src/lib/lua52/lapi.h src/lib/stb/stb_image.h lua-5.2.4/src/lapi.c deps/wslay/lib/wslay_net.c
        libs/scintilla_2.14.1/src/CaseFolder.h app/fatlib/Module/Install.pm
        """,
    Role.GENERATED: """
        foo_pb2.py x.pb.go package-lock.json dist/a.js api/foo_grpc.pb.go src/generated/x.ts yarn.lock go.sum
        cmd/wire_gen.go zz_generated.deepcopy.go A.Designer.cs a.js.map x.g.dart routes.gen.ts
        src/gram.tab.h lex.yy.c
        """,
    Role.CONFIG: """
        .github/workflows/ci.yml setup.py pyproject.toml Makefile tsconfig.json go.mod requirements.txt Cargo.toml
        src/main/resources/application.yml CMakeLists.txt vite.config.ts .eslintrc.js Dockerfile build.gradle.kts
        .github/actions/unit-test/action.yml x/Foo.csproj pom.xml build.rs .gitignore appsettings.Development.json
        App.xcodeproj/project.pbxproj NAMESPACE DESCRIPTION src/py.typed Foo.sln.DotSettings
        python/docs/source/conf.py sphinx/conf.py debian/rules bin/dune dune-project
        Doxyfile valgrind.supp VERSION
        """,
    Role.DATA: """
        a/b/data.csv locale/de/LC_MESSAGES/x.po testdata/x.go tests/fixtures/a.json src/i18n/de.json
        src/__snapshots__/a.snap tests/fixtures/test_inner.py tests/lang/sample.py
        logo.svg icons/splash.png.import test-data/unit/check-x.test tests/expected.txt public/language/de/settings.json
        sig/v1/jq.asc
        """,
}


@pytest.mark.parametrize(("role", "path"), [(role, path) for role, paths in BY_PATH.items() for path in paths.split()])
def test_by_path(role, path):
    assert role_of(path) is role


@pytest.mark.parametrize("path", ["bin/v1.2", "release-1.2", "log/app.log.1", "bin/run"])
def test_a_number_behind_a_dot_makes_no_manual(path):
    assert role_of(path) is not Role.DOC


def test_contents_that_call_themselves_generated():
    assert role_of("src/a.py", generated=True) is Role.GENERATED
    assert role_of("vendor/a.go", generated=True) is Role.VENDORED


@given(st.text(max_size=60))
def test_any_path_has_a_role(path):
    assert role_of(path) in Role
