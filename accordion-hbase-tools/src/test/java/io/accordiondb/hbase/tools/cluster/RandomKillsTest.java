// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.MockMakers;

/** Killed region servers that do not come back. */
class RandomKillsTest {
  private final LocalCluster cluster = mocked(LocalCluster.class);
  private final ClusterProcess master = mocked(ClusterProcess.class);
  private final List<ClusterProcess> servers =
      List.of(
          mocked(ClusterProcess.class), mocked(ClusterProcess.class), mocked(ClusterProcess.class));
  private final List<ClusterProcess> killed = new ArrayList<>();
  private final List<ClusterProcess> lost = new ArrayList<>();
  private final RandomKills kills =
      new RandomKills(
          cluster,
          Duration.ofMillis(1),
          new Random(1),
          new RandomKills.Listener() {
            @Override
            public void killed(ClusterProcess server, long pid) {
              killed.add(server);
            }

            @Override
            public void restarted(ClusterProcess server, Duration downtime) {}

            @Override
            public void lost(ClusterProcess server, String why) {
              assertThat(why).isEqualTo("its port is taken");
              lost.add(server);
            }
          });

  /** Returns a stand-in for an object of a final class. */
  private static <T> T mocked(Class<T> type) {
    return mock(type, withSettings().mockMaker(MockMakers.INLINE));
  }

  @BeforeEach
  void noServerComesBack() throws Exception {
    when(cluster.servers()).thenReturn(servers);
    when(cluster.coreProcesses()).thenReturn(List.of(master));
    doThrow(new IOException("its port is taken")).when(cluster).restart(any());
  }

  @Test
  void theClusterGoesOnWithoutThemUpToTheLast() throws Exception {
    assertThatThrownBy(kills::run).isInstanceOf(IOException.class).hasMessage("its port is taken");
    assertThat(killed).containsExactlyInAnyOrderElementsOf(servers);
    assertThat(lost).isEqualTo(killed.subList(0, 2));
    for (ClusterProcess server : servers) {
      // Once more, in case it runs but is unknown to the master.
      verify(cluster, times(2)).kill(server);
    }
  }

  @Test
  void theClusterEndsIfTheMasterHasEnded() throws Exception {
    doAnswer(
            restart -> {
              doThrow(new IOException("master has ended")).when(master).verifyAlive();
              throw new IOException("no master");
            })
        .when(cluster)
        .restart(any());
    assertThatThrownBy(kills::run).isInstanceOf(IOException.class).hasMessage("master has ended");
    assertThat(killed).hasSize(1);
    assertThat(lost).isEmpty();
  }
}
