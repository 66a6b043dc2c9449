// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import java.io.IOException;

/** Is shown a manifest file, record by record. Calls come on the thread that reads. */
public interface ManifestVisitor {
  /** Is shown a record. */
  void record(ManifestRecord record) throws IOException;

  /**
   * Is told that the file ends in the middle of a write, as a crash or a writer at work leaves it.
   *
   * @param offset where the sound records end
   * @param bytes what stands behind that
   */
  void tornTail(long offset, long bytes) throws IOException;

  /** Is told of damage; what stands behind it is not shown. */
  void damage(Damage damage) throws IOException;
}
