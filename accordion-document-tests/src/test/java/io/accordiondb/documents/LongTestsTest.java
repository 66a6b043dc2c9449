// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The weekly workflow runs all long tests: it names them, so that each part takes its share. */
final class LongTestsTest {
  private static final Path WORKFLOW = Document.REPOSITORY.resolve(".github/workflows/long.yml");

  /** Classes or patterns of them that are separated by commas, as an item of a list. */
  private static final Pattern TESTS = Pattern.compile("(?s)- \"([^\"]*Test)\"");

  @Test
  void theWeeklyWorkflowRunsEachLongTest() throws IOException {
    List<Pattern> named =
        TESTS
            .matcher(Files.readString(WORKFLOW))
            .results()
            .flatMap(match -> Stream.of(match.group(1).replaceAll("[\\\\\\s]+", "").split(",")))
            .map(name -> Pattern.compile(name.replace("*", ".*")))
            .toList();
    List<String> tests = longTests();
    assertThat(tests).hasSizeGreaterThan(30);
    assertThat(tests)
        .allSatisfy(test -> assertThat(named).anyMatch(pattern -> pattern.matcher(test).matches()));
    assertThat(named)
        .allSatisfy(pattern -> assertThat(tests).anyMatch(test -> pattern.matcher(test).matches()));
  }

  private static List<String> longTests() throws IOException {
    try (Stream<Path> files = Files.walk(Document.REPOSITORY)) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .filter(file -> content(file).contains("@Tag(\"long\")"))
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .filter(name -> !name.equals("LongTestsTest"))
          .toList();
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
