// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * Whether scanners, iterators, cursors and snapshots that nobody closes are found. One that is not
 * closed keeps memory, files and superseded cells for as long as the database is open.
 *
 * <p>A leak is logged with the stack that opened it: when the garbage collector has found that
 * nobody can close it any more, or when the database is closed while it is open.
 */
public enum LeakDetection {
  /** None is looked for. */
  OFF,
  /** One in 128 is watched, which costs next to nothing. */
  SAMPLED,
  /** All are watched. To remember a stack takes some microseconds each time. */
  ALWAYS
}
