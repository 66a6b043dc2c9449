// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Append;
import io.accordiondb.Cell;
import io.accordiondb.CheckAndMutate;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.Get;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.RowMutations;
import io.accordiondb.Stages;
import io.accordiondb.WriteBatch;
import io.accordiondb.encoding.CellType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Random writes through the log, each of which also tells the model what it means. */
final class ModelWrites {
  /** What a range delete may delete at most: more than any timestamp that a cell may have. */
  private static final long ALL_TIMESTAMPS = Long.MAX_VALUE - 1;

  /** No batch gets more than this, so that it fits into a memory of 1 MiB. */
  private static final int BATCH_BYTES_MAX = 512 << 10;

  /** A tag that has no meaning to the database. */
  private static final byte[] TAGS = {0, 3, 65, 1, 2};

  private static final int[] BATCH_SIZES = {1, 2, 8, 60, 60, 400};

  private final Pair pair;

  ModelWrites(Pair pair) {
    this.pair = pair;
  }

  /** A column of a row, drawn at random. */
  private record Target(String table, byte[] row, byte[] family, byte[] qualifier) {
    static Target in(String table, Draw draw) {
      byte[] family = bytes(draw.pick(ModelTables.FAMILIES.get(table)));
      return new Target(table, draw.row(), family, draw.qualifier());
    }

    static Target any(Draw draw) {
      return in(draw.number(5) < 3 ? ModelTables.A : ModelTables.B, draw);
    }

    static Target ofFamily(String family, Draw draw) {
      return new Target(ModelTables.A, draw.row(), bytes(family), draw.qualifier());
    }

    Get get() {
      return new Get(row).addColumn(family, qualifier);
    }
  }

  void put(Draw draw) throws IOException {
    Target at = Target.any(draw);
    Put put = new Put(at.row).addColumn(at.family, at.qualifier, draw.value());
    write(at.table, expiring(draw, at, put));
  }

  /** Gives some puts a time to live, where their family allows that. */
  private static Put expiring(Draw draw, Target at, Put put) {
    boolean allowed = ModelTables.EXPIRING.contains(new String(at.family, US_ASCII));
    return draw.oneIn(3) && allowed ? put.setTtlMillis(1 + draw.number(3_000)) : put;
  }

  void putAt(Draw draw) throws IOException {
    Target at = Target.any(draw);
    long timestamp = draw.oneIn(4) ? draw.anyTimestamp() : draw.near();
    byte[] tags = draw.oneIn(8) ? TAGS : new byte[0];
    Put put = new Put(at.row).addColumn(at.family, at.qualifier, timestamp, draw.value(), tags);
    write(at.table, expiring(draw, at, put));
  }

  void deleteRow(Draw draw) throws IOException {
    Target at = Target.any(draw);
    write(at.table, draw.oneIn(2) ? new Delete(at.row) : new Delete(at.row, draw.anyTimestamp()));
  }

  void deleteFamily(Draw draw) throws IOException {
    Target at = Target.any(draw);
    write(at.table, new Delete(at.row).addFamily(at.family, draw.anyTimestamp()));
  }

  void deleteColumns(Draw draw) throws IOException {
    Target at = Target.any(draw);
    Delete delete = new Delete(at.row);
    write(
        at.table,
        draw.oneIn(2)
            ? delete.addColumns(at.family, at.qualifier)
            : delete.addColumns(at.family, at.qualifier, draw.anyTimestamp()));
  }

  void deleteVersion(Draw draw) throws IOException {
    Target at = Target.ofFamily(ModelTables.ALL, draw);
    write(at.table, new Delete(at.row).addColumn(at.family, at.qualifier, draw.near()));
  }

  void deleteFamilyVersion(Draw draw) throws IOException {
    Target at = Target.ofFamily(ModelTables.ALL, draw);
    write(at.table, new Delete(at.row).addFamilyVersion(at.family, draw.near()));
  }

