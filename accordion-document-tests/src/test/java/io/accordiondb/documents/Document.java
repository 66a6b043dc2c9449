// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A document in Markdown.
 *
 * @param path of the file, from the folder of the repository on
 * @param lines its lines
 */
record Document(Path path, List<String> lines) {
  /** The folder of the repository. */
  static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  /** Returns all documents of the repository, those of a build left out. */
  static List<Document> all() throws IOException {
    try (Stream<Path> files = Files.walk(REPOSITORY)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .map(REPOSITORY::relativize)
          .filter(file -> Stream.of("target", ".git").noneMatch(file.toString()::contains))
          .sorted()
          .map(Document::read)
          .toList();
    }
  }

  static Document read(Path path) {
    try {
      return new Document(path, Files.readAllLines(REPOSITORY.resolve(path)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the lines outside of blocks of code; lines of blocks are empty. */
  List<String> prose() {
    List<String> prose = new ArrayList<>();
    boolean code = false;
    for (String line : lines) {
      boolean fence = line.strip().startsWith("```");
      code ^= fence;
      prose.add(code || fence ? "" : line);
    }
    return prose;
  }

  /** Returns the names by which links find the headings. */
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    for (String line : prose()) {
      if (line.startsWith("#")) {
        String title = line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT);
        String anchor = title.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
        for (int again = 1; !anchors.add(anchor); again++) {
          anchor = anchor.replaceFirst("(-\\d+)?$", "-" + again);
        }
      }
    }
    return anchors;
  }
}
