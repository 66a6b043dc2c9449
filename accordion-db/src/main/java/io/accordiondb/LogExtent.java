// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** How much of the log a {@linkplain Database#checkpoint checkpoint} has. */
public enum LogExtent {
  /** What the copy needs. */
  NEEDED,

  /**
   * Also what is kept by {@link DatabaseOptions#logRetention}, in the folder {@code kept} of the
   * copy. With it an earlier copy follows the log to any moment between both; see {@link
   * RollForward}.
   */
  KEPT
}
