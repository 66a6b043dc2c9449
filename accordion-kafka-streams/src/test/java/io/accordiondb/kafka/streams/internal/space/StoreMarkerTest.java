// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that names the incarnation of a store. */
class StoreMarkerTest {
  private static final int NAME_BYTES_MAX = 255;

  @TempDir Path taskFolder;

  /** The database writes with a thread that is interrupted; the file cannot be written. */
  private static void failToWrite(StoreMarker marker) {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> marker.write("failed")).isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** A store that had no incarnation begins with what another kind of store has kept. */
  @Test
  void aFileThatCouldNotBeWrittenDoesNotExist() throws IOException {
    StoreMarker marker = new StoreMarker(taskFolder, "store");
    failToWrite(marker);
    assertThat(marker.exists()).isFalse();
    assertThat(marker.read()).isNull();
    marker.write("first");
    assertThat(marker.read()).isEqualTo("first");
  }

  @Test
  void aFileThatCouldNotBeReplacedStays() throws IOException {
    StoreMarker marker = new StoreMarker(taskFolder, "store");
    marker.write("first");
    failToWrite(marker);
    assertThat(marker.read()).isEqualTo("first");
    marker.invalidate();
    assertThat(marker.read()).isEmpty();
    assertThat(marker.exists()).isTrue();
  }

  /** The store has another incarnation then, and is restored. */
  @Test
  void aDamagedFileNamesAnotherIncarnation() throws IOException {
    StoreMarker marker = new StoreMarker(taskFolder, "store");
    marker.write("4a5b-1234/60000");
    Path file = taskFolder.resolve("accordion/store");
    byte[] sound = Files.readAllBytes(file);
    for (int bit = 0; bit < sound.length * Byte.SIZE; bit++) {
      byte[] changed = sound.clone();
      changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      Files.write(file, changed);
      assertThat(marker.read()).isNotNull().isNotEqualTo("4a5b-1234/60000");
    }
    for (int length = 0; length < sound.length; length++) {
      Files.write(file, Arrays.copyOf(sound, length));
      assertThat(marker.read()).isNotNull().isNotEqualTo("4a5b-1234/60000");
    }
  }

  /** A name has 255 bytes at most, and none may be left over for a name that is made of it. */
  @Test
  void aStoreMayHaveTheLongestNameOfAFile() throws IOException {
    StoreMarker marker = new StoreMarker(taskFolder, "s".repeat(NAME_BYTES_MAX));
    StoreMarker other = new StoreMarker(taskFolder, "s".repeat(NAME_BYTES_MAX - 1) + "t");
    marker.write("first");
    other.write("second");
    assertThat(marker.read()).isEqualTo("first");
    assertThat(other.read()).isEqualTo("second");
  }
}
