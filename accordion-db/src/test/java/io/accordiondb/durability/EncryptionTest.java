// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FormatVersionException;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyProviders;
import io.accordiondb.KeyUnavailableException;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.RecoveryMode;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TestKeys;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What encrypted databases show, refuse and become. */
@Timeout(60)
class EncryptionTest {
  private static final String SECRET = "planted-secret";
  private static final String STORE = "store-" + SECRET;
  private static final int ENTRIES = 400;

  @TempDir Path temporary;

  private static DatabaseOptions options(KeyProvider keys) {
    return builder().encryption(keys).build();
  }

  private static DatabaseOptions.Builder builder() {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .logFileBytes(16 << 10)
        .logRetention(Duration.ofDays(1));
  }

  private static byte[] key(int number) {
    return (SECRET + "-key-" + number).getBytes(US_ASCII);
  }

  private static byte[] value(int number) {
    return (SECRET + "-value-" + number + " ".repeat(number % 90)).getBytes(US_ASCII);
  }

  private static void write(Database database, int from) throws IOException {
    KeyValueStore store = database.keyValueStore(STORE);
    for (int i = from; i < from + ENTRIES; i++) {
      store.put(key(i), value(i), i % 10 == 0 ? Durability.FSYNC : Durability.SYNC);
      if (i % 150 == 0) {
        database.flush();
      }
    }
  }

  private static void assertHolds(Database database, int entries) throws IOException {
    KeyValueStore store = database.keyValueStore(STORE);
    for (int i = 0; i < entries; i++) {
      assertThat(store.get(key(i))).as("entry %d", i).isEqualTo(value(i));
    }
    int count = 0;
    try (KeyValueIterator all = store.range(null, null)) {
      for (KeyValue entry : (Iterable<KeyValue>) () -> all) {
        assertThat(entry.key()).isNotEmpty();
        count++;
      }
    }
    assertThat(count).isEqualTo(entries);
  }

  private static void assertNothingInClear(Path folder) throws IOException {
    for (Path file : filesBelow(folder)) {
      assertThat(file.toString()).doesNotContain(SECRET);
      String bytes = new String(Files.readAllBytes(file), ISO_8859_1);
      assertThat(bytes.contains(SECRET)).as("%s has the secret", file).isFalse();
    }
  }

  @Test
  void noFileHasAnythingInClear() throws IOException {
    Path folder = temporary.resolve("database");
    KeyProvider keys = TestKeys.current("a");
    Path ingested = temporary.resolve("ingested.sst");
    try (Database database = Database.open(folder, options(keys))) {
      write(database, 0);
      assertNothingInClear(temporary);
      database.compact(STORE);
      database.majorCompact(STORE);
      write(database, ENTRIES);
      database.checkpoint(temporary.resolve("checkpoint"));
      assertNothingInClear(temporary);
      try (SortedFileWriter file =
          SortedFileWriter.create(
              ingested, database.describe(STORE).family(KeyValueStore.FAMILY))) {
        file.add(key(2 * ENTRIES), new byte[0], 1, value(2 * ENTRIES));
        file.finish();
      }
      database.ingest(STORE, KeyValueStore.FAMILY, List.of(ingested));
      assertHolds(database, 2 * ENTRIES + 1);
    }
    Files.delete(ingested);
    assertNothingInClear(temporary);
    assertThat(Database.verify(folder, keys).isSound()).isTrue();
    assertThat(Database.repair(folder, keys).lost()).isEmpty();
    assertNothingInClear(temporary);
    try (Database database = Database.open(temporary.resolve("checkpoint"), options(keys))) {
      assertHolds(database, 2 * ENTRIES);
    }
    try (Database database =
        Database.open(folder, builder().encryption(keys).readOnly(true).build())) {
      assertHolds(database, 2 * ENTRIES + 1);
    }
  }

  private static Map<String, byte[]> filesOf(MemoryStorage disk) throws IOException {
    Map<String, byte[]> files = new HashMap<>();
    for (String directory : List.of("", "wal", "sst", "kept")) {
      if (disk.exists(directory) || directory.isEmpty()) {
        for (String entry : disk.list(directory)) {
          String name = directory.isEmpty() ? entry : directory + "/" + entry;
          if (!disk.isDirectory(name) && !entry.equals("LOCK")) {
            files.put(name, disk.bytes(name));
          }
        }
      }
    }
    return files;
  }

