// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.FileReading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A file is read while it is closed to make room for others. With mapped files, a read behind the
 * closing would end the process.
 */
@JCStressTest
@Outcome(id = "10, 1, 0", expect = ACCEPTABLE, desc = "Read while open, and closed at the end.")
@State
public class ReopeningStress {
  private static final String NAME = "file";
  private static final int FILE_BYTES = 64;
  private static final int TIMES = 10;

  private final AtomicInteger open = new AtomicInteger();
  private final ReopeningReader reader;

  public ReopeningStress() {
    ReopeningStorage storage =
        new ReopeningStorage(new CountedFiles(), FileReading.PLAIN, count -> false);
    try {
      reader = (ReopeningReader) storage.open(NAME);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Actor
  public void read(III_Result result) {
    int sum = 0;
    for (int i = 0; i < TIMES; i++) {
      sum += reads();
    }
    result.r1 = sum;
  }

  @Actor
  public void makeRoom() {
    for (int i = 0; i < TIMES; i++) {
      reader.letGo();
    }
  }

  @Arbiter
  public void check(III_Result result) {
    result.r2 = reads() * open.get();
    reader.close();
    result.r3 = open.get();
  }

  /** Reads the file; returns 1 if it was open all the time, else 0. */
  private int reads() {
    try {
      reader.readFully(ByteBuffer.allocate(FILE_BYTES), 0);
      return 1;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Files that know whether they are open. */
  private final class CountedFiles extends ForwardingStorage {
    CountedFiles() {
      super(new HeapStorage());
    }

    @Override
    public StorageReader open(String name) {
      open.incrementAndGet();
      return new CountedFile();
    }

    @Override
    public StorageWriter create(String name) throws IOException {
      return delegate.create(name);
    }
  }

  private final class CountedFile implements StorageReader {
    private volatile boolean closed;

    @Override
    public long size() {
      return FILE_BYTES;
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
      while (target.hasRemaining()) {
        if (closed) {
          throw new IOException("the file was closed before the end of the read");
        }
        target.put((byte) 1);
      }
    }

    @Override
    public void close() {
      closed = true;
      open.decrementAndGet();
    }
  }
}
