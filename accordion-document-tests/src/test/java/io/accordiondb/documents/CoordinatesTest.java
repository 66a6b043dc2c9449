// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Maven and Gradle coordinates of our artifacts in documents have the version of the pom. */
final class CoordinatesTest {
  private static final Pattern PROJECT = Pattern.compile("(?m)^  <version>(.+)</version>$");
  private static final Pattern COORDINATES =
      Pattern.compile(
          "<groupId>io\\.accordiondb</groupId>\\s*<artifactId>[\\w-]+</artifactId>\\s*"
              + "<version>(?<maven>[^<]+)</version>"
              + "|io\\.accordiondb:accordion[a-z-]*:(?<gradle>[\\w.-]+)");

  @Test
  void documentsNameTheVersionOfThePom() throws IOException {
    Matcher project = PROJECT.matcher(Files.readString(Document.REPOSITORY.resolve("pom.xml")));
    assertThat(project.find()).isTrue();
    List<String> versions = new ArrayList<>();
    for (Document document : Document.all()) {
      Matcher coordinates = COORDINATES.matcher(String.join("\n", document.lines()));
      while (coordinates.find()) {
        String maven = coordinates.group("maven");
        String version = maven == null ? coordinates.group("gradle") : maven;
        versions.add(version);
        assertThat(version).as(document.path().toString()).isEqualTo(project.group(1));
      }
    }
    assertThat(versions).hasSizeGreaterThan(3);
  }
}
