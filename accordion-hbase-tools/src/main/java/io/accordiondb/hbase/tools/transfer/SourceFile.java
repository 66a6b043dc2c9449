// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import java.nio.file.Path;
import java.util.Arrays;

/**
 * An HFile of an import, or the rows of it that belong to a region. Immutable.
 *
 * @param file the file
 * @param fromRow the first row that counts, inclusive; empty for the first
 * @param toRow the row before which it ends; empty for the end
 */
record SourceFile(Path file, byte[] fromRow, byte[] toRow) {
  private static final byte[] OPEN = {};

  /** Returns a whole file. */
  static SourceFile whole(Path file) {
    return new SourceFile(file, OPEN, OPEN);
  }

  /** Returns whether a row, given by its place in an array, counts. */
  boolean contains(byte[] array, int from, int to) {
    return (fromRow.length == 0
            || Arrays.compareUnsigned(array, from, to, fromRow, 0, fromRow.length) >= 0)
        && (toRow.length == 0
            || Arrays.compareUnsigned(array, from, to, toRow, 0, toRow.length) < 0);
  }
}
