// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.ChangeFeed;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.TestKeys;
import io.accordiondb.inspect.ManifestRecord;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.manifest.ManifestInspection;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Databases that older versions of this software have written. The manifests of the first ones, v1,
 * know no logs.
 */
class OldFormatTest {
  private static final int KEYS = 120;

  private static MemoryStorage database(String name) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    URI resource =
        URI.create(
            Objects.requireNonNull(OldFormatTest.class.getResource("/format/" + name)).toString());
    Path folder = Path.of(resource);
    disk.createDirectories("wal");
    disk.createDirectories("sst");
    if (Files.exists(folder.resolve("kept"))) {
      disk.createDirectories("kept");
    }
    for (Path file : filesBelow(folder)) {
      disk.setBytes(
          folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
    }
    return disk;
  }

  private static void check(MemoryStorage disk, DatabaseOptions options) throws IOException {
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < KEYS; i++) {
        assertThat(store.get(("key" + i).getBytes(US_ASCII)))
            .isEqualTo(("value " + i).repeat(8).getBytes(US_ASCII));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"closed-plain", "closed-mapped", "killed-plain", "killed-mapped"})
  void isOpenedWhole(String name) throws IOException {
    for (RecoveryMode mode : RecoveryMode.values()) {
      for (LogWriting writing : LogWriting.values()) {
        DatabaseOptions.Builder options =
            DatabaseOptions.builder()
                .memoryBytes(4 << 20)
                .logFileBytes(4 << 10)
                .logWriting(writing)
                .recoveryMode(mode);
        check(database("v1/database-" + name), options.readOnly(true).build());
        MemoryStorage disk = database("v1/database-" + name);
        assertThat(new Verifier(disk).verify().problems()).isEmpty();
        assertThat(new Repairer(disk).repair().lost()).isEmpty();
        check(disk, options.readOnly(false).build());
        check(disk, options.recoveryMode(RecoveryMode.ABSOLUTE).build());
        assertThat(new Verifier(disk).verify().problems()).isEmpty();
        assertThat(disk.openFiles()).isZero();
      }
    }
  }

  /** Such a manifest may have lost its end unnoticed; the table may be all that is left. */
  @ParameterizedTest
  @ValueSource(strings = {"closed-plain", "killed-mapped"})
  void aTableThatNoVersionHasIsPutAside(String name) throws IOException {
    MemoryStorage disk = database("v1/database-" + name);
    String orphan = "000000000005.sst";
    disk.setBytes("sst/" + orphan, disk.bytes("sst/000000000007.sst"));
    check(disk, DatabaseOptions.builder().memoryBytes(4 << 20).build());
    assertThat(disk.list("sst")).doesNotContain(orphan);
    assertThat(disk.list("lost")).containsExactly(orphan);
  }

  private static MemoryStorage kept(String release, @Nullable KeyProvider keys) throws IOException {
    String name = release + (keys == null ? "/database" : "/database-encrypted");
    MemoryStorage disk = database(name);
    disk.delete(KeptDatabase.CONTENTS);
    disk.delete(KeptDatabase.CHANGES);
    return disk;
  }

  /** What a release has written with all its features, {@link KeptDatabase}, is read as then. */
  @ParameterizedTest
  @CsvSource({"0.1.0, false", "0.1.0, true"})
  void everyFeatureIsRead(String release, boolean encrypted) throws IOException {
    KeyProvider keys = encrypted ? TestKeys.current("a") : null;
    String name = release + (encrypted ? "/database-encrypted" : "/database");
    String contents = new String(database(name).bytes(KeptDatabase.CONTENTS), UTF_8);
    String changes = new String(database(name).bytes(KeptDatabase.CHANGES), UTF_8);
    for (RecoveryMode mode : RecoveryMode.values()) {
      for (LogWriting writing : LogWriting.values()) {
        MemoryStorage disk = kept(release, keys);
        DatabaseOptions options =
            KeptDatabase.options(keys).logWriting(writing).recoveryMode(mode).build();
        Storage deciphered = DatabaseFolder.deciphered(disk, keys);
        assertThat(new Verifier(deciphered).verify().problems()).isEmpty();
        assertThat(new Repairer(deciphered).repair().lost()).isEmpty();
        for (int opening = 0; opening < 2; opening++) {
          // The second time, what was in the log is in sorted tables.
          try (Database database = DatabaseEngine.open(disk, options)) {
            assertThat(KeptDatabase.contentsOf(database)).isEqualTo(contents);
            if (mode != RecoveryMode.SALVAGE) {
              // After a salvage, another log begins.
              assertThat(KeptDatabase.changesOf(database)).isEqualTo(changes);
            }
            database.flush();
          }
        }
        assertThat(disk.openFiles()).isZero();
      }
    }
  }

  /** The token was written by the release that has written the database. */
  @Test
  void aTokenThatWasSavedIsResumed() throws IOException {
    String changes = new String(database("0.1.0/database").bytes(KeptDatabase.CHANGES), UTF_8);
    MemoryStorage disk = kept("0.1.0", null);
    try (Database database = DatabaseEngine.open(disk, KeptDatabase.options(null).build());
        ChangeFeed feed = database.changesAfter("accordion-1-10-11-704-3a84bb37")) {
      assertThat(KeptDatabase.changesOf(feed))
          .startsWith("17 ")
          .isEqualTo(changes.substring(changes.indexOf("\n17 ") + 1));
    }
  }

  @Test
  void theKeptManifestHasEveryKindOfEdit() throws IOException {
    MemoryStorage disk = kept("0.1.0", null);
    Set<String> kinds = new TreeSet<>();
    Set<String> logs = new TreeSet<>();
    for (String name : ManifestInspection.files(disk)) {
      ManifestInspection.read(disk, name, new Kinds(kinds));
    }
    for (String name : disk.list("kept")) {
      logs.add(name.endsWith(".log") ? "version " + disk.bytes("kept/" + name)[11] : name);
    }
    assertThat(kinds)
        .contains(
            "AddFile",
            "AddFile view",
            "AddLog",
            "AddLog prepared",
            "AddRangeTombstones",
            "DropRegion",
            "DropTable",
            "PutRegion",
            "PutTable",
            "RemoveFile",
            "RemoveLog",
            "RemoveRangeTombstones",
            "SetClockCeiling",
            "SetClockFloor",
            "SetFlushedSequence",
            "SetHighestLog",
            "SetNextNumber");
    assertThat(logs).containsExactly("names", "version 3", "version 4");
  }

  /** Collects the kinds of the edits of a manifest. */
  private record Kinds(Set<String> kinds) implements ManifestInspection.Visitor {
    @Override
    public void record(
        long offset, long bytes, ManifestRecord.Kind kind, long number, List<VersionEdit> edits) {
      for (VersionEdit edit : edits) {
        boolean isView = edit instanceof VersionEdit.AddFile add && add.file().view() != null;
        boolean isPrepared = edit instanceof VersionEdit.AddLog log && log.isPrepared();
        kinds.add(
            edit.getClass().getSimpleName()
                + (isView ? " view" : "")
                + (isPrepared ? " prepared" : ""));
      }
    }

    @Override
    public void tornTail(long offset, long bytes) {
      throw new AssertionError("torn at " + offset);
    }

    @Override
    public void damage(long offset, IOException cause) {
      throw new AssertionError(cause);
    }
  }
}
