// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.internal.region.Store;
import java.util.Collection;
import java.util.List;

/**
 * What must not have changed since a read point for a batch to be committed, in addition to the
 * rows that it writes.
 *
 * @param readPoint the sequence number up to which the caller has read
 * @param rowHashes hashes of the rows that must not have changed
 * @param nothingWritten true if no row of the database may have been written
 * @param stores the stores that must still be open
 */
public record CommitCondition(
    long readPoint, int[] rowHashes, boolean nothingWritten, Collection<Store> stores) {
  private static final int[] NO_ROWS = {};

  /** Creates the condition that the rows which the batch writes have not changed. */
  CommitCondition(long readPoint) {
    this(readPoint, NO_ROWS, false, List.of());
  }
}