  @ParameterizedTest
  @EnumSource(RecoveryMode.class)
  void withoutItsKeyNothingIsReadOrChanged(RecoveryMode mode) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, options(TestKeys.current("a")))) {
      write(database, 0);
      disk = disk.copy();
    }
    Map<String, byte[]> before = filesOf(disk);
    MemoryStorage left = disk;
    KeyProvider another =
        new KeyProvider() {
          @Override
          public String currentKeyId() {
            return "a";
          }

          @Override
          public byte[] wrap(String keyId, byte[] dataKey) {
            return dataKey;
          }

          @Override
          public byte[] unwrap(String keyId, byte[] wrapped) throws KeyUnavailableException {
            throw new KeyUnavailableException("the key " + keyId + " is another one");
          }
        };
    for (boolean readOnly : new boolean[] {false, true}) {
      DatabaseOptions.Builder builder = builder().recoveryMode(mode).readOnly(readOnly);
      assertThatExceptionOfType(KeyUnavailableException.class)
          .isThrownBy(() -> DatabaseEngine.open(left, builder.build()))
          .withMessageContaining(left.path(""))
          .withMessageContaining("encryption");
      assertThatExceptionOfType(KeyUnavailableException.class)
          .isThrownBy(() -> DatabaseEngine.open(left, builder.encryption(another).build()))
          .withMessageContaining(left.path("CURRENT"))
          .withMessageContaining("\"a\"");
      assertThat(left.openFiles()).isZero();
    }
    Map<String, byte[]> after = filesOf(disk);
    assertThat(after.keySet()).isEqualTo(before.keySet());
    after.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(before.get(name)));
    try (Database database = DatabaseEngine.open(disk, options(TestKeys.current("a")))) {
      assertHolds(database, ENTRIES);
    }
  }

  @Test
  void aRepairWithoutTheKeyChangesNothing() throws IOException {
    Path folder = temporary.resolve("database");
    try (Database database = Database.open(folder, options(TestKeys.current("a")))) {
      write(database, 0);
    }
    String text = "other " + Base64.getEncoder().encodeToString(new byte[32]);
    KeyProvider other = KeyProviders.file(Files.writeString(temporary.resolve("keys"), text));
    for (KeyProvider keys : new KeyProvider[] {other, KeyProviders.withoutCurrent(other)}) {
      assertThatExceptionOfType(KeyUnavailableException.class)
          .isThrownBy(() -> Database.repair(folder, keys))
          .withMessageContaining("has no key \"a\"");
      assertThatExceptionOfType(KeyUnavailableException.class)
          .isThrownBy(() -> Database.verify(folder, keys));
    }
    assertThatExceptionOfType(KeyUnavailableException.class)
        .isThrownBy(() -> Database.repair(folder));
    assertThatExceptionOfType(KeyUnavailableException.class)
        .isThrownBy(() -> Database.verify(folder));
    try (Database database = Database.open(folder, options(TestKeys.current("a")))) {
      assertHolds(database, ENTRIES);
    }
  }

  @Test
  void anEncryptedDatabaseWithoutItsMarkIsNotTakenForADamagedOne() throws IOException {
    Path folder = temporary.resolve("database");
    try (Database database = Database.open(folder, options(TestKeys.current("a")))) {
      write(database, 0);
    }
    for (String name : List.of(EncryptedStorage.MARKER, "CURRENT")) {
      Files.delete(folder.resolve(name));
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> Database.open(folder).close(),
              () -> Database.verify(folder),
              () -> Database.repair(folder))) {
        assertThatExceptionOfType(KeyUnavailableException.class)
            .isThrownBy(call)
            .withMessageContaining("holds encrypted files");
      }
    }
    assertThat(folder.resolve("lost")).doesNotExist();
  }

  @Test
  void whatIsNoManifestDoesNotKeepAPlainDatabaseFromBeingOpened() throws IOException {
    Path folder = temporary.resolve("database");
    Database.open(folder).close();
    Files.createDirectory(folder.resolve("MANIFEST-old"));
    Files.createSymbolicLink(folder.resolve("MANIFEST-000000000001.bak"), temporary);
    Database.open(folder).close();
  }

  @Test
  void theMarkOfANewerReleaseIsRefused() throws IOException {
    Path folder = temporary.resolve("database");
    DatabaseOptions options = options(TestKeys.current("a"));
    try (Database database = Database.open(folder, options)) {
      write(database, 0);
    }
    Path mark = folder.resolve(EncryptedStorage.MARKER);
    Files.writeString(mark, "accordion-encrypted 2\nwith more\n");
    for (DatabaseOptions each : List.of(options, builder().build())) {
      assertThatExceptionOfType(FormatVersionException.class)
          .isThrownBy(() -> Database.open(folder, each))
          .withMessageContaining("accordion-encrypted 2");
    }
    // A crash may have left it empty.
    Files.writeString(mark, "");
    Database.open(folder, options).close();
  }

  @Test
  void plainFilesAreEncryptedAsTheyAreRewrittenAndBack() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database =
        DatabaseEngine.open(disk, builder().logRetention(Duration.ZERO).build())) {
      write(database, 0);
    }
    assertThat(disk.exists(EncryptedStorage.MARKER)).isFalse();
    List<KeyProvider> stations =
        List.of(
            TestKeys.current("a"),
            TestKeys.current("b"),
            KeyProviders.withoutCurrent(TestKeys.current("a")));
    int entries = ENTRIES;
    for (KeyProvider keys : stations) {
      DatabaseOptions options = builder().logRetention(Duration.ZERO).encryption(keys).build();
      try (Database database = DatabaseEngine.open(disk, options)) {
        assertHolds(database, entries);
        write(database, entries);
        entries += ENTRIES;
        assertHolds(database, entries);
        database.majorCompact(STORE);
        ((DatabaseEngine) database).truncateLog();
      }
      String current = keys.currentKeyId();
      assertThat(EncryptedStorage.filesByKey(disk).keySet())
          .containsExactly(current == null ? "" : current);
    }
  }

  @Test
  void aDatabaseWithoutEncryptedFilesOpensWithoutKeys() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    DatabaseOptions.Builder builder = builder().logRetention(Duration.ZERO);
    DatabaseOptions plain = builder.build();
    DatabaseOptions back =
        builder.encryption(KeyProviders.withoutCurrent(TestKeys.current("a"))).build();
    try (Database database =
        DatabaseEngine.open(disk, builder.encryption(TestKeys.current("a")).build())) {
      write(database, 0);
    }
    try (Database database = DatabaseEngine.open(disk, back)) {
      assertThat(disk.exists(EncryptedStorage.MARKER)).isTrue();
      database.majorCompact(STORE);
      ((DatabaseEngine) database).truncateLog();
    }
    MemoryStorage left = disk;
    assertThatExceptionOfType(KeyUnavailableException.class)
        .isThrownBy(() -> DatabaseEngine.open(left, plain));
    DatabaseEngine.open(disk, back).close();
    try (Database database = DatabaseEngine.open(disk, plain)) {
      assertHolds(database, ENTRIES);
    }
    try (Database database =
        DatabaseEngine.open(disk, builder.encryption(TestKeys.current("b")).build())) {
      database.keyValueStore(STORE).put(key(0), value(0));
      assertThat(disk.exists(EncryptedStorage.MARKER)).isTrue();
    }
  }

  /** Such as a socket, or a folder of the file system that only its owner may list. */
  @Test
  void whatOthersHavePutIntoTheFolderKeepsTheMarkAndIsNoReasonNotToOpen() throws IOException {
    Path folder = temporary.resolve("db");
    try (Database database = Database.open(folder, options(TestKeys.current("a")))) {
      write(database, 0);
    }
    Files.createSymbolicLink(folder.resolve("ANOTHER"), folder.resolve("missing"));
    DatabaseOptions back = options(KeyProviders.withoutCurrent(TestKeys.current("a")));
    try (Database database = Database.open(folder, back)) {
      assertHolds(database, ENTRIES);
      assertThat(folder.resolve(EncryptedStorage.MARKER)).exists();
    }
  }

  /** Each of a file's bytes is changed, and parts of it are exchanged. */
  @Test
  void whatWasTamperedWithIsNeverRead() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    Storage storage = DatabaseFolder.deciphered(disk, TestKeys.current("a"));
    storage.createDirectories("sst");
    byte[] content = new byte[40_000];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i % 97);
    }
    for (String name : List.of("sst/pages", "appends", "sst/others")) {
      try (var file = storage.create(name)) {
        for (int from = 0; from < content.length; from += 5000) {
          file.append(ByteBuffer.wrap(content, from, 5000));
        }
        file.sync();
      }
    }
    for (String name : List.of("sst/pages", "appends")) {
      assertThat(read(storage, name)).isEqualTo(content);
      byte[] sealed = disk.bytes(name);
      for (int at = 0; at < sealed.length; at += 37) {
        byte[] changed = sealed.clone();
        changed[at] ^= 4;
        MemoryStorage damaged = disk.copy();
        damaged.setBytes(name, changed);
        assertDiffers(damaged, name, content);
      }
      byte[] swapped = sealed.clone();
      int page = 4 * 1024 + 16;
      int begin = sealed.length - content.length - 16 * 10;
      System.arraycopy(sealed, begin + page, swapped, begin, page);
      System.arraycopy(sealed, begin, swapped, begin + page, page);
      MemoryStorage damaged = disk.copy();
      damaged.setBytes(name, swapped);
      assertDiffers(damaged, name, content);
    }
    MemoryStorage exchanged = disk.copy();
    byte[] others = disk.bytes("sst/others");
    byte[] mixed = disk.bytes("sst/pages");
    System.arraycopy(others, 10_000, mixed, 10_000, 20_000);
    exchanged.setBytes("sst/pages", mixed);
    assertDiffers(exchanged, "sst/pages", content);
  }

  private static void assertDiffers(MemoryStorage damaged, String name, byte[] content)
      throws IOException {
    Storage storage = DatabaseFolder.deciphered(damaged, TestKeys.current("a"));
    byte[] found = read(storage, name);
    assertThat(found).isNotEqualTo(content);
    // What is not as it was is a filler, or missing; it is nobody's choice.
    for (int i = 0; i < Math.min(found.length, content.length); i++) {
      if (found[i] != content[i] && found[i] != (byte) 0xA5 && found.length <= content.length) {
        throw new AssertionError("byte " + i + " of " + name + " is " + found[i]);
      }
    }
  }

  private static byte[] read(Storage storage, String name) throws IOException {
    try (var file = storage.open(name)) {
      byte[] bytes = new byte[(int) file.size()];
      file.readFully(ByteBuffer.wrap(bytes), 0);
      return bytes;
    }
  }

  @Test
  void keysInTextAreReadAndWrongLinesNamed() throws IOException {
    Path file = temporary.resolve("keys");
    String one = Base64.getEncoder().encodeToString(new byte[32]);
    byte[] second = new byte[32];
    second[3] = 7;
    String two = Base64.getEncoder().encodeToString(second);
    KeyProvider old = KeyProviders.file(Files.writeString(file, "# keys\n2025 " + one + "\n"));
    KeyProvider both =
        KeyProviders.file(Files.writeString(file, "2025 " + one + "\n\n2026 " + two + "\n"));
    assertThat(both.currentKeyId()).isEqualTo("2026");
    byte[] dataKey = {1, 2, 3};
    assertThat(both.unwrap("2025", old.wrap("2025", dataKey))).isEqualTo(dataKey);
    assertThat(both.wrap("2026", dataKey)).isNotEqualTo(both.wrap("2026", dataKey));
    KeyProvider other = KeyProviders.file(Files.writeString(file, "2025 " + two + "\n"));
    byte[] wrapped = old.wrap("2025", dataKey);
    assertThatExceptionOfType(KeyUnavailableException.class)
        .isThrownBy(() -> other.unwrap("2025", wrapped))
        .withMessageContaining("2025");
    assertThatExceptionOfType(KeyUnavailableException.class)
        .isThrownBy(() -> other.unwrap("2027", wrapped))
        .withMessageContaining("has no key \"2027\"");
    for (int length = 0; length < wrapped.length; length++) {
      byte[] shorter = Arrays.copyOf(wrapped, length);
      assertThatExceptionOfType(KeyUnavailableException.class)
          .isThrownBy(() -> old.unwrap("2025", shorter));
    }
    for (String wrong : List.of("", "2025", "2025 abc", "2025 " + one + "\n2025 " + two)) {
      Files.writeString(file, wrong);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> KeyProviders.file(file))
          .withMessageContaining(file.toString())
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain(one));
    }
    assertThatExceptionOfType(KeyUnavailableException.class)
        .isThrownBy(() -> KeyProviders.environment("ACCORDION_NO_SUCH_KEYS"))
        .withMessageContaining("ACCORDION_NO_SUCH_KEYS");
  }

  @Test
  void aDamagedFileNamesItsPlace() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, options(TestKeys.current("a")))) {
      write(database, 0);
    }
    String table = "sst/" + disk.list("sst").get(0);
    disk.flip(table, disk.bytes(table).length / 2);
    MemoryStorage damaged = disk;
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(
            () -> {
              try (Database database =
                  DatabaseEngine.open(damaged, options(TestKeys.current("a")))) {
                assertHolds(database, ENTRIES);
              }
            })
        .withMessageContaining(table);
  }
}
