// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Ways to read 4 KB at random from a file that is in the system's page cache: nanoseconds for a
 * block. The store reads as {@link #asynchronousChannelIntoDirect} does.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FileReadBenchmark {
  private static final int BLOCK_BYTES = 4 << 10;

  @Param("32768")
  private int blocks;

  private final SplittableRandom random = new SplittableRandom(5);
  private final ByteBuffer direct = ByteBuffer.allocateDirect(BLOCK_BYTES);
  private final ByteBuffer heap = ByteBuffer.allocate(BLOCK_BYTES);
  private Path file = Path.of("");
  private AsynchronousFileChannel asynchronous;
  private FileChannel channel;
  private MappedByteBuffer mapped;

  @Setup
  public void open() throws IOException {
    file = Files.createTempFile("accordion-jmh-", "");
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
      byte[] block = new byte[BLOCK_BYTES];
      for (int i = 0; i < blocks; i++) {
        random.nextBytes(block);
        out.write(ByteBuffer.wrap(block));
      }
    }
    asynchronous =
        AsynchronousFileChannel.open(file, Set.of(StandardOpenOption.READ), new CallerRuns());
    channel = FileChannel.open(file, StandardOpenOption.READ);
    mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    mapped.load();
  }

  @TearDown
  public void close() throws IOException {
    asynchronous.close();
    channel.close();
    Files.delete(file);
  }

  private int nextPosition() {
    return random.nextInt(blocks) * BLOCK_BYTES;
  }

  @Benchmark
  public byte asynchronousChannelIntoHeap() throws ExecutionException, InterruptedException {
    int unused = asynchronous.read(heap.clear(), nextPosition()).get();
    return heap.get(17);
  }

  @Benchmark
  public byte asynchronousChannelIntoDirect() throws ExecutionException, InterruptedException {
    int unused = asynchronous.read(direct.clear(), nextPosition()).get();
    return direct.get(17);
  }

  @Benchmark
  public byte channelIntoDirect() throws IOException {
    int unused = channel.read(direct.clear(), nextPosition());
    return direct.get(17);
  }

  @Benchmark
  public byte mappedIntoHeap() {
    mapped.get(nextPosition(), heap.array());
    return heap.get(17);
  }

  @Benchmark
  public byte mappedIntoDirect() {
    direct.clear().put(0, mapped, nextPosition(), BLOCK_BYTES);
    return direct.get(17);
  }

  /** Runs each task on the thread that brings it, as the store has it. */
  private static final class CallerRuns extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
