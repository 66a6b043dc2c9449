// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;

/** What Kafka Streams puts around a store. */
final class Wrappers {
  private Wrappers() {}

  /**
   * Returns whether something around a store may merge records of its own with those of the store,
   * as a cache does. It expects them in the order of the segments and of the keys within them, and
   * would show a record twice otherwise.
   *
   * @param root the outermost store, as it is initialized
   */
  static boolean mayMerge(StateStore root) {
    StateStore store = root;
    while (store instanceof WrappedStateStore<?, ?, ?> wrapper) {
      if (!passesReadsOn(wrapper)) {
        return true;
      }
      store = wrapper.wrapped();
    }
    return false;
  }

  /** Kafka's classes are not public, so this goes by their names; those not known may merge. */
  private static boolean passesReadsOn(WrappedStateStore<?, ?, ?> wrapper) {
    String name = wrapper.getClass().getSimpleName();
    return name.startsWith("Metered") || name.startsWith("ChangeLogging");
  }
}
