// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;

/**
 * Makes HBase compare the checksums of the blocks that it reads from the local disk, and give up if
 * one is wrong. Left to itself, it does not compare them there, or reads the block once more and
 * relies on the file system to find the damage.
 */
final class StrictFileSystem extends HFileSystem {
  StrictFileSystem(FileSystem files) {
    super(files);
  }

  @Override
  public boolean useHBaseChecksum() {
    return true;
  }

  /** Opens a file whose checksums must be right. */
  FSDataInputStreamWrapper openStrictly(Path path) throws IOException {
    return new StrictStream(this, path);
  }

  private static final class StrictStream extends FSDataInputStreamWrapper {
    StrictStream(HFileSystem files, Path path) throws IOException {
      super(files, path);
    }

    @Override
    public FSDataInputStream fallbackToFsChecksum(int reads) throws IOException {
      throw new IOException("the checksum of a block is wrong");
    }
  }
}
