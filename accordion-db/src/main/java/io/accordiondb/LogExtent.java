// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** How much of the log a {@linkplain Database#checkpoint checkpoint} copies. */
public enum LogExtent {
  /** The part that the copy needs to open. */
  NEEDED,

  /**
   * Also the part that {@link DatabaseOptions#logRetention} keeps, in the folder {@code kept} of
   * the copy, and the names of tables that are gone. With it, an earlier copy can follow the log to
   * any moment between the two; see {@link RollForward}.
   */
  KEPT
}
