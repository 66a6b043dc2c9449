// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * How the database looks for scanners, iterators, cursors, snapshots and change feeds that are
 * never closed. One that is not closed holds memory, files and superseded cells as long as the
 * database is open.
 *
 * <p>A leak is logged with the stack that opened it, when the garbage collector finds the object
 * unreachable, or when the database is closed while the object is open.
 */
public enum LeakDetection {
  /** No object is watched. */
  OFF,
  /** One object in 1,024 is watched, at next to no cost. This is the default. */
  SAMPLED,
  /** All objects are watched. Recording a stack takes some microseconds each. */
  ALWAYS
}
