// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

/**
 * A cursor over an immutable segment that also gives what the index knows about the current cell,
 * so that merges compare columns once, not each of their versions. Belongs to one thread.
 */
public interface ColumnCursor extends PrefixCursor {
  /** Returns whether the current cell is of the same column as the one before it. */
  boolean continuesColumn();
}
