// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.storage.HeapStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The next file of a log is prepared while the log continues in another one. */
@JCStressTest
@Outcome(id = "3, 0", expect = ACCEPTABLE, desc = "All records, and no file too many or unknown.")
@State
public class LogUpkeepStress {
  private final Storage storage = new HeapStorage();
  private final Register register = new Register();
  private final WriteAheadLog log;

  /** Begins the log. Each record fills its file. */
  public LogUpkeepStress() {
    try {
      storage.createDirectories(WriteAheadLog.DIRECTORY);
      log =
          new WriteAheadLog(
              storage, register, 1, LogWriting.PLAIN, ByteBuffer::allocate, List.of(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run(() -> append(1));
  }

  private static void run(IoRunnable step) {
    try {
      step.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void append(long sequence) throws IOException {
    log.append(ByteBuffer.allocate(0), (int) new CRC32C().getValue(), sequence, 1);
    log.flush();
  }

  @Actor
  public void write() {
    run(() -> append(2));
    run(() -> append(3));
  }

  @Actor
  public void prepare() {
    run(log::upkeep);
  }

  @Arbiter
  public void check(II_Result result) {
    run(log::close);
    LogReplay replay = new LogReplay(storage, RecoveryMode.ABSOLUTE, register.known());
    run(() -> replay.replay((payload, firstSequence, count, source) -> result.r1++));
    run(() -> result.r2 = LogFileNames.list(storage).size() - register.known().files().size());
  }

  /** Remembers the files. The locks of the log guard it. */
  private static final class Register implements LogRegister {
    private final SortedMap<Long, KnownLog> files = new TreeMap<>();
    private long lastNumber;

    @Override
    public long nextNumber() {
      return ++lastNumber;
    }

    @Override
    public void begin(Collection<KnownLog> kept, Collection<Long> leftOut) {}

    @Override
    public void add(Collection<KnownLog> added) {
      added.forEach(file -> files.put(file.fileNumber(), file));
    }

    @Override
    public void remove(Collection<Long> fileNumbers) {
      files.keySet().removeAll(fileNumbers);
    }

    @Override
    public RecordMark mark() {
      return RecordMark.NONE;
    }

    @Override
    public void upkeepIsDue() {}

    KnownLogs known() {
      return new KnownLogs(List.copyOf(files.values()), lastNumber, 0, null);
    }
  }
}
