// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import org.junit.jupiter.api.Test;

class OverlayStorageTest {
  private final MemoryStorage base = new MemoryStorage();
  private final OverlayStorage overlay = new OverlayStorage(base);

  /** Such as the new CURRENT of a database that is open for writing, on its way to its name. */
  @Test
  void aFileThatAppearsBelowTakesNoNameFromTheView() throws IOException {
    assertThat(overlay.exists("CURRENT.tmp")).isFalse();
    write(base, "CURRENT.tmp", "writer");
    write(overlay, "CURRENT.tmp", "reader");
    assertThat(read(overlay, "CURRENT.tmp")).isEqualTo("reader");
    assertThat(read(base, "CURRENT.tmp")).isEqualTo("writer");
    overlay.rename("CURRENT.tmp", "CURRENT");
    assertThat(read(overlay, "CURRENT")).isEqualTo("reader");
    assertThat(base.exists("CURRENT")).isFalse();
  }

  @Test
  void aFileThatTheViewNeedsIsNotReplaced() throws IOException {
    write(base, "held", "");
    overlay.hold("held");
    assertThatThrownBy(() -> overlay.create("held")).isInstanceOf(FileAlreadyExistsException.class);
    write(overlay, "created", "");
    assertThatThrownBy(() -> overlay.create("created"))
        .isInstanceOf(FileAlreadyExistsException.class);
    overlay.release();
  }

  private static void write(Storage storage, String name, String text) throws IOException {
    try (StorageWriter file = storage.create(name)) {
      file.append(ByteBuffer.wrap(text.getBytes(US_ASCII)));
    }
  }

  private static String read(Storage storage, String name) throws IOException {
    try (StorageReader file = storage.open(name)) {
      byte[] bytes = new byte[(int) file.size()];
      file.readFully(ByteBuffer.wrap(bytes), 0);
      return new String(bytes, US_ASCII);
    }
  }
}
