// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import org.jspecify.annotations.Nullable;

/** Receives the progress of a scan within a transaction. Belongs to the thread of the scan. */
public interface ScanObserver {
  /** Throws if the scan must not go on. */
  void check();

  /**
   * Notes that the scan has come to a row, and has passed all before it.
   *
   * @param row null for the end of the scan
   */
  void onRow(byte @Nullable [] row);
}
