// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/** A target in a folder of which one call fails. A process that dies in it calls no more. */
final class FailingTarget extends ForwardingTarget {
  private final Path folder;
  private int left = Integer.MAX_VALUE;
  private Fault fault = Fault.BEFORE;
  private boolean isDead;
  private boolean hasWrittenGeneration;

  /** How a call fails. */
  enum Fault {
    /** It does nothing. */
    BEFORE,
    /** It does what it should, but its answer is lost. */
    AFTER,
    /** The process is killed before or while it writes. */
    KILLED,
    /** The process is killed after the call. */
    KILLED_AFTER
  }

  /** A call of the target. */
  private interface Call<T> {
    T run() throws IOException;
  }

  /** What is left of a call. */
  private interface Half {
    void run() throws IOException;
  }

  FailingTarget(Path folder) {
    super(BackupTarget.folder(folder));
    this.folder = folder;
  }

  /** Lets a call fail, after some others. */
  synchronized void failAfter(int calls, Fault how) {
    left = calls;
    fault = how;
    hasWrittenGeneration = false;
  }

  /** Lets no call fail from now on. */
  synchronized void heal() {
    left = Integer.MAX_VALUE;
    isDead = false;
  }

  /** Returns whether the process was killed. */
  synchronized boolean isDead() {
    return isDead;
  }

  /** Returns whether a generation was written since the fault was chosen. */
  synchronized boolean hasWrittenGeneration() {
    return hasWrittenGeneration;
  }

  private <T> T call(Call<T> call) throws IOException {
    return call(call, () -> {});
  }

  /** Makes a call, or fails; a process that is killed does half of it. */
  private synchronized <T> T call(Call<T> call, Half half) throws IOException {
    if (isDead) {
      throw new IOException("killed");
    }
    if (left-- != 0) {
      return call.run();
    }
    isDead = fault == Fault.KILLED || fault == Fault.KILLED_AFTER;
    if (fault == Fault.AFTER || fault == Fault.KILLED_AFTER) {
      call.run();
    } else if (fault == Fault.KILLED) {
      half.run();
    }
    throw new IOException("injected: " + fault);
  }

  private void writeHalf(String name, InputStream content, long bytes) throws IOException {
    Path parent = folder.resolve(name).getParent();
    Files.createDirectories(parent);
    Files.write(
        parent.resolve(UUID.randomUUID() + ".partial"), content.readNBytes((int) (bytes / 2)));
  }

  @Override
  public void write(String name, InputStream content, long bytes) throws IOException {
    call(
        () -> {
          super.write(name, content, bytes);
          return true;
        },
        () -> writeHalf(name, content, bytes));
  }

  @Override
  public boolean writeNew(String name, byte[] content) throws IOException {
    return call(
        () -> {
          boolean written = super.writeNew(name, content);
          hasWrittenGeneration |= name.startsWith(GenerationRecord.OBJECTS);
          return written;
        },
        () -> writeHalf(name, new ByteArrayInputStream(content), content.length));
  }

  @Override
  public InputStream read(String name) throws IOException {
    return call(() -> super.read(name));
  }

  @Override
  public Map<String, Long> list(String prefix) throws IOException {
    return call(() -> super.list(prefix));
  }

  @Override
  public void delete(String name) throws IOException {
    call(
        () -> {
          super.delete(name);
          return true;
        });
  }

  @Override
  public void deleteUnfinished() throws IOException {
    call(
        () -> {
          super.deleteUnfinished();
          return true;
        });
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
