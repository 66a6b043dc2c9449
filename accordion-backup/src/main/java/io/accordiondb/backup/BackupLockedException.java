// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;

/**
 * Another process or thread is writing to the same backups, or deleting from them; the message
 * names it.
 */
public final class BackupLockedException extends IOException {
  private static final long serialVersionUID = 1L;

  BackupLockedException(BackupTarget target, String owner) {
    super(
        target
            + " is in use by "
            + owner
            + "; if that has ended without saying so, call Backups.breakLock()");
  }
}
