// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The options of the log and of its replay. A group of {@link DatabaseOptions.Builder}, which
 * inherits all groups: each option is described, kept and checked here. Not thread-safe.
 */
abstract class LogSettings<B extends LogSettings<B>> extends WriteSettings<B> {
  private static final long RETENTION_MILLIS_MAX = Duration.ofDays(3650).toMillis();

  long logBytesMax = 1024 * OptionBounds.MIB;
  Duration logRetention = Duration.ZERO;
  long logRetentionBytesMax = Long.MAX_VALUE;

  /** 0 for the default, which depends on the memory. */
  long logFileBytes;

  Duration asyncLogDelay = Duration.ofMillis(10);
  Compression logCompression = Compression.NONE;
  LogWriting logWriting = LogWriting.MAPPED;
  RecoveryMode recoveryMode = RecoveryMode.TOLERATE_TORN_TAIL;
  Consumer<RecoveryProgress> recoveryListener = progress -> {};

  LogSettings() {}

  /**
   * Sets the size of the log above which the stores that need its oldest part are flushed; 1 GiB by
   * default.
   *
   * @param bytes the size in bytes, at least 64 KiB
   * @return this builder
   */
  public B logBytesMax(long bytes) {
    logBytesMax = OptionBounds.checked("logBytesMax", bytes, 64 << 10, Long.MAX_VALUE);
    return self();
  }

  /**
   * Sets how long log files that nothing else needs are kept for {@link Database#changes}; 0 to 10
   * years. By default they are not kept, and feeds reach back only as far as the database needs its
   * log.
   *
   * @param duration the duration, 0 to 10 years
   * @return this builder
   */
  public B logRetention(Duration duration) {
    logRetention =
        Duration.ofMillis(
            OptionBounds.checked(
                "logRetention in ms", OptionBounds.millisOf(duration), 0, RETENTION_MILLIS_MAX));
    return self();
  }

  /**
   * Sets how many bytes of such log files are kept at most; without a limit by default.
   *
   * @param bytes the number of bytes, 0 or more
   * @return this builder
   */
  public B logRetentionBytesMax(long bytes) {
    logRetentionBytesMax = OptionBounds.checked("logRetentionBytesMax", bytes, 0, Long.MAX_VALUE);
    return self();
  }

  /**
   * Sets the size above which the log continues in a new file. By default it is twice the memory at
   * opening, {@link DatabaseOptions.Builder#memoryBytes}, but at least 4 MiB and at most 64 MiB. A
   * file may become longer by a large batch, or while the next one is being prepared. It is deleted
   * when the log has continued in another one, and all writes in it have been flushed.
   *
   * @param bytes the size in bytes, 4 KiB to 1 TiB
   * @return this builder
   */
  public B logFileBytes(long bytes) {
    logFileBytes = OptionBounds.checked("logFileBytes", bytes, 4 << 10, 1L << 40);
    return self();
  }

  /**
   * Sets how long writes of {@link Durability#ASYNC} may wait in memory; 10 ms by default.
   *
   * @param delay the delay, 1 ms to 1 minute
   * @return this builder
   */
  public B asyncLogDelay(Duration delay) {
    asyncLogDelay =
        Duration.ofMillis(
            OptionBounds.checked("asyncLogDelay in ms", OptionBounds.millisOf(delay), 1, 60_000));
    return self();
  }

  /**
   * Sets how each batch in the log is compressed: NONE, the default, or LZ4.
   *
   * @param compression {@link Compression#NONE} or {@link Compression#LZ4}
   * @return this builder
   */
  public B logCompression(Compression compression) {
    if (compression == Compression.ZSTD) {
      throw new IllegalArgumentException("log compression is ZSTD, expected NONE or LZ4");
    }
    logCompression = Objects.requireNonNull(compression, "compression");
    return self();
  }

  /**
   * Sets how the log reaches the operating system; {@link LogWriting#MAPPED} by default.
   *
   * @param writing how the log is written
   * @return this builder
   */
  public B logWriting(LogWriting writing) {
    logWriting = Objects.requireNonNull(writing, "writing");
    return self();
  }

  /**
   * Sets how the database opens if its log is incomplete or damaged; {@link
   * RecoveryMode#TOLERATE_TORN_TAIL} by default.
   *
   * @param mode what to accept in the log
   * @return this builder
   */
  public B recoveryMode(RecoveryMode mode) {
    recoveryMode = Objects.requireNonNull(mode, "mode");
    return self();
  }

  /**
   * Sets a listener to which the opening thread reports the progress of the replay of the log.
   *
   * @param listener receives the progress
   * @return this builder
   */
  public B recoveryListener(Consumer<RecoveryProgress> listener) {
    recoveryListener = Objects.requireNonNull(listener, "listener");
    return self();
  }
}
