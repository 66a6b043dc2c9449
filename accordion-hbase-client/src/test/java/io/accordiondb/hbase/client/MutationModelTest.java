// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random mutations of rows, conditional and combined ones too: the embedded table answers as a
 * region of HBase does, and holds the same afterwards. What docs/HBASE_CLIENT.md names as different
 * is left out: nothing is put below a delete marker, and no two mutations of a row's mutations are
 * about the same column.
 */
@Tag("slow")
class MutationModelTest {
  private static final int RUNS = 4;
  private static final int OPERATIONS = 300;
  private static final int QUALIFIERS = 9;
  private static final long HOUR_MILLIS = 3_600_000;

  @TempDir Path folder;

  /** The time of HBase, which stands still during an operation. */
  private long now = System.currentTimeMillis();

  private final Set<String> used = new HashSet<>();
  private Random random = new Random();
  private RandomFilters filters = new RandomFilters(random);

  @AfterEach
  void resetTime() {
    EnvironmentEdgeManager.reset();
  }

  @Test
  void mutationsAnswerAsARegionDoes() throws IOException {
    for (int i = 0; i < RUNS; i++) {
      check(new Random().nextLong(), OPERATIONS, folder.resolve("region" + i));
    }
  }

  @Test
  @Tag("long")
  void manyMutationsAnswerAsARegionDoes() throws IOException {
    for (int i = 0; i < 50 * RUNS; i++) {
      check(new Random().nextLong(), 10 * OPERATIONS, folder.resolve("region" + i));
    }
  }

  private void check(long seed, int operations, Path place) throws IOException {
    random = new Random(seed);
    filters = new RandomFilters(random);
    EnvironmentEdgeManager.injectEdge(() -> now);
    try (Connection connection = TestTables.memory();
        Table table = TestTables.create(connection, TABLE, 100_000, "f", "g");
        HBaseRegion hbase = HBaseRegion.create(table.getDescriptor(), place)) {
      for (int i = 0; i < operations; i++) {
        now += 2;
        used.clear();
        Row operation = operation();
        String what = "seed " + seed + ", operation " + i + ": " + operation;
        String expected = text(() -> execute(hbase.region(), copy(operation)));
        assertThat(text(() -> execute(table, operation))).as(what).isEqualTo(expected);
        Get all = new Get(operation.getRow()).readAllVersions();
        assertThat(TestTables.cells(table.get(all)))
            .as(what)
            .isEqualTo(TestTables.cells(hbase.region().get(all)));
      }
    }
  }

  private String row() {
    return "r" + random.nextInt(5);
  }

  /** Returns a column that no other mutation of the same operation has. */
  private byte[][] column() {
    while (true) {
      String family = filters.family();
      String qualifier = "q" + random.nextInt(QUALIFIERS);
      if (used.add(family + qualifier)) {
        return new byte[][] {b(family), b(qualifier)};
      }
    }
  }

  /**
   * Takes all columns of a family, if the operation has no other one of it and of no family yet.
   */
  private boolean takeFamily(byte[] family) {
    String name = Bytes.toString(family);
    boolean taken =
        random.nextInt(3) == 0
            && used.stream().filter(each -> each.startsWith(name)).count() == 1
            && used.size() < QUALIFIERS;
    for (int i = 0; taken && i < QUALIFIERS; i++) {
      used.add(name + "q" + i);
    }
    return taken;
  }

  private Row operation() throws IOException {
    byte[] row = b(row());
    return switch (random.nextInt(4)) {
      case 0 -> mutation(row);
      case 1 -> mutations(row);
      default -> conditional(row);
    };
  }

