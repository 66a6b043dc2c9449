// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.internal.storage.WrappingWriter;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A storage that takes what it could not force to the device for forced, as Linux does: a later
 * force of the file succeeds and does nothing. Thread-safe.
 */
final class ForgetfulStorage extends WrappingStorage {
  private final Set<String> forgotten = ConcurrentHashMap.newKeySet();
  private volatile boolean fails;
  private volatile boolean refusesNotes;

  ForgetfulStorage(Storage delegate) {
    super(delegate);
  }

  /** Lets the next force of a log file fail. */
  void failNextForce() {
    fails = true;
  }

  /** Sets whether the note that a force has failed cannot be written. */
  void setRefusesNotes(boolean refuses) {
    refusesNotes = refuses;
  }

  /** Takes a file whose force has failed for forced. */
  void forget(String name) {
    forgotten.add(name);
  }

  /** Returns whether a force is still to fail. */
  boolean isToFail() {
    return fails;
  }

  private boolean forgets(String name) throws IOException {
    if (fails && name.startsWith("wal/")) {
      fails = false;
      forgotten.add(name);
      throw new IOException("cannot write the pages of " + name);
    }
    return forgotten.contains(name);
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    if (refusesNotes && name.equals("wal/unforced")) {
      throw new IOException("cannot create " + name);
    }
    StorageWriter created = delegate.create(name);
    forgotten.remove(name);
    return new Writer(name, created);
  }

  @Override
  public StorageWriter createFilled(String name, long bytes) throws IOException {
    StorageWriter created = delegate.createFilled(name, bytes);
    forgotten.remove(name);
    return new Writer(name, created);
  }

  @Override
  public void sync(String name) throws IOException {
    if (!forgets(name)) {
      delegate.sync(name);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    delegate.rename(from, to);
    forgotten.remove(to);
    if (forgotten.remove(from)) {
      forgotten.add(to);
    }
  }

  private final class Writer extends WrappingWriter {
    private final String name;

    Writer(String name, StorageWriter writer) {
      super(writer);
      this.name = name;
    }

    @Override
    public void sync() throws IOException {
      if (!forgets(name)) {
        super.sync();
      }
    }
  }
}
