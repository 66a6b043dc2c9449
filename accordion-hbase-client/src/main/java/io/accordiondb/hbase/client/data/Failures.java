// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.ClosedException;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.ReadOnlyDatabaseException;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.WriteStalledException;
import io.accordiondb.hbase.client.catalog.ClosedConnection;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;

/**
 * Translates what the database throws into what HBase's client throws in the same situation. The
 * exception of the database stays as the cause. Pure functions.
 */
final class Failures {
  private Failures() {}

  /** Work on a table that throws the exceptions of the database. */
  @FunctionalInterface
  interface Work<T> {
    /** Does the work. */
    T run() throws IOException;
  }

  /** Work on a table that returns nothing. */
  @FunctionalInterface
  interface Action {
    /** Does the work. */
    void run() throws IOException;
  }

  /** Does work on a table, and throws what HBase's client would throw. */
  static void translated(TableName table, Action action) throws IOException {
    try {
      action.run();
    } catch (IOException | IllegalArgumentException | ClosedException e) {
      throw translate(table, e);
    }
  }

  /** Does work on a table that has a result, and throws what HBase's client would throw. */
  static <T> T translatedResult(TableName table, Work<T> work) throws IOException {
    try {
      return work.run();
    } catch (IOException | IllegalArgumentException | ClosedException e) {
      throw translate(table, e);
    }
  }

  /** Throws if the thread was interrupted, and clears its flag, as HBase's client does. */
  static void checkNotInterrupted(TableName table) throws InterruptedIOException {
    if (Thread.interrupted()) {
      throw new InterruptedIOException("interrupted before an operation on table " + table);
    }
  }

  /** Returns the exception to throw in place of one of the database. */
  static IOException translate(TableName table, Exception failure) {
    String message = "table " + table + ": " + failure.getMessage();
    if (failure instanceof FamilyNotFoundException) {
      return caused(new NoSuchColumnFamilyException(message), failure);
    } else if (failure instanceof io.accordiondb.TableNotFoundException) {
      return caused(new TableNotFoundException(table), failure);
    } else if (failure instanceof ClosedException) {
      return ClosedConnection.failure(message, failure);
    } else if (failure instanceof WriteStalledException
        || failure instanceof TransactionConflictException) {
      return caused(new RegionTooBusyException(message), failure);
    } else if (failure instanceof IllegalArgumentException
        || failure instanceof ReadOnlyDatabaseException) {
      return new DoNotRetryIOException(message, failure);
    } else if (failure instanceof IOException io) {
      return io;
    }
    return new IOException(message, failure);
  }

  private static IOException caused(IOException exception, Exception cause) {
    exception.initCause(cause);
    return exception;
  }
}
