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
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

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
    String name = required("engine.name");
    EngineOptions options = options();
    SharedByFolder<Engine>.Lease lease =
        ENGINES.enter(
            options.directory(),
            folder -> {
              Engine engine = Engines.open(name, options);
              System.err.println(engine.settings());
              return engine;
            });
    return new ValueOperations(new SessionValues(lease));
  }

  private EngineOptions options() {
    Properties properties = getProperties();
    return new EngineOptions(
        Path.of(required("engine.dir")),
        1,
        Long.parseLong(properties.getProperty("engine.memorybytes", MEGABYTES_128)),
        Long.parseLong(properties.getProperty("engine.cachebytes", MEGABYTES_128)),
        Durability.valueOf(
            properties.getProperty("engine.durability", "SYNC").toUpperCase(Locale.ROOT)),
        MemStorePolicy.DEFAULT);
  }

  private String required(String name) {
    String value = getProperties().getProperty(name);
    if (value == null) {
      throw new IllegalArgumentException("set the property " + name);
    }
    return value;
  }

  /** Values of an engine's only table. */
  private static final class SessionValues implements ValueOperations.Values {
    private final SharedByFolder<Engine>.Lease lease;
    private final Engine.Session session;

    SessionValues(SharedByFolder<Engine>.Lease lease) throws IOException {
      this.lease = lease;
      this.session = lease.value().session();
    }

    @Override
    public byte @Nullable [] get(String table, byte[] key) throws IOException {
      return session.read(key, 0);
    }

    @Override
    public List<byte[]> scan(String table, byte[] fromKey, int count) throws IOException {
      return session.scan(fromKey, count).stream().map(row -> row.values()[0]).toList();
    }

    @Override
    public void put(String table, byte[] key, byte[] value) throws IOException {
      byte[][] keys = {key};
      byte[][][] values = {{value}};
      session.write(keys, values, 1);
    }

    @Override
    public void delete(String table, byte[] key) throws IOException {
      session.delete(key);
    }

    @Override
    public void close() throws IOException {
      try (lease) {
        session.close();
      }
    }
  }
}
