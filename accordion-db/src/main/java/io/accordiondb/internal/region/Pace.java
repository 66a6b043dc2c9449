// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

/** How fast a sorted table is written, and whether it is written to its end. */
public interface Pace {
  /** As fast as can be, to the end. */
  Pace FREE = bytes -> true;

  /**
   * Is called now and then; may wait.
   *
   * @param bytes written since the last call
   * @return false to give the work up
   */
  boolean goOn(long bytes);
}
