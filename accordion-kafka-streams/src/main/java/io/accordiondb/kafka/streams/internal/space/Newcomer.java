// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import java.io.IOException;

/** A store that the database does not know yet. */
interface Newcomer {
  /** Returns whether it begins with keys. If this throws, the store is not created. */
  boolean hasKeys() throws IOException;

  /** Writes those keys, durably. */
  void writeKeys(SpaceRegistry.Entry entry) throws IOException;

  /**
   * Begins empty: deletes what says how far keys that are gone had followed their inputs, and
   * reports keys that nothing brings back.
   */
  void forgetKeys() throws IOException;
}
