// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The log files in which the log has begun. Another one may be prepared, and hold no record. */
final class BegunLogs {
  private BegunLogs() {}

  /** Returns their names, oldest first. */
  static List<String> of(Storage storage) throws IOException {
    List<String> begun = new ArrayList<>();
    for (String name : storage.list("wal")) {
      String log = "wal/" + name;
      if (name.endsWith(".log") && holdsRecord(storage, log)) {
        begun.add(log);
      }
    }
    return begun;
  }

  private static boolean holdsRecord(Storage storage, String log) throws IOException {
    try (StorageReader reader = storage.open(log)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) reader.size());
      reader.readFully(bytes, 0);
      for (int i = RecordFileHeader.BYTES; i < bytes.capacity(); i++) {
        if (bytes.get(i) != 0) {
          return true;
        }
      }
      return false;
    }
  }
}
