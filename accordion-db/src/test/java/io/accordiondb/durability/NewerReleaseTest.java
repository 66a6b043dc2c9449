// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FormatVersionException;
import io.accordiondb.Get;
import io.accordiondb.LogWriting;
import io.accordiondb.Put;
import io.accordiondb.RecoveryMode;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Databases in which a later release has written what this one does not know. It must say so, and
 * neither take it for damage nor change anything.
 */
class NewerReleaseTest {
  private static final int ROWS = 60;
  private static final int FILE_HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 24;
  private static final int COMMIT = 1;

  /** The bytes of a sorted table behind the last one of its version. */
  private static final int BYTES_BEHIND_VERSION = 9;

  private MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions options(RecoveryMode mode) {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .logWriting(LogWriting.PLAIN)
        .recoveryMode(mode)
        .build();
  }

  private static DatabaseOptions options() {
    return options(RecoveryMode.TOLERATE_TORN_TAIL);
  }

  /** Rows, of which one half is in two sorted tables and the other one in the log. */
  @BeforeEach
  void write() throws IOException {
    try (Database database = DatabaseEngine.open(disk, options())) {
      database.createTable(TableDescriptor.of("t", "f"));
      for (int i = 0; i < ROWS; i++) {
        database.table("t").put(new Put(row(i)).addColumn(bytes("f"), bytes("q"), row(i)));
        if (i == ROWS / 4 || i == ROWS / 2) {
          database.flush();
        }
      }
      disk = disk.copy();
    }
  }

  private static byte[] row(int number) {
    return bytes("row" + number);
  }

  private String newest(String folder, String beginning) throws IOException {
    List<String> names =
        disk.list(folder).stream().filter(name -> name.startsWith(beginning)).toList();
    return (folder.isEmpty() ? "" : folder + "/") + names.get(names.size() - 1);
  }

  private static int mask(CRC32C crc) {
    return Integer.rotateRight((int) crc.getValue(), 15) + 0xA282EAD8;
  }

  /** Appends a sound record to a record file. */
  private void append(String name, byte[] payload, int count, long sequence) throws IOException {
    byte[] before = disk.bytes(name);
    long fileNumber = ByteBuffer.wrap(before).getLong(12);
    CRC32C crc = new CRC32C();
    crc.update(payload);
    ByteBuffer header = ByteBuffer.allocate(RECORD_HEADER_BYTES + Long.BYTES);
    header.putInt(4, mask(crc)).putInt(8, payload.length).putInt(12, count);
    header.putLong(16, sequence).putLong(RECORD_HEADER_BYTES, fileNumber);
    crc.reset();
    crc.update(header.array(), 4, header.capacity() - 4);
    header.putInt(0, mask(crc));
    ByteBuffer after = ByteBuffer.allocate(before.length + RECORD_HEADER_BYTES + payload.length);
    after.put(before).put(header.array(), 0, RECORD_HEADER_BYTES).put(payload);
    disk.setBytes(name, after.array());
  }

