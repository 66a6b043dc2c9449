// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accordiondb.Database;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class ShellCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Path db() {
    return folder.resolve("db");
  }

  private int shell(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> words = new ArrayList<>(List.of("shell", db().toString()));
    words.addAll(Arrays.asList(arguments));
    return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(new String[0]));
  }

  /** Runs statements, all of which must succeed, and returns what they print. */
  private String run(String statements) {
    assertThat(shell("--create", "-e", statements)).as(err.toString()).isZero();
    return out.toString();
  }

  /** Runs statements, of which one must fail, and returns the message. */
  private String fail(int exitCode, String statements) {
    assertThat(shell("--create", "-e", statements)).as(err.toString()).isEqualTo(exitCode);
    return err.toString();
  }

  private void fill() {
    run(
        "create t, {NAME => f, VERSIONS => 3}, {NAME => g}\n"
            + "put t a f:q one 1; put t a f:q two 2; put t b f:q three 3\n"
            + "put t, 'c c', 'g:x', 'with blank'; put t hex:00ff f:n long:5");
  }

  @Test
  void createsDescribesAndListsTables() {
    assertThat(run("create users, profile, {NAME => log, VERSIONS => 2, TTL => 60}; list"))
        .contains("created  users", "[log, profile]", "1 table");
    assertThat(run("describe users")).contains("profile", "max-versions=2", "ttl-millis=60000");
    assertThat(
            run(
                "alter users, {NAME => profile, COMPRESSION => zstd}, {NAME => new}; describe users"))
        .contains("compression=ZSTD", "new");
    assertThat(run("alter users, {NAME => new, METHOD => delete}; list"))
        .contains("[log, profile]");
    assertThat(run("exists users; drop users; exists users")).contains("true", "false");
    assertThat(run("create s, f, SPLITS => [g, p]; regions s")).contains("g", "p");
  }

  @Test
  void readsWhatItHasWritten() {
    fill();
    assertThat(run("get t a"))
        .contains("column=f:q, timestamp=2, value=two", "1 row, 1 cell")
        .doesNotContain("one");
    assertThat(run("get t, a, f:q, VERSIONS => 5")).contains("value=two", "value=one", "2 cells");
    assertThat(run("get t a TIMESTAMP => 1")).contains("value=one");
    assertThat(run("get t missing")).contains("0 rows");
    assertThat(run("scan t")).contains("\\x00\\xFF", "c c", "with blank", "4 rows, 4 cells");
    assertThat(run("scan t {COLUMNS => [g:x]}")).contains("1 row, 1 cell");
    assertThat(run("scan t STARTROW => a STOPROW => b")).contains("1 row").doesNotContain("three");
    assertThat(run("scan t STARTROW => a STOPROW => b INCLUDE_STOPROW => true")).contains("2 rows");
    assertThat(run("scan t PREFIX => c")).contains("c c").contains("1 row");
    assertThat(run("scan t LIMIT => 2 REVERSED => true")).contains("c c", "three", "2 rows");
    assertThat(run("scan t FILTER => \"ValueFilter(=, 'binary:three')\""))
        .contains("1 row, 1 cell");
    assertThat(run("count t; count t PREFIX => a")).contains("rows  4", "rows  1");
  }

  @Test
  void printsAndReadsBytesInEveryEncoding() {
    fill();
    assertThat(run("get t hex:00ff VALUES => long")).contains("value=long:5");
    assertThat(run("scan t KEYS => hex VALUES => base64"))
        .contains("hex:00ff", "column=f:hex:6e", "base64:AAAAAAAAAAU=");
    assertThat(run("format KEYS => base64; get t base64:AP8=")).contains("base64:AP8=");
    assertThat(run("get t '\\x00\\xff'")).contains("1 row");
    assertThat(run("put t text:hex:1 f:hex:00 \"a\\nb\"; get t text:hex:1"))
        .contains("text:hex:1", "column=f:\\x00", "value=a\\x0Ab");
  }

  @Test
  void deletesIncrementsAppendsAndChecks() {
    fill();
    assertThat(run("incr t hex:00ff f:n; incr t hex:00ff f:n 10"))
        .contains("value  6", "value  16");
    assertThat(run("append t b f:q '!'")).contains("value  three!");
    assertThat(run("check_and_put t b f:q three! four; check_and_put t b f:q three five"))
        .contains("written  true", "written  false");
    assertThat(run("check_and_put t z f:q first ABSENT => true; get t z")).contains("value=first");
    assertThat(run("delete t a f:q 1; get t a VERSIONS => 9")).contains("1 cell", "two");
    assertThat(run("delete t a f:q; get t a")).contains("0 rows");
    assertThat(run("delete t 'c c' g; delete t z; count t")).contains("rows  2");
    assertThat(run("deleterange t a c; count t")).contains("deleted  true", "rows  1");
    assertThat(run("truncate t; count t")).contains("rows  0");
  }

  @Test
  void writesBatchesInOneStep() {
    fill();
    assertThat(run("batch; put t p f:q 1; delete t a; get t p; commit; get t p; get t a"))
        .contains("0 rows", "changesWritten  2", "1 row, 1 cell");
    assertThat(run("batch; put t r f:q 1; discard; get t r")).contains("0 rows");
    assertThat(fail(2, "batch; put t s f:q 1")).contains("ends within a batch");
    assertThat(run("get t s")).contains("0 rows");
    assertThat(fail(2, "batch; incr t a f:n")).contains("cannot be part of a batch");
    assertThat(fail(2, "commit")).contains("begin one with batch");
  }

  @Test
  void readsSnapshots() {
    fill();
    assertThat(
            run(
                "snapshot s; put t a f:q later; get t a SNAPSHOT => s; snapshots; release s; get t a"))
        .contains("value=two", "value=later", "released  s");
    assertThat(fail(2, "get t a SNAPSHOT => s")).contains("there is no snapshot s");
  }

  @Test
  void maintainsFilesMemoryAndRegions() {
    fill();
    assertThat(run("flush; flush t; flush_memory t; compact t; major_compact t; count t"))
        .contains("rows  4");
    assertThat(run("split t b; regions t; merge t a; merge t a"))
        .contains("split  true", "merged  true", "merged  false");
    assertThat(run("status")).contains(db().toString(), "read and write");
    assertThat(run("stats")).containsIgnoringCase("flushes");
    assertThat(run("policy EAGER; policy")).contains("EAGER");
    assertThat(run("policy BASIC t g; policy")).contains("BASIC", "its own");
    assertThat(run("watch count t EVERY => 1 TIMES => 2")).containsPattern("(?s)rows  4.*rows  4");
  }

  @Test
  void printsJsonInOneOrder() throws IOException {
    fill();
    assertThat(shell("--json", "-e", "get t a")).as(err.toString()).isZero();
    assertThat(out.toString())
        .isEqualTo(
            "{\"row\":\"a\",\"family\":\"f\",\"qualifier\":\"q\",\"timestamp\":2,\"value\":\"two\"}\n");
    assertThat(shell("--json", "-e", "list; describe t; count t; status; stats; help scan"))
        .isZero();
    for (String line : out.toString().split("\n")) {
      JsonNode object = new ObjectMapper().readTree(line);
      assertThat(object.isObject()).as(line).isTrue();
    }
  }

  @Test
  void runsFilesAndStopsAtTheFirstFailure() throws IOException {
    fill();
    Path script =
        Files.writeString(
            folder.resolve("script"),
            "# A comment\nput t,\n  x, f:q,\n  1\nget t x\n\nput t x nofamily:q 1\nput t y f:q 1\n");
    assertThat(shell("-f", script.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("value=1");
    assertThat(err.toString())
        .contains(script + ", line 7: ", "nofamily", "describe TABLE")
        .doesNotContain("Exception");
    assertThat(run("get t y")).contains("0 rows");
    assertThat(run("exit; get t a")).isEmpty();
  }

  /** What stands before the backslash is a statement, too, which deletes a whole row. */
  @Test
  void aLineThatEndsWithABackslashGoesOn() throws IOException {
    fill();
    run("put t a g:x kept");
    Path script = Files.writeString(folder.resolve("script"), "delete t, a \\\n  f:q\nget t a\n");
    assertThat(shell("-f", script.toString())).as(err.toString()).isZero();
    assertThat(out.toString()).contains("1 cell", "kept");
    assertThat(fail(2, "delete t, a \\")).contains("the line behind the backslash");
    assertThat(run("get t a")).contains("kept");
  }

  @Test
  void deletesNothingForATimestampThatNoCellHas() {
    fill();
    assertThat(fail(2, "delete t a f:q -1")).contains("timestamp is -1, expected 0 to");
    assertThat(run("get t a VERSIONS => 9")).contains("one", "two");
  }

  @Test
  void passesOverAByteOrderMark() throws IOException {
    Path script = Files.writeString(folder.resolve("script"), "\uFEFFcreate t f\nlist\n");
    assertThat(shell("--create", "-f", script.toString())).as(err.toString()).isZero();
    assertThat(out.toString()).contains("created  t");
    Files.writeString(script, "list\n\uFEFFlist\n");
    assertThat(shell("-f", script.toString())).as("only a file begins with one").isEqualTo(2);
  }

  @Test
  void refusesBytesThatAreNotUtf8() throws IOException {
    fill();
    Path script = folder.resolve("script");
    Files.write(script, "get t a\nput t b f:q \u00e4\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(shell("-f", script.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("not UTF-8", "\\xHH");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "2 | foo | there is no command foo",
        "2 | sca t | do you mean scan",
        "1 | scan nope | list shows the tables",
        "1 | put t a nope:q 1 | describe TABLE shows the families",
        "1 | create t f | exists",
        "2 | put t a | put needs a column",
        "2 | put t a f:q 1 x | a timestamp is",
        "2 | put t a f:q 1 2 3 | takes 5 arguments at most",
        "2 | scan t FOO => 1 | scan has no option FOO",
        "2 | scan t LIMIT => 0 | LIMIT is 0",
        "2 | scan t LIMIT => many | expected a number",
        "2 | scan t FILTER => FooFilter() | there is no filter FooFilter",
        "2 | scan t FILTER => PrefixFilter(a | expected",
        "2 | scan t FILTER => 'PrefixFilter(a, b)' | has 2 arguments, and takes 1",
        "2 | scan t FILTER => 'SingleColumnValueFilter(f, q, =, one, true, false)' | takes 5",
        "2 | scan t FILTER => 'SingleColumnValueFilter(f, q, =, one, yes)' | true or false",
        "2 | scan t FILTER => \"ValueFilter(=, 'substring:tw')\" | with bytes only",
        "2 | scan t FILTER => \"RowFilter(=, 'regexstring:a.*')\" | with bytes only",
        "2 | scan t {LIMIT => 1}, {LIMIT => 2} | LIMIT is given twice",
        "2 | scan t COLUMNS => f, COLUMN => g | COLUMN is another name",
        "2 | scan t INCLUDE_STOPROW => true | needs STOPROW",
        "2 | scan t TIMERANGE => [] | FROM inclusive",
        "2 | scan t TIMERANGE => [1, 2], TIMESTAMP => 1 | beside TIMERANGE",
        "2 | scan t VERSIONS => 2, ALL_VERSIONS => true | beside ALL_VERSIONS",
        "2 | scan t VERSIONS => -4294967295 | VERSIONS is -4294967295",
        "2 | get t hex:0 | cannot be read as bytes",
        "2 | get t \\q | cannot be read as bytes",
        "2 | get t 'a | a closing '",
        "2 | get t {A => | is not complete",
        "2 | get t {A b} | expected =>",
        "2 | get t ] | expected a value",
        "2 | create u, {NAME => f, FOO => 1} | a family has no attribute FOO",
        "2 | create u | at least one family",
        "2 | create u, f, {NAME => f, VERSIONS => 3} | family f is given twice",
        "2 | create u, {NAME => f, VERSIONS => 3, MAX_VERSIONS => 4} | under two names",
        "2 | create u, {NAME => f, TTL => 3, TTL_MILLIS => 4} | under two names",
        "2 | create u, {NAME => f, MEMSTORE_INDEX => CHUNK} | no effect without memstore-cells",
        "2 | alter t, {NAME => f, MEMSTORE_ACTIVE_FRACTION => 0.1} | without memstore-policy",
        "2 | alter t, {NAME => f, MEMSTORE_CELLS => OBJECTS, MEMSTORE_FILTERED => yes} | true or false",
        "2 | alter t, {NAME => f, VERSIONS => 5}, {NAME => f, TTL => 9} | family f is given twice",
        "2 | alter t, {NAME => g, METHOD => delete, TTL => 9} | no attributes beside its NAME",
        "2 | alter t, {NAME => nope, METHOD => delete} | has no family nope",
        "2 | deleterange t '' '' | truncate does that",
        "2 | deleterange t b a | no row between them",
        "2 | policy FAST | expected one of",
        "2 | policy BASIC t nope | has no family nope",
        "2 | watch watch | cannot watch itself",
        "2 | release s | there is no snapshot s",
        "2 | format KEYS => morse | expected one of",
      })
  void saysWhatIsWrong(int exitCode, String statement, String message) {
    fill();
    assertThat(fail(exitCode, statement))
        .contains("-e", message)
        .doesNotContain("Exception", "java.");
  }

  @Test
  void comparesWithBytesThatBeginLikeAComparatorOfHBase() {
    fill();
    run("put t s f:q substring:tw");
    assertThat(run("scan t FILTER => \"ValueFilter(=, 'text:substring:tw')\""))
        .contains("value=substring:tw", "1 row");
  }

  @Test
  void aFamilyWithABackslashCanBeReadBackAsItIsPrinted() {
    run("create w, a\\b; put w r a\\b:q v");
    assertThat(run("get w r")).contains("column=a\\b:q,");
    assertThat(run("get w r a\\b:q")).contains("1 row, 1 cell");
  }

  @Test
  void watchingTheEndEnds() {
    fill();
    assertThat(run("watch exit EVERY => 86400")).isEmpty();
  }

  @Test
  void aDatabaseIsNotCreatedForReadingOnly() {
    assertThat(shell("--read-only", "--create", "-e", "list")).isEqualTo(2);
    assertThat(err.toString()).contains("--create begins a database");
    assertThat(db()).doesNotExist();
  }

  @Test
  void namesAFolderInThePlaceOfAScript() {
    fill();
    assertThat(shell("-f", folder.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(folder + ": Is a directory");
    assertThat(shell("-f", "")).isEqualTo(2);
    assertThat(err.toString()).contains("-f is empty");
  }

  @Test
  void refusesToWriteReadOnly() {
    fill();
    assertThat(shell("--read-only", "-e", "get t a")).isZero();
    assertThat(out.toString()).contains("value=two");
    assertThat(shell("--read-only", "-e", "put t a f:q 1")).isEqualTo(1);
    assertThat(err.toString()).contains("put cannot be run", "leave out --read-only");
    assertThat(shell("--read-only", "-e", "policy BASIC")).isEqualTo(1);
  }

  @Test
  void readsBesideAnotherOwner() throws IOException {
    fill();
    try (Database owner = Database.open(db())) {
      owner
          .table("t")
          .put(
              new Put("own".getBytes(US_ASCII))
                  .addColumn("f".getBytes(US_ASCII), new byte[0], new byte[1]));
      assertThat(shell("-e", "get t own; refresh; status")).as(err.toString()).isZero();
      assertThat(err.toString()).contains("is open in another process", "newest state on disk");
      assertThat(out.toString()).contains("1 row", "changed  false", "another process");
      assertThat(shell("-e", "put t a f:q 1")).isEqualTo(1);
      assertThat(err.toString()).contains("another process has it open");
      assertThat(shell("-e", "watch count t TIMES => 2 EVERY => 1")).isZero();
      owner.createTable(TableDescriptor.of("later", "f"));
      assertThat(shell("-e", "list")).isZero();
      assertThat(out.toString()).contains("later");
    }
  }

  @Test
  void createsNothingUnlessAsked() {
    assertThat(shell("-e", "list")).isEqualTo(1);
    assertThat(err.toString()).contains("does not exist");
    assertThat(db()).doesNotExist();
    assertThat(shell("--read-only", "-e", "list")).isEqualTo(1);
  }

  @Test
  void endsQuietlyWhenNobodyReadsAnyMore() {
    StringBuilder puts = new StringBuilder("create t f\n");
    for (int i = 0; i < 2000; i++) {
      puts.append("put t row").append(i).append(" f:q value\n");
    }
    run(puts.toString());
    int exitCode =
        Main.run(
            new PrintWriter(new BrokenPipe()),
            new PrintWriter(err),
            "shell",
            db().toString(),
            "-e",
            "scan t; put t late f:q 1");
    assertThat(exitCode).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(run("get t late")).contains("0 rows");
  }

  @Test
  void helpTellsOfEveryCommand() {
    String all = "\n" + run("help");
    for (String command :
        List.of(
            "list",
            "describe",
            "create",
            "alter",
            "drop",
            "truncate",
            "put",
            "get",
            "scan",
            "count",
            "delete",
            "deleterange",
            "incr",
            "append",
            "check_and_put",
            "batch",
            "commit",
            "discard",
            "snapshot",
            "flush",
            "flush_memory",
            "compact",
            "major_compact",
            "split",
            "merge",
            "status",
            "stats",
            "policy",
            "watch",
            "help",
            "refresh",
            "format")) {
      assertThat(all).contains("\n" + command);
      assertThat(run("help " + command)).startsWith(command).contains("    ");
    }
    assertThat(fail(2, "help nope")).contains("there is no command nope");
  }
}
