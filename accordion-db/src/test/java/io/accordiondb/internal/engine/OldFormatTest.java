// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases that older versions of this software have written: their manifests know no logs. */
class OldFormatTest {
  private static final int KEYS = 120;

  private static MemoryStorage database(String name) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    URI resource =
        URI.create(
            Objects.requireNonNull(OldFormatTest.class.getResource("/format/v1/database-" + name))
                .toString());
    Path folder = Path.of(resource);
    disk.createDirectories("wal");
    disk.createDirectories("sst");
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
        check(database(name), options.readOnly(true).build());
        MemoryStorage disk = database(name);
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
    MemoryStorage disk = database(name);
    String orphan = "000000000005.sst";
    disk.setBytes("sst/" + orphan, disk.bytes("sst/000000000007.sst"));
    check(disk, DatabaseOptions.builder().memoryBytes(4 << 20).build());
    assertThat(disk.list("sst")).doesNotContain(orphan);
    assertThat(disk.list("lost")).containsExactly(orphan);
  }
}
