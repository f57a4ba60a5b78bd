#!/usr/bin/env bash
# Runs a script of package.json on Node 24, whichever Node is installed here:
#   scripts/test-on-node-24.sh test
#   scripts/test-on-node-24.sh test -- test/unit/config/config.test.ts
# Its exit code is that script's. Node comes from npm, as the package with this platform's binary: the package `node`
# chooses among them with an install script.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

package=$(node -p '`node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`')
npm install --prefix "$folder" --ignore-scripts --no-save --no-audit --no-fund --loglevel=error "$package@24"
export PATH="$folder/node_modules/$package/bin:$PATH"
echo "Node $(node --version)"
npm run "$@"
