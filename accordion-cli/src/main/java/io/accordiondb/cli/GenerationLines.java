// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Checkpoint;
import io.accordiondb.backup.Generation;
import io.accordiondb.cli.text.Fields;

/** Prints generations of backups. */
final class GenerationLines {
  private GenerationLines() {}

  static Fields fields(Generation generation) {
    Fields fields = new Fields();
    fields.with("generation", generation.number());
    fields.with("created", generation.created().toString());
    fields.with("files", generation.files());
    fields.with("bytes", generation.bytes());
    fields.with("bytesAdded", generation.bytesAdded());
    Checkpoint checkpoint = generation.checkpoint();
    if (checkpoint != null) {
      fields.with("sequence", checkpoint.sequence());
      fields.with("time", checkpoint.time().toString());
    }
    return fields;
  }
}
