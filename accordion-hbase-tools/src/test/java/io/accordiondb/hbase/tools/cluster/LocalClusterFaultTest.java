// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that end too early, and processes that are left alone. */
@Tag("slow")
class LocalClusterFaultTest {
  @TempDir Path folder;

  @Test
  void saysWhyAProcessDoesNotStartAndStopsTheOthers() {
    ClusterOptions options =
        ClusterOptions.of(folder, 1).with("hbase.zookeeper.quorum", "no-such-host.invalid");
    List<String> progress = new ArrayList<>();
    assertThatThrownBy(() -> LocalCluster.start(options, progress::add))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "zookeeper has ended with exit code ", "zookeeper.log", "Could not find my address");
    assertThat(progress).first().asString().startsWith("zookeeper starts, pid ");
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void noProcessOutlivesTheOneThatStartedIt() throws Exception {
    Process parent = new ProcessBuilder(java(Parent.class.getName())).start();
    try (BufferedReader reader = parent.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(reader.readLine())).orElseThrow();
      parent.destroyForcibly().waitFor();
      ProcessHandle unused = child.onExit().get(20, TimeUnit.SECONDS);
      assertThat(child.isAlive()).isFalse();
    } finally {
      parent.destroyForcibly();
    }
  }

  private static List<String> java(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx32m", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Starts a process that would run forever, and prints its id once its main class runs. */
  static final class Parent {
    public static void main(String[] arguments) throws Exception {
      Process child =
          new ProcessBuilder(java(WatchedMain.class.getName(), Child.class.getName())).start();
      System.out.println(child.inputReader().readLine());
      Thread.currentThread().join();
    }
  }

  /** Runs forever. */
  static final class Child {
    public static void main(String[] arguments) throws InterruptedException {
      System.out.println(ProcessHandle.current().pid());
      Thread.currentThread().join();
    }
  }
}
