// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Append;
import io.accordiondb.CheckAndMutate;
import io.accordiondb.CheckAndMutateResult;
import io.accordiondb.CompareOperator;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.HistoryLostException;
import io.accordiondb.Merge;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowMutations;
import io.accordiondb.Savepoint;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Stages;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.WriteBatch;
import io.accordiondb.filter.Filters;
import io.accordiondb.fixtures.TestFiles;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A sequence of operations, which follows from a seed alone, and one set of options, with upkeep
 * between the operations, which follows from its number.
 */
final class MetamorphicRun {
  private static final String TABLE = MetamorphicTable.NAME;
  private static final byte[] ALL = bytes(MetamorphicTable.ALL);
  private static final int SNAPSHOTS_MAX = 3;

  /** One set of options in this many is that of a database on files, which can be mapped. */
  private static final int ON_FILES = 4;

  /** One batch in this many is large. */
  private static final int LARGE_BATCH_RARITY = 40;

  private final MetamorphicDraw draw;
  private final List<Snapshot> snapshots = new ArrayList<>();
  private final MetamorphicReads reads;
  private final DatabaseOptions options;
  private final boolean isOnFiles;
  private final TableDescriptor table;
  private final byte[][] splits;
  private final MetamorphicUpkeep upkeep;
  private final MetamorphicFeed feed = new MetamorphicFeed();

  /**
   * Creates a run.
   *
   * @param optionSet 0 for the default options, one region and no upkeep
   */
  MetamorphicRun(long seed, int optionSet) {
    draw = new MetamorphicDraw(MetamorphicTest.random(seed, 0));
    reads = new MetamorphicReads(draw, snapshots);
    RandomGenerator choice = optionSet == 0 ? null : MetamorphicTest.random(seed, optionSet);
    options =
        choice == null
            ? builder().build()
            : MetamorphicOptions.withRoom(MetamorphicOptions.some(builder(), choice)).build();
    table = MetamorphicTable.create(choice);
    splits = choice == null ? new byte[0][] : MetamorphicTable.splits(choice.nextInt(4), choice);
    upkeep = new MetamorphicUpkeep(options, choice);
    isOnFiles = optionSet % ON_FILES == 1;
  }

  private DatabaseOptions.Builder builder() {
    return DatabaseOptions.builder()
        .compactionFilter(MetamorphicTable.FILTER_NAME, MetamorphicTable.FILTER)
        .memoryBytes(64 << 20)
        .blockCacheBytes(1 << 20)
        .durability(Durability.ASYNC)
        .logRetention(Duration.ofHours(1))
        .clock(() -> Instant.ofEpochMilli(draw.now()));
  }

  /** Returns the answer of each operation of the given number, then all that the table holds. */
  List<String> answers(int operations) throws IOException {
    List<String> answers = new ArrayList<>();
    run(operations, answers::add);
    return answers;
  }

  /** Fails at the first answer that is not what another run has answered. */
  void compareWith(List<String> answers) throws IOException {
    ListIterator<String> expected = answers.listIterator();
    run(
        answers.size() - 1,
        answer ->
            assertThat(answer)
                .as("operation %d", expected.nextIndex())
                .isIn(possible(expected.next())));
  }

  /** Returns the answers that may stand for that of another run. */
  private Set<String> possible(String expected) {
    return upkeep.mayLoseChanges() && MetamorphicFeed.isOfFeed(expected)
        ? Set.of(expected, MetamorphicFeed.LOST)
        : Set.of(expected);
  }

  private void run(int operations, Consumer<String> answers) throws IOException {
    if (!isOnFiles) {
      run(operations, answers, new MemoryStorage());
      return;
    }
    Path folder = Files.createTempDirectory("metamorphic");
    try {
      run(operations, answers, new FileStorage(folder));
    } finally {
      TestFiles.deleteFolder(folder);
    }
  }

  private void run(int operations, Consumer<String> answers, Storage disk) throws IOException {
    Database database = upkeep.begin(disk);
    try {
      database.createTable(table, splits);
      feed.begin(database);
      for (int i = 0; i < operations; i++) {
        answers.accept(answer(database));
        database = upkeep.next(database, snapshots.isEmpty());
      }
      answers.accept(MetamorphicReads.allAsText(database, draw.now()));
      closeSnapshots();
    } finally {
      database.close();
    }
    if (disk instanceof MemoryStorage memory) {
      // The database has closed the files of the feed, too.
      assertThat(memory.openFiles()).as("open files").isZero();
    }
    feed.close();
  }

  private String answer(Database database) throws IOException {
    try {
      return operate(database);
    } catch (HistoryLostException e) {
      // A read of a snapshot that is older than the last truncation, or loss of a family.
      return "lost";
    }
  }

