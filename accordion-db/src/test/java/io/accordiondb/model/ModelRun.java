// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.Get;
import io.accordiondb.RecoveryMode;
import io.accordiondb.Result;
import io.accordiondb.durability.MetamorphicOptions;
import io.accordiondb.internal.engine.Lulls;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.memstore.Policy;
import io.accordiondb.model.Operation.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A sequence of operations on two tables, each compared with what {@link HistoryModel} says. The
 * options of the database and the formats of its tables follow from a seed.
 */
final class ModelRun implements AutoCloseable {
  private static final List<RecoveryMode> AFTER_A_KILL =
      List.of(RecoveryMode.TOLERATE_TORN_TAIL, RecoveryMode.POINT_IN_TIME, RecoveryMode.SALVAGE);
  private static final List<RecoveryMode> AFTER_CLOSING = List.of(RecoveryMode.values());

  /** What is done while the storage fails. */
  private static final List<Kind> FAILING =
      List.of(
          Kind.PUT,
          Kind.BATCH,
          Kind.BATCH,
          Kind.BATCH_ASYNC,
          Kind.CHECK_AND_MUTATE,
          Kind.TRANSACTION,
          Kind.DELETE_RANGE,
          Kind.INGEST,
          Kind.INGEST,
          Kind.TRUNCATE,
          Kind.ALTER,
          Kind.COPY,
          Kind.SCAN,
          Kind.FLUSH,
          Kind.FLUSH,
          Kind.COMPACT,
          Kind.MAJOR,
          Kind.SPLIT,
          Kind.SPLIT,
          Kind.MERGE,
          Kind.MERGE,
          Kind.CHECKPOINT,
          Kind.REOPEN,
          Kind.KILL);

  private static final int FAILING_OPERATION_MAX = 12;

  /** What is done while a copy waits to follow: the log holds it, or it changes no answer. */
  private static final List<Kind> FOLLOWED =
      List.of(
          Kind.PUT,
          Kind.PUT_AT,
          Kind.DELETE_ROW,
          Kind.DELETE_FAMILY,
          Kind.DELETE_COLUMNS,
          Kind.DELETE_VERSION,
          Kind.DELETE_NEWEST,
          Kind.DELETE_FAMILY_VERSION,
          Kind.DELETE_RANGE,
          Kind.DELETE_ROWS,
          Kind.BATCH,
          Kind.BATCH_ASYNC,
          Kind.TRANSACTION,
          Kind.CHECK_AND_MUTATE,
          Kind.KEY_VALUE,
          Kind.INCREMENT,
          Kind.APPEND,
          Kind.TICK,
          Kind.FLUSH_IN_MEMORY,
          Kind.FLUSH,
          Kind.COMPACT,
          Kind.MAJOR,
          Kind.SPLIT,
          Kind.MERGE);

  private static final int FOLLOWED_MAX = 8;

  /** What no feed delivers, so that the feed does not tell whether a failure has prevented it. */
  private static final Set<Kind> UNSEEN = Set.of(Kind.INGEST, Kind.TRUNCATE, Kind.ALTER, Kind.COPY);

  private final Subject subject;
  private final Pair pair;
  private final ModelWrites writes;
  private final ModelTransactions transactions;
  private final ModelChanges changes;
  private final ModelCursors cursors;
  private final ModelReader reader;

  ModelRun(Policy policy, long seed, Path folder) throws IOException {
    subject = new Subject(policy, seed);
    pair = new Pair(subject);
    writes = new ModelWrites(pair);
    transactions = new ModelTransactions(pair);
    changes = new ModelChanges(pair, folder);
    cursors = new ModelCursors(pair);
    reader = new ModelReader(pair);
    SplittableRandom random = new SplittableRandom(seed);
    for (String table : List.of(ModelTables.A, ModelTables.B)) {
      pair.expected().create(ModelTables.table(table, random));
    }
    subject
        .database()
        .createTable(pair.expected().descriptor(ModelTables.A), bytes("r15"), bytes("r30"));
    subject.database().createTable(pair.expected().descriptor(ModelTables.B));
    pair.feed().begin(pair.expected());
  }

