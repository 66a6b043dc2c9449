// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/**
 * Collects mutations and hands them to an asynchronous table together, when there are enough, when
 * asked to, and after a time. The future of each mutation says what became of it. Thread-safe.
 */
final class EmbeddedAsyncBufferedMutator implements AsyncBufferedMutator {
  private final EmbeddedAsyncTable<?> table;
  private final Settings settings;

  // Guarded by this.
  private List<Collected> collected = new ArrayList<>();
  private long bytes;
  private boolean closed;

  private @Nullable CompletableFuture<Void> timer;

  /** Counts what was handed over, so that a timer does not hand over what came after it. */
  private long handovers;

  /** A mutation and the future that says what became of it. */
  private record Collected(Mutation mutation, CompletableFuture<Void> future) {}

  /**
   * How much is collected, and how long.
   *
   * @param bufferBytes how much is handed over at the latest
   * @param periodNanos after how long mutations are handed over; 0 for no limit
   * @param keyValueBytesMax the longest cell; 0 or less for no limit
   */
  record Settings(long bufferBytes, long periodNanos, int keyValueBytesMax) {}

  EmbeddedAsyncBufferedMutator(EmbeddedAsyncTable<?> table, Settings settings) {
    this.table = table;
    this.settings = settings;
  }

  @Override
  public TableName getName() {
    return table.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return table.getConfiguration();
  }

  @Override
  public List<CompletableFuture<Void>> mutate(List<? extends Mutation> added) {
    List<CompletableFuture<Void>> promised = new ArrayList<>(added.size());
    List<Collected> collecting = new ArrayList<>(added.size());
    long addedBytes = 0;
    for (Mutation mutation : added) {
      if (mutation instanceof Put put) {
        MutationConversion.validate(put, settings.keyValueBytesMax);
      }
      addedBytes += mutation.heapSize();
      CompletableFuture<Void> future = new CompletableFuture<>();
      promised.add(future);
      collecting.add(new Collected(mutation, future));
    }
    synchronized (this) {
      if (closed) {
        IOException failure = new IOException("Already closed");
        promised.forEach(future -> future.completeExceptionally(failure));
        return promised;
      }
      boolean first = collected.isEmpty() && !added.isEmpty();
      collected.addAll(collecting);
      bytes += addedBytes;
      if (bytes >= settings.bufferBytes) {
        handOver();
      } else if (first && settings.periodNanos > 0) {
        // It may hand over at once.
        startTimer(handovers);
      }
    }
    return promised;
  }

  private void startTimer(long handover) {
    CompletableFuture<Void> started = new CompletableFuture<>();
    timer = started;
    FutureUtils.addListener(
        started.completeOnTimeout(null, settings.periodNanos, TimeUnit.NANOSECONDS),
        (result, failure) -> {
          synchronized (this) {
            if (handovers == handover) {
              handOver();
            }
          }
        });
  }

  /** Ends the timer, which would otherwise keep this object until its time has come. */
  private void stopTimer() {
    CompletableFuture<Void> started = timer;
    timer = null;
    if (started != null) {
      started.complete(null);
    }
  }

  /** Hands over what is collected. If that fails, even for an error, so do the futures. */
  private void handOver() {
    List<Collected> taken = collected;
    collected = new ArrayList<>();
    bytes = 0;
    handovers++;
    stopTimer();
    try {
      List<CompletableFuture<Void>> outcomes =
          table.write(taken.stream().map(Collected::mutation).toList());
      for (int i = 0; i < outcomes.size(); i++) {
        CompletableFuture<Void> future = taken.get(i).future;
        FutureUtils.addListener(
            outcomes.get(i),
            (result, failure) -> {
              if (failure == null) {
                future.complete(null);
              } else {
                future.completeExceptionally(failure);
              }
            });
      }
    } catch (RuntimeException | Error e) {
      taken.forEach(each -> each.future.completeExceptionally(e));
      throw e;
    }
  }

  @Override
  public synchronized void flush() {
    handOver();
  }

  @Override
  public synchronized void close() {
    closed = true;
    handOver();
  }

  @Override
  public long getWriteBufferSize() {
    return settings.bufferBytes;
  }

  @Override
  public long getPeriodicalFlushTimeout(TimeUnit unit) {
    return unit.convert(settings.periodNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return table.getRequestAttributes();
  }
}
