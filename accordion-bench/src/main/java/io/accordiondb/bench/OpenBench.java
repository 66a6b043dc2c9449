// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Put;
import io.accordiondb.RecoveryProgress;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.bench.BenchResult.Latency;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Measures the time of opening a store that was closed, a store with many regions, and a store
 * whose log must be replayed.
 *
 * <p>The log is that of a checkpoint, which is what a killed process leaves: nothing in it was
 * flushed. Each opening of it gets a checkpoint of its own, since opening ends with a flush.
 */
public final class OpenBench {
  private static final String TABLE = "bench";
  private static final byte[] FAMILY = "f".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] QUALIFIER = {};
  private static final int KEY_BYTES = 24;
  private static final int BATCH = 100;

  private final OpenBenchOptions options;
  private final Progress progress;
  private final Rows rows;

  /** Creates a measurement; progress receives the number of rows that are written. */
  public OpenBench(OpenBenchOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
    this.rows = new Rows(KEY_BYTES, 1, options.valueBytes());
  }

  /** Measures, in a folder that is empty and stays. */
  public OpenFigures run(Path folder) throws IOException {
    Path closed = folder.resolve("closed");
    try (Database database = open(closed)) {
      database.createTable(TableDescriptor.of(TABLE, "f"));
      write(database, options.records());
    }
    Latency openMicros = openings(() -> open(closed));

    Path regions = folder.resolve("regions");
    try (Database database = open(regions)) {
      database.createTable(TableDescriptor.of(TABLE, "f"), splitKeys(options.regions()));
      fillRegions(database);
    }
    Latency openRegionsMicros = openings(() -> open(regions));

    AtomicReference<RecoveryProgress> replayed = new AtomicReference<>();
    Latency replayMicros = replays(folder.resolve("killed"), replayed);
    long logBytes = replayed.get() == null ? 0 : replayed.get().bytesRead();
    return new OpenFigures(
        options.records(),
        openMicros,
        options.regions(),
        openRegionsMicros,
        logBytes,
        replayMicros,
        logBytes / (replayMicros.p50() / 1e6));
  }

  private Latency replays(Path folder, AtomicReference<RecoveryProgress> replayed)
      throws IOException {
    Path original = folder.resolve("original");
    Files.createDirectories(folder);
    try (Database database = open(original)) {
      database.createTable(TableDescriptor.of(TABLE, "f"));
      write(database, options.logRecords());
      for (int round = 0; round < options.rounds(); round++) {
        database.checkpoint(folder.resolve("checkpoint-" + round));
      }
    }
    int[] round = {0};
    DatabaseOptions told = databaseOptions().recoveryListener(replayed::set).build();
    return openings(() -> Database.open(folder.resolve("checkpoint-" + round[0]++), told));
  }

  /** Opens a database. */
  private interface Opening {
    Database open() throws IOException;
  }

  private Latency openings(Opening opening) throws IOException {
    Latencies latencies = new Latencies();
    for (int round = 0; round < options.rounds(); round++) {
      long begun = System.nanoTime();
      try (Database unused = opening.open()) {
        latencies.recordSince(begun);
      }
    }
    return latencies.percentiles();
  }

  private Database open(Path folder) throws IOException {
    return Database.open(folder, databaseOptions().build());
  }

  private DatabaseOptions.Builder databaseOptions() {
    // Nothing is read but what opening needs.
    return DatabaseOptions.builder().memoryBytes(options.memoryBytes()).blockCacheBytes(0);
  }

  private void write(Database database, long records) throws IOException {
    Table table = database.table(TABLE);
    List<Put> batch = new ArrayList<>(BATCH);
    for (long record = 0; record < records; record++) {
      Put put = new Put(rows.key(record));
      put.addColumn(FAMILY, QUALIFIER, rows.value(record, 0, 0));
      batch.add(put.setDurability(Durability.ASYNC));
      if (batch.size() == BATCH || record == records - 1) {
        table.put(batch);
        progress.add(batch.size());
        batch.clear();
      }
    }
  }

  private void fillRegions(Database database) throws IOException {
    Table table = database.table(TABLE);
    for (int region = 0; region < options.regions(); region++) {
      Put put = new Put(startKey(region));
      table.put(put.addColumn(FAMILY, QUALIFIER, rows.value(region, 0, 0)));
    }
  }

  private static byte[][] splitKeys(int regions) {
    byte[][] keys = new byte[regions - 1][];
    for (int region = 1; region < regions; region++) {
      keys[region - 1] = startKey(region);
    }
    return keys;
  }

  private static byte[] startKey(int region) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(region).array();
  }
}
