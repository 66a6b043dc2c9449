// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.internal.region.Store;
import java.util.Collection;

/**
 * What must not have changed since a read point for a batch to be committed, beside the rows that
 * it writes.
 *
 * @param readPoint the sequence number
 * @param rowHashes hashes of rows
 * @param nothingWritten whether no row at all may have been written
 * @param stores stores that must not have been closed
 */
public record CommitCondition(
    long readPoint, int[] rowHashes, boolean nothingWritten, Collection<Store> stores) {}
