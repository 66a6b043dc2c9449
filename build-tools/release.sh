#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0; see the LICENSE file.
#
# Cuts a release: see docs/RELEASING.md, or --help. All work is done in a clone in a temporary
# folder. The repository gets the commits and the tag at the very end, so a failure or Ctrl-C leaves
# it as it was. MAVEN names another Maven than the wrapper.
set -euo pipefail

readonly BRANCH=main
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

usage() {
  cat <<'END'
Usage: build-tools/release.sh VERSION [--next VERSION] [--dry-run [--skip-tests]]

Builds and checks VERSION in a clone of this repository, then adds to the branch main the commit of
the release, with the tag vVERSION, and the commit that begins the next version. The files to upload
are then in target/release-VERSION. Nothing is pushed or uploaded.

  --next VERSION  the version that follows, 0.2.0 after 0.1.0 by default
  --dry-run       does everything in the clone and leaves this repository as it is
  --skip-tests    leaves out the tests, in a dry run only

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
END
}

fail() {
  echo "release: $1" >&2
  exit 1
}

wrong_usage() {
  echo "release: $1" >&2
  usage >&2
  exit 2
}

is_version() {
  [[ $1 =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]]
}

read_arguments() {
  version=''
  next=''
  is_dry_run=''
  skip_tests=()
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h)
        usage
        exit 0
        ;;
      --dry-run) is_dry_run=1 ;;
      --skip-tests) skip_tests=(-DskipTests) ;;
      --next)
        [ $# -ge 2 ] || wrong_usage "--next needs a version"
        next=$2
        shift
        ;;
      -*) wrong_usage "there is no option $1" ;;
      *)
        [ -z "$version" ] || wrong_usage "one version only, not $version and $1"
        version=$1
        ;;
    esac
    shift
  done
  [ -n "$version" ] || wrong_usage "which version?"
  is_version "$version" || wrong_usage "$version is not a version such as 0.1.0"
  if [ -z "$next" ]; then
    local numbers
    IFS=. read -r -a numbers <<<"$version"
    next=${numbers[0]}.$((numbers[1] + 1)).0
  fi
  is_version "$next" || wrong_usage "$next is not a version such as 0.2.0, without -SNAPSHOT"
  [ "$next" != "$version" ] || wrong_usage "the next version must differ from $version"
  if [ ${#skip_tests[@]} -gt 0 ] && [ -z "$is_dry_run" ]; then
    wrong_usage "--skip-tests is for a dry run only: a release runs all tests"
  fi
}

# Prints the lines of a version in the changelog, without its heading.
changelog_entry() {
  awk -v heading="## $version (unreleased)" \
    '$0 == heading { inside = 1; next } /^## / { inside = 0 } inside && NF' "$root/CHANGELOG.md"
}

check_repository() {
  local branch
  branch=$(git -C "$root" symbolic-ref --quiet --short HEAD || echo "no branch")
  [ "$branch" = $BRANCH ] || fail "this is $branch, not $BRANCH; run: git checkout $BRANCH"
  [ -z "$(git -C "$root" status --porcelain)" ] ||
    fail "the working tree has changes; commit or stash them (git status)"
  ! git -C "$root" rev-parse --quiet --verify "refs/tags/v$version" >/dev/null ||
    fail "the tag v$version exists; choose another version"
  git -C "$root" var GIT_COMMITTER_IDENT >/dev/null 2>&1 ||
    fail "git does not know your name; set user.name and user.email (git config)"
  snapshot=$(sed -n 's|^  <version>\(.*\)</version>$|\1|p' "$root/pom.xml")
  [[ $snapshot == *-SNAPSHOT ]] || fail "pom.xml has the version $snapshot, which is not a snapshot"
  [ -n "$(changelog_entry)" ] ||
    fail "CHANGELOG.md has no entry \"## $version (unreleased)\"; write what has changed and commit it"
  begun=$(git -C "$root" rev-parse HEAD)
}

clean_up() {
  rm -rf "$work"
  if [ -n "$half_published" ]; then
    git -C "$root" tag --delete "v$version" >/dev/null
  fi
}

make_clone() {
  work=$(mktemp -d)
  half_published=
  trap clean_up EXIT
  clone=$work/accordion
  git clone --quiet --no-hardlinks --branch $BRANCH "$root" "$clone"
  cd "$clone"
  local key value
  for key in user.name user.email user.signingKey commit.gpgSign tag.gpgSign; do
    if value=$(git -C "$root" config --get "$key"); then
      git config "$key" "$value"
    fi
  done
}

# Changes the version in all poms and in the coordinates that documents name.
set_version() {
  local from=${1//./\\.} to=$2 pom
  git ls-files -z -- '*pom.xml' README.md 'docs/*.md' ':!docs/lab-notes' |
    xargs -0 sed -i -E -e "s|<version>$from</version>|<version>$to</version>|" \
      -e "s|(io\.accordiondb:accordion[a-z-]*):$from|\1:$to|"
  while IFS= read -r pom; do
    [ "$(grep -c "<version>${to//./\\.}</version>" "$pom")" = 1 ] ||
      fail "$pom does not have the version $to exactly once; it must name no other artifact of $1"
  done < <(git ls-files -- '*pom.xml')
}

commit_release() {
  local timestamp
  timestamp=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  set_version "$snapshot" "$version"
  sed -i "s|\(<project.build.outputTimestamp>\).*\(</\)|\1$timestamp\2|" pom.xml
  grep -q "<project.build.outputTimestamp>$timestamp</" pom.xml ||
    fail "pom.xml has no project.build.outputTimestamp"
  sed -i "s|^## ${version//./\\.} (unreleased)\$|## $version (${timestamp%T*})|" CHANGELOG.md
  git commit --quiet --all --message "build: version $version"
  git tag --annotate --message "Accordion $version" "v$version"
}

commit_next() {
  set_version "$version" "$next-SNAPSHOT"
  sed -i "s|^## ${version//./\\.} (.*)\$|## $next (unreleased)\n\n&|" CHANGELOG.md
  git commit --quiet --all --message "build: begin $next"
}

run_maven() {
  "${MAVEN:-./mvnw}" --batch-mode --no-transfer-progress "$@"
}

# All checks and tests, the licences of dependencies, and the files to upload. The libraries go to a
# folder with the layout of a Maven repository.
build() {
  local profiles=dist,dependencies
  [ ${#skip_tests[@]} -gt 0 ] || profiles+=,jcstress,kafka-tests
  run_maven deploy -P$profiles "${skip_tests[@]}" -Dmaven.install.skip \
    -DaltDeploymentRepository="release::file://$work/repository" ||
    fail "the build failed; its output is above. Repair it on $BRANCH and start again"
  build-tools/check-archive.sh || fail "the archive does not run; see above"
  build-tools/check-reproducible.sh --against "$clone" -Pdist ||
    fail "a second build gave other files; see above, and build-tools/check-reproducible.sh"
}

# Adds tag and commits, in this order, because clean_up can take back a tag.
publish() {
  local files=$root/target/release-$version
  [ "$(git -C "$root" rev-parse HEAD)" = "$begun" ] && [ -z "$(git -C "$root" status --porcelain)" ] ||
    fail "$root has changed in the meantime; start again"
  git -C "$root" fetch --quiet --no-tags "$clone" $BRANCH || fail "$root does not accept the commits"
  git -C "$root" fetch --quiet --no-tags "$clone" "refs/tags/v$version:refs/tags/v$version" ||
    fail "$root does not accept the tag v$version; see above"
  half_published=1
  git -C "$root" merge --quiet --ff-only "$(git rev-parse HEAD)" ||
    fail "$root does not accept the commits; see above"
  half_published=
  rm -rf "$files"
  mkdir -p "$files"
  cp -r accordion-dist/target/release/. "$files"
  cp -r "$work/repository" "$files/"
  cat <<END

Version $version is cut. Push and upload are left to you:
  git push --atomic origin $BRANCH v$version
  the files of target/release-$version: to the page of the release
  target/release-$version/repository: signed, to Maven Central (docs/RELEASING.md)
Before you push, this takes it back:
  git tag --delete v$version && git reset --hard ${begun:0:12}
END
}

read_arguments "$@"
check_repository
make_clone
commit_release
build
commit_next
run_maven --quiet validate -Phbase-compat || fail "the poms of $next-SNAPSHOT do not fit together"
if [ -n "$is_dry_run" ]; then
  echo
  echo "Version $version could be cut; this was a dry run, and nothing has changed:"
  git --no-pager log --oneline --decorate "$begun.."
  (cd "$work" && find repository -name 'accordion*.pom' | wc -l | xargs echo "poms to upload:")
  (cd accordion-dist/target/release && wc -c ./*.tar.gz)
else
  publish
fi
