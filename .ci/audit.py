"""Asks whether a weakness is known of a package that is installed here: python .ci/audit.py

pip-audit is installed in an environment of its own. Where it cannot be installed, or its source of weaknesses cannot be
asked, a line says so and nothing fails.
"""

import json
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="zeroin-audit-") as made:
        folder = Path(made)
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        found = folder / "found.json"
        install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "pip-audit"]
        if subprocess.run(install, capture_output=True, check=False).returncode:
            sys.exit(print("skipped: pip-audit cannot be installed here"))
        ask = [str(python), "-m", "pip_audit", "--path", sysconfig.get_path("purelib"), "--progress-spinner", "off"]
        asked = subprocess.run([*ask, "-f", "json", "-o", str(found)], capture_output=True, text=True, check=False)
        if not found.is_file():
            sys.exit(print(f"skipped: nobody can be asked here: {asked.stderr.strip()[-200:]}"))
        packages = json.loads(found.read_text("utf-8"))["dependencies"]
    known = [each for each in packages if "skip_reason" not in each]
    if not known:
        sys.exit(print(f"skipped: none of {len(packages)} packages is known to the source of weaknesses here"))
    print(f"{len(known)} of {len(packages)} packages are known to the source of weaknesses")
    weak = [
        f"{each['name']} {each['version']}: {one['id']}, mended in {', '.join(one['fix_versions']) or 'no version'}"
        for each in known
        for one in each["vulns"]
    ]
    sys.exit("\n".join(weak) if weak else 0)


if __name__ == "__main__":
    main()
