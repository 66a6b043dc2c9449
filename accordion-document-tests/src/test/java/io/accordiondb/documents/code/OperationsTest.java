// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyProviders;
import io.accordiondb.KeyValueStore;
import io.accordiondb.RestorePoint;
import io.accordiondb.TableDescriptor;
import io.accordiondb.VerificationReport;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.backup.BackupOptions;
import io.accordiondb.backup.BackupTarget;
import io.accordiondb.backup.Backups;
import io.accordiondb.backup.Generation;
import io.accordiondb.dashboard.Dashboard;
import io.accordiondb.dashboard.DashboardOptions;
import io.accordiondb.event.EventListener;
import io.accordiondb.event.FlushEvent;
import io.accordiondb.micrometer.AccordionMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options, copies, keys and monitoring, as the guide and the operator's page have them. */
final class OperationsTest {
  private final byte[] key = "ann".getBytes(UTF_8);
  private final byte[] value = "3 books".getBytes(UTF_8);
  @TempDir private Path parent;

  @Test
  void options() throws IOException {
    Path folder = parent.resolve("data");
    // code: options
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(256L << 20) // memory stores, outside the heap
            .blockCacheBytes(256L << 20) // blocks of files, most of them outside the heap
            .build();
    // end
    try (Database database = Database.open(folder, options)) {
      // code: reconfigure
      database.reconfigure(changed -> changed.memoryBytes(64 << 20).compactionThreads(2));
      // end
      assertThat(database.options().memoryBytes()).isEqualTo(64 << 20);
    }
  }

  @Test
  void inMemory() throws IOException {
    Path kept = parent.resolve("kept");
    // code: in-memory
    try (Database database = Database.inMemory()) {
      database.keyValueStore("sessions").put(key, value);
      database.checkpoint(kept); // a copy in a folder, which Database.open opens
    }
    // end
    try (Database database = Database.open(kept)) {
      assertThat(database.keyValueStore("sessions").get(key)).isEqualTo(value);
    }
  }

  @Test
  void reader() throws IOException {
    Path folder = parent.resolve("data");
    List<byte[]> seen = new ArrayList<>();
    try (Database database = Database.open(folder)) {
      database.keyValueStore("carts").put(key, value);
      // code: reader
      try (Database reader =
          Database.open(folder, DatabaseOptions.builder().readOnly(true).build())) {
        KeyValueStore carts = reader.keyValueStore("carts");
        seen.add(carts.get(key)); // as of the opening
        if (reader.refresh()) { // false if nothing was written since
          seen.add(carts.get(key)); // as of the refresh
        }
      }
      // end
    }
    assertThat(seen).first().isEqualTo(value);
  }

  @Test
  void encryption() throws IOException {
    Path folder = parent.resolve("data");
    Path keyFile = parent.resolve("carts.keys");
    Files.writeString(keyFile, "2026 " + Base64.getEncoder().encodeToString(new byte[32]) + "\n");
    // code: encryption
    KeyProvider keys = KeyProviders.file(keyFile);
    DatabaseOptions options = DatabaseOptions.builder().encryption(keys).build();
    // end
    try (Database database = Database.open(folder, options)) {
      database.keyValueStore("carts").put(key, value);
      // code: rotation
      for (TableDescriptor table : database.tables()) {
        database.majorCompact(table.name()); // rewrites the sorted tables
      }
      SortedMap<String, Integer> files = Database.filesByKey(folder); // {=2, 2025=1, 2026=14}
      // end
      assertThat(files).containsKey("2026");
    }
  }

  @Test
  void suspendedWrites() throws IOException {
    try (Database database = Database.open(parent.resolve("data"))) {
      KeyValueStore carts = database.keyValueStore("carts");
      // code: disk-full
      try {
        carts.put(key, value);
      } catch (WritesSuspendedException e) {
        // The put is not done, once writes work again. Make room here, then:
        database.resume(); // throws the same exception while there is no room
        carts.put(key, value);
      }
      // end
      assertThat(carts.get(key)).isEqualTo(value);
    }
  }

  @Test
  void backups() throws IOException {
    Path folder = parent.resolve("data");
    Path target = parent.resolve("backups");
    Path restored = parent.resolve("restored");
    try (Database database = Database.open(folder)) {
      database.keyValueStore("carts").put(key, value);
      // code: backup
      Backups backups = Backups.at(BackupTarget.folder(target));
      Generation made = backups.create(database); // while writes go on
      backups.keepNewest(7);
      backups.restore(made.number(), restored); // Database.open opens the folder
      // end
      // code: backup-options
      backups.create(
          database,
          BackupOptions.DEFAULTS
              .withBytesPerSecondMax(50 << 20)
              .withProgress(
                  (files, filesAll, bytes, bytesAll) ->
                      System.out.println(bytes + " of " + bytesAll)));
      // end
      assertThat(backups.generations()).hasSize(2);
    }
    try (Database database = Database.open(restored)) {
      assertThat(database.keyValueStore("carts").get(key)).isEqualTo(value);
    }
  }

  @Test
  void restorePoints() {
    // code: restore-point
    RestorePoint noon = RestorePoint.time(Instant.parse("2026-01-31T11:59:00Z"));
    RestorePoint write = RestorePoint.sequence(123456);
    // end
    assertThat(noon).isNotEqualTo(write);
  }

  @Test
  void verify() throws IOException {
    Path folder = parent.resolve("data");
    Database.open(folder).close();
    // code: verify
    VerificationReport report = Database.verify(folder); // reads every byte of a closed database
    boolean sound = report.isSound(); // if not, report.problems() names the files
    // end
    assertThat(sound).isTrue();
  }

  @Test
  void statisticsAndEvents() throws IOException {
    Path folder = parent.resolve("data");
    List<String> log = Collections.synchronizedList(new ArrayList<>());
    // code: events
    DatabaseOptions options =
        DatabaseOptions.builder()
            .eventListener(
                new EventListener() {
                  @Override
                  public void onFlushEnd(FlushEvent flush) {
                    log.add(flush.table() + " took " + flush.nanos() / 1_000_000 + " ms");
                  }
                })
            .build();
    // end
    try (Database database = Database.open(folder, options)) {
      database.keyValueStore("carts").put(key, value);
      database.flush();
      // code: statistics
      System.out.println(database.statistics());
      // end
    }
    assertThat(log).isNotEmpty();
  }

  @Test
  void dashboardAndMeters() throws IOException {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (Database database = Database.open(parent.resolve("data"))) {
      // code: dashboard
      try (Dashboard dashboard = Dashboard.start(database, DashboardOptions.DEFAULT)) {
        System.out.println(dashboard.uri()); // http://127.0.0.1:PORT/#token=…
      }
      // end
      // code: meters
      try (AccordionMetrics metrics = new AccordionMetrics(database)) {
        metrics.bindTo(registry);
      }
      // end
    }
    assertThat(registry.getMeters()).isNotNull();
  }
}
