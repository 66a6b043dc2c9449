// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.ycsb;

import io.accordiondb.Durability;
import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.Engines;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.ycsb.RecordOperations;
import io.accordiondb.ycsb.SharedByFolder;
import io.accordiondb.ycsb.StoreClient;
import io.accordiondb.ycsb.ValueOperations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;

/**
 * YCSB on any engine. A record is one value. There is one table, whatever its name. One instance
 * for each thread.
 *
 * <p>Properties: {@code engine.name} and {@code engine.dir}, which are required; {@code
 * engine.memorybytes} and {@code engine.cachebytes}, 128 MB each by default; {@code
 * engine.durability}, SYNC by default.
 */
public final class EngineClient extends StoreClient {
  private static final String MEGABYTES_128 = Long.toString(128L << 20);
  private static final SharedByFolder<Engine> ENGINES = new SharedByFolder<>();

  /** Creates a client; to be found by name. */
  public EngineClient() {}

  @Override
  protected RecordOperations open() throws IOException {
    String name = required(getProperties(), "engine.name");
    EngineOptions options = options(getProperties());
    SharedByFolder<Engine>.Lease lease =
        ENGINES.enter(
            options.directory(),
            folder -> {
              Engine engine = Engines.open(name, options);
              System.err.println(engine.settings());
              return engine;
            });
    return new ValueOperations(new SessionValues(lease.value().session(), lease));
  }

  /**
   * Checks properties by opening the engine once.
   *
   * @throws IllegalArgumentException if a property is missing or wrong
   * @throws IOException if the engine cannot be opened
   */
  public static void check(Properties properties) throws IOException {
    Engines.open(required(properties, "engine.name"), options(properties)).close();
  }

  private static EngineOptions options(Properties properties) {
    return new EngineOptions(
        Path.of(required(properties, "engine.dir")),
        1,
        bytes(properties, "engine.memorybytes"),
        bytes(properties, "engine.cachebytes"),
        durability(properties.getProperty("engine.durability", "SYNC")),
        MemStorePolicy.DEFAULT);
  }

  private static long bytes(Properties properties, String name) {
    String text = properties.getProperty(name, MEGABYTES_128);
    try {
      long bytes = Long.parseLong(text);
      if (bytes >= 1) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // Refused below, as other numbers are.
    }
    throw new IllegalArgumentException(name + " is \"" + text + "\", expected bytes, at least 1");
  }

  private static Durability durability(String text) {
    return Arrays.stream(Durability.values())
        .filter(each -> each.name().equalsIgnoreCase(text.strip()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "engine.durability is \""
                        + text
                        + "\", expected one of "
                        + Arrays.toString(Durability.values())));
  }

  private static String required(Properties properties, String name) {
    String value = properties.getProperty(name);
    if (value == null) {
      throw new IllegalArgumentException("set the property " + name);
    }
    return value;
  }
}
