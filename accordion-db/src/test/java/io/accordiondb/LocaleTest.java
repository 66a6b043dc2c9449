// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies in a folder does not depend on the language of the process that has written it. */
class LocaleTest {
  private final Locale before = Locale.getDefault();

  @TempDir private Path folder;

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  /** The languages write digits of their own, or have other small letters than English. */
  @ParameterizedTest
  @ValueSource(strings = {"ar-u-nu-arab", "hi-u-nu-deva", "tr"})
  void aDatabaseMovesBetweenLanguages(String language) throws IOException {
    Locale.setDefault(Locale.forLanguageTag(language));
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("items");
      store.put(bytes("key"), bytes("value"));
      database.flush();
      store.put(bytes("key 2"), bytes("value 2"));
    }
    Locale.setDefault(Locale.ENGLISH);
    assertThat(names()).isNotEmpty().allMatch(name -> name.matches("\\p{ASCII}+"));
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("items");
      assertThat(store.get(bytes("key"))).isEqualTo(bytes("value"));
      assertThat(store.get(bytes("key 2"))).isEqualTo(bytes("value 2"));
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> folder.relativize(file).toString())
          .filter(n -> !n.isEmpty())
          .toList();
    }
  }
}
