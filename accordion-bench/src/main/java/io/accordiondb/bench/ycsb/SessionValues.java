// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.ycsb;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.ScanRequest;
import io.accordiondb.ycsb.ValueOperations;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of an engine's only table, through a session. For one thread. */
final class SessionValues implements ValueOperations.Values {
  private final Engine.Session session;
  private final Closeable owner;

  /** Takes over a session, and what is closed after it. */
  SessionValues(Engine.Session session, Closeable owner) {
    this.session = session;
    this.owner = owner;
  }

  @Override
  public byte @Nullable [] get(String table, byte[] key) throws IOException {
    return session.read(key, 0);
  }

  @Override
  public List<byte[]> scan(String table, byte[] fromKey, int count) throws IOException {
    return session.scan(ScanRequest.forward(fromKey, count)).stream()
        .map(row -> row.values()[0])
        .toList();
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
    try (owner) {
      session.close();
    }
  }
}
