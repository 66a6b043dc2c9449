// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;

/** Builds asynchronous buffered mutators. Not thread-safe. */
public final class EmbeddedAsyncBufferedMutatorBuilder implements AsyncBufferedMutatorBuilder {
  private final AsyncTableBuilder<?> table;
  private long bufferBytes;
  private long periodNanos;
  private int keyValueBytesMax;

  /**
   * Creates a builder.
   *
   * @param session the session of the connection
   * @param table builds the table through which mutations are written
   */
  public EmbeddedAsyncBufferedMutatorBuilder(Session session, AsyncTableBuilder<?> table) {
    ClientSettings settings = session.settings();
    this.table = table;
    this.bufferBytes = settings.writeBufferBytes();
    this.periodNanos = TimeUnit.MILLISECONDS.toNanos(settings.periodicFlushMillis());
    this.keyValueBytesMax = settings.keyValueBytesMax();
  }

  @Override
  public AsyncBufferedMutatorBuilder setOperationTimeout(long timeout, TimeUnit unit) {
    table.setOperationTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setRpcTimeout(long timeout, TimeUnit unit) {
    table.setRpcTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setRetryPause(long pause, TimeUnit unit) {
    table.setRetryPause(pause, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setMaxAttempts(int maxAttempts) {
    table.setMaxAttempts(maxAttempts);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setStartLogErrorsCnt(int startLogErrorsCnt) {
    table.setStartLogErrorsCnt(startLogErrorsCnt);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setWriteBufferPeriodicFlush(long timeout, TimeUnit unit) {
    periodNanos = unit.toNanos(timeout);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setWriteBufferSize(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("writeBufferSize " + bytes + " must be > 0");
    }
    bufferBytes = bytes;
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setMaxKeyValueSize(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("maxKeyValueSize " + bytes + " must be > 0");
    }
    keyValueBytesMax = bytes;
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setRequestAttribute(String key, byte[] value) {
    table.setRequestAttribute(key, value);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setRequestAttributes(Map<String, byte[]> attributes) {
    attributes.forEach(table::setRequestAttribute);
    return this;
  }

  @Override
  public AsyncBufferedMutator build() {
    return new EmbeddedAsyncBufferedMutator(
        // The connection's builder builds no other.
        (EmbeddedAsyncTable<?>) table.build(),
        new EmbeddedAsyncBufferedMutator.Settings(bufferBytes, periodNanos, keyValueBytesMax));
  }
}
