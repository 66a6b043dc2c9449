// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** How blocks of sorted tables are compressed. */
public enum Compression {
  /** Blocks are not compressed. */
  NONE,
  /** LZ4: fast to compress and to decompress. */
  LZ4,
  /** Zstandard: smaller and slower; needs its native library for the platform. */
  ZSTD
}
