// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.ycsb;

import io.accordiondb.Durability;
import io.accordiondb.bench.engine.Engine.Row;
import io.accordiondb.bench.engine.Engine.Session;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.memstore.MemStorePolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB on any engine. A record is one value, and an update reads it, changes it and writes it, as
 * in YCSB's own bindings of stores of keys and values. There is one table, whatever its name. One
 * instance for each thread.
 *
 * <p>Properties: {@code engine.name} and {@code engine.dir}, which are required; {@code
 * engine.memorybytes} and {@code engine.cachebytes}, 128 MB each by default; {@code
 * engine.durability}, SYNC by default.
 */
public final class EngineClient extends DB {
  private static final String MEGABYTES_128 = Long.toString(128L << 20);

  private @Nullable SharedEngine shared;
  private @Nullable Session session;

  /** Creates a client; to be found by name. */
  public EngineClient() {}

  @Override
  public void init() throws DBException {
    try {
      SharedEngine entered = SharedEngine.enter(required("engine.name"), options());
      shared = entered;
      session = entered.engine().session();
    } catch (IOException | IllegalArgumentException e) {
      throw new DBException(e);
    }
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

  @Override
  public void cleanup() throws DBException {
    SharedEngine leaving = shared;
    Session closing = session;
    if (leaving == null || closing == null) {
      return;
    }
    shared = null;
    session = null;
    try {
      try {
        closing.close();
      } finally {
        leaving.leave();
      }
    } catch (IOException e) {
      throw new DBException(e);
    }
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return perform(
        open -> {
          byte[] record = open.read(bytes(key), 0);
          if (record == null) {
            return Status.NOT_FOUND;
          }
          copy(record, fields, result);
          return Status.OK;
        });
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return perform(
        open -> {
          for (Row row : open.scan(bytes(startKey), count)) {
            HashMap<String, ByteIterator> values = new HashMap<>();
            copy(row.values()[0], fields, values);
            result.add(values);
          }
          return Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return perform(
        open -> {
          byte[] record = open.read(bytes(key), 0);
          if (record == null) {
            return Status.NOT_FOUND;
          }
          Map<String, byte[]> fields = RecordLayout.read(record);
          values.forEach((name, value) -> fields.put(name, value.toArray()));
          return put(open, key, fields);
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return perform(
        open -> {
          Map<String, byte[]> fields = new HashMap<>();
          values.forEach((name, value) -> fields.put(name, value.toArray()));
          return put(open, key, fields);
        });
  }

  private static Status put(Session open, String key, Map<String, byte[]> fields)
      throws IOException {
    byte[][] keys = {bytes(key)};
    byte[][][] values = {{RecordLayout.write(fields)}};
    open.write(keys, values, 1);
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) {
    return perform(
        open -> {
          open.delete(bytes(key));
          return Status.OK;
        });
  }

  /** What is done with the engine. */
  private interface Operation {
    Status run(Session open) throws IOException;
  }

  private Status perform(Operation operation) {
    Session open = session;
    if (open == null) {
      throw new IllegalStateException("init() has not been called");
    }
    try {
      return operation.run(open);
    } catch (IOException e) {
      return new Status("ERROR", String.valueOf(e.getMessage()));
    }
  }

  private static void copy(
      byte[] record, @Nullable Set<String> fields, Map<String, ByteIterator> values) {
    RecordLayout.read(record)
        .forEach(
            (name, value) -> {
              if (fields == null || fields.contains(name)) {
                values.put(name, new ByteArrayByteIterator(value));
              }
            });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
