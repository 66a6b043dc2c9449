// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * The local disk as HBase's classes see it, without the files of checksums that Hadoop adds: HFiles
 * have checksums of their own. Immutable.
 *
 * @param configuration HBase's configuration
 * @param files the disk
 */
record LocalFiles(Configuration configuration, FileSystem files) {
  /** Returns the disk with HBase's defaults. */
  static LocalFiles open() throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    FileSystem files = new RawLocalFileSystem();
    files.initialize(URI.create("file:///"), configuration);
    return new LocalFiles(configuration, files);
  }

  /** Returns a path as Hadoop's classes take it. */
  static org.apache.hadoop.fs.Path path(Path path) {
    return new org.apache.hadoop.fs.Path(path.toAbsolutePath().normalize().toUri());
  }

  /** Returns a path as the JDK's classes take it. */
  static Path path(org.apache.hadoop.fs.Path path) {
    return Path.of(path.toUri().getPath());
  }

  /** Makes a complete file durable and gives it its name, in place of a file that has it. */
  static void publish(Path written, Path target) throws IOException {
    force(written);
    Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
    force(Objects.requireNonNull(target.toAbsolutePath().getParent()));
  }

  /**
   * Returns the permissions of a new file that its owner alone reads and writes, if there are any.
   */
  static FileAttribute<?>[] ofOwner(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /** Makes a file, or the names in a folder, durable. */
  static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
