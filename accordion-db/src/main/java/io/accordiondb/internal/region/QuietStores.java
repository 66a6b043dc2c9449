// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.internal.function.IoRunnable;
import java.io.IOException;
import java.util.List;

/** Runs an action while no other thread flushes or compacts some stores. */
public final class QuietStores {
  private QuietStores() {}

  /**
   * Runs an action while no other thread flushes or compacts the stores. Threads that share stores
   * must pass them in the same order.
   */
  public static void run(List<Store> stores, IoRunnable action) throws IOException {
    int held = 0;
    try {
      for (; held < stores.size(); held++) {
        stores.get(held).holdQuiet();
      }
      action.run();
    } finally {
      while (held > 0) {
        held--;
        stores.get(held).endQuiet();
      }
    }
  }
}
