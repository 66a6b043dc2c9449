// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FolderEntriesTest {
  @Test
  void namesAreInOrder() throws IOException {
    assertThat(FolderEntries.names(Stream.of(Path.of("d/b"), Path.of("d/a"))))
        .containsExactly("a", "b");
  }

  @Test
  void aFailureInTheMiddleIsAnIoException() {
    IOException failure = new IOException("cannot read the folder");
    Stream<Path> failing =
        Stream.of(Path.of("d/a"), Path.of("d/b"))
            .peek(
                entry -> {
                  if (entry.endsWith("b")) {
                    throw new UncheckedIOException(failure);
                  }
                });
    assertThatThrownBy(() -> FolderEntries.names(failing)).isSameAs(failure);
  }
}
