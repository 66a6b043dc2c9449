// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

/**
 * Tells where a host's readers read: its open snapshots and scanners, and a reader that would open
 * now. Thread-safe.
 */
@FunctionalInterface
public interface Readers {
  /** {@return the lowest read point of all readers, as a sequence number} */
  long smallestReadPoint();

  /**
   * {@return where all readers read} A host that only knows the lowest point need not implement
   * this. Then all that was written since a reader opened stays until it closes.
   */
  default ReadPointSet readPoints() {
    return ReadPointSet.from(smallestReadPoint());
  }
}
