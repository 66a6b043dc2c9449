// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

/**
 * The properties of a sorted table, as its file states them. The arrays must not be changed.
 *
 * @param file its path
 * @param table name of the table to which it belonged when it was written; empty if the file does
 *     not say
 * @param region identity of the region at that time; 0 if the file does not say
 * @param family name of the family at that time; empty if the file does not say
 * @param number that the writer gave to it
 * @param bytes length of the file
 * @param cells number of cells
 * @param markers cells that are delete markers
 * @param firstRow the lowest row
 * @param lastRow the highest row
 * @param minTimestamp lowest timestamp
 * @param maxTimestamp highest timestamp
 * @param minSequence lowest sequence number
 * @param maxSequence highest sequence number
 * @param keyBytes bytes of all keys, before compression
 * @param valueBytes bytes of all values, before compression
 * @param dataBlocks number of data blocks
 * @param dataBytes bytes of data blocks in the file
 * @param indexBytes bytes of the index in the file
 * @param filterBytes bytes of the filter in the file
 * @param filterKeys rows or columns in the filter
 * @param compression the requested compression; single blocks may be stored uncompressed
 * @param bloomFilter what the filter contains
 * @param indexLevels 1 or 2
 */
public record SortedTableOutline(
    String file,
    String table,
    long region,
    String family,
    long number,
    long bytes,
    long cells,
    long markers,
    byte[] firstRow,
    byte[] lastRow,
    long minTimestamp,
    long maxTimestamp,
    long minSequence,
    long maxSequence,
    long keyBytes,
    long valueBytes,
    long dataBlocks,
    long dataBytes,
    long indexBytes,
    long filterBytes,
    long filterKeys,
    String compression,
    String bloomFilter,
    int indexLevels) {}
