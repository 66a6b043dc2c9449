// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of keys and values that are written to another engine, in the same way for every
 * engine: a row of one field counts its key and its value; of several, each field counts the row's
 * key, the field's name and its value, as in the statistics of a database. Thread-safe.
 */
public final class CountingEngine implements Engine {
  private final Engine counted;
  private final FirstMillion firstMillion;
  private final LongAdder bytes = new LongAdder();

  /** Bytes of the names of all fields of a row. */
  private final int nameBytes;

  /**
   * Begins with nothing written.
   *
   * @param counted the engine that does the work; closed by {@link #close}
   * @param fields fields of a row
   * @param firstMillion learns of each row that is written
   */
  public CountingEngine(Engine counted, int fields, FirstMillion firstMillion) {
    this.counted = counted;
    this.firstMillion = firstMillion;
    int names = 0;
    if (fields > 1) {
      for (byte[] name : FieldNames.of(fields)) {
        names += name.length;
      }
    }
    this.nameBytes = names;
  }

  /** Returns the bytes of the keys and values that were written until now. */
  public long contentBytes() {
    return bytes.sum();
  }

  @Override
  public Session session() throws IOException {
    return new CountingSession(counted.session());
  }

  @Override
  public EngineFigures figures() throws IOException {
    return counted.figures();
  }

  @Override
  public @Nullable ServerFigures servers() throws IOException {
    return counted.servers();
  }

  @Override
  public String settings() {
    return counted.settings();
  }

  @Override
  public void close() throws IOException {
    counted.close();
  }

  private final class CountingSession implements Session {
    private final Session session;

    CountingSession(Session session) {
      this.session = session;
    }

    @Override
    public void write(byte[][] keys, byte[][][] values, int count) throws IOException {
      session.write(keys, values, count);
      firstMillion.add(count);
      long written = 0;
      for (int i = 0; i < count; i++) {
        written += (long) keys[i].length * values[i].length + nameBytes;
        for (byte[] value : values[i]) {
          written += value.length;
        }
      }
      bytes.add(written);
    }

    @Override
    public void count(byte[][] keys, int count) throws IOException {
      session.count(keys, count);
      long written = (long) count * Long.BYTES;
      for (int i = 0; i < count; i++) {
        written += keys[i].length;
      }
      bytes.add(written);
    }

    @Override
    public void delete(byte[] key) throws IOException {
      session.delete(key);
      bytes.add(key.length);
    }

    @Override
    public byte @Nullable [] read(byte[] key, int field) throws IOException {
      return session.read(key, field);
    }

    @Override
    public List<Row> scan(ScanRequest scan) throws IOException {
      return session.scan(scan);
    }

    @Override
    public long counter(byte[] key) throws IOException {
      return session.counter(key);
    }

    @Override
    public void close() throws IOException {
      session.close();
    }
  }
}
