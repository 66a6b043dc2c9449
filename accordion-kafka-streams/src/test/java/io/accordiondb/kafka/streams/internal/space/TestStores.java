// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import io.accordiondb.kafka.streams.StoreContexts;
import java.nio.file.Path;
import org.apache.kafka.streams.processor.StateStoreContext;

/** Opens stores that begin empty. */
final class TestStores {
  private TestStores() {}

  static TaskStore open(Path taskDirectory) {
    return open(taskDirectory, 0);
  }

  static TaskStore open(Path taskDirectory, long segmentMillis) {
    return open(StoreContexts.of(taskDirectory), segmentMillis);
  }

  static TaskStore open(StateStoreContext context, long segmentMillis) {
    return open(context, new StoreFormat("test", segmentMillis));
  }

  static TaskStore open(StateStoreContext context, StoreFormat format) {
    return open(context, format, new NoFormerState());
  }

  static TaskStore open(StateStoreContext context, StoreFormat format, FormerState former) {
    return new StoreOpening(context, "store", former, format).open();
  }

  private static final class NoFormerState implements FormerState {
    @Override
    public boolean exists(Path taskDirectory) {
      return false;
    }

    @Override
    public void copy(Path taskDirectory, TaskStore target) {
      throw new AssertionError("nothing to copy");
    }
  }
}
