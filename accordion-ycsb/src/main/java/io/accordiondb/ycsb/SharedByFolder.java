// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Shares the open resource of a folder among YCSB's threads: YCSB creates a client for each thread,
 * and a folder can be open only once. The last thread that releases the resource closes it.
 * Thread-safe.
 *
 * @param <T> type of the resource that is open in a folder
 */
public final class SharedByFolder<T extends Closeable> {
  // Guarded by itself.
  private final Map<Path, Shared> open = new HashMap<>();

  /** Creates an object without open folders. */
  public SharedByFolder() {}

  /** One user's part in what is shared. */
  public final class Lease implements Closeable {
    private final Shared shared;

    // Guarded by the map.
    private boolean closed;

    private Lease(Shared shared) {
      this.shared = shared;
    }

    /** {@return the shared resource} */
    public T value() {
      return shared.value;
    }

    /** Ends the user's part. Idempotent. */
    @Override
    public void close() throws IOException {
      synchronized (open) {
        if (closed) {
          return;
        }
        closed = true;
        shared.users--;
        if (shared.users == 0) {
          open.remove(shared.folder);
          shared.value.close();
        }
      }
    }
  }

  private final class Shared {
    final Path folder;
    final T value;
    int users;

    Shared(Path folder, T value) {
      this.folder = folder;
      this.value = value;
    }
  }

  /**
   * Opens a folder, or shares the resource that is already open there.
   *
   * @param folder the folder
   * @param opener opens the folder if it is not open
   * @return a lease, which the caller must close
   * @throws IOException if the folder cannot be opened
   */
  public Lease enter(Path folder, FolderOpener<T> opener) throws IOException {
    Path absolute = folder.toAbsolutePath().normalize();
    synchronized (open) {
      Shared shared = open.get(absolute);
      if (shared == null) {
        shared = new Shared(absolute, opener.open(absolute));
        open.put(absolute, shared);
      }
      shared.users++;
      return new Lease(shared);
    }
  }
}
