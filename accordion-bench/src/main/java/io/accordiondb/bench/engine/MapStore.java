// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adapts a map that is stored in a file and needs explicit commits. */
abstract class MapStore implements EntryStore {
  private final Map<byte[], byte[]> map;

  /** Creates a store; one thread at a time changes the map, whatever sessions it has. */
  MapStore(Map<byte[], byte[]> map) {
    this.map = map;
  }

  /** Commits what has been changed, as far as the engine's durability asks for it. */
  abstract void commit();

  @Override
  public final void put(List<Entry> entries) {
    // One writer at a time: a commit must not take half of another's batch.
    synchronized (map) {
      entries.forEach(entry -> map.put(entry.key(), entry.value()));
      commit();
    }
  }

  @Override
  public final void delete(List<byte[]> keys) {
    synchronized (map) {
      keys.forEach(map::remove);
      commit();
    }
  }

  @Override
  public final byte @Nullable [] get(byte[] key) {
    return map.get(key);
  }
}
