// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

/**
 * A block of a sorted table, verified against its checksum. The array must not be changed.
 *
 * @param kind what it holds
 * @param offset of its first byte in the file
 * @param storedBytes bytes that it takes in the file, with its trailer
 * @param bytes of its content, decompressed
 * @param compression as the block says
 * @param entries cells of a data block, entries of an index; 0 for others
 * @param firstRow the row of the first cell or entry; empty for others
 */
public record BlockOutline(
    Kind kind,
    long offset,
    long storedBytes,
    long bytes,
    String compression,
    int entries,
    byte[] firstRow) {
  /** The kinds of blocks. */
  public enum Kind {
    /** Cells. */
    DATA,
    /** Where data blocks are. */
    INDEX,
    /** Where index blocks or data blocks are: the head of the index. */
    ROOT_INDEX,
    /** Where the blocks of the filter are. */
    FILTER_INDEX,
    /** A part of the Bloom filter. */
    FILTER,
    /** The properties of the table. */
    PROPERTIES,
    /** A block that was found without the index, which is damaged. */
    UNKNOWN
  }
}
