// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A manifest of which bits are flipped or bytes are missing. */
class ManifestFaultTest {
  private static final String FILE = "MANIFEST-000000000001";

  private final MemoryStorage disk = new MemoryStorage();

  /** The version after each commit, and the length of the file then. */
  private final List<Version> versions = new ArrayList<>();

  /** A record's header and the number of its edits. */
  private static final int CONFIRMATION_BYTES = 25;

  private final List<Long> lengths = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    Random random = new Random(2);
    try (Manifest manifest = Manifest.create(disk)) {
      note(manifest);
      for (int i = 0; i < 5; i++) {
        manifest.commit(Edits.fitting(manifest.version(), manifest::nextNumber, random));
        note(manifest);
      }
    }
  }

  private void note(Manifest manifest) throws IOException {
    versions.add(manifest.version());
    lengths.add(disk.size(FILE));
  }

  @Test
  void everyFlippedBitIsNoticed() throws IOException {
    byte[] bytes = disk.bytes(FILE);
    for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
      MemoryStorage damaged = withFlippedBit(FILE, bit);
      if (bit / Byte.SIZE < bytes.length - CONFIRMATION_BYTES) {
        assertThatThrownBy(() -> ManifestFile.replay(damaged, 1, false))
            .as("bit %d", bit)
            .isInstanceOf(CorruptionException.class);
      } else {
        // What the last confirmation confirms is sound.
        assertThat(Edits.describe(ManifestFile.replay(damaged, 1, false).version()))
            .as("bit %d", bit)
            .isEqualTo(Edits.describe(versions.get(versions.size() - 1)));
      }
    }
  }

  @Test
  void everyTruncationIsNoticedOrATornTail() throws IOException {
    byte[] bytes = disk.bytes(FILE);
    for (int length = 0; length < bytes.length; length++) {
      MemoryStorage damaged = disk.copy();
      damaged.setBytes(FILE, Arrays.copyOf(bytes, length));
      if (length < lengths.get(0)) {
        assertThatThrownBy(() -> ManifestFile.replay(damaged, 1, false))
            .as("length %d", length)
            .isInstanceOf(CorruptionException.class);
      } else {
        int commits = 0;
        while (commits + 1 < lengths.size()
            && lengths.get(commits + 1) - CONFIRMATION_BYTES <= length) {
          commits++;
        }
        assertThat(Edits.describe(ManifestFile.replay(damaged, 1, false).version()))
            .as("length %d", length)
            .isEqualTo(Edits.describe(versions.get(commits)));
      }
    }
  }

  @Test
  void aConfirmationThatIsRepeatedIsNoticed() throws IOException {
    for (int commit = 1; commit < lengths.size(); commit++) {
      int end = lengths.get(commit).intValue();
      byte[] bytes = disk.bytes(FILE);
      byte[] repeated = Arrays.copyOf(bytes, bytes.length + CONFIRMATION_BYTES);
      System.arraycopy(
          bytes, end - CONFIRMATION_BYTES, repeated, end, bytes.length - end + CONFIRMATION_BYTES);
      assertUnsound(repeated);
    }
  }

  @Test
  void aConfirmationThatIsMissingIsNoticed() throws IOException {
    for (int commit = 1; commit < lengths.size() - 1; commit++) {
      int end = lengths.get(commit).intValue();
      byte[] bytes = disk.bytes(FILE);
      byte[] without = Arrays.copyOf(bytes, bytes.length - CONFIRMATION_BYTES);
      System.arraycopy(bytes, end, without, end - CONFIRMATION_BYTES, bytes.length - end);
      assertUnsound(without);
    }
  }

  private void assertUnsound(byte[] bytes) throws IOException {
    MemoryStorage damaged = disk.copy();
    damaged.setBytes(FILE, bytes);
    assertThatThrownBy(() -> ManifestFile.replay(damaged, 1, false))
        .isInstanceOf(CorruptionException.class);
  }

  @Test
  void everyFlippedBitOfCurrentIsNoticed() throws IOException {
    // Another manifest is there, for a flipped bit to name.
    for (int number = 0; number < 10; number++) {
      if (number != 1) {
        disk.setBytes(FILE.substring(0, FILE.length() - 1) + number, disk.bytes(FILE));
      }
    }
    int bits = Byte.SIZE * disk.bytes("CURRENT").length;
    for (int bit = 0; bit < bits; bit++) {
      MemoryStorage damaged = withFlippedBit("CURRENT", bit);
      assertThatThrownBy(() -> Manifest.open(damaged))
          .as("bit %d", bit)
          .isInstanceOfSatisfying(
              CorruptionException.class,
              e -> assertThat(e.file()).isEqualTo(damaged.path("CURRENT")));
      assertThat(damaged.openFiles()).isZero();
    }
  }

  private MemoryStorage withFlippedBit(String file, int bit) throws IOException {
    MemoryStorage damaged = disk.copy();
    byte[] bytes = damaged.bytes(file);
    bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
    damaged.setBytes(file, bytes);
    return damaged;
  }
}
