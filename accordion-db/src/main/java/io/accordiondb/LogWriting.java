// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * How the records of the log reach the operating system. Either way they survive the death of the
 * process once a write of {@link Durability#SYNC} has returned, and a loss of power once one of
 * {@link Durability#FSYNC} has.
 */
public enum LogWriting {
  /** By a system call for each write, or for several that wait at the same time. */
  PLAIN,

  /**
   * By storing them into a mapping of a file that is filled with zeros before, which takes no
   * system call. Where files cannot be mapped so, as on Windows, the same as {@link #PLAIN}.
   */
  MAPPED
}
