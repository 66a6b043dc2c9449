// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

/** Whether cells that a delete marker hides are kept for readers of the past. */
public enum KeepDeletedCells {
  /** Hidden cells are dropped by compactions, and delete markers by major compactions. */
  FALSE,
  /** Hidden cells and their markers are kept as far as version count and time to live allow. */
  TRUE,
  /** As {@link #TRUE}, but only until the time to live of the marker has passed. */
  TTL
}
