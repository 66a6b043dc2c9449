// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.ClosedException;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.read.PendingCells;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The state that all parts of a transaction share: its snapshot, its pending cells, and whether it
 * has ended. Threads other than the transaction's may call only {@link #end}, {@link #release} and
 * {@link #check}.
 */
final class TransactionState {
  private final ReadPoint snapshot;
  private final PendingCells pending = new PendingCells();
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Creates the state of a transaction, which owns a read point. */
  TransactionState(ReadPoint snapshot) {
    this.snapshot = snapshot;
  }

  ReadPoint snapshot() {
    return snapshot;
  }

  PendingCells pending() {
    return pending;
  }

  /** Throws an exception if the transaction has ended. */
  void check() {
    if (ended.get()) {
      throw new ClosedException("the transaction");
    }
  }

  /** Ends the transaction for its users; returns false if it has ended before. */
  boolean end() {
    return ended.compareAndSet(false, true);
  }

  /** Ends the transaction for its users; throws an exception if it has ended before. */
  void endOrThrow() {
    if (!end()) {
      check();
    }
  }

  /** Releases the snapshot; called once, by the thread that has ended the transaction. */
  void release() {
    snapshot.close();
  }
}
