// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import io.accordiondb.Cell;
import io.accordiondb.encoding.CellTags;
import org.jspecify.annotations.Nullable;

/**
 * The tags of a cell as they are printed: its time to live as a number, and all others as they are.
 *
 * @param ttlMillis the time to live of its own in milliseconds; null if it has none
 * @param others the other tags in the form of {@link Cell#tags}; null if there are none
 */
public record OwnTags(@Nullable Long ttlMillis, byte @Nullable [] others) {
  /** Returns those of a cell. */
  public static OwnTags of(Cell cell) {
    byte[] tags = cell.tags();
    long ttlMillis = cell.ttlMillis();
    boolean expires = ttlMillis != CellTags.FOREVER;
    byte[] others = expires ? CellTags.withTtl(tags, CellTags.FOREVER) : tags;
    return new OwnTags(expires ? ttlMillis : null, others.length == 0 ? null : others);
  }

  /**
   * Returns the tags of the cell.
   *
   * @throws IllegalArgumentException if the others are no tags, or all are too long
   */
  public byte[] all() {
    byte[] checked = others == null ? CellTags.NONE : CellTags.check(others);
    return ttlMillis == null ? checked : CellTags.check(CellTags.withTtl(checked, ttlMillis));
  }
}
