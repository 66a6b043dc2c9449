// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The options of the shared database, from the configuration of Kafka Streams.
 *
 * @param memoryBytes bytes for memory stores and block cache together
 * @param logged whether writes are logged
 * @param leaksAlways whether every iterator records the stack trace of its opening
 * @param convertsRocksDb whether a new store begins with what Kafka's RocksDB store has left
 */
public record SpaceOptions(
    long memoryBytes, boolean logged, boolean leaksAlways, boolean convertsRocksDb) {
  /** Names of the properties. */
  public static final String MEMORY_BYTES_NAME = "accordion.memory.bytes";

  public static final String LOG_NAME = "accordion.log";
  public static final String LEAKS_ALWAYS_NAME = "accordion.leaks.always";
  public static final String CONVERT_ROCKSDB_NAME = "accordion.convert.rocksdb";

  /** The smallest budget. */
  public static final long MEMORY_BYTES_MIN = 16L << 20;

  private static final long MEMORY_BYTES_DEFAULT = 256L << 20;

  /**
   * Reads the configuration.
   *
   * @throws ConfigException if a value is not allowed
   */
  static SpaceOptions of(Map<String, ?> configs) {
    return new SpaceOptions(
        memoryBytes(configs.get(MEMORY_BYTES_NAME)),
        flag(LOG_NAME, configs.get(LOG_NAME)),
        flag(LEAKS_ALWAYS_NAME, configs.get(LEAKS_ALWAYS_NAME)),
        flag(CONVERT_ROCKSDB_NAME, configs.get(CONVERT_ROCKSDB_NAME)));
  }

  private static long memoryBytes(@Nullable Object value) {
    if (value == null) {
      long quarter = Runtime.getRuntime().maxMemory() / 4;
      return Math.max(MEMORY_BYTES_MIN, Math.min(MEMORY_BYTES_DEFAULT, quarter));
    }
    long bytes;
    try {
      bytes =
          value instanceof Number number
              ? number.longValue()
              : Long.parseLong(value.toString().trim());
    } catch (NumberFormatException e) {
      throw new ConfigException(MEMORY_BYTES_NAME, value, "expected a number of bytes");
    }
    if (bytes < MEMORY_BYTES_MIN) {
      throw new ConfigException(
          MEMORY_BYTES_NAME, value, "expected at least " + MEMORY_BYTES_MIN + " bytes");
    }
    return bytes;
  }

  private static boolean flag(String name, @Nullable Object value) {
    if (value == null) {
      return false;
    }
    String text = value.toString().trim();
    if (text.equals("true") || text.equals("false")) {
      return Boolean.parseBoolean(text);
    }
    throw new ConfigException(name, value, "expected true or false");
  }
}
