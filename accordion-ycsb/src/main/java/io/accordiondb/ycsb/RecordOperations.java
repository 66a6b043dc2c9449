// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * YCSB's operations on records, which implementations store in different layouts. Belongs to one
 * thread.
 */
public interface RecordOperations extends Closeable {
  /**
   * Reads fields of a record.
   *
   * @param table YCSB's name of the table
   * @param key YCSB's key of the record
   * @param fields names of the fields to read; null for all
   * @param result receives the fields by name
   * @return {@link Status#OK}, or {@link Status#NOT_FOUND} if there is no such record
   * @throws IOException if the storage fails
   */
  Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result)
      throws IOException;

  /**
   * Reads fields of consecutive records, in the order of their keys.
   *
   * @param table YCSB's name of the table
   * @param startKey the first key, inclusive
   * @param count the highest number of records
   * @param fields names of the fields to read; null for all
   * @param result receives the fields of one record after another
   * @return {@link Status#OK}
   * @throws IOException if the storage fails
   */
  Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      List<HashMap<String, ByteIterator>> result)
      throws IOException;

  /**
   * Changes fields of a record. The other fields keep their values.
   *
   * @param table YCSB's name of the table
   * @param key YCSB's key of the record
   * @param values the fields to write, by name
   * @return {@link Status#OK}; {@link Status#NOT_FOUND} if the layout reads the record first and
   *     there is none
   * @throws IOException if the storage fails
   */
  Status update(String table, String key, Map<String, ByteIterator> values) throws IOException;

  /**
   * Writes a record.
   *
   * @param table YCSB's name of the table
   * @param key YCSB's key of the record
   * @param values the fields to write, by name
   * @return {@link Status#OK}
   * @throws IOException if the storage fails
   */
  Status insert(String table, String key, Map<String, ByteIterator> values) throws IOException;

  /**
   * Deletes a record, if it exists.
   *
   * @param table YCSB's name of the table
   * @param key YCSB's key of the record
   * @return {@link Status#OK}
   * @throws IOException if the storage fails
   */
  Status delete(String table, String key) throws IOException;
}
