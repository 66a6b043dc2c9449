// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.IOException;
import java.util.List;

/** The engines by name. */
public final class Engines {
  /** All names. */
  public static final List<String> NAMES = List.of("accordion", "rocksdb");

  private Engines() {}

  /**
   * Opens an engine.
   *
   * @throws IllegalArgumentException if there is none of this name
   * @throws IOException if it cannot be opened
   */
  public static Engine open(String name, EngineOptions options) throws IOException {
    return switch (name) {
      case "accordion" -> new AccordionEngine(options);
      case "rocksdb" -> openRocksDb(options);
      default ->
          throw new IllegalArgumentException(
              "no engine named \"" + name + "\"; there are " + String.join(", ", NAMES));
    };
  }

  private static Engine openRocksDb(EngineOptions options) throws IOException {
    try {
      return new RocksDbEngine(options);
    } catch (NoClassDefFoundError e) {
      throw new IOException(
          "RocksDB is an optional part: put org.rocksdb:rocksdbjni on the class path", e);
    }
  }
}
