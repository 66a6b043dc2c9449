// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.IOException;
import java.util.List;
import java.util.ServiceLoader;

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
      default -> openProvided(name, options);
    };
  }

  /** Returns whether there is an engine of this name, here or with a provider. */
  public static boolean isKnown(String name) {
    return NAMES.contains(name)
        || ServiceLoader.load(EngineProvider.class).stream()
            .anyMatch(provider -> provider.get().provides(name));
  }

  private static Engine openProvided(String name, EngineOptions options) throws IOException {
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      if (provider.provides(name)) {
        return provider.open(name, options);
      }
    }
    throw new IllegalArgumentException(
        "no engine named \"" + name + "\"; there are " + String.join(", ", NAMES));
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
