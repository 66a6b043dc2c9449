// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A region of a table: a range of rows that is flushed, compacted and split by itself.
 *
 * @param id identity, which no other region of the database ever has; a region that is split or
 *     merged, or whose table is truncated, is replaced by regions with other identities
 * @param startRow first row; empty if the region begins before all rows
 * @param endRow row at which the region ends, exclusive; empty if it ends after all rows
 */
public record TableRegion(long id, byte[] startRow, byte[] endRow) {}
