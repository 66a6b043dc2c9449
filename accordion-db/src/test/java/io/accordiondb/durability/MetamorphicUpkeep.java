// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.Database;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.Lulls;
import io.accordiondb.internal.engine.StorageOperations;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Opens the database of a metamorphic run, and does between its operations what must not be seen in
 * their answers: flushes, compactions, lulls, other formats and regions, copies, all of these while
 * the storage fails, closing and opening.
 *
 * <p>It has a random source of its own, and takes nothing from that of the operations.
 */
final class MetamorphicUpkeep {
  /** A table that no operation uses. */
  private static final TableDescriptor SPARE = TableDescriptor.of("spare", "f");

  /** A copy of the table that the operations use. */
  private static final String COPY = "copy";

  private static final byte[] SPARE_BYTES = {'f'};

  /** What can fail. Names are looked up and files renamed so rarely that most faults would miss. */
  private static final List<Operation> FAILING =
      List.of(
          Operation.CREATE,
          Operation.OPEN,
          Operation.READ,
          Operation.APPEND,
          Operation.SYNC,
          Operation.CLOSE,
          Operation.DELETE,
          Operation.SYNC_DIRECTORY);

  private static final int FAILING_OPERATION_MAX = 6;
  private static final int FAILURES_MAX = 4;

  private final DatabaseOptions options;
  private final @Nullable RandomGenerator choice;
  private final int rarity;
  private boolean mayLoseChanges;
  private FaultyStorage storage = new FaultyStorage(new MemoryStorage());

  /**
   * Creates upkeep of a database that does not exist yet.
   *
   * @param choice of what is done and when; null for nothing at all
   */
  MetamorphicUpkeep(DatabaseOptions options, @Nullable RandomGenerator choice) {
    this.options = options;
    this.mayLoseChanges = dropsLogs(options);
    this.choice = choice;
    this.rarity = choice == null ? 0 : 1 + choice.nextInt(60);
  }

  private static boolean dropsLogs(DatabaseOptions options) {
    return options.logRetention().isZero() || options.logRetentionBytesMax() < Long.MAX_VALUE;
  }

  /** Returns whether the database has had options with which it drops logs that a feed needs. */
  boolean mayLoseChanges() {
    return mayLoseChanges;
  }

  /** Opens the database for the first time. */
  Database begin(Storage disk) throws IOException {
    storage = new FaultyStorage(disk);
    Database database = open();
    database.createTable(SPARE);
    return database;
  }

  private Database open() throws IOException {
    return DatabaseEngine.open(storage, options);
  }

  /**
   * Does some upkeep, or none.
   *
   * @param mayReopen whether there is no snapshot, which would be lost
   * @return the database, which may be another instance
   */
  Database next(Database database, boolean mayReopen) throws IOException {
    if (choice == null || choice.nextInt(rarity) > 0) {
      return database;
    }
    if (!mayReopen || choice.nextBoolean()) {
      maintain(database, choice);
      return database;
    }
    if (choice.nextBoolean()) {
      return failing(database, choice);
    }
    database.close();
    return open();
  }

  private void maintain(Database database, RandomGenerator choice) throws IOException {
    String table = MetamorphicTable.NAME;
    switch (choice.nextInt(32)) {
      case 0, 1, 2 -> database.flush();
      case 3, 4, 5 -> database.compact(table);
      case 25 -> database.cancelCompactions();
      case 26 -> database.splitRegionAtMiddle(table, MetamorphicDraw.row(choice));
      case 6, 7 -> database.majorCompact(table);
      case 8, 9, 10, 11 ->
          database.splitRegion(table, MetamorphicDraw.shortened(MetamorphicDraw.row(choice)));
      case 12, 13, 14 -> database.mergeRegions(table, MetamorphicDraw.row(choice));
      case 15, 16, 17 ->
          database.alterTable(MetamorphicTable.reformatted(database.describe(table), choice));
      case 18 -> compareWithCopy(database);
      case 24 -> compareWithTableCopy(database, choice);
      case 19, 20 ->
          database.reconfigure(
              now -> {
                DatabaseOptions changed = MetamorphicOptions.changed(now, choice).build();
                mayLoseChanges |= dropsLogs(changed);
                return MetamorphicOptions.withRoom(changed);
              });
      case 21, 22 -> Lulls.seal(database, table);
      case 23 -> Lulls.pass(database, table);
      default -> database.flushInMemory(table);
    }
  }

