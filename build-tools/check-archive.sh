#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0; see the LICENSE file.
#
# Unpacks the archive that mvn verify -Pdist has made, checks the links of its documents, and runs it
# without Maven.
set -euo pipefail

release=$(cd "$(dirname "${BASH_SOURCE[0]}")/../accordion-dist/target/release" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$release" && sha256sum --check --quiet SHA256SUMS)
tar -xzf "$release"/accordion-*-bin.tar.gz -C "$work"
cd "$work"/accordion-*
sha256sum --check --quiet SHA256SUMS
java=$(command -v java)
without_maven=$(dirname "$(readlink -f "$java")"):/usr/bin:/bin
mkdir "$work/path"
printf '#!/bin/sh\necho "Maven was called" >&2; exit 1\n' >"$work/path/mvn"
chmod +x "$work/path/mvn"
export PATH=$work/path:$without_maven
for image in $(grep -o 'docs/images/[^)" ]*' README.md); do
  [ -f "$image" ] || { echo "README.md shows $image, which is missing" >&2; exit 1; }
done
# The documents lead to each other and to the examples. Only the sources have the code of modules,
# and only a build has the Javadoc.
elsewhere='/accordion-[a-z-]+/src/|/target/site/apidocs/'
while IFS=: read -r document link; do
  link=${link#']('}
  [[ $link =~ ^https:// || /$link =~ $elsewhere ]] || [ -e "$(dirname "$document")/${link%%#*}" ] ||
    { echo "$document leads to $link, which is missing" >&2; exit 1; }
done < <(grep -Ero --include='*.md' '\]\([^) ]+' .)
./accordion --version
./accordion --help >"$work/help"
grep -q 'demo' "$work/help"
./accordion demo --operations 20000
echo "the archive works"
