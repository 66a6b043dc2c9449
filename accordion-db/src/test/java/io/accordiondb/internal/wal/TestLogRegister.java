// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.manifest.NumberSource;
import io.accordiondb.internal.record.RecordMark;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Numbers log files, and remembers them as a manifest would. */
public final class TestLogRegister implements LogRegister {
  private final NumberSource numbers;
  private final SortedMap<Long, KnownLog> files = new ConcurrentSkipListMap<>();
  private final SortedMap<Long, KnownLog> refused = new ConcurrentSkipListMap<>();
  private volatile long highest;
  private volatile boolean suspended;
  private volatile boolean outOfMemory;

  /** Creates a register. */
  public TestLogRegister(NumberSource numbers) {
    this(numbers, KnownLogs.NONE);
  }

  TestLogRegister(NumberSource numbers, KnownLogs known) {
    this.numbers = numbers;
    this.highest = known.highest();
    put(known.files());
  }

  /**
   * Sets whether changes are refused, as by a manifest that has found no room. What is refused may
   * be on the device until then.
   */
  void setSuspended(boolean suspends) {
    suspended = suspends;
    refused.clear();
  }

  /** Sets whether there is no memory to record files. */
  void setOutOfMemory(boolean isOut) {
    outOfMemory = isOut;
  }

  @Override
  public long nextNumber() throws IOException {
    return numbers.next();
  }

  @Override
  public void begin(Collection<KnownLog> kept, Collection<Long> leftOut) {
    files.clear();
    put(kept);
    leftOut.forEach(number -> highest = Math.max(highest, number));
  }

  @Override
  public void add(Collection<KnownLog> added) throws WritesSuspendedException {
    if (suspended) {
      added.forEach(file -> refused.put(file.fileNumber(), file));
      throw noRoom();
    }
    if (outOfMemory) {
      throw new OutOfMemoryError("for an edit");
    }
    put(added);
  }

  private void put(Collection<KnownLog> added) {
    for (KnownLog file : added) {
      files.put(file.fileNumber(), file);
      highest = Math.max(highest, file.fileNumber());
    }
  }

  @Override
  public void remove(Collection<Long> fileNumbers) throws WritesSuspendedException {
    if (suspended) {
      throw noRoom();
    }
    files.keySet().removeAll(fileNumbers);
  }

  private static WritesSuspendedException noRoom() {
    return new WritesSuspendedException(new IOException("no room"));
  }

  /** Returns what a manifest would say now. */
  KnownLogs known() {
    return new KnownLogs(List.copyOf(files.values()), highest, 0, null);
  }

  /** Returns what a manifest would say now if all that was refused is on the device. */
  KnownLogs knownWithRefused() {
    SortedMap<Long, KnownLog> all = new TreeMap<>(files);
    all.putAll(refused);
    long last = all.isEmpty() ? 0 : all.lastKey();
    return new KnownLogs(List.copyOf(all.values()), Math.max(highest, last), 0, null);
  }

  @Override
  public RecordMark mark() {
    return RecordMark.NONE;
  }

  @Override
  public void upkeepIsDue() {}
}
