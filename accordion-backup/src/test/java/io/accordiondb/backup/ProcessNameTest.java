// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which processes a lock takes for ended. */
class ProcessNameTest {
  private static final String OWN = ProcessName.own();
  private static final String HOST = OWN.replaceFirst(".* of (\\S+) since .*", "$1");
  private static final String ENDED_PID = "999999999";
  private static final Path PROCESSES = Path.of("/proc");

  @TempDir private Path unreadable;

  /** Returns the name of this process with another number. */
  private static String ended() {
    return OWN.replaceFirst("process \\d+", "process " + ENDED_PID);
  }

  @Test
  void thisProcessHasNotEnded() {
    assertThat(ProcessName.hasEnded(OWN)).isFalse();
    assertThat(ProcessName.hasEnded(OWN + "0")).as("another one with its number").isTrue();
    assertThat(ProcessName.hasEnded(ended())).isTrue();
  }

  @Test
  void ofWhatCannotBeSeenNothingIsSaid() {
    assertThat(ProcessName.hasEnded("process 1 of elsewhere since ?")).isFalse();
    assertThat(ProcessName.hasEnded("free")).isFalse();
    assertThat(ProcessName.hasEnded("")).isFalse();
    assertThat(ProcessName.hasEnded(OWN.replaceFirst("process \\d+", "process x"))).isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aClockThatIsSetChangesNoName() {
    Instant start = ProcessHandle.current().info().startInstant().orElseThrow();
    assertThat(OWN).doesNotContain(start.toString());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessOfAnotherContainerIsNotTakenForEnded() {
    assertThat(ProcessName.hasEnded(ended().replaceFirst("/pid:\\[\\d+\\]/", "/pid:[1]/")))
        .isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessOfAnotherMachineWithoutANameIsNotTakenForEnded() {
    String theirs = "process 1 of localhost since 0-0/pid:[1]/5";
    assertThat(ProcessName.hasEnded(theirs, "localhost", PROCESSES, ProcessHandle::of)).isFalse();
    assertThat(
            ProcessName.hasEnded(
                theirs.replace("localhost", "a"), "a", PROCESSES, ProcessHandle::of))
        .isTrue();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessOfAnotherUserThatTheSystemHidesIsNotTakenForEnded() {
    assertThat(ProcessName.hasEnded(ended(), HOST, PROCESSES, ProcessHandle::of)).isTrue();
    assertThat(ProcessName.hasEnded(ended(), HOST, PROCESSES, pid -> Optional.empty())).isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatRanBeforeTheMachineWasStartedAgainHasEnded() {
    assertThat(ProcessName.hasEnded(OWN.replaceFirst("since [^/]+/", "since 0-0/"))).isTrue();
  }

  /** Such as one that may open no more files. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessWhoseStartCannotBeReadIsNotTakenForEnded() {
    assertThat(ProcessName.startOf(ProcessHandle.current(), unreadable)).isEqualTo("?");
    assertThat(ProcessName.hasEnded(OWN, HOST, unreadable, ProcessHandle::of)).isFalse();
    assertThat(ProcessName.hasEnded(OWN + "0", HOST, unreadable, ProcessHandle::of)).isFalse();
    assertThat(ProcessName.hasEnded(ended(), HOST, unreadable, ProcessHandle::of)).isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void startsOfDifferentFormsSayNothingOfEachOther() {
    String since = OWN.substring(0, OWN.lastIndexOf(' ') + 1);
    assertThat(ProcessName.hasEnded(since + "2020-01-01T00:00:00Z")).isFalse();
    assertThat(ProcessName.hasEnded(since + "?")).isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessThatIsNotFoundButHasAFolderIsNotTakenForEnded() {
    LongFunction<Optional<ProcessHandle>> first =
        pid -> pid == 1 ? ProcessHandle.of(1) : Optional.empty();
    assertThat(ProcessName.hasEnded(OWN, HOST, PROCESSES, first)).isFalse();
    assertThat(ProcessName.hasEnded(ended(), HOST, PROCESSES, first)).isTrue();
  }
}
