// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

/** Limits the pace at which sorted tables are written, or cancels the writing. */
public interface WriteThrottle {
  /** Neither delays nor cancels the work. */
  WriteThrottle NONE = bytes -> true;

  /**
   * Called after each stretch of work; may wait.
   *
   * @param bytes written since the last call
   * @return false if the caller must cancel the work
   */
  boolean mayContinue(long bytes);
}
