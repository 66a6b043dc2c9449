// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.kafka.streams.internal.space.FormerState;
import io.accordiondb.kafka.streams.internal.space.StoreFormat;
import io.accordiondb.kafka.streams.internal.space.StoreOpening;
import io.accordiondb.kafka.streams.internal.space.TaskStore;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.jspecify.annotations.Nullable;

/** A store's hold on the shared database, from the store's initialization until it is closed. */
final class Attachment {
  private final String name;
  private final String metricsScope;
  private final FormerState former;
  private final StoreFormat format;
  private volatile @Nullable TaskStore opened;
  private @Nullable StoreMetrics metrics;

  /**
   * Creates a hold that is not taken yet.
   *
   * @param former what Kafka's own store may have kept instead of this one
   * @param format how the store keeps its keys and values
   */
  Attachment(String name, String metricsScope, FormerState former, StoreFormat format) {
    this.name = name;
    this.metricsScope = metricsScope;
    this.former = former;
    this.format = format;
  }

  String name() {
    return name;
  }

  /**
   * Opens the store.
   *
   * @param register runs when the store can be read and written; if it throws, the store is closed
   */
  void open(StateStoreContext context, Runnable register) {
    TaskStore store = new StoreOpening(context, name, former, format).open();
    opened = store;
    boolean registered = false;
    try {
      metrics = StoreMetrics.register(context, metricsScope, store);
      register.run();
      registered = true;
    } finally {
      if (!registered) {
        close();
      }
    }
  }

  /**
   * Returns the store.
   *
   * @throws InvalidStateStoreException if it is not open
   */
  TaskStore store() {
    TaskStore store = opened;
    if (store == null) {
      throw new InvalidStateStoreException("Store " + name + " is currently closed");
    }
    return store;
  }

  boolean isOpen() {
    return opened != null;
  }

  void flush() {
    TaskStore store = opened;
    if (store != null) {
      store.flush();
    }
  }

  void close() {
    TaskStore store = opened;
    if (store == null) {
      return;
    }
    opened = null;
    StoreMetrics registered = metrics;
    metrics = null;
    try {
      if (registered != null) {
        registered.remove();
      }
    } finally {
      // Also after an error of a reporter of metrics: nothing else releases the database.
      store.close();
    }
  }
}
