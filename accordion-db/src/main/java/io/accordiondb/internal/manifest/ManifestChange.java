// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.io.IOException;
import java.util.List;

/**
 * A commit that needs preparations, which are undone if the commit does not happen. Used once, by
 * one thread, in a try statement.
 */
public final class ManifestChange implements AutoCloseable {
  private final Manifest manifest;
  private final Runnable undo;
  private boolean recorded;

  ManifestChange(Manifest manifest, Runnable undo) {
    this.manifest = manifest;
    this.undo = undo;
  }

  /**
   * Makes edits durable, and then runs an action that installs them in memory; see {@link
   * Manifest#commit(List, Runnable)}. Once the edits are durable, nothing is undone.
   */
  public void commit(List<VersionEdit> edits, Runnable install) throws IOException {
    manifest.commit(
        edits,
        () -> {
          recorded = true;
          install.run();
        });
  }

  /** Undoes the preparations, unless the edits are durable. */
  @Override
  public void close() {
    if (!recorded) {
      undo.run();
    }
  }
}