  private RowMutations mutations(byte[] row) throws IOException {
    RowMutations mutations = new RowMutations(row);
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      mutations.add(mutation(row));
    }
    return mutations;
  }

  private Mutation mutation(byte[] row) throws IOException {
    Mutation mutation =
        switch (random.nextInt(5)) {
          case 0 -> delete(row);
          case 1 -> increment(row);
          case 2 -> append(row);
          default -> put(row);
        };
    // HBase fails at an assertion of its own if an increment has one and nothing is stored.
    if (mutation instanceof Put && random.nextInt(4) == 0) {
      mutation.setTTL(HOUR_MILLIS + random.nextInt(100));
    }
    return mutation.setDurability(Durability.SKIP_WAL);
  }

  private Put put(byte[] row) throws IOException {
    Put put = new Put(row);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      byte[][] column = column();
      // A number, so that it can be counted up, or a short text.
      byte[] value =
          random.nextInt(3) > 0 ? Bytes.toBytes((long) random.nextInt(4)) : b(filters.value());
      put.addColumn(column[0], column[1], now - random.nextInt(2), value);
    }
    return put;
  }

  private Delete delete(byte[] row) {
    Delete delete = new Delete(row);
    byte[][] column = column();
    // Nothing is put at or below the time of a marker later.
    long timestamp = now - 2 - random.nextInt(40);
    switch (takeFamily(column[0]) ? random.nextInt(2) : 2 + random.nextInt(3)) {
      case 0 -> delete.addFamily(column[0], timestamp);
      case 1 -> delete.addFamilyVersion(column[0], timestamp);
      case 2 -> delete.addColumns(column[0], column[1], timestamp);
      case 3 -> delete.addColumn(column[0], column[1], timestamp);
      default -> delete.addColumn(column[0], column[1]);
    }
    return delete;
  }

  private Increment increment(byte[] row) throws IOException {
    Increment increment = new Increment(row);
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      byte[][] column = column();
      increment.addColumn(column[0], column[1], random.nextInt(3) - 1L);
    }
    if (random.nextInt(4) == 0) {
      increment.setTimeRange(now - random.nextInt(40), Long.MAX_VALUE);
    }
    increment.setReturnResults(random.nextInt(4) > 0);
    return increment;
  }

  private Append append(byte[] row) throws IOException {
    Append append = new Append(row);
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      byte[][] column = column();
      append.addColumn(column[0], column[1], b("a"));
    }
    if (random.nextInt(4) == 0) {
      append.setTimeRange(now - random.nextInt(40), Long.MAX_VALUE);
    }
    append.setReturnResults(random.nextInt(4) > 0);
    return append;
  }

  private CheckAndMutate conditional(byte[] row) throws IOException {
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(row);
    byte[] family = b(filters.family());
    byte[] qualifier = b("q" + random.nextInt(QUALIFIERS));
    switch (random.nextInt(5)) {
      case 0 -> builder.ifNotExists(family, qualifier);
      case 1 -> builder.ifEquals(family, qualifier, value());
      case 2 -> builder.ifMatches(family, qualifier, operator(), value());
      default -> {
        Filter filter = filters.next(false, true);
        builder.ifMatches(filter);
      }
    }
    if (random.nextInt(4) == 0) {
      long from = now - random.nextInt(40);
      builder.timeRange(TimeRange.between(from, from + 1 + random.nextInt(40)));
    }
    if (random.nextInt(3) == 0) {
      return builder.build(mutations(row));
    }
    Mutation mutation = mutation(row);
    if (mutation instanceof Put put) {
      return builder.build(put);
    } else if (mutation instanceof Delete delete) {
      return builder.build(delete);
    } else if (mutation instanceof Increment increment) {
      return builder.build(increment);
    }
    return builder.build((Append) mutation);
  }

  private byte[] value() {
    return switch (random.nextInt(4)) {
      case 0 -> b(filters.value());
      case 1 -> new byte[0];
      default -> Bytes.toBytes((long) random.nextInt(4));
    };
  }

  private CompareOperator operator() {
    CompareOperator[] operators = CompareOperator.values();
    CompareOperator operator = operators[random.nextInt(operators.length)];
    return operator == CompareOperator.NO_OP ? CompareOperator.EQUAL : operator;
  }

  /** Copies an operation, because a region writes timestamps into its cells. */
  private static Row copy(Row operation) throws IOException {
    if (operation instanceof RowMutations many) {
      return copy(many);
    } else if (operation instanceof CheckAndMutate change) {
      CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(change.getRow());
      if (change.hasFilter()) {
        builder.ifMatches(ProtobufUtil.toFilter(ProtobufUtil.toFilter(change.getFilter())));
      } else {
        builder.ifMatches(
            change.getFamily(), change.getQualifier(), change.getCompareOp(), change.getValue());
      }
      builder.timeRange(change.getTimeRange());
      Row action = change.getAction();
      if (action instanceof RowMutations many) {
        return builder.build(copy(many));
      } else if (action instanceof Put put) {
        return builder.build(new Put(put));
      } else if (action instanceof Delete delete) {
        return builder.build(new Delete(delete));
      } else if (action instanceof Increment increment) {
        return builder.build(new Increment(increment));
      }
      return builder.build(new Append((Append) action));
    }
    return copy((Mutation) operation);
  }

  private static RowMutations copy(RowMutations mutations) throws IOException {
    RowMutations copy = new RowMutations(mutations.getRow());
    for (Mutation mutation : mutations.getMutations()) {
      copy.add(copy(mutation));
    }
    return copy;
  }

  private static Mutation copy(Mutation mutation) {
    if (mutation instanceof Put put) {
      return new Put(put);
    } else if (mutation instanceof Delete delete) {
      return new Delete(delete);
    } else if (mutation instanceof Increment increment) {
      return new Increment(increment);
    }
    return new Append((Append) mutation);
  }

  private static Object execute(HRegion region, Row operation) throws IOException {
    if (operation instanceof RowMutations many) {
      return region.mutateRow(many);
    } else if (operation instanceof CheckAndMutate change) {
      return region.checkAndMutate(change);
    } else if (operation instanceof Put put) {
      region.put(put);
      return Result.EMPTY_RESULT;
    } else if (operation instanceof Delete delete) {
      region.delete(delete);
      return Result.EMPTY_RESULT;
    } else if (operation instanceof Increment increment) {
      return region.increment(increment);
    }
    return region.append((Append) operation);
  }

  private static Object execute(Table table, Row operation) throws IOException {
    if (operation instanceof RowMutations many) {
      return table.mutateRow(many);
    } else if (operation instanceof CheckAndMutate change) {
      return table.checkAndMutate(change);
    } else if (operation instanceof Put put) {
      table.put(put);
      return Result.EMPTY_RESULT;
    } else if (operation instanceof Delete delete) {
      table.delete(delete);
      return Result.EMPTY_RESULT;
    } else if (operation instanceof Increment increment) {
      return table.increment(increment);
    }
    return table.append((Append) operation);
  }

  /** An operation that answers or throws. */
  private interface Call {
    Object run() throws IOException;
  }

  private static String text(Call call) {
    try {
      Object answer = call.run();
      if (answer instanceof CheckAndMutateResult checked) {
        return checked.isSuccess() + " " + text(checked.getResult());
      }
      return text((Result) answer);
    } catch (RetriesExhaustedWithDetailsException e) {
      return "threw " + TestTables.failure(e.getCause(0));
    } catch (IOException | RuntimeException e) {
      return "threw " + TestTables.failure(e);
    }
  }

  private static String text(Result result) {
    List<String> cells = new ArrayList<>();
    if (result != null && result.rawCells() != null) {
      for (Cell cell : result.rawCells()) {
        cells.add(TestTables.text(cell));
      }
    }
    // A region returns those of different mutations as they come, in which a result finds nothing.
    cells.sort(null);
    return cells.toString();
  }
}
