// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * Stores records as single values: an update reads the record, changes it and writes it, as in
 * YCSB's own bindings to key-value stores. As there, one of two concurrent updates of a record may
 * be lost.
 */
public final class ValueOperations implements RecordOperations {
  private final Values values;

  /**
   * Creates operations on values.
   *
   * @param values the values; closed with the operations
   */
  public ValueOperations(Values values) {
    this.values = values;
  }

  /** The key-value operations of one thread. */
  public interface Values extends Closeable {
    /**
     * Returns the value of a key, or null.
     *
     * @param table YCSB's name of the table
     * @param key the key
     * @return the value, or null if there is none
     * @throws IOException if the storage fails
     */
    byte @Nullable [] get(String table, byte[] key) throws IOException;

    /**
     * Reads consecutive values, in the order of their keys.
     *
     * @param table YCSB's name of the table
     * @param fromKey the first key, inclusive
     * @param count the highest number of values
     * @return the values
     * @throws IOException if the storage fails
     */
    List<byte[]> scan(String table, byte[] fromKey, int count) throws IOException;

    /**
     * Writes a value.
     *
     * @param table YCSB's name of the table
     * @param key the key
     * @param value the value
     * @throws IOException if the storage fails
     */
    void put(String table, byte[] key, byte[] value) throws IOException;

    /**
     * Deletes a key, if it exists.
     *
     * @param table YCSB's name of the table
     * @param key the key
     * @throws IOException if the storage fails
     */
    void delete(String table, byte[] key) throws IOException;
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result)
      throws IOException {
    byte[] record = values.get(table, bytes(key));
    if (record == null) {
      return Status.NOT_FOUND;
    }
    copy(record, fields, result);
    return Status.OK;
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      List<HashMap<String, ByteIterator>> result)
      throws IOException {
    for (byte[] record : values.scan(table, bytes(startKey), count)) {
      HashMap<String, ByteIterator> found = new HashMap<>();
      copy(record, fields, found);
      result.add(found);
    }
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> changed)
      throws IOException {
    byte[] record = values.get(table, bytes(key));
    if (record == null) {
      return Status.NOT_FOUND;
    }
    return put(table, key, RecordCodec.decode(record), changed);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> inserted)
      throws IOException {
    return put(table, key, new HashMap<>(), inserted);
  }

  private Status put(
      String table, String key, Map<String, byte[]> fields, Map<String, ByteIterator> changed)
      throws IOException {
    changed.forEach((name, value) -> fields.put(name, value.toArray()));
    values.put(table, bytes(key), RecordCodec.encode(fields));
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) throws IOException {
    values.delete(table, bytes(key));
    return Status.OK;
  }

  @Override
  public void close() throws IOException {
    values.close();
  }

  private static void copy(
      byte[] record, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    RecordCodec.decode(record)
        .forEach(
            (name, value) -> {
              if (fields == null || fields.contains(name)) {
                result.put(name, new ByteArrayByteIterator(value));
              }
            });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
