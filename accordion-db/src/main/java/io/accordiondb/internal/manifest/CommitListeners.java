// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners for commits that are in force. Whatever one throws is logged: the caller of a
 * commit must not take it for failed, and the other listeners must hear of it. Thread-safe.
 */
final class CommitListeners {
  private static final Logger LOG = LoggerFactory.getLogger(CommitListeners.class);

  private final List<Consumer<List<VersionEdit>>> listeners = new CopyOnWriteArrayList<>();

  void add(Consumer<List<VersionEdit>> listener) {
    listeners.add(listener);
  }

  /** Tells all listeners of a commit, in the order in which they were added. Never throws. */
  void notifyOf(List<VersionEdit> edits) {
    // An index, because an iterator is an object.
    for (int i = 0; i < listeners.size(); i++) {
      try {
        listeners.get(i).accept(edits);
      } catch (Throwable e) {
        warn(e);
      }
    }
  }

  private static void warn(Throwable failure) {
    try {
      LOG.warn("work after a commit of the manifest has failed; the commit is in force", failure);
    } catch (OutOfMemoryError e) {
      // There is no memory left to log it.
    }
  }
}
