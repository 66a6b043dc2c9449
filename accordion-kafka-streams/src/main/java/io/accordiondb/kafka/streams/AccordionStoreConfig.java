// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import io.accordiondb.kafka.streams.internal.space.SpaceOptions;

/**
 * The configuration of the stores, among the properties of Kafka Streams. All stores of one
 * application in one process use the configuration with which the first of them was opened.
 */
public final class AccordionStoreConfig {
  /**
   * How many bytes the database of an application in a process may take outside the heap and on it,
   * in all: memory stores and block cache, for any number of tasks. Two applications in a process,
   * or two instances of one with state directories of their own, have that much each. A number of
   * at least {@link #MEMORY_BYTES_MIN}; 256 MiB by default, or a quarter of the heap's maximum if
   * that is less.
   */
  public static final String MEMORY_BYTES = SpaceOptions.MEMORY_BYTES_NAME;

  /** The smallest budget. */
  public static final long MEMORY_BYTES_MIN = SpaceOptions.MEMORY_BYTES_MIN;

  /**
   * Whether the database has a log: {@code false} by default, because changelogs make one
   * unnecessary. A flush then writes what is in memory to sorted tables; with {@code true} it
   * forces the log to the device, which all stores share.
   */
  public static final String LOG = SpaceOptions.LOG_NAME;

  /**
   * Whether each iterator that is never closed is reported with the stack that opened it, rather
   * than one in 64: {@code false} by default.
   */
  public static final String LEAKS_ALWAYS = SpaceOptions.LEAKS_ALWAYS_NAME;

  /**
   * Whether a store that is opened for the first time begins with the state that Kafka's RocksDB
   * store has left in the directory of its task: {@code false} by default, and then the store is
   * restored from its changelog. The files of RocksDB are only read.
   */
  public static final String CONVERT_ROCKSDB = SpaceOptions.CONVERT_ROCKSDB_NAME;

  private AccordionStoreConfig() {}
}