  /** Returns the number behind those of the records of a file with a count above 0. */
  private long nextSequence(String name, boolean commitsOnly) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(disk.bytes(name));
    long next = 1;
    for (int at = FILE_HEADER_BYTES;
        at < file.capacity();
        at += RECORD_HEADER_BYTES + file.getInt(at + 8)) {
      int count = file.getInt(at + 12);
      if (count == COMMIT || (!commitsOnly && count > 0)) {
        next = file.getLong(at + 16) + count;
      }
    }
    return next;
  }

  private void appendEdits(byte... edits) throws IOException {
    String manifest = newest("", "MANIFEST-");
    append(manifest, edits, COMMIT, nextSequence(manifest, true));
  }

  private void appendToLog(byte[] payload) throws IOException {
    String log = newest("wal", "");
    append(log, payload, 1, nextSequence(log, false));
  }

  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (String folder : List.of("", "wal", "sst", "kept")) {
      for (String name : disk.isDirectory(folder) ? disk.list(folder) : List.<String>of()) {
        String path = folder.isEmpty() ? name : folder + "/" + name;
        if (!disk.isDirectory(path)) {
          contents.put(path, Arrays.toString(disk.bytes(path)));
        }
      }
    }
    return contents;
  }

  private interface Call {
    void run() throws IOException;
  }

  private void assertNewer(Call call, String... words) throws IOException {
    Map<String, String> before = contents();
    assertThatThrownBy(call::run)
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContainingAll(words)
        .message()
        .doesNotContain("SALVAGE", "repair");
    assertThat(contents()).isEqualTo(before);
    assertThat(disk.openFiles()).isZero();
  }

  private void assertRefused(String... words) throws IOException {
    assertNewer(() -> DatabaseEngine.open(disk, options()).close(), words);
    assertNewer(() -> new Verifier(disk).verify(), words);
    assertNewer(() -> new Repairer(disk).repair(), words);
  }

  @Test
  void anEdit() throws IOException {
    appendEdits((byte) 1, (byte) 99, (byte) 0);
    assertRefused("MANIFEST-", "version 99");
    // Not even if there is damage, too.
    disk.setBytes("CURRENT", bytes("damaged"));
    assertNewer(() -> new Repairer(disk).repair(), "MANIFEST-", "version 99");
  }

  @Test
  void aManifest() throws IOException {
    String name = newest("", "MANIFEST-");
    raiseHeader(name, 2);
    assertRefused(name, "version 2");
    disk.setBytes("CURRENT", bytes("damaged"));
    assertNewer(() -> new Repairer(disk).repair(), name, "version 2");
  }

  @ParameterizedTest
  @CsvSource({
    "compression, SQUEEZED",
    "compaction-style, UPWARDS",
    "bloom-filter, CUCKOO",
    "memstore-policy, LAZY",
    "colour, red"
  })
  void anAttribute(String name, String value) throws IOException {
    try (Manifest manifest = Manifest.open(disk)) {
      FamilyRecord family = new FamilyRecord(70, "g", Map.of(name, value));
      TableRecord table = new TableRecord(manifest.nextNumber(), "u", List.of(family));
      manifest.commit(List.of(new VersionEdit.PutTable(table)));
    }
    assertRefused("table u", name);
  }

  @Test
  void aBatch() throws IOException {
    appendToLog(new byte[] {0, 0, 0, 1, 7});
    for (RecoveryMode mode : RecoveryMode.values()) {
      assertNewer(() -> DatabaseEngine.open(disk, options(mode)).close(), "wal/", "offset");
    }
    assertNewer(() -> new Verifier(disk).verify(), "wal/", "offset");
    // The repair of a manifest would leave out what the batch says of lost tables.
    disk.setBytes("CURRENT", bytes("damaged"));
    disk.delete(newest("", "MANIFEST-"));
    assertNewer(() -> new Repairer(disk).repair(), "wal/", "offset");
  }

  @Test
  void aBatchBesideADamagedSortedTable() throws IOException {
    appendToLog(new byte[] {0, 0, 0, 1, 7});
    damageBlock(newest("sst", ""));
    assertNewer(() -> new Repairer(disk).repair(), "wal/", "offset");
  }

  @Test
  void aLogFile() throws IOException {
    String name = newest("wal", "");
    raiseHeader(name, 5);
    assertRefused(name, "version 5");
    damageBlock(newest("sst", ""));
    assertNewer(() -> new Repairer(disk).repair(), name, "version 5");
  }

  /** A downgrade must not take the names of a later release for damaged ones. */
  @Test
  void theNamesOfTheKeptLog() throws IOException {
    writeKept();
    raiseHeader("kept/names", 2);
    assertNewer(() -> DatabaseEngine.open(disk, keeping()).close(), "kept/names", "version 2");
    assertNewer(() -> new Verifier(disk).verify(), "kept/names", "version 2");
    assertNewer(() -> new Repairer(disk).repair(), "kept/names", "version 2");
  }

  @Test
  void aKeptLogFile() throws IOException {
    writeKept();
    String name = "kept/" + disk.list("kept").get(0);
    raiseHeader(name, 5);
    assertNewer(() -> new Verifier(disk).verify(), name, "version 5");
    assertNewer(() -> new Repairer(disk).repair(), name, "version 5");
  }

  private static DatabaseOptions keeping() {
    return options(RecoveryMode.TOLERATE_TORN_TAIL).toBuilder()
        .logFileBytes(4 << 10)
        .logRetention(Duration.ofDays(3650))
        .build();
  }

  private void writeKept() throws IOException {
    try (Database database = DatabaseEngine.open(disk, keeping())) {
      for (int i = 0; i < 4; i++) {
        Put put = new Put(row(i)).addColumn(bytes("f"), bytes("q"), new byte[4 << 10]);
        database.table("t").put(put);
        database.flush();
      }
    }
    assertThat(disk.list("kept")).contains("names").hasSizeGreaterThan(1);
  }

  private void damageBlock(String name) throws IOException {
    byte[] file = disk.bytes(name);
    file[20] ^= 1;
    disk.setBytes(name, file);
  }

  /** Gives a record file another version. */
  private void raiseHeader(String name, int version) throws IOException {
    ByteBuffer file = ByteBuffer.wrap(disk.bytes(name)).putInt(8, version);
    CRC32C crc = new CRC32C();
    crc.update(file.array(), 0, 20);
    disk.setBytes(name, file.putInt(20, mask(crc)).array());
  }

  @ParameterizedTest
  @EnumSource(RecoveryMode.class)
  void aNote(RecoveryMode mode) throws IOException {
    byte[] kind = "astonishment".getBytes(UTF_8);
    int cellBytes = 20 + kind.length;
    ByteBuffer batch = ByteBuffer.allocate(24 + cellBytes);
    batch.putInt(1).putLong(-1).putInt(0).putInt(1).putInt(cellBytes);
    batch.putInt(cellBytes - 8).putInt(0).putShort((short) kind.length).put(kind).put((byte) 0);
    batch.putLong(0).put((byte) 4);
    appendToLog(batch.array());
    assertNewer(
        () -> DatabaseEngine.open(disk, options(mode)).close(), "a note of an unknown kind");
  }

  /** The version of a sorted table is under no checksum, so it alone may be damaged. */
  @Test
  void aDamagedVersionOfASortedTableIsRepaired() throws IOException {
    String name = newest("sst", "");
    raiseVersion(name);
    assertThat(new Repairer(disk).repair().lost())
        .singleElement()
        .satisfies(lost -> assertThat(lost.message()).contains("version", "no cell is lost"));
    assertThat(new Verifier(disk).verify().problems()).isEmpty();
    try (Database database = DatabaseEngine.open(disk, options())) {
      for (int i = 0; i < ROWS; i++) {
        assertThat(database.table("t").get(new Get(row(i))).isEmpty()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aSortedTable(boolean isManifestSound) throws IOException {
    String name = newest("sst", "");
    raiseVersion(name);
    // What its first block holds is in a form that is not known.
    damageBlock(name);
    assertThat(new Verifier(disk).verify().problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("version 3", "or repair if"));
    if (!isManifestSound) {
      disk.setBytes("CURRENT", bytes("damaged"));
      disk.delete(newest("", "MANIFEST-"));
    }
    assertNewer(() -> new Repairer(disk).repair(), name, "version 3");
  }

  private void raiseVersion(String name) throws IOException {
    byte[] file = disk.bytes(name);
    file[file.length - BYTES_BEHIND_VERSION] = 3;
    disk.setBytes(name, file);
  }

  @Test
  void whatIsBelowAllVersionsIsDamage() throws IOException {
    appendEdits((byte) 1, (byte) 0, (byte) 0);
    assertThatThrownBy(() -> DatabaseEngine.open(disk, options()))
        .isInstanceOf(CorruptionException.class);
  }
}
