// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Checkpoint;
import io.accordiondb.backup.Generation;
import java.util.LinkedHashMap;
import java.util.Map;

/** How commands print generations of backups. */
final class GenerationLines {
  private GenerationLines() {}

  static Map<String, Object> fields(Generation generation) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("generation", generation.number());
    fields.put("created", generation.created().toString());
    fields.put("files", generation.files());
    fields.put("bytes", generation.bytes());
    fields.put("bytesAdded", generation.bytesAdded());
    Checkpoint checkpoint = generation.checkpoint();
    if (checkpoint != null) {
      fields.put("sequence", checkpoint.sequence());
      fields.put("time", checkpoint.time().toString());
    }
    return fields;
  }
}
