// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

/** Limits the pace at which sorted tables are written, or cancels the writing. */
public interface WriteThrottle {
  /** Neither slows the work down nor ends it. */
  WriteThrottle NONE = bytes -> true;

  /**
   * Called after each stretch of work; may wait.
   *
   * @param bytes written since the last call
   * @return false if the work is to be given up
   */
  boolean mayContinue(long bytes);
}
