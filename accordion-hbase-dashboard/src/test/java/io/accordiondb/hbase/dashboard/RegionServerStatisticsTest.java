// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServer;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerWrapper;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.junit.jupiter.api.Test;

/** Figures of a region server without regions. */
class RegionServerStatisticsTest {
  private final RegionServerServices server = mock(HRegionServer.class);
  private final Configuration configuration = new Configuration(false);

  private static long limitBytes(RegionServerStatistics figures) {
    return figures.statistics().memory().budgetBytes();
  }

  @Test
  void theLimitOfMemoryStoresIsThatOfNow() {
    configuration.setLong("hbase.regionserver.offheap.global.memstore.size", 64);
    RegionServerStatistics figures = new RegionServerStatistics(server, configuration);
    assertThat(limitBytes(figures)).isEqualTo(64L << 20);
    MetricsRegionServer metrics = mock(MetricsRegionServer.class);
    MetricsRegionServerWrapper wrapper = mock(MetricsRegionServerWrapper.class);
    when(metrics.getRegionServerWrapper()).thenReturn(wrapper);
    when(server.getMetrics()).thenReturn(metrics);
    when(wrapper.getMemStoreLimit()).thenReturn(64L << 20, 48L << 20);
    assertThat(limitBytes(figures)).isEqualTo(64L << 20);
    assertThat(limitBytes(figures)).isEqualTo(48L << 20);
  }
}
