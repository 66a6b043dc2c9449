// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Mutation;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.TableName;

/**
 * Locks by which the changes that depend on a row's contents take turns. All connections to one
 * database share them. They save conflicts; what keeps a change atomic is the transaction in which
 * it is done. Plain writes take no lock. But if they overtake a change again and again, those of
 * its row wait for its end. Thread-safe.
 */
public final class RowLocks {
  private static final int STRIPES = 1024;

  private final Lock[] stripes = new Lock[STRIPES];

  /** The locks of changes for which plain writes wait. */
  private final Set<Lock> turns = ConcurrentHashMap.newKeySet();

  /** Creates the locks of a database. */
  public RowLocks() {
    Arrays.setAll(stripes, i -> new ReentrantLock());
  }

  /** Returns the lock of a row, which is not taken yet. */
  Lock of(TableName table, byte[] row) {
    int hash = 31 * table.hashCode() + Arrays.hashCode(row);
    return stripes[(hash ^ (hash >>> 16)) & (STRIPES - 1)];
  }

  /** Makes plain writes that begin from now on wait for a lock, which the caller holds. */
  void takeTurn(Lock lock) {
    turns.add(lock);
  }

  /** Lets plain writes go on; does nothing if there is no turn. The caller holds the lock. */
  void endTurn(Lock lock) {
    turns.remove(lock);
  }

  /** Lets changes of the same rows end first that were overtaken often. */
  void awaitTurns(TableName table, List<Mutation> writes) {
    if (turns.isEmpty()) {
      return;
    }
    for (Mutation write : writes) {
      Lock lock = of(table, write.row());
      if (turns.contains(lock)) {
        lock.lock();
        lock.unlock();
      }
    }
  }
}