  private String operate(Database database) throws IOException {
    Table target = database.table(TABLE);
    byte[] row = draw.row();
    byte[] family = draw.family();
    byte[] qualifier = draw.qualifier();
    draw.pass();
    switch (draw.number(33)) {
      case 0 -> target.delete(new Delete(row));
      case 1 -> target.delete(new Delete(row).addFamily(family, draw.time()));
      case 2 -> target.delete(new Delete(row).addColumns(family, qualifier));
      case 3 -> target.delete(new Delete(row).addColumn(ALL, qualifier));
      case 4 -> target.delete(new Delete(row).addColumn(ALL, qualifier, draw.time()));
      case 5 -> target.delete(new Delete(row).addFamilyVersion(ALL, draw.time()));
      case 6 -> database.write(batch(), Durability.ASYNC);
      case 7 -> {
        database.writeAsync(batch(), Durability.ASYNC);
        Stages.await(database.writeAsync(batch()));
      }
      case 8 -> {
        return checkAndMutate(target, row, family, qualifier);
      }
      case 9 -> {
        byte[] counters = bytes(MetamorphicTable.ONE);
        return "sum " + target.increment(row, counters, bytes("n"), draw.number(100));
      }
      case 10 -> {
        byte[] texts = bytes(MetamorphicTable.THREE);
        Append append = new Append(row).addColumn(texts, qualifier, bytes("x"));
        return "appended " + MetamorphicReads.text(List.of(target.append(append)));
      }
      case 11 -> takeOrCloseSnapshots(database);
      case 12, 13, 14, 15 -> {
        return reads.get(target, row);
      }
      case 16, 17 -> {
        return reads.scan(target);
      }
      case 18, 19 ->
          target.put(
              expiring(new Put(row).addColumn(family, qualifier, draw.time(), draw.value())));
      case 30, 31 -> {
        return transact(database);
      }
      case 20 -> {
        return operateOnMany(database, family);
      }
      case 21 -> target.merge(count(row, qualifier));
      case 32 -> {
        MetamorphicUpkeep.write(database, Durability.SYNC);
        return feed.changes(database, draw.coin());
      }
      default -> target.put(expiring(new Put(row).addColumn(family, qualifier, draw.value())));
    }
    return "done";
  }

  /** Writes and reads in a transaction; undoes a part of it, or all. */
  private String transact(Database database) throws IOException {
    try (Transaction transaction = database.beginTransaction()) {
      Table target = transaction.table(TABLE);
      for (WriteBatch.Entry entry : batch().entries()) {
        target.mutate(List.of(entry.mutation()));
      }
      Savepoint savepoint = transaction.savepoint();
      target.delete(new Delete(draw.row()));
      long sum =
          target.increment(draw.row(), bytes(MetamorphicTable.ONE), bytes("n"), draw.number(100));
      String answer = "sum " + sum + " " + scan(target);
      if (draw.coin()) {
        transaction.rollbackTo(savepoint);
      }
      answer += " " + MetamorphicReads.text(List.of(target.get(new Get(draw.row()))));
      if (draw.oneIn(4)) {
        transaction.rollback();
      } else {
        transaction.commit();
      }
      return answer;
    }
  }

  private String scan(Table target) throws IOException {
    List<Result> found = new ArrayList<>();
    try (ResultScanner rows =
        target.scan(new Scan().setReversed(draw.coin()).setStartRow(draw.row(), draw.bound()))) {
      rows.forEach(found::add);
    }
    return MetamorphicReads.text(found);
  }

