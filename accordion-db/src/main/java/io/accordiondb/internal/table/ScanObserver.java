// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import org.jspecify.annotations.Nullable;

/** Receives the progress of a scan within a transaction. Belongs to the thread of the scan. */
public interface ScanObserver {
  /** Throws an exception if the scan must not continue, because the transaction has ended. */
  void check();

  /**
   * Receives the row that the scan has reached. The scan has passed all rows before it.
   *
   * @param row null for the end of the scan
   */
  void onRow(byte @Nullable [] row);
}
