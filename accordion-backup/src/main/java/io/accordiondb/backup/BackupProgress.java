// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

/** Receives the progress of a backup, a restore or a verification. */
@FunctionalInterface
public interface BackupProgress {
  /**
   * Called after each file.
   *
   * @param filesDone files that are done
   * @param filesAll files in all
   * @param bytesDone bytes that are done
   * @param bytesAll bytes in all
   */
  void onFile(int filesDone, int filesAll, long bytesDone, long bytesAll);
}
