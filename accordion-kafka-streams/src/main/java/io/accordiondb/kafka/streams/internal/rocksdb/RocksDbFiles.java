// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.state.TimestampedBytesStore;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** The files of a RocksDB database that Kafka Streams wrote. They are read and never changed. */
final class RocksDbFiles {
  /** The column family of values that begin with a timestamp. */
  private static final String TIMESTAMPED = "keyValueWithTimestamp";

  private static final String DEFAULT = "default";

  /** Receives the keys and values of a database. */
  interface Target {
    void add(byte[] key, byte[] value) throws IOException;
  }

  private final Path folder;

  RocksDbFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * Passes all keys and values to a target.
   *
   * @param timestamped whether values are to begin with a timestamp; those without one get -1, as
   *     in Kafka's own stores
   * @throws IOException if the files cannot be read, or have timestamps although the store has none
   */
  void read(boolean timestamped, Target target) throws IOException {
    try (Options listing = new Options();
        DBOptions options = new DBOptions()) {
      List<ColumnFamilyDescriptor> families = new ArrayList<>();
      for (byte[] name : RocksDB.listColumnFamilies(listing, folder.toString())) {
        families.add(new ColumnFamilyDescriptor(name));
      }
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      try (RocksDB database = RocksDB.openReadOnly(options, folder.toString(), families, handles)) {
        for (ColumnFamilyHandle family : handles) {
          read(database, family, timestamped, target);
        }
      }
    } catch (RocksDBException e) {
      throw new IOException("RocksDB database " + folder + " cannot be read", e);
    }
  }

  private void read(RocksDB database, ColumnFamilyHandle family, boolean timestamped, Target target)
      throws IOException, RocksDBException {
    String name = new String(family.getName(), UTF_8);
    boolean hasTimestamps = name.equals(TIMESTAMPED);
    if (!hasTimestamps && !name.equals(DEFAULT)) {
      throw new IOException(
          "RocksDB database " + folder + " has a column family that is not known: " + name);
    }
    try (ReadOptions options = new ReadOptions().setFillCache(false);
        RocksIterator entries = database.newIterator(family, options)) {
      entries.seekToFirst();
      if (hasTimestamps && !timestamped && entries.isValid()) {
        throw new IOException(
            "RocksDB database " + folder + " has timestamps, but the store is one without");
      }
      for (; entries.isValid(); entries.next()) {
        byte[] value = entries.value();
        target.add(
            entries.key(),
            timestamped && !hasTimestamps
                ? TimestampedBytesStore.convertToTimestampedFormat(value)
                : value);
      }
      entries.status();
    }
  }
}
