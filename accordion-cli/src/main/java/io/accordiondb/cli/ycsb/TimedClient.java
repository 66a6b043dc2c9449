// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.ycsb;

import io.accordiondb.bench.Latencies;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Times the operations of another client for the {@link PlottedRun}. One for each thread. */
public final class TimedClient extends DB {
  private final DB client = PlottedRun.current().newClient();
  private final Map<String, Latencies> operations = new TreeMap<>();

  /** Creates a client; to be found by name. */
  public TimedClient() {}

  @Override
  public void init() throws DBException {
    client.setProperties(getProperties());
    client.init();
  }

  @Override
  public void cleanup() throws DBException {
    PlottedRun.current().add(operations);
    operations.clear();
    client.cleanup();
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return time("READ", () -> client.read(table, key, fields, result));
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return time("SCAN", () -> client.scan(table, startKey, count, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return time("UPDATE", () -> client.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return time("INSERT", () -> client.insert(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    return time("DELETE", () -> client.delete(table, key));
  }

  /** Operations that fail are apart, as in YCSB's own figures. */
  private Status time(String name, Supplier<Status> operation) {
    long begun = System.nanoTime();
    Status status = operation.get();
    operations
        .computeIfAbsent(status.isOk() ? name : name + "-FAILED", key -> new Latencies())
        .recordSince(begun);
    return status;
  }
}
