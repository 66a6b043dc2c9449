// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The engines by name. All but Accordion need a library that is optional. */
public final class Engines {
  /** All names but those of {@link EngineProvider}s. */
  public static final List<String> NAMES =
      List.of(
          "accordion",
          "accordion-encrypted",
          "rocksdb",
          "rocksdb-mempurge",
          "h2",
          "lmdb",
          "mapdb",
          "xodus",
          "leveldb");

  private static final double MEM_PURGE_THRESHOLD = 1.0;

  /** Heap for everything but memory for writes and blocks read. */
  private static final long OTHER_HEAP_BYTES = 256L << 20;

  private Engines() {}

  /**
   * Opens an engine.
   *
   * @throws IllegalArgumentException if there is none of this name
   * @throws EngineUnavailableException if it cannot be used here
   * @throws IOException if it cannot be opened
   */
  public static Engine open(String name, EngineOptions options) throws IOException {
    return available(name, () -> opened(name, options));
  }

  // Each class is loaded when its engine is opened, not before: its library may be missing.
  private static Engine opened(String name, EngineOptions options) throws IOException {
    return switch (name) {
      case "accordion" -> new AccordionEngine(options);
      case "accordion-encrypted" ->
          new AccordionEngine(options, builder -> builder.encryption(new UnsafeKeys()), null);
      case "rocksdb" -> new RocksDbEngine(options, 0);
      case "rocksdb-mempurge" -> new RocksDbEngine(options, MEM_PURGE_THRESHOLD);
      case "h2" -> new H2Engine(options);
      case "lmdb" -> new LmdbEngine(options);
      case "mapdb" -> new MapDbEngine(options);
      case "xodus" -> new XodusEngine(options);
      case "leveldb" -> new LevelDbEngine(options);
      default -> openProvided(name, options);
    };
  }

  /** Opens an engine; says what is missing if its library, or a native part of it, is. */
  static Engine available(String name, EngineOpener opener) throws IOException {
    try {
      return opener.open();
    } catch (NoClassDefFoundError e) {
      throw new EngineUnavailableException(
          name + " cannot be used: its library is not on the class path (" + e.getMessage() + ")",
          e);
    } catch (LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new EngineUnavailableException(name + " cannot be used on this machine: " + cause, e);
    }
  }

  /** Returns whether there is an engine of this name, here or with a provider. */
  public static boolean isKnown(String name) {
    return NAMES.contains(name) || provider(name).isPresent();
  }

  /**
   * Returns the bytes of Java heap in which an engine has room, whatever it keeps there.
   *
   * @param memoryBytes memory for writes
   * @param cacheBytes memory for blocks read
   */
  public static long heapBytes(String name, long memoryBytes, long cacheBytes) {
    return provider(name)
        .map(provider -> provider.heapBytes(name, memoryBytes, cacheBytes))
        .orElse(memoryBytes + cacheBytes + OTHER_HEAP_BYTES);
  }

  private static Engine openProvided(String name, EngineOptions options) throws IOException {
    EngineProvider provider =
        provider(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no engine named \"" + name + "\"; there are " + String.join(", ", NAMES)));
    return provider.open(name, options);
  }

  private static Optional<EngineProvider> provider(String name) {
    return ServiceLoader.load(EngineProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.provides(name))
        .findFirst();
  }
}
