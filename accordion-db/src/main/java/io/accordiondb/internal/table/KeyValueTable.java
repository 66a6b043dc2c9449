// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Get;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueBatch;
import io.accordiondb.KeyValueReads;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Merge;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.Snapshot;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The key-value view of a table with one family and one column without a name in each row. */
public final class KeyValueTable extends KeyValueReader implements KeyValueStore {
  private final TableWrites writer;
  private final TableHandle table;

  public KeyValueTable(TableWrites writer, TableHandle table) {
    super(table, null);
    this.writer = writer;
    this.table = table;
  }

  /** Throws an exception if a table does not have the family of key-value stores. */
  public static void requireFamily(TableDescriptor table) throws FamilyNotFoundException {
    if (table.family(FAMILY) == null) {
      throw new FamilyNotFoundException(table.name(), FAMILY, table.familyNames());
    }
  }

  @Override
  public KeyValueReads at(Snapshot snapshot) {
    return new KeyValueReader(table, Objects.requireNonNull(snapshot, "snapshot"));
  }

  @Override
  public void put(byte[] key, byte[] value) throws IOException {
    table.put(putOf(key, value));
  }

  @Override
  public void put(byte[] key, byte[] value, Durability durability) throws IOException {
    table.put(putOf(key, value).setDurability(Objects.requireNonNull(durability, "durability")));
  }

  @Override
  public void put(byte[] key, byte[] value, long ttlMillis) throws IOException {
    table.put(putOf(key, value).setTtlMillis(ttlMillis));
  }

  @Override
  public void putAll(Collection<KeyValue> entries) throws IOException {
    List<Put> puts = new ArrayList<>(Objects.requireNonNull(entries, "entries").size());
    for (KeyValue entry : entries) {
      puts.add(putOf(entry.key(), entry.value()));
    }
    table.put(puts);
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) throws IOException {
    Put put = putOf(key, value);
    return modify(put, stored -> stored == null ? put : null);
  }

  @Override
  public byte @Nullable [] replace(byte[] key, byte[] value) throws IOException {
    Put put = putOf(key, value);
    return modify(put, stored -> stored == null ? null : put);
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] value)
      throws IOException {
    Mutation change = value == null ? deleteOf(key) : putOf(key, value);
    byte[] found = modify(change, stored -> Arrays.equals(stored, expected) ? change : null);
    return Arrays.equals(found, expected);
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) throws IOException {
    Put put = putOf(key, value);
    return modify(put, stored -> put);
  }

  /**
   * Changes a key depending on its value, atomically, and returns the value before. A change of a
   * version that is dated ahead has its timestamp, because that version would hide a lower one.
   *
   * @param written the change that is written, if any is
   * @param change returns it, or null to change nothing. It may be called several times
   */
  private byte @Nullable [] modify(
      Mutation written, Function<byte @Nullable [], @Nullable Mutation> change) throws IOException {
    byte[] key = written.row();
    Get get = new Get(key).addColumn(FAMILY_BYTES, QUALIFIER);
    byte @Nullable [][] before = new byte[1][];
    writer.readModifyWrite(
        name(),
        key,
        null,
        MutationEncoder.bytesExpected(written),
        (state, read, target) -> {
          Cell stored = read.get(get).cell(FAMILY_BYTES, QUALIFIER);
          before[0] = stored == null ? null : stored.value();
          Mutation mutation = change.apply(before[0]);
          if (mutation == null) {
            return false;
          }
          if (stored != null && stored.timestamp() > read.nowMillis() && !merges(state)) {
            mutation = dated(mutation, read.written(stored));
          }
          Mutations.add(state, mutation, read, target);
          return true;
        });
    return before[0];
  }

  private static boolean merges(TableState table) {
    FamilyDescriptor family = table.descriptor().family(FAMILY);
    return family != null && family.mergeOperator() != null;
  }

  private static Mutation dated(Mutation mutation, long timestamp) {
    byte[] key = mutation.row();
    return mutation instanceof Delete
        ? new Delete(key).addColumns(FAMILY_BYTES, QUALIFIER, timestamp)
        : new Put(key)
            .addColumn(FAMILY_BYTES, QUALIFIER, timestamp, mutation.cells().get(0).value());
  }

  @Override
  public void delete(byte[] key) throws IOException {
    table.delete(deleteOf(key));
  }

  @Override
  public void delete(byte[] key, Durability durability) throws IOException {
    table.delete(deleteOf(key).setDurability(Objects.requireNonNull(durability, "durability")));
  }

  @Override
  public void deleteRange(byte @Nullable [] from, byte @Nullable [] to) throws IOException {
    writeBatch().deleteRange(from, to).commit();
  }

  @Override
  public long increment(byte[] key, long amount) throws IOException {
    return table.increment(key, FAMILY_BYTES, QUALIFIER, amount);
  }

  @Override
  public void merge(byte[] key, byte[] operand) throws IOException {
    table.merge(new Merge(key).addColumn(FAMILY_BYTES, QUALIFIER, operand));
  }

  @Override
  public KeyValueBatch writeBatch() {
    return new Batch();
  }

  @Override
  public long approximateBytes() throws IOException {
    // Memory first: a flush in between is counted twice rather than missed.
    return sum(store -> store.memStore().usedBytes() + store.fileStatistics().bytes());
  }

  @Override
  public long approximateCount() throws IOException {
    return sum(store -> store.memStore().statistics().cells() + store.fileStatistics().cells());
  }

  private long sum(ToLongFunction<Store> figure) throws IOException {
    return table.stores(FAMILY_BYTES).stream().mapToLong(figure).sum();
  }

  private static Put putOf(byte[] key, byte[] value) {
    return new Put(key).addColumn(FAMILY_BYTES, QUALIFIER, value);
  }

  private static Delete deleteOf(byte[] key) {
    return new Delete(key).addColumns(FAMILY_BYTES, QUALIFIER);
  }

  private final class Batch implements KeyValueBatch {
    private final WriteBatch writes = new WriteBatch();

    @Override
    public KeyValueBatch put(byte[] key, byte[] value) {
      writes.put(KeyValueTable.this, key, value);
      return this;
    }

    @Override
    public KeyValueBatch put(byte[] key, byte[] value, long ttlMillis) {
      writes.put(KeyValueTable.this, key, value, ttlMillis);
      return this;
    }

    @Override
    public KeyValueBatch merge(byte[] key, byte[] operand) {
      writes.merge(KeyValueTable.this, key, operand);
      return this;
    }

    @Override
    public KeyValueBatch delete(byte[] key) {
      writes.delete(KeyValueTable.this, key);
      return this;
    }

    @Override
    public KeyValueBatch deleteRange(byte @Nullable [] from, byte @Nullable [] to) {
      writes.deleteRange(KeyValueTable.this, from, to);
      return this;
    }

    @Override
    public int size() {
      return writes.size();
    }

    @Override
    public void commit() throws IOException {
      write(null);
    }

    @Override
    public void commit(Durability durability) throws IOException {
      write(Objects.requireNonNull(durability, "durability"));
    }

    private void write(@Nullable Durability durability) throws IOException {
      writer.write(writes.entries(), durability);
      writes.clear();
    }
  }
}
