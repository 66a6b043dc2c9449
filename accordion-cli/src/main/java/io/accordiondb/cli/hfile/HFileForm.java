// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.hfile;

import org.jspecify.annotations.Nullable;

/**
 * What HFiles look like. Immutable.
 *
 * @param compression HBase's name of a compression; null for GZ where the family is compressed, and
 *     for none elsewhere
 * @param encoding HBase's name of a data block encoding
 * @param blockBytes size of a block before compression, in bytes
 * @param fileBytesMax size at which a file ends behind the row that reaches it, in bytes
 */
public record HFileForm(
    @Nullable String compression, String encoding, int blockBytes, long fileBytesMax) {
  /** HBase's default block size. */
  public static final int BLOCK_BYTES_DEFAULT = 64 << 10;

  /** HBase's default size of a region. */
  public static final long FILE_BYTES_DEFAULT = 10L << 30;

  /** The defaults. */
  public static final HFileForm DEFAULT =
      new HFileForm(null, "NONE", BLOCK_BYTES_DEFAULT, FILE_BYTES_DEFAULT);
}
