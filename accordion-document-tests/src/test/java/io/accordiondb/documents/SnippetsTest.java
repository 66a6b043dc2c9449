// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Blocks of Java in documents are parts of source files, of this module, of the examples or of the
 * tests of the HBase client for JUnit, that the build compiles and runs.
 *
 * <p>A comment {@code <!-- code: NAME -->} before a block names the part. In the sources a part
 * stands between {@code // code: NAME} and {@code // end}. {@code -Dsnippets.update=true} writes
 * the parts into the documents.
 */
final class SnippetsTest {
  private static final Path CODE = Path.of("src/test/java/io/accordiondb/documents/code");
  private static final List<Path> OTHERS =
      List.of(
          Document.REPOSITORY.resolve("examples"),
          Document.REPOSITORY.resolve("accordion-hbase-junit/src/test/java"));

  private static final Pattern BLOCK = Pattern.compile("<!-- code: (\\S+) -->");
  private static final Pattern BEGIN = Pattern.compile("\\s*// code: (\\S+)");
  private static final Pattern END = Pattern.compile("\\s*// end");

  @Test
  void everyBlockOfJavaIsAPartOfASource() throws IOException {
    Map<String, List<String>> parts = parts();
    TreeSet<String> unused = new TreeSet<>(parts.keySet());
    for (Document document : Document.all()) {
      List<String> expected = withParts(document, parts, unused);
      if (Boolean.getBoolean("snippets.update")) {
        Files.write(Document.REPOSITORY.resolve(document.path()), expected);
      } else {
        assertThat(document.lines()).as(document.path().toString()).isEqualTo(expected);
      }
    }
    assertThat(unused).as("parts of sources that no document has").isEmpty();
  }

  private static List<String> withParts(
      Document document, Map<String, List<String>> parts, TreeSet<String> unused) {
    List<String> result = new ArrayList<>();
    List<String> lines = document.lines();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      result.add(line);
      if (line.strip().equals("```java")) {
        Matcher block = BLOCK.matcher(i == 0 ? "" : lines.get(i - 1));
        assertThat(block.matches()).as("name of %s:%s", document.path(), i + 1).isTrue();
        assertThat(parts).as("%s:%s", document.path(), i + 1).containsKey(block.group(1));
        unused.remove(block.group(1));
        result.addAll(parts.get(block.group(1)));
        while (!lines.get(i + 1).strip().equals("```")) {
          i++;
        }
      }
    }
    return result;
  }

  /** Returns the marked parts of all sources by their names, without the indentation in common. */
  private static Map<String, List<String>> parts() throws IOException {
    Map<String, List<String>> parts = new TreeMap<>();
    for (Path file : sources()) {
      List<String> part = null;
      for (String line : Files.readAllLines(file)) {
        Matcher begin = BEGIN.matcher(line);
        if (begin.matches()) {
          part = new ArrayList<>();
          assertThat(parts.put(begin.group(1), part)).as(begin.group(1)).isNull();
        } else if (END.matcher(line).matches()) {
          part = null;
        } else if (part != null) {
          part.add(line);
        }
      }
      assertThat(part).as("a part that does not end in %s", file).isNull();
    }
    parts.replaceAll(
        (name, lines) -> String.join("\n", lines).stripTrailing().stripIndent().lines().toList());
    return parts;
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> code = Files.list(CODE)) {
      code.forEach(sources::add);
    }
    for (Path folder : OTHERS) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }
}
