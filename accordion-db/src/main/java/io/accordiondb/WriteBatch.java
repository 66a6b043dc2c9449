// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts, merges and deletes over any tables and families that become durable and visible together or
 * not at all; with {@link Durability#SKIP}, a crash may leave a part of them. Not thread-safe. A
 * batch may be cleared and used again.
 *
 * <pre>{@code
 * database.write(
 *     new WriteBatch()
 *         .put("orders", new Put(order).addColumn(family, state, sold))
 *         .delete("stock", new Delete(item)));
 * }</pre>
 */
public final class WriteBatch {
  /** One change of a batch. */
  public record Entry(String table, Mutation mutation) {}

  private static final byte[] FAMILY = KeyValueStore.FAMILY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NO_QUALIFIER = {};
  private static final byte[] NO_BOUND = {};

  private final List<Entry> entries = new ArrayList<>();

  /**
   * Adds a put.
   *
   * @param table the name of the table
   * @param put the put; not copied
   * @return this
   */
  public WriteBatch put(String table, Put put) {
    entries.add(
        new Entry(Objects.requireNonNull(table, "table"), Objects.requireNonNull(put, "put")));
    return this;
  }

  /**
   * Adds a merge.
   *
   * @param table the name of the table
   * @param merge the merge; not copied
   * @return this
   */
  public WriteBatch merge(String table, Merge merge) {
    entries.add(
        new Entry(Objects.requireNonNull(table, "table"), Objects.requireNonNull(merge, "merge")));
    return this;
  }

  /**
   * Adds a delete.
   *
   * @param table the name of the table
   * @param delete the delete; not copied
   * @return this
   */
  public WriteBatch delete(String table, Delete delete) {
    entries.add(
        new Entry(
            Objects.requireNonNull(table, "table"), Objects.requireNonNull(delete, "delete")));
    return this;
  }

  /**
   * Adds the deletion of a range of rows. It does not affect changes that are added to the batch
   * after it.
   *
   * @param table the name of the table
   * @param range the deletion; not copied
   * @return this
   */
  public WriteBatch deleteRange(String table, DeleteRange range) {
    entries.add(
        new Entry(Objects.requireNonNull(table, "table"), Objects.requireNonNull(range, "range")));
    return this;
  }

  /**
   * Adds a put of a value into a store of the same database.
   *
   * @param store a store of the same database
   * @param key the key, 1 to 32,767 bytes; not copied
   * @param value the value; may be empty; not copied
   * @return this
   */
  public WriteBatch put(KeyValueStore store, byte[] key, byte[] value) {
    return put(
        Objects.requireNonNull(store, "store").name(),
        new Put(key).addColumn(FAMILY, NO_QUALIFIER, value));
  }

  /**
   * Adds a put of a value that expires into a store of the same database; see {@link
   * KeyValueStore#put(byte[], byte[], long)}.
   *
   * @param store a store of the same database
   * @param key the key, 1 to 32,767 bytes; not copied
   * @param value the value; may be empty; not copied
   * @param ttlMillis the time to live in milliseconds
   * @return this
   */
  public WriteBatch put(KeyValueStore store, byte[] key, byte[] value, long ttlMillis) {
    return put(
        Objects.requireNonNull(store, "store").name(),
        new Put(key).addColumn(FAMILY, NO_QUALIFIER, value).setTtlMillis(ttlMillis));
  }

  /**
   * Adds an operand for a key of a store of the same database.
   *
   * @param store a store of the same database
   * @param key the key, 1 to 32,767 bytes; not copied
   * @param operand the operand, in the form that the merge operator expects; not copied
   * @return this
   */
  public WriteBatch merge(KeyValueStore store, byte[] key, byte[] operand) {
    return merge(
        Objects.requireNonNull(store, "store").name(),
        new Merge(key).addColumn(FAMILY, NO_QUALIFIER, operand));
  }

  /**
   * Adds the deletion of a key from a store of the same database.
   *
   * @param store a store of the same database
   * @param key the key, 1 to 32,767 bytes; not copied
   * @return this
   */
  public WriteBatch delete(KeyValueStore store, byte[] key) {
    return delete(
        Objects.requireNonNull(store, "store").name(),
        new Delete(key).addColumns(FAMILY, NO_QUALIFIER));
  }

  /**
   * Adds the deletion of a range of keys of a store of the same database. It does not affect
   * changes that are added to the batch after it.
   *
   * @param from the first key, inclusive; null or empty for the beginning
   * @param to the key before which the range ends; null or empty for the end
   * @param store a store of the same database
   * @return this
   */
  public WriteBatch deleteRange(KeyValueStore store, byte @Nullable [] from, byte @Nullable [] to) {
    return deleteRange(
        Objects.requireNonNull(store, "store").name(),
        new DeleteRange(from == null ? NO_BOUND : from, to == null ? NO_BOUND : to));
  }

  /** {@return the changes in order} */
  public List<Entry> entries() {
    return Collections.unmodifiableList(entries);
  }

  /** {@return the number of changes} */
  public int size() {
    return entries.size();
  }

  /** Removes all changes. */
  public void clear() {
    entries.clear();
  }
}
