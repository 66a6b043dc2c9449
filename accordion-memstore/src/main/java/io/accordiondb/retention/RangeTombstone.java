// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

/**
 * Deletes all cells of a range of rows that have a lower sequence number, whatever their
 * timestamps. The arrays must not be changed.
 *
 * @param start the first row, inclusive; empty for the first row of the store
 * @param end the end of the range, exclusive; empty for no end
 * @param sequence the sequence number of the tombstone; it covers cells with lower ones
 */
public record RangeTombstone(byte[] start, byte[] end, long sequence) {}
