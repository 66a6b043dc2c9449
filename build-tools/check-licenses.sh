#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0; see the LICENSE file.
#
# Checks that the profile dependencies refuses what it should: a module whose dependency has a licence
# that is not on the list, and one whose dependency names no licence. Arguments go to Maven; MAVEN
# names another one than the wrapper.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
work=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's|^  <version>\(.*\)</version>$|\1|p' "$root/pom.xml")

# Builds a module with one dependency, given as group, artifact and version, by the parent pom.
build_with() {
  cat >"$work/pom.xml" <<END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>io.accordiondb</groupId>
    <artifactId>accordion</artifactId>
    <version>$version</version>
    <relativePath>$(realpath --relative-to="$work" "$root")/pom.xml</relativePath>
  </parent>
  <artifactId>licences</artifactId>
  <dependencies>
    <dependency>
      <groupId>$1</groupId>
      <artifactId>$2</artifactId>
      <version>$3</version>
    </dependency>
  </dependencies>
</project>
END
  "${MAVEN:-$root/mvnw}" --batch-mode --file "$work/pom.xml" verify -Pdependencies -Dmdep.analyze.skip \
    -Dspotless.check.skip "${@:4}" >"$work/log" 2>&1
}

fail() {
  cat "$work/log"
  echo "check-licenses: $1; see above" >&2
  exit 1
}

# Expects that a dependency fails the build, with these words in the output.
expect_refusal() {
  local words=$1
  shift
  ! build_with "$@" || fail "$2 $3 was accepted"
  grep -q "$words" "$work/log" || fail "$2 $3 failed for another reason than \"$words\""
  echo "refused: $2 $3"
}

build_with com.github.luben zstd-jni 1.5.7-4 "$@" || fail "a dependency with a licence on the list was refused"
expect_refusal "License: 'CDDL" javax.annotation javax.annotation-api 1.3.2 "$@"
expect_refusal "License: 'Unknown license'" oro oro 2.0.8 "$@"
echo "the check of licences works"
