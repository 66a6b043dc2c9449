// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * The base of YCSB clients, which delegates the operations to {@link RecordOperations}. Each thread
 * has an instance of its own. An operation that the store refuses or that fails has the status
 * {@code ERROR}, with the message of the exception.
 */
public abstract class StoreClient extends DB {
  private @Nullable RecordOperations operations;

  /** Creates a client. */
  protected StoreClient() {}

  /**
   * Creates the operations of this thread. The client closes them when the thread ends.
   *
   * @return the operations
   * @throws IOException if the store cannot be opened
   * @throws IllegalArgumentException if a property is missing or wrong
   */
  protected abstract RecordOperations open() throws IOException;

  @Override
  public final void init() throws DBException {
    try {
      operations = open();
    } catch (IOException | IllegalArgumentException e) {
      throw new DBException(e);
    }
  }

  @Override
  public final void cleanup() throws DBException {
    RecordOperations closing = operations;
    operations = null;
    if (closing != null) {
      try {
        closing.close();
      } catch (IOException
          | UncheckedIOException
          | IllegalArgumentException
          | IllegalStateException e) {
        throw new DBException(e);
      }
    }
  }

  @Override
  public final Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return perform(open -> open.read(table, key, fields, result));
  }

  @Override
  public final Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return perform(open -> open.scan(table, startKey, count, fields, result));
  }

  @Override
  public final Status update(String table, String key, Map<String, ByteIterator> values) {
    return perform(open -> open.update(table, key, values));
  }

  @Override
  public final Status insert(String table, String key, Map<String, ByteIterator> values) {
    return perform(open -> open.insert(table, key, values));
  }

  @Override
  public final Status delete(String table, String key) {
    return perform(open -> open.delete(table, key));
  }

  /** One operation. */
  private interface Operation {
    Status run(RecordOperations open) throws IOException;
  }

  private Status perform(Operation operation) {
    RecordOperations open = operations;
    if (open == null) {
      throw new IllegalStateException("init() has not been called");
    }
    try {
      return operation.run(open);
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      // YCSB takes any other exception for the end of its thread, and reports success.
      return new Status("ERROR", String.valueOf(e.getMessage()));
    }
  }
}
