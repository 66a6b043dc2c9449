// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;

/**
 * An object of a backup is missing or has changed, or a newer version of this software has written
 * it; the message names it.
 */
public final class BackupDamagedException extends IOException {
  private static final long serialVersionUID = 1L;

  BackupDamagedException(BackupTarget target, String object, String problem) {
    super(target + ": " + object + " " + problem);
  }
}
