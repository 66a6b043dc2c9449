// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Which processes a lock takes for ended. */
class ProcessNameTest {
  private static final String OWN = ProcessName.own();
  private static final String ENDED_PID = "999999999";

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
    assertThat(ProcessName.hasEnded(theirs, "localhost", ProcessHandle::of)).isFalse();
    assertThat(ProcessName.hasEnded(theirs.replace("localhost", "a"), "a", ProcessHandle::of))
        .isTrue();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessOfAnotherUserThatTheSystemHidesIsNotTakenForEnded() {
    String host = OWN.replaceFirst(".* of (\\S+) since .*", "$1");
    assertThat(ProcessName.hasEnded(ended(), host, ProcessHandle::of)).isTrue();
    assertThat(ProcessName.hasEnded(ended(), host, pid -> Optional.empty())).isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatRanBeforeTheMachineWasStartedAgainHasEnded() {
    assertThat(ProcessName.hasEnded(OWN.replaceFirst("since [^/]+/", "since 0-0/"))).isTrue();
  }
}
