// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;

/** An action that reads or writes files, and so may fail. */
@FunctionalInterface
public interface IoAction {
  /** Performs the action. */
  void run() throws IOException;
}
