// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.nio.ByteBuffer;

/**
 * A batch of cells that follow each other in a buffer, in any order of keys.
 *
 * @param cells big-endian buffer
 * @param offset of the first cell
 * @param count number of cells, at least 1
 * @param firstSequence sequence number of the first cell
 * @param format how the cells follow each other, and which sequence numbers the cells after the
 *     first one have
 */
public record EncodedCells(
    ByteBuffer cells, int offset, int count, long firstSequence, BatchFormat format) {}