  private String checkAndMutate(Table target, byte[] row, byte[] family, byte[] qualifier)
      throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.builder(row);
    switch (draw.number(6)) {
      case 0 -> check.ifNotExists(family, qualifier);
      case 1 -> check.ifExists(family, qualifier);
      case 2 -> check.ifMatches(Filters.qualifierPrefix(qualifier)).ifExists(family, qualifier);
      default ->
          check.ifMatches(
              family,
              qualifier,
              draw.pick(List.of(CompareOperator.values())),
              new byte[] {(byte) draw.number(256)});
    }
    if (draw.oneIn(4)) {
      check.setTimeRange(draw.time(), Long.MAX_VALUE);
    }
    byte[] texts = bytes(MetamorphicTable.THREE);
    RowMutations mutations =
        new RowMutations(row)
            .add(new Put(row).addColumn(family, qualifier, draw.value()))
            .add(new Append(row).addColumn(texts, bytes("y"), bytes("x")))
            .add(new Append(row).addColumn(texts, bytes("y"), bytes("z")));
    CheckAndMutateResult done = target.checkAndMutate(check.build(mutations));
    return "checked " + done.succeeded() + " " + MetamorphicReads.text(List.of(done.result()));
  }

  /** Takes a snapshot; if there are many, closes all of them, so that upkeep may reopen. */
  private void takeOrCloseSnapshots(Database database) throws IOException {
    if (snapshots.size() < SNAPSHOTS_MAX) {
      snapshots.add(database.snapshot());
    } else {
      closeSnapshots();
    }
  }

  private void closeSnapshots() {
    snapshots.forEach(Snapshot::close);
    snapshots.clear();
  }

  private WriteBatch batch() {
    WriteBatch batch = new WriteBatch();
    int changes = draw.oneIn(LARGE_BATCH_RARITY) ? 400 + draw.number(400) : 1 + draw.number(30);
    for (int i = 0; i < changes; i++) {
      byte[] row = draw.row();
      byte[] family = draw.family();
      byte[] qualifier = draw.qualifier();
      if (draw.oneIn(6)) {
        batch.delete(TABLE, new Delete(row).addColumns(family, qualifier));
      } else if (draw.oneIn(5)) {
        batch.merge(TABLE, count(row, qualifier));
      } else {
        batch.put(TABLE, expiring(new Put(row).addColumn(family, qualifier, draw.value())));
      }
    }
    return batch;
  }

  /** Gives some puts a time to live, where their family allows that. */
  private Put expiring(Put put) {
    boolean expires = draw.oneIn(3);
    long ttlMillis = 1 + draw.number(1_000);
    boolean allowed =
        put.cells().stream()
            .allMatch(
                cell -> MetamorphicTable.EXPIRING.contains(new String(cell.family(), US_ASCII)));
    return expires && allowed ? put.setTtlMillis(ttlMillis) : put;
  }

  private Merge count(byte[] row, byte[] qualifier) {
    byte[] operand = ByteBuffer.allocate(Long.BYTES).putLong(draw.number(100)).array();
    return new Merge(row).addColumn(bytes(MetamorphicTable.COUNTED), qualifier, operand);
  }

  /** Does what concerns many rows, and is rare. */
  private String operateOnMany(Database database, byte[] family) throws IOException {
    switch (draw.number(10)) {
      case 0 -> {
        if (draw.oneIn(4)) {
          database.truncateTable(TABLE);
        }
      }
      case 1, 2 -> {
        byte[] from = draw.row();
        byte[] to = draw.row();
        database
            .table(TABLE)
            .deleteRange(from, from.length < to.length ? to : MetamorphicDraw.shortened(to));
      }
      case 3 -> ingest(database, new String(family, StandardCharsets.US_ASCII));
      case 4, 5 -> {
        return alter(database);
      }
      default -> database.write(batch(), Durability.SYNC);
    }
    return "done";
  }

  /** Creates the temporary family, or lets it keep less, or drops it. */
  private String alter(Database database) throws IOException {
    TableDescriptor old = database.describe(TABLE);
    FamilyDescriptor temporary = old.family(MetamorphicTable.TEMPORARY);
    TableDescriptor altered;
    if (temporary == null) {
      altered = MetamorphicTable.withTemporary(old, draw);
    } else if (draw.coin()) {
      altered = MetamorphicTable.tightened(old, temporary, draw);
    } else {
      altered = MetamorphicTable.withoutTemporary(old);
    }
    database.alterTable(altered);
    draw.setFamilies(
        database.describe(TABLE).familyNames().stream()
            .filter(name -> !name.equals(MetamorphicTable.COUNTED))
            .toList());
    return "altered";
  }

  private void ingest(Database database, String family) throws IOException {
    NavigableMap<byte[], Long> timestamps = new TreeMap<>(Arrays::compareUnsigned);
    int rows = 1 + draw.number(20);
    for (int i = 0; i < rows; i++) {
      timestamps.put(draw.row(), draw.time());
    }
    byte[] qualifier = draw.qualifier();
    byte[] value = draw.value();
    Path file = Files.createTempFile("ingested", ".sst");
    Files.delete(file);
    try (SortedFileWriter writer =
        SortedFileWriter.create(file, database.describe(TABLE).family(family))) {
      for (Map.Entry<byte[], Long> row : timestamps.entrySet()) {
        writer.add(row.getKey(), qualifier, row.getValue(), value);
      }
      writer.finish();
      database.ingest(TABLE, family, List.of(file));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public String toString() {
    return (isOnFiles ? "on files, " : "")
        + options
        + ", "
        + upkeep
        + ", "
        + table
        + ", "
        + splits.length
        + " splits";
  }
}
