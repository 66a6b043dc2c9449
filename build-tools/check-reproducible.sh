#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0; see the LICENSE file.
#
# Builds the last commit twice, in two folders, and compares the jars, and with -Pdist also the files
# of the release. Exits with 1 if any differ. With --against FOLDER it builds once and compares with
# what was built in that folder. Other arguments go to Maven; MAVEN names another one than the
# wrapper.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {
  git clone --quiet --no-hardlinks "$root" "$1"
  echo "building in $1 ..."
  (cd "$1" && "${MAVEN:-./mvnw}" --batch-mode --quiet package -Dmaven.test.skip -Dspotless.check.skip \
    "${@:2}")
}

if [ "${1:-}" = --against ]; then
  first=$(cd "$2" && pwd -P)
  shift 2
else
  first=$work/first
  build "$first" "$@"
fi
second=$work/second-build
build "$second" "$@"

(cd "$second" &&
  find . -type f \( -path '*/target/*' -name 'accordion-*.jar' -o \
    -path './accordion-dist/target/release/*' \) -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) >"$work/sums"
[ -s "$work/sums" ] || { echo "nothing was built" >&2; exit 1; }
(cd "$first" && sha256sum --check --quiet "$work/sums") || { echo "these files differ" >&2; exit 1; }
echo "both builds gave the same $(wc -l <"$work/sums") files"
