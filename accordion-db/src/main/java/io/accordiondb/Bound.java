// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** Whether a row at which a range begins or ends belongs to it. */
public enum Bound {
  /** The row belongs to the range. */
  INCLUSIVE,
  /** The row does not belong to the range. */
  EXCLUSIVE
}
