// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

/**
 * Deletes all cells of a range of rows that have a lower sequence number, whatever their
 * timestamps. The arrays must not be changed.
 *
 * @param start the first row; empty for the beginning
 * @param end the row before which the range ends; empty for no end
 * @param sequence its own sequence number
 */
public record RangeTombstone(byte[] start, byte[] end, long sequence) {}
