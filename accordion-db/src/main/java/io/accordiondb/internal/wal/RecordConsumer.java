// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Receives the records of a log that is replayed, in order. */
public interface RecordConsumer {
  /**
   * Receives a record.
   *
   * @param payload from 0 to the limit; valid during the call
   * @param source the location of the payload, for messages
   */
  void accept(ByteBuffer payload, long firstSequence, int count, LogReplay.Source source)
      throws IOException;
}