  /** Does an operation, which the feed then follows. */
  void apply(Operation operation) throws IOException {
    perform(operation);
    pair.feed().take(pair.expected());
  }

  private void perform(Operation operation) throws IOException {
    Draw draw = new Draw(operation, pair.now());
    switch (operation.kind()) {
      case PUT -> writes.put(draw);
      case PUT_AT -> writes.putAt(draw);
      case DELETE_ROW -> writes.deleteRow(draw);
      case DELETE_FAMILY -> writes.deleteFamily(draw);
      case DELETE_COLUMNS -> writes.deleteColumns(draw);
      case DELETE_VERSION -> writes.deleteVersion(draw);
      case DELETE_NEWEST -> writes.deleteNewest(draw);
      case DELETE_FAMILY_VERSION -> writes.deleteFamilyVersion(draw);
      case DELETE_RANGE -> writes.deleteRange(draw);
      case DELETE_ROWS -> deleteRows(draw);
      case BATCH -> writes.batch(draw);
      case BATCH_ASYNC -> writes.batchAsync(draw);
      case TRANSACTION -> transactions.run(draw);
      case CHECK_AND_MUTATE -> writes.checkAndMutate(draw);
      case KEY_VALUE -> writes.keyValue(draw);
      case INCREMENT -> writes.increment(draw);
      case APPEND -> writes.append(draw);
      case INGEST -> changes.ingest(draw);
      case TRUNCATE -> changes.truncate(draw);
      case ALTER -> changes.alter(draw);
      case COPY -> changes.copy(draw);
      case GET -> get(draw, 1);
      case MULTI_GET -> get(draw, 1 + draw.number(5));
      case SCAN -> scan(draw, false);
      case SNAPSHOT -> pair.takeSnapshot();
      case SNAPSHOT_READ -> scan(draw, true);
      case SNAPSHOT_CLOSE -> {
        if (!pair.snapshots().isEmpty()) {
          pair.closeSnapshot(draw.number(pair.snapshots().size()));
        }
      }
      case CURSOR -> cursors.use(draw);
      case TICK -> subject.tick(draw.number(draw.oneIn(10) ? 900 : 97));
      case FLUSH_IN_MEMORY -> pair.keep(draw, () -> database().flushInMemory(table(draw)));
      case LULL -> pair.keep(draw, () -> lull(draw));
      case FLUSH -> pair.keep(draw, () -> flush(draw));
      case COMPACT -> pair.keep(draw, () -> compact(draw));
      case MAJOR -> pair.keep(draw, () -> database().majorCompact(table(draw)));
      case SPLIT -> pair.keep(draw, () -> split(draw));
      case MERGE -> pair.keep(draw, () -> merge(draw));
      case RECONFIGURE -> pair.keep(draw, () -> reconfigure(draw));
      case CHECKPOINT -> checkCopy(subject.openCheckpoint());
      case READ_ONLY -> checkCopy(subject.openReadOnly());
      case REFRESH -> reader.refresh(draw);
      case ROLL_FORWARD -> rollForward(draw);
      case REOPEN -> pair.reopen(draw, draw.pick(AFTER_CLOSING));
      case KILL -> pair.kill(draw, draw.pick(AFTER_A_KILL));
      case FAULT -> fault(draw);
      case FEED -> pair.feed().check(pair.now());
    }
  }

  private Database database() {
    return subject.database();
  }

  private static String table(Draw draw) {
    return draw.oneIn(2) ? ModelTables.A : ModelTables.B;
  }

