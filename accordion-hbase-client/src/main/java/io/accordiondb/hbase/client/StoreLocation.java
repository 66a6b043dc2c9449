// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.jspecify.annotations.Nullable;

/**
 * Where the database of a connection is: in a folder, or in the memory of this process under a
 * name.
 *
 * @param folder null for a database in memory
 * @param name the folder as it was given, or {@value #MEMORY} and a name
 */
record StoreLocation(@Nullable Path folder, String name) {
  /** How the name of a database in memory begins. */
  static final String MEMORY = "memory:";

  static StoreLocation inFolder(Path folder) {
    return new StoreLocation(folder, folder.toString());
  }

  /** Returns a place in memory that no database has. */
  static StoreLocation newInMemory() {
    return new StoreLocation(null, MEMORY + UUID.randomUUID());
  }

  /** Returns the place that a configuration names. */
  static StoreLocation of(Configuration conf) throws IOException {
    String name = conf.getTrimmed(EmbeddedConnection.PATH_KEY, "");
    if (name.isEmpty()) {
      throw new DoNotRetryIOException(
          EmbeddedConnection.PATH_KEY
              + " is not set; it must name the folder of the database that the connection opens");
    }
    if (name.startsWith(MEMORY)) {
      return new StoreLocation(null, name);
    }
    try {
      return inFolder(Path.of(name));
    } catch (InvalidPathException e) {
      throw new DoNotRetryIOException(
          EmbeddedConnection.PATH_KEY + " is \"" + name + "\", which is no path", e);
    }
  }

  /** Returns a key that is the same for all names of one place. */
  String key() throws IOException {
    if (folder == null) {
      return name;
    }
    return realPath(folder.toAbsolutePath()).normalize().toString();
  }

  /** Returns a path without links; a folder that is still to be created has its later name. */
  private static Path realPath(Path path) throws IOException {
    if (Files.exists(path)) {
      return path.toRealPath();
    }
    Path parent = path.getParent();
    Path name = path.getFileName();
    return parent == null || name == null ? path : realPath(parent).resolve(name);
  }

  /** Returns what stands for HBase's identifier of a cluster. */
  String clusterId() {
    String place = folder == null ? name : folder.toAbsolutePath().normalize().toString();
    return UUID.nameUUIDFromBytes(place.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