  /** Opens a checkpoint, which must hold what the database holds. */
  private void compareWithCopy(Database database) throws IOException {
    MemoryStorage target = new MemoryStorage();
    StorageOperations.checkpoint(database, target);
    long now = options.clock().millis();
    List<Result> original = MetamorphicReads.all(database, now);
    try (Database opened = DatabaseEngine.open(target, options)) {
      assertSame(original, MetamorphicReads.all(opened, now));
    }
  }

  /** Copies the table, in other formats, and drops the copy. */
  private void compareWithTableCopy(Database database, RandomGenerator choice) throws IOException {
    if (database.exists(COPY)) {
      // A failing storage has ended an earlier comparison.
      database.dropTable(COPY);
    }
    TableDescriptor.Builder copy = TableDescriptor.builder(COPY);
    MetamorphicTable.reformatted(database.describe(MetamorphicTable.NAME), choice)
        .families()
        .forEach(copy::family);
    database.copyTable(MetamorphicTable.NAME, copy.build());
    long now = options.clock().millis();
    List<Result> original = MetamorphicReads.all(database, MetamorphicTable.NAME, now);
    assertSame(original, MetamorphicReads.all(database, COPY, now));
    database.majorCompact(COPY);
    assertSame(original, MetamorphicReads.all(database, COPY, now));
    database.dropTable(COPY);
  }

  private static void assertSame(List<Result> original, List<Result> copy) {
    if (!copy.equals(original)) {
      throw new AssertionError("the copy differs: " + firstDifference(original, copy));
    }
  }

  private static String firstDifference(List<Result> original, List<Result> copy) {
    int row = 0;
    while (row < original.size() && row < copy.size() && original.get(row).equals(copy.get(row))) {
      row++;
    }
    return String.format(
        "%d results instead of %d; result %d is %s instead of %s",
        copy.size(),
        original.size(),
        row,
        row < copy.size() ? copy.get(row) : "none",
        row < original.size() ? original.get(row) : "none");
  }

  /**
   * Does upkeep while the storage fails, once or for a while. If the database says that it has
   * failed, it is opened again.
   */
  private Database failing(Database database, RandomGenerator choice) throws IOException {
    // Hands all that was written to the operating system: what is only in the memory of the log
    // may be lost when the log fails.
    write(database, Durability.SYNC);
    Set<Operation> kinds = Set.of(FAILING.get(choice.nextInt(FAILING.size())));
    int first = 1 + choice.nextInt(FAILING_OPERATION_MAX);
    switch (choice.nextInt(3)) {
      case 0 -> storage.failOnce(kinds, first);
      case 1 -> storage.failFor(kinds, first, 1 + choice.nextInt(FAILURES_MAX));
      default -> storage.failForEver(kinds, first);
    }
    try {
      maintain(database, choice);
    } catch (IOException e) {
      // Expected; nothing that was written may be missing for it.
    } finally {
      storage.count(Set.of());
    }
    try {
      // FSYNC waits for the background's sync of closed logs, which may just be failing.
      write(database, Durability.FSYNC);
      // Waits for the background's own commit to the manifest, which may just be failing.
      database.alterTable(SPARE);
      if (choice.nextBoolean()) {
        // What could not be flushed before; else it stays in memory for now.
        database.flush();
      }
      return database;
    } catch (DatabaseFailedException e) {
      return openAfterFailure(database);
    }
  }

  /** Writes to the table that no operation uses. */
  static void write(Database database, Durability durability) throws IOException {
    Put put = new Put(SPARE_BYTES).addColumn(SPARE_BYTES, SPARE_BYTES, SPARE_BYTES);
    database.write(new WriteBatch().put(SPARE.name(), put), durability);
  }

  private Database openAfterFailure(Database database) throws IOException {
    try {
      database.close();
    } catch (DatabaseFailedException e) {
      // Said once more, as documented.
    }
    return open();
  }

  @Override
  public String toString() {
    return choice == null ? "no upkeep" : "upkeep after one operation in " + rarity;
  }
}