  private void get(Draw draw, int count) throws IOException {
    String table = table(draw);
    List<Get> gets = new ArrayList<>();
    List<List<?>> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] row = draw.row();
      Get get = ModelReads.get(table, row, draw);
      gets.add(get);
      expected.add(pair.expected().read(table, row, get, pair.expected().sequence(), pair.now()));
    }
    List<Result> found =
        count == 1
            ? List.of(database().table(table).get(gets.get(0)))
            : database().table(table).get(gets);
    assertThat(found.stream().map(Result::cells).toList()).isEqualTo(expected);
  }

  private void scan(Draw draw, boolean ofThePast) throws IOException {
    ModelReads.check(
        database(),
        pair.expected(),
        ModelReads.probe(ofThePast ? pair.snapshots() : List.of(), draw),
        pair.now());
  }

  /** Deletes neighbouring rows, so many that readers remember them and skip them. */
  private void deleteRows(Draw draw) throws IOException {
    writes.putNeighbours(draw);
    if (draw.oneIn(2)) {
      pair.keep(draw, () -> database().flush(ModelTables.A));
    }
    writes.deleteNeighbours();
    scan(draw, false);
  }

  private void flush(Draw draw) throws IOException {
    if (draw.oneIn(3)) {
      database().flush();
    } else {
      database().flush(table(draw));
    }
  }

  private void lull(Draw draw) throws IOException {
    if (draw.oneIn(2)) {
      Lulls.seal(database(), table(draw));
    } else {
      Lulls.pass(database(), table(draw));
    }
  }

  private void compact(Draw draw) throws IOException {
    if (draw.oneIn(6)) {
      database().cancelCompactions();
    }
    database().compact(table(draw));
  }

  private void split(Draw draw) throws IOException {
    String table = table(draw);
    byte[] row = draw.row();
    if (draw.oneIn(3)) {
      database().splitRegionAtMiddle(table, row);
    } else if (database().splitRegion(table, row)) {
      assertThat(database().regionStarts(table)).anyMatch(start -> Arrays.equals(start, row));
    }
  }

  private void merge(Draw draw) throws IOException {
    database().mergeRegions(table(draw), draw.row());
  }

  private void reconfigure(Draw draw) throws IOException {
    database().reconfigure(now -> MetamorphicOptions.changed(now, draw.random()));
  }

  private void checkCopy(Database copy) throws IOException {
    try (copy) {
      ModelReads.checkAll(copy, pair.expected(), pair.now());
    }
  }

  /** Has a copy follow the log past some operations. */
  private void rollForward(Draw draw) throws IOException {
    int count = 1 + draw.number(FOLLOWED_MAX);
    checkCopy(
        subject.openFollowed(
            () -> {
              for (int i = 0; i < count; i++) {
                perform(new Operation(draw.pick(FOLLOWED), draw.random().nextInt()));
              }
            }));
  }

  /** Does an operation while the storage fails, once or until it is over. */
  private void fault(Draw draw) throws IOException {
    FaultyStorage.Operation[] kinds = FaultyStorage.Operation.values();
    Set<FaultyStorage.Operation> failing =
        draw.oneIn(2) ? FaultyStorage.CHANGES : Set.of(kinds[draw.number(kinds.length)]);
    // Most operations do few of them.
    int first = 1 + draw.number(draw.oneIn(2) ? 2 : FAILING_OPERATION_MAX);
    boolean once = draw.oneIn(2);
    Operation operation = new Operation(draw.pick(FAILING), draw.random().nextInt());
    pair.whileFailing(
        () -> {
          if (once) {
            subject.storage().failOnce(failing, first);
          } else {
            subject.storage().failForEver(failing, first);
          }
        },
        () -> perform(operation),
        draw.random());
    changes.restoreFamilies(draw);
    if (UNSEEN.contains(operation.kind())) {
      pair.feed().begin(pair.expected());
    }
  }

  /** Checks all, also after closing, verifying, opening and compacting. */
  void finish() throws IOException {
    ModelReads.checkAll(database(), pair.expected(), pair.now());
    pair.feed().check(pair.now());
    reader.close();
    subject.close();
    assertThat(subject.problems()).isEmpty();
    subject.open(RecoveryMode.ABSOLUTE);
    ModelReads.checkAll(database(), pair.expected(), pair.now());
    pair.feed().take(pair.expected());
    pair.feed().check(pair.now());
    for (String table : pair.expected().tables()) {
      database().majorCompact(table);
    }
    ModelReads.checkAll(database(), pair.expected(), pair.now());
  }

  @Override
  public void close() throws IOException {
    cursors.close();
    reader.close();
    pair.feed().close();
    subject.close();
  }
}
