// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.KeyValueBatch;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A table of one family whose rows have one column without a name, seen as keys and values. */
public final class KeyValueTable implements KeyValueStore {
  private static final byte[] FAMILY_BYTES = FAMILY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] QUALIFIER = {};

  private final TableWriter writer;
  private final TableHandle table;

  public KeyValueTable(TableWriter writer, TableHandle table) {
    this.writer = writer;
    this.table = table;
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws IOException {
    return table.value(key, FAMILY_BYTES, QUALIFIER, null);
  }

  @Override
  public byte @Nullable [] get(byte[] key, Snapshot snapshot) throws IOException {
    return table.value(key, FAMILY_BYTES, QUALIFIER, Objects.requireNonNull(snapshot, "snapshot"));
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) throws IOException {
    List<Result> results = table.get(keys.stream().map(KeyValueTable::getOf).toList());
    List<byte @Nullable []> values = new ArrayList<>(results.size());
    for (Result result : results) {
      values.add(result.value(FAMILY_BYTES, QUALIFIER));
    }
    return values;
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
  public void delete(byte[] key) throws IOException {
    table.delete(deleteOf(key));
  }

  @Override
  public void delete(byte[] key, Durability durability) throws IOException {
    table.delete(deleteOf(key).setDurability(Objects.requireNonNull(durability, "durability")));
  }

  @Override
  public long increment(byte[] key, long amount) throws IOException {
    return table.increment(key, FAMILY_BYTES, QUALIFIER, amount);
  }

  @Override
  public KeyValueIterator range(byte @Nullable [] from, byte @Nullable [] to) throws IOException {
    return iterate(new Scan().withStartRow(orOpen(from)).withStopRow(orOpen(to)));
  }

  @Override
  public KeyValueIterator reverseRange(byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    return iterate(
        new Scan()
            .setReversed(true)
            .withStartRow(orOpen(to), false)
            .withStopRow(orOpen(from), true));
  }

  @Override
  public KeyValueIterator prefix(byte[] prefix) throws IOException {
    return iterate(new Scan().setRowPrefix(prefix));
  }

  @Override
  public KeyValueBatch writeBatch() {
    return new Batch();
  }

  private KeyValueIterator iterate(Scan scan) throws IOException {
    return new KeyValueScanner(table.scanRows(scan.addColumn(FAMILY_BYTES, QUALIFIER)));
  }

  private static byte[] orOpen(byte @Nullable [] bound) {
    return bound == null ? QUALIFIER : bound;
  }

  private static Get getOf(byte[] key) {
    return new Get(key).addColumn(FAMILY_BYTES, QUALIFIER);
  }

  private static Put putOf(byte[] key, byte[] value) {
    return new Put(key).addColumn(FAMILY_BYTES, QUALIFIER, value);
  }

  private static Delete deleteOf(byte[] key) {
    return new Delete(key).addColumns(FAMILY_BYTES, QUALIFIER);
  }

  private final class Batch implements KeyValueBatch {
    private final List<WriteBatch.Entry> writes = new ArrayList<>();

    @Override
    public KeyValueBatch put(byte[] key, byte[] value) {
      return add(putOf(key, value));
    }

    @Override
    public KeyValueBatch delete(byte[] key) {
      return add(deleteOf(key));
    }

    private KeyValueBatch add(Mutation mutation) {
      writes.add(new WriteBatch.Entry(name(), mutation));
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
      writer.write(writes, durability);
      writes.clear();
    }
  }
}
