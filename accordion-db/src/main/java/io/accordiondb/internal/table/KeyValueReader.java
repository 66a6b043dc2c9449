// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Bound;
import io.accordiondb.Get;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueCursor;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueReads;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Result;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a key-value table: one family, one column without a name in each row. Thread-safe. */
class KeyValueReader implements KeyValueReads {
  static final byte[] FAMILY_BYTES = KeyValueStore.FAMILY.getBytes(StandardCharsets.US_ASCII);
  static final byte[] QUALIFIER = {};

  private static final byte[] OPEN = {};

  private final TableHandle table;
  private final @Nullable Snapshot snapshot;

  /**
   * Creates reads.
   *
   * @param snapshot the snapshot to read, or null for the present
   */
  KeyValueReader(TableHandle table, @Nullable Snapshot snapshot) {
    this.table = table;
    this.snapshot = snapshot;
  }

  @Override
  public final String name() {
    return table.name();
  }

  @Override
  public final byte @Nullable [] get(byte[] key) throws IOException {
    return table.value(key, FAMILY_BYTES, QUALIFIER, snapshot);
  }

  @Override
  public final List<byte @Nullable []> multiGet(List<byte[]> keys) throws IOException {
    List<Get> gets = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      gets.add(new Get(key).addColumn(FAMILY_BYTES, QUALIFIER).setSnapshot(snapshot));
    }
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (Result result : table.get(gets)) {
      values.add(result.value(FAMILY_BYTES, QUALIFIER));
    }
    return values;
  }

  @Override
  public final KeyValueCursor cursor(byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    Scan scan = rangeOf(from, to);
    return new OpenKeyValueCursor(() -> scanRows(scan));
  }

  @Override
  public final KeyValueIterator range(byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    return iterate(rangeOf(from, to));
  }

  @Override
  public final KeyValueIterator reverseRange(byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    return iterate(
        new Scan()
            .setReversed(true)
            .setStartRow(orOpen(to), Bound.EXCLUSIVE)
            .setStopRow(orOpen(from), Bound.INCLUSIVE));
  }

  @Override
  public final KeyValueIterator prefix(byte[] prefix) throws IOException {
    return iterate(new Scan().setRowPrefix(Objects.requireNonNull(prefix, "prefix").clone()));
  }

  @Override
  public final @Nullable KeyValue first() throws IOException {
    return firstOf(new Scan());
  }

  @Override
  public final @Nullable KeyValue last() throws IOException {
    return firstOf(new Scan().setReversed(true));
  }

  @Override
  public final @Nullable KeyValue floor(byte[] key) throws IOException {
    // In a reversed scan, an empty bound would mean the end.
    return Objects.requireNonNull(key, "key").length == 0
        ? null
        : firstOf(new Scan().setReversed(true).setStartRow(key));
  }

  @Override
  public final @Nullable KeyValue ceiling(byte[] key) throws IOException {
    return firstOf(new Scan().setStartRow(Objects.requireNonNull(key, "key")));
  }

  /** Returns a scan of the keys of a range. */
  final Scan rangeOf(byte @Nullable [] from, byte @Nullable [] to) {
    return new Scan().setStartRow(orOpen(from)).setStopRow(orOpen(to));
  }

  private @Nullable KeyValue firstOf(Scan scan) throws IOException {
    try (KeyValueIterator found = iterate(scan)) {
      return found.hasNext() ? found.next() : null;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private KeyValueIterator iterate(Scan scan) throws IOException {
    return new KeyValueScanner(scanRows(scan));
  }

  private RowScanner scanRows(Scan scan) throws IOException {
    return table.scanRows(scan.addColumn(FAMILY_BYTES, QUALIFIER).setSnapshot(snapshot));
  }

  /** Returns a copy, because the caller may change its array while the scan is open. */
  private static byte[] orOpen(byte @Nullable [] bound) {
    return bound == null ? OPEN : bound.clone();
  }
}
