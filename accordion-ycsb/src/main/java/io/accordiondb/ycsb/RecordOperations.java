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
  /** Reads fields of a record, all if they are null. */
  Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result)
      throws IOException;

  /** Reads fields of up to a number of records from a key on. */
  Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      List<HashMap<String, ByteIterator>> result)
      throws IOException;

  /** Changes fields of a record. */
  Status update(String table, String key, Map<String, ByteIterator> values) throws IOException;

  /** Writes a record. */
  Status insert(String table, String key, Map<String, ByteIterator> values) throws IOException;

  /** Deletes a record. */
  Status delete(String table, String key) throws IOException;
}
