#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0; see the LICENSE file.
#
# Builds the last commit twice, in two folders, and compares the jars. Exits with 1 if any differ.
# Arguments go to Maven; MAVEN names another one than the wrapper.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for build in first second-build; do
  git clone --quiet --no-hardlinks "$root" "$work/$build"
  echo "building in $work/$build ..."
  (cd "$work/$build" && "${MAVEN:-./mvnw}" --batch-mode --quiet package -Dmaven.test.skip -Dspotless.check.skip "$@")
  (cd "$work/$build" && find . -path '*/target/*' -name 'accordion-*.jar' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum) >"$work/$build.sums"
done
[ -s "$work/first.sums" ] || { echo "no jars were built" >&2; exit 1; }
diff "$work/first.sums" "$work/second-build.sums" || { echo "these jars differ" >&2; exit 1; }
echo "both builds gave the same $(wc -l <"$work/first.sums") jars"
