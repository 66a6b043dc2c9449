// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

/**
 * Counts over the active segment and the pipeline. While writers are active, the counts are those
 * of some moment during the call.
 *
 * @param cells cells in active segment and pipeline
 * @param dataBytes bytes of these cells without overhead
 * @param heldBytes all memory that active segment and pipeline hold, as it was charged
 * @param heapBytes the part of it that is on the Java heap
 */
public record FlushableCells(long cells, long dataBytes, long heldBytes, long heapBytes) {}