  void deleteNewest(Draw draw) throws IOException {
    Target at = Target.ofFamily(ModelTables.ALL, draw);
    List<Cell> newest = stored(at);
    Delete delete = new Delete(at.row).addColumn(at.family, at.qualifier);
    pair.change(
        () -> pair.database().table(at.table).delete(delete),
        () -> {
          for (Cell cell : newest) {
            record(
                at.table, new Delete(at.row).addColumn(at.family, at.qualifier, cell.timestamp()));
          }
        });
  }

  void deleteRange(Draw draw) throws IOException {
    String table = Target.any(draw).table;
    byte[] start = draw.oneIn(6) ? new byte[0] : draw.row();
    byte[] stop = draw.oneIn(6) ? new byte[0] : draw.row();
    write(table, new DeleteRange(start, stop));
  }

  /** Puts a cell into each of the neighbouring rows. */
  void putNeighbours(Draw draw) throws IOException {
    byte[] family = bytes(draw.pick(ModelTables.FAMILIES.get(ModelTables.A)));
    byte[] qualifier = draw.shortQualifier();
    WriteBatch batch = new WriteBatch();
    for (byte[] row : Draw.neighbours()) {
      batch.put(ModelTables.A, new Put(row).addColumn(family, qualifier, new byte[] {1}));
    }
    pair.change(() -> pair.database().write(batch), () -> record(batch));
  }

  /** Deletes the neighbouring rows one by one. */
  void deleteNeighbours() throws IOException {
    WriteBatch batch = new WriteBatch();
    for (byte[] row : Draw.neighbours()) {
      batch.delete(ModelTables.A, new Delete(row));
    }
    pair.change(() -> pair.database().write(batch), () -> record(batch));
  }

  void batch(Draw draw) throws IOException {
    WriteBatch batch = batchOf(draw);
    pair.change(() -> pair.database().write(batch), () -> record(batch));
  }

  void batchAsync(Draw draw) throws IOException {
    WriteBatch batch = batchOf(draw);
    pair.change(() -> Stages.await(pair.database().writeAsync(batch)), () -> record(batch));
  }

  private WriteBatch batchOf(Draw draw) throws IOException {
    WriteBatch batch = new WriteBatch();
    int changes = BATCH_SIZES[draw.number(BATCH_SIZES.length)];
    int bytes = 0;
    for (int i = 0; i < changes; i++) {
      Target at = Target.any(draw);
      byte[] stop = draw.row();
      byte[] value = draw.value();
      boolean deletesRange = draw.oneIn(40);
      bytes +=
          deletesRange
              ? rangeBytes(at.table, at.row, stop)
              : at.row.length + at.qualifier.length + value.length;
      if (bytes > BATCH_BYTES_MAX) {
        break;
      }
      if (deletesRange) {
        batch.deleteRange(at.table, new DeleteRange(at.row, stop));
      } else if (draw.oneIn(9)) {
        batch.delete(at.table, new Delete(at.row).addColumns(at.family, at.qualifier));
      } else {
        Put put = new Put(at.row).addColumn(at.family, at.qualifier, value);
        batch.put(at.table, expiring(draw, at, put));
      }
    }
    return batch;
  }

  /** Returns how long the bounds of a range are, in every family of every region. */
  private int rangeBytes(String table, byte[] start, byte[] stop) throws IOException {
    int bounds = start.length + stop.length;
    for (byte[] region : pair.database().regionStarts(table)) {
      bounds += 2 * region.length;
    }
    return ModelTables.FAMILIES.get(table).size() * bounds;
  }

  private void record(WriteBatch batch) {
    batch.entries().forEach(entry -> record(entry.table(), entry.mutation()));
  }

