// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import java.io.IOException;
import java.nio.file.Path;

/** What another kind of store has kept in the directory of a task. */
public interface FormerState {
  /**
   * Returns whether there is any.
   *
   * @throws IOException if the directory cannot be read
   */
  boolean exists(Path taskDirectory) throws IOException;

  /**
   * Writes it to a store that is empty.
   *
   * @throws IOException if it cannot be read
   */
  void copy(Path taskDirectory, TaskStore target) throws IOException;
}
