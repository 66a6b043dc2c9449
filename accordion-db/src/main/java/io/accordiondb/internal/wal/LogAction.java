// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import java.io.IOException;

/** A step of writing the log. */
public interface LogAction {
  /** Takes the step. */
  void run() throws IOException;
}
