// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import java.io.IOException;

/** A write that goes neither through the log nor through memory. */
public interface Ingestion {
  /**
   * Does the write, durably.
   *
   * @param sequence its number, which is visible afterwards
   */
  void run(long sequence) throws IOException;
}
