// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.ycsb;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.Engines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The engines that YCSB's threads share, by folder; the last thread to leave closes one. */
final class SharedEngine {
  private static final Map<Path, SharedEngine> OPEN = new HashMap<>();

  private final Path directory;
  private final Engine engine;
  private int users;

  private SharedEngine(Path directory, Engine engine) {
    this.directory = directory;
    this.engine = engine;
  }

  static SharedEngine enter(String name, EngineOptions options) throws IOException {
    Path directory = options.directory().toAbsolutePath().normalize();
    synchronized (OPEN) {
      SharedEngine shared = OPEN.get(directory);
      if (shared == null) {
        shared = new SharedEngine(directory, Engines.open(name, options));
        OPEN.put(directory, shared);
        System.err.println(shared.engine.settings());
      }
      shared.users++;
      return shared;
    }
  }

  Engine engine() {
    return engine;
  }

  void leave() throws IOException {
    synchronized (OPEN) {
      users--;
      if (users == 0) {
        OPEN.remove(directory);
        engine.close();
      }
    }
  }
}
