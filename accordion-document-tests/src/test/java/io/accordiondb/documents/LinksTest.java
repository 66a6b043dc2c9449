// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link of a document leads to a file, a heading or a Javadoc page that exists. */
final class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern MENTION = Pattern.compile("\\b(docs/[\\w/-]+\\.md)\\b");

  /** Where {@code mvn package -Pjavadoc -DskipTests} puts the Javadoc. */
  private static final Path JAVADOC = Path.of("target/site/apidocs");

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Document document : Document.all()) {
      for (String line : document.prose()) {
        Matcher link = LINK.matcher(line.replaceAll("`[^`]*`", ""));
        while (link.find()) {
          links++;
          if (!leadsSomewhere(document.path(), link.group(1))) {
            broken.add(document.path() + ": " + link.group(1));
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(50);
  }

  @Test
  void documentsThatSourcesMentionExist() throws IOException {
    List<String> missing = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Document.REPOSITORY)) {
      for (Path file :
          files
              .filter(f -> f.toString().endsWith(".java") && f.toString().contains("/src/"))
              .toList()) {
        Matcher mention = MENTION.matcher(Files.readString(file));
        while (mention.find()) {
          String name = mention.group(1);
          if (!Files.exists(Document.REPOSITORY.resolve(name))) {
            missing.add(Document.REPOSITORY.relativize(file) + ": " + name);
          }
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void aMissingFileHeadingOrMethodIsFound() {
    Path guide = Path.of("docs/GUIDE.md");
    assertThat(leadsSomewhere(guide, "../README.md")).isTrue();
    assertThat(leadsSomewhere(guide, "../NOTHING.md")).isFalse();
    assertThat(leadsSomewhere(guide, "../README.md#nothing")).isFalse();
    String database = "../target/site/apidocs/io/accordiondb/Database.html";
    assertThat(leadsSomewhere(guide, database)).isTrue();
    assertThat(leadsSomewhere(guide, database + "#snapshot()")).isTrue();
    assertThat(leadsSomewhere(guide, database + "#nothing()")).isFalse();
  }

  private static boolean leadsSomewhere(Path from, String link) {
    if (link.startsWith("https://")) {
      return true;
    }
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
    if (target.startsWith(JAVADOC)) {
      return isInJavadoc(JAVADOC.relativize(target).toString(), parts.length > 1 ? parts[1] : "");
    }
    if (!Files.exists(Document.REPOSITORY.resolve(target))) {
      return false;
    }
    return parts.length == 1 || Document.read(target).anchors().contains(parts[1]);
  }

  /** Looks for the class and method of a page, so that no Javadoc has to be built for the test. */
  private static boolean isInJavadoc(String page, String method) {
    if (page.equals("index.html")) {
      return true;
    }
    try {
      String name = page.replace(".html", "").replace('/', '.');
      Class<?> type = Class.forName(name, false, LinksTest.class.getClassLoader());
      return method.isEmpty()
          || Arrays.stream(type.getMethods()).map(LinksTest::anchor).anyMatch(method::equals);
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String anchor(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getCanonicalName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }
}
