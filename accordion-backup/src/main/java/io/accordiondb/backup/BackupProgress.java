// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

/** Is told how far a backup, a restore or a verification has come. */
@FunctionalInterface
public interface BackupProgress {
  /** Called after each file. */
  void onFile(int filesDone, int filesAll, long bytesDone, long bytesAll);
}
