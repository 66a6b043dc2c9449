// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The index of the laboratory notes has each page, with the date of its last entry. */
final class LabNotesTest {
  private static final Path NOTES = Path.of("docs/lab-notes");
  private static final Path INDEX = NOTES.resolve("README.md");
  private static final Pattern ROW =
      Pattern.compile("\\| \\[.*]\\((.+\\.md)\\) \\| ([\\d-]+) \\|.*");
  private static final Pattern DATE = Pattern.compile("\\b20\\d\\d-\\d\\d-\\d\\d\\b");

  @Test
  void theIndexHasTheDatesOfThePages() throws IOException {
    Map<String, String> lastDates = new TreeMap<>();
    for (Document document : Document.all()) {
      Path path = document.path();
      if (path.startsWith(NOTES) && !path.equals(INDEX)) {
        lastDates.put(path.getFileName().toString(), lastDate(document.lines()));
      }
    }
    Map<String, String> index = new TreeMap<>();
    for (String line : Document.read(INDEX).lines()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        index.put(row.group(1), row.group(2));
      }
    }
    assertThat(index).isEqualTo(lastDates).isNotEmpty();
  }

  private static String lastDate(List<String> lines) {
    return DATE.matcher(String.join("\n", lines))
        .results()
        .map(MatchResult::group)
        .max(String::compareTo)
        .orElse("no date");
  }
}
