// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** How blocks of sorted tables that are not in the block cache are read. */
public enum FileReading {
  /** Reads each block with a system call. */
  PLAIN,

  /**
   * Copies blocks from mappings of the files, which saves a system call. Gets are about a tenth
   * faster while the operating system keeps all tables in memory. When it cannot, each missing
   * block makes it read many pages around that block, and gets become many times slower than with
   * {@link #PLAIN}. Mapped pages count as resident memory of the process.
   *
   * <p>If the device cannot read a page, the read throws an {@link java.io.IOException} that names
   * file and offset. On Windows, where a mapped file could not be deleted, and for a database that
   * is opened read-only, this is the same as {@link #PLAIN}.
   */
  MAPPED
}
