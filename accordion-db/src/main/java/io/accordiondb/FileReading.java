// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** How blocks of sorted tables that are not in the block cache are read. */
public enum FileReading {
  /** By a system call for each block. */
  PLAIN,

  /**
   * By copying from mappings of the files, which saves the system call: gets are up to a tenth
   * faster as long as the operating system keeps all files in memory. Once it cannot, each block
   * that it has to fetch makes it fetch many pages around it, and gets become several times slower
   * than {@link #PLAIN} ones. The operating system counts what it keeps of mapped files as memory
   * of the process.
   *
   * <p>A page that the device cannot give fails the read with an {@link java.io.IOException} that
   * names file and offset. On Windows this is the same as {@link #PLAIN}: a mapped file could not
   * be deleted.
   */
  MAPPED
}
