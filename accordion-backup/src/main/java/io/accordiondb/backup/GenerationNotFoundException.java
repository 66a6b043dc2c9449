// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.util.List;

/**
 * There is no generation with this number; the message lists the existing ones. Or the generation
 * was deleted while it was read, and another one has its number.
 */
public final class GenerationNotFoundException extends IOException {
  private static final long serialVersionUID = 1L;

  GenerationNotFoundException(BackupTarget target, long number, List<Long> numbers) {
    super(target + " has no generation " + number + "; there are " + numbers);
  }

  /** Same for a generation that was deleted, and whose number another one has. */
  GenerationNotFoundException(BackupTarget target, GenerationRecord deleted) {
    super(
        target
            + " no longer has the generation "
            + deleted.number()
            + " of "
            + deleted.created()
            + "; another one has its number");
  }
}
