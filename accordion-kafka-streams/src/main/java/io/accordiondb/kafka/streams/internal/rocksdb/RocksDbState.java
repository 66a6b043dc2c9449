// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.rocksdb;

import io.accordiondb.kafka.streams.internal.space.FormerState;
import io.accordiondb.kafka.streams.internal.space.SpaceBatch;
import io.accordiondb.kafka.streams.internal.space.TaskStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a RocksDB store of Kafka Streams has kept in the directory of a task. Immutable. */
public final class RocksDbState implements FormerState {
  /** Where the stores are that have one database each. */
  private static final String FOLDER = "rocksdb";

  /** Every RocksDB database has a file of this name. */
  private static final String CURRENT = "CURRENT";

  /** Translates entries of RocksDB. */
  public interface Translation {
    /** Adds an entry of RocksDB to a store, in the store's own form. */
    void add(TaskStore target, SpaceBatch batch, byte[] key, byte[] value) throws IOException;
  }

  private final String store;
  private final boolean segmented;
  private final boolean timestamped;
  private final Translation translation;

  private RocksDbState(
      String store, boolean segmented, boolean timestamped, Translation translation) {
    this.store = store;
    this.segmented = segmented;
    this.timestamped = timestamped;
    this.translation = translation;
  }

  /**
   * Returns the state of a store that has one database.
   *
   * @param timestamped whether values begin with a timestamp
   */
  public static FormerState of(String store, boolean timestamped, Translation translation) {
    return new RocksDbState(store, false, timestamped, translation);
  }

  /**
   * Returns the state of a store that has a database for each segment of time.
   *
   * @param timestamped whether values begin with a timestamp
   */
  public static FormerState ofSegments(String store, boolean timestamped, Translation translation) {
    return new RocksDbState(store, true, timestamped, translation);
  }

  @Override
  public boolean exists(Path taskDirectory) throws IOException {
    return !databases(taskDirectory).isEmpty();
  }

  @Override
  public void copy(Path taskDirectory, TaskStore target) throws IOException {
    SpaceBatch batch = target.parts();
    for (Path database : databases(taskDirectory)) {
      new RocksDbFiles(database)
          .read(timestamped, (key, value) -> translation.add(target, batch, key, value));
    }
    batch.commit();
  }

  private List<Path> databases(Path taskDirectory) throws IOException {
    if (!segmented) {
      return Stream.of(taskDirectory.resolve(FOLDER).resolve(store))
          .filter(RocksDbState::isDatabase)
          .toList();
    }
    Path segments = taskDirectory.resolve(store);
    if (!Files.isDirectory(segments)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(segments)) {
      return folders.filter(RocksDbState::isDatabase).sorted().toList();
    }
  }

  private static boolean isDatabase(Path folder) {
    return Files.exists(folder.resolve(CURRENT));
  }
}
