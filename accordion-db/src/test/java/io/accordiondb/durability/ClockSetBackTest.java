// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Append;
import io.accordiondb.CheckAndMutate;
import io.accordiondb.Checkpoint;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.Put;
import io.accordiondb.RestorePoint;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RollForward;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After the clock was set back, each kind of write takes effect on what was written before. */
class ClockSetBackTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final byte[] OLD = bytes("old");
  private static final byte[] NEW = bytes("new");
  private static final long START = Instant.parse("2024-02-03T04:05:06Z").toEpochMilli();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long TEN_YEARS = 3653 * DAY;

  /** The life of the database between the old writes and the new ones. */
  private enum Between {
    NOTHING,
    REOPENED,
    KILLED,
    COPIED,
    ROLLED_FORWARD
  }

  private final AtomicLong clock = new AtomicLong(START);
  private final MemoryStorage disk = new MemoryStorage();
  @TempDir private Path folder;

  private DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .logRetention(Duration.ofDays(1))
        .clock(() -> Instant.ofEpochMilli(clock.get()))
        .build();
  }

  private static void create(Database database) throws IOException {
    database.keyValueStore("store");
    database.keyValueStore("texts", FamilyDescriptor.builder("v").mergeOperator("append").build());
    database.createTable(
        TableDescriptor.builder("t")
            .family(FamilyDescriptor.builder("f").maxVersions(3).build())
            .build());
  }

  private static void writeOld(Database database) throws IOException {
    KeyValueStore store = database.keyValueStore("store");
    for (String key : List.of("batch", "cas", "del", "put", "range", "tx", "txdel", "unset")) {
      store.put(bytes(key), OLD);
    }
    store.increment(bytes("count"), 5);
    database.keyValueStore("texts").merge(bytes("text"), OLD);
    Table table = database.table("t");
    for (String row : List.of("append", "check", "column", "put", "row", "version")) {
      table.put(new Put(bytes(row)).addColumn(F, Q, OLD));
    }
    table.increment(bytes("count"), F, Q, 5);
    table.put(new Put(bytes("future")).addColumn(F, Q, START + TEN_YEARS, OLD));
  }

  private static void writeNew(Database database) throws IOException {
    KeyValueStore store = database.keyValueStore("store");
    store.put(bytes("put"), NEW);
    store.delete(bytes("del"));
    store.deleteRange(bytes("range"), bytes("rangf"));
    assertThat(store.compareAndSet(bytes("cas"), OLD, NEW)).isTrue();
    assertThat(store.compareAndSet(bytes("unset"), OLD, null)).isTrue();
    store.writeBatch().put(bytes("batch"), NEW).commit();
    assertThat(store.increment(bytes("count"), 1)).isEqualTo(6);
    database.keyValueStore("texts").merge(bytes("text"), NEW);
    Table table = database.table("t");
    table.put(new Put(bytes("put")).addColumn(F, Q, NEW));
    table.delete(new Delete(bytes("row")));
    table.delete(new Delete(bytes("column")).addColumns(F, Q));
    table.delete(new Delete(bytes("version")).addColumn(F, Q));
    CheckAndMutate.Builder ifOld = CheckAndMutate.builder(bytes("check")).ifEquals(F, Q, OLD);
    Put put = new Put(bytes("check")).addColumn(F, Q, NEW);
    assertThat(table.checkAndMutate(ifOld.build(put)).succeeded()).isTrue();
    table.append(new Append(bytes("append")).addColumn(F, Q, NEW));
    table.increment(new Increment(bytes("count")).addColumn(F, Q, 1));
    try (Transaction transaction = database.beginTransaction()) {
      KeyValueStore own = transaction.keyValueStore("store");
      own.put(bytes("tx"), NEW);
      own.delete(bytes("txdel"));
      assertThat(own.get(bytes("tx"))).isEqualTo(NEW);
      assertThat(own.get(bytes("txdel"))).isNull();
      transaction.commit();
    }
  }

  private static List<String> rows(Database database, String name) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = database.table(name).scan(new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        byte[] value = row.cells().get(0).value();
        rows.add(
            new String(row.row(), US_ASCII)
                + "="
                + (value.length == Long.BYTES
                    ? ByteBuffer.wrap(value).getLong()
                    : new String(value, US_ASCII)));
      }
    }
    return rows;
  }

  private static void checkNew(Database database) throws IOException {
    assertThat(rows(database, "store"))
        .containsExactly("batch=new", "cas=new", "count=6", "put=new", "tx=new");
    assertThat(rows(database, "texts")).containsExactly("text=oldnew");
    assertThat(rows(database, "t"))
        .containsExactly("append=oldnew", "check=new", "count=6", "future=old", "put=new");
    KeyValueStore store = database.keyValueStore("store");
    assertThat(store.get(bytes("put"))).isEqualTo(NEW);
    assertThat(store.get(bytes("del"))).isNull();
    assertThat(store.get(bytes("range"))).isNull();
    Result put = database.table("t").get(new Get(bytes("put")).addColumn(F, Q));
    assertThat(put.value(F, Q)).isEqualTo(NEW);
    // The cell of the future has not moved the clock.
    assertThat(put.cells().get(0).timestamp()).isBetween(START, START + 70_000);
  }

  private Database after(Between between, Database database) throws IOException {
    Path copy = folder.resolve("copy");
    switch (between) {
      case NOTHING -> {
        clock.addAndGet(-DAY);
        return database;
      }
      case REOPENED -> {
        database.close();
        clock.addAndGet(-DAY);
        return DatabaseEngine.open(disk, options());
      }
      case KILLED -> {
        MemoryStorage killed = disk.copy();
        database.close();
        clock.addAndGet(-DAY);
        return DatabaseEngine.open(killed, options());
      }
      default -> {
        Path log = folder.resolve("log");
        Checkpoint end = database.checkpoint(log, LogExtent.KEPT);
        database.close();
        clock.addAndGet(-DAY);
        if (between == Between.ROLLED_FORWARD) {
          RollForward.apply(copy, log, RestorePoint.sequence(end.sequence()), options());
        }
        return Database.open(between == Between.COPIED ? log : copy, options());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Between.class)
  void everyWriteTakesEffect(Between between) throws IOException {
    @Nullable Database opened = null;
    Database old = DatabaseEngine.open(disk, options());
    try {
      create(old);
      old.checkpoint(folder.resolve("copy"));
      clock.addAndGet(10_000);
      writeOld(old);
      opened = after(between, old);
      writeNew(opened);
      checkNew(opened);
      opened.flush();
      checkNew(opened);
      for (String table : List.of("store", "texts", "t")) {
        opened.majorCompact(table);
      }
      checkNew(opened);
    } finally {
      old.close();
      if (opened != null) {
        opened.close();
      }
    }
  }
}
