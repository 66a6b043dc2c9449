// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PositionalFileTest {
  /** The operating system says only what is wrong, not with which file. */
  @Test
  void namesTheFileForWhichThereIsNoRoom() throws IOException {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    try (PositionalFile file = PositionalFile.open(full, Set.of(StandardOpenOption.WRITE))) {
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 0))
          .isInstanceOf(FileSystemException.class)
          .hasMessage("/dev/full: No space left on device");
    }
  }
}
