// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

/**
 * A region as the manifest describes it. The arrays must not be changed.
 *
 * @param id identity, which never changes
 * @param table name of the table
 * @param startRow first row; empty if the region begins before all rows
 * @param endRow row at which the region ends, exclusive; empty if it ends after all rows
 * @param files number of its sorted tables, in all families
 * @param bytes length of these
 * @param flushedSequence the lowest of its families' sequence numbers up to which all cells are in
 *     files; 0 if a family has none
 */
public record RegionOutline(
    long id,
    String table,
    byte[] startRow,
    byte[] endRow,
    int files,
    long bytes,
    long flushedSequence) {}
