// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.jspecify.annotations.Nullable;

/**
 * What operations of a closed connection throw. HBase's {@link ConnectionClosedException} does not
 * say that it is useless to try again, so HBase's client throws a {@link DoNotRetryIOException}
 * instead. Here the former is its cause. Pure functions.
 */
public final class ClosedConnection {
  private static final String MESSAGE = "the connection is closed";

  private ClosedConnection() {}

  /** {@return the exception of an operation that finds the connection closed} */
  public static DoNotRetryIOException failure() {
    return failure(MESSAGE, null);
  }

  /**
   * {@return the exception of an operation that something closed has refused}
   *
   * @param refusal what it threw
   */
  public static DoNotRetryIOException failure(Exception refusal) {
    return failure(MESSAGE, refusal);
  }

  /**
   * {@return the exception with a message of its own}
   *
   * @param message the message
   * @param refusal what a closed database or executor threw; null if none was asked
   */
  public static DoNotRetryIOException failure(String message, @Nullable Exception refusal) {
    return new DoNotRetryIOException(message, new ConnectionClosedException(message, refusal));
  }
}