  void checkAndMutate(Draw draw) throws IOException {
    Target at = Target.any(draw);
    List<Cell> stored = stored(at);
    byte[] value = draw.oneIn(3) || stored.isEmpty() ? null : stored.get(0).value();
    boolean holds = stored.isEmpty() || value != null;
    RowMutations mutations = new RowMutations(at.row);
    int count = 1 + draw.number(3);
    for (int i = 0; i < count; i++) {
      byte[] qualifier = i == 0 ? at.qualifier : draw.qualifier();
      mutations.add(
          draw.oneIn(3)
              ? new Delete(at.row).addColumns(at.family, qualifier)
              : new Put(at.row).addColumn(at.family, qualifier, draw.value()));
    }
    CheckAndMutate.Builder check = CheckAndMutate.builder(at.row);
    if (value == null) {
      check.ifNotExists(at.family, at.qualifier);
    } else {
      check.ifEquals(at.family, at.qualifier, value).ifExists(at.family, at.qualifier);
    }
    CheckAndMutate change = check.build(mutations);
    pair.change(
        () ->
            assertThat(pair.database().table(at.table).checkAndMutate(change).succeeded())
                .isEqualTo(holds),
        () -> {
          if (holds) {
            mutations.mutations().forEach(mutation -> record(at.table, mutation));
          }
        });
  }

  /** Changes a column without a name by what is stored in it, as a key with a value. */
  void keyValue(Draw draw) throws IOException {
    Target at = new Target(ModelTables.A, draw.row(), bytes(ModelTables.COUNTERS), new byte[0]);
    List<Cell> stored = stored(at);
    byte[] before = stored.isEmpty() ? null : stored.get(0).value();
    byte[] value = draw.value();
    int kind = draw.number(4);
    boolean written = kind > 1 || (kind == 0) == stored.isEmpty();
    pair.change(
        () -> {
          KeyValueStore store = pair.database().keyValueStore(at.table);
          switch (kind) {
            case 0 -> assertThat(store.putIfAbsent(at.row, value)).isEqualTo(before);
            case 1 -> assertThat(store.replace(at.row, value)).isEqualTo(before);
            case 2 -> assertThat(store.getAndPut(at.row, value)).isEqualTo(before);
            default -> assertThat(store.compareAndSet(at.row, before, value)).isTrue();
          }
        },
        () -> {
          if (written) {
            record(at, stored, value);
          }
        });
  }

  void increment(Draw draw) throws IOException {
    Target row = Target.ofFamily(ModelTables.COUNTERS, draw);
    Target at = new Target(row.table, row.row, row.family, bytes("counter"));
    List<Cell> stored = stored(at);
    long amount = draw.number(10_000);
    long sum = amount + (stored.isEmpty() ? 0 : ByteBuffer.wrap(stored.get(0).value()).getLong());
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(sum).array();
    pair.change(
        () ->
            assertThat(
                    pair.database()
                        .table(at.table)
                        .increment(at.row, at.family, at.qualifier, amount))
                .isEqualTo(sum),
        () -> record(at, stored, value));
  }

  void append(Draw draw) throws IOException {
    Target at = Target.any(draw);
    List<Cell> stored = stored(at);
    byte[] old = stored.isEmpty() ? new byte[0] : stored.get(0).value();
    byte[] suffix = {(byte) draw.number(256)};
    byte[] value = Arrays.copyOf(old, old.length + 1);
    value[old.length] = suffix[0];
    pair.change(
        () ->
            assertThat(
                    pair.database()
                        .table(at.table)
                        .append(new Append(at.row).addColumn(at.family, at.qualifier, suffix))
                        .value(at.family, at.qualifier))
                .isEqualTo(value),
        () -> record(at, stored, value));
  }

  /** Returns the newest version of a column, or nothing. */
  private List<Cell> stored(Target at) {
    return pair.expected().read(at.table, at.row, at.get(), pair.expected().sequence(), pair.now());
  }

  /** Records a new value of a column, which is never dated before the one it was made of. */
  private void record(Target at, List<Cell> stored, byte[] value) {
    long timestamp =
        stored.isEmpty() ? pair.writeTime() : Math.max(pair.writeTime(), stored.get(0).timestamp());
    pair.expected()
        .ingest(
            at.table,
            List.of(new Cell(at.row, at.family, at.qualifier, timestamp, CellType.PUT, value)));
  }

  private void write(String table, Mutation mutation) throws IOException {
    pair.change(
        () -> pair.database().table(table).mutate(List.of(mutation)),
        () -> record(table, mutation));
  }

  private void record(String table, Mutation mutation) {
    pair.expected().record(table, mutation, pair.writeTime());
  }
}
