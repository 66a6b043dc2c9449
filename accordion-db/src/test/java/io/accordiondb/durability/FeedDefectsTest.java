// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.ChangesLostException;
import io.accordiondb.CorruptionException;
import io.accordiondb.internal.clock.DatabaseClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.asm.Advice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Defects of change feeds. A follower that lives through crashes must find them, or the test that
 * is made for one that it finds only by luck.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FeedDefectsTest {
  private static final String TEST =
      "feed.ChangeFeedCrashTest#theCopyFollowsTheStoreThroughCrashes";

  /** What is wrong. */
  private enum Wrong {
    NAMES_OF_TABLES_ARE_FORGOTTEN(defect().stub("internal.manifest.RegionNames", "save")),
    LOG_FILES_ARE_KEPT_FROM_THE_LAST_WRITE_BEFORE_THE_OPENING(
        "feed.RetainedLogTest#theLogIsKeptFromWhenItIsNeedless",
        defect().advise("internal.clock.DatabaseClock", "latestMillis", SaysWhatIsSure.class)),
    LOG_FILES_ARE_NOT_KEPT(defect().stub("internal.wal.KeptLogs", "keep")),
    KEPT_LOG_FILES_GO_TOO_EARLY(
        "feed.RetainedLogTest#theLogIsKeptForAsLongAsItMustBeAndNotLonger",
        defect().advise("internal.wal.LogRetention", "duration", IsShort.class)),
    EXPIRED_LOG_FILES_STAY(defect().stub("internal.wal.KeptLogs", "deleteExpired")),
    WHAT_A_REPLAY_HAS_LEFT_OUT_IS_DELIVERED(
        defect().fix("internal.wal.LogTail", "bytesOfFile", Long.MAX_VALUE));

    private final String test;
    private final Defect defect;

    Wrong(Defect defect) {
      this(TEST, defect);
    }

    Wrong(String test, Defect defect) {
      this.test = test;
      this.defect = defect;
    }

    private static Defect defect() {
      return new Defect();
    }
  }

  /** Returns the time that has certainly passed, which is long ago after an opening. */
  static final class SaysWhatIsSure {
    private SaysWhatIsSure() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.This DatabaseClock clock, @Advice.Return(readOnly = false) long millis) {
      millis = clock.droppingMillis();
    }
  }

  /** Keeps files for half the time. */
  static final class IsShort {
    private IsShort() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) Duration duration) {
      duration = duration.dividedBy(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void byATest(Wrong wrong) throws ClassNotFoundException {
    assertThat(wrong.defect.failureOf(wrong.test))
        .isInstanceOfAny(
            AssertionError.class, ChangesLostException.class, CorruptionException.class);
  }

  @Test
  void whereNothingIsWrongNothingIsFound() throws ClassNotFoundException {
    assertThat(new Defect().failureOf(TEST)).isNull();
  }
}
