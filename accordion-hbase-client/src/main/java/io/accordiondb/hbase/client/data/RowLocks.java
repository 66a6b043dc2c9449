// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.TableName;

/**
 * Locks by which the changes that depend on a row's contents take turns. All connections to one
 * database share them. They save conflicts; what keeps a change atomic is the transaction in which
 * it is done. Plain writes take no lock. Thread-safe.
 */
public final class RowLocks {
  private static final int STRIPES = 1024;

  private final Lock[] stripes = new Lock[STRIPES];

  /** Creates the locks of a database. */
  public RowLocks() {
    Arrays.setAll(stripes, i -> new ReentrantLock());
  }

  /** Returns the lock of a row, which is not taken yet. */
  Lock of(TableName table, byte[] row) {
    int hash = 31 * table.hashCode() + Arrays.hashCode(row);
    return stripes[(hash ^ (hash >>> 16)) & (STRIPES - 1)];
  }
}
