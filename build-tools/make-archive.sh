#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0; see the LICENSE file.
#
# Puts the command line, its jars, the documents and the sources of the examples into
# accordion-dist/target/release, as an archive that runs without Maven, beside the lists of
# components and the checksums of all. Two archives of the same files are equal.
set -euo pipefail

version=$1
timestamp=$2
cd "$(dirname "${BASH_SOURCE[0]}")/.."
name=accordion-$version
target=accordion-dist/target
rm -rf "$target/$name" "$target/release"
mkdir -p "$target/$name/lib" "$target/release"

cp accordion-cli/target/lib/*.jar "$target/$name/lib/"
cp accordion accordion-cli/target/bom.json LICENSE ./*.md "$target/$name/"
cp -r docs "$target/$name/"
tar --exclude=target -cf - examples | tar -xf - -C "$target/$name"
(cd "$target/$name" && find . -type f ! -name SHA256SUMS -print | LC_ALL=C sort | xargs sha256sum >../sums &&
  mv ../sums SHA256SUMS)
(cd "$target" && tar --sort=name --mtime="$timestamp" --owner=0 --group=0 --numeric-owner -cf - "$name") |
  gzip -n >"$target/release/$name-bin.tar.gz"

# The libraries: the modules that are deployed and have classes.
while IFS= read -r pom; do
  ! grep -q '<packaging>pom</packaging>' "$pom" || continue
  module=${pom%/pom.xml}
  cp "$module/target/$module-$version".jar "$module/target/$module-$version"-sources.jar \
    "$module/target/$module-$version"-javadoc.jar "$target/release/"
  cp "$module/target/bom.json" "$target/release/$module-$version-bom.json"
done < <(grep -L '<maven.deploy.skip>' accordion-*/pom.xml)
(cd "$target/release" && sha256sum -- * >SHA256SUMS)
