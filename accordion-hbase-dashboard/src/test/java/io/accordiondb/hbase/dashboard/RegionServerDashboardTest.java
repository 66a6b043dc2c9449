// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.accordiondb.dashboard.DashboardOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings, and that a server does without a page that cannot be served. */
class RegionServerDashboardTest {
  private final Configuration configuration = new Configuration(false);
  private final RegionServerDashboard dashboard = new RegionServerDashboard();

  /** Returns what HBase hands to a coprocessor that it trusts. */
  private RegionServerCoprocessorEnvironment environment() {
    RegionServerServices server = mock(HRegionServer.class);
    when(server.getServerName()).thenReturn(ServerName.valueOf("a.example", 16020, 1));
    RegionServerCoprocessorEnvironment environment =
        mock(
            RegionServerCoprocessorEnvironment.class,
            withSettings().extraInterfaces(HasRegionServerServices.class));
    when(((HasRegionServerServices) environment).getRegionServerServices()).thenReturn(server);
    when(environment.getConfiguration()).thenReturn(configuration);
    return environment;
  }

  @Test
  void listensOnAnyFreePortOfTheLoopbackAddress() {
    assertThat(RegionServerDashboard.options(configuration)).isEqualTo(DashboardOptions.DEFAULT);
  }

  @Test
  void takesItsSettingsFromTheConfiguration() throws IOException {
    configuration.set(RegionServerDashboard.PORT_KEY, " 8085 ");
    configuration.set(RegionServerDashboard.ADDRESS_KEY, "0.0.0.0");
    configuration.set(RegionServerDashboard.HOST_NAMES_KEY, "rs1.example, RS1");
    DashboardOptions options = RegionServerDashboard.options(configuration);
    assertThat(options.port()).isEqualTo(8085);
    assertThat(options.address()).isEqualTo(InetAddress.getByName("0.0.0.0"));
    assertThat(options.hostNames()).containsExactlyInAnyOrder("0.0.0.0", "rs1.example", "rs1");
  }

  @ParameterizedTest
  @CsvSource({
    "accordion.dashboard.port, eighty",
    "accordion.dashboard.port, 65536",
    "accordion.dashboard.port, -1",
    "accordion.dashboard.address, 1.2.3.4.5",
    "accordion.dashboard.host.names, rs1.example:8085",
  })
  void namesASettingThatIsWrongAndGoesOnWithoutAPage(String key, String value) {
    configuration.set(key, value);
    assertThatThrownBy(() -> RegionServerDashboard.options(configuration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("\"" + value + "\"");
    RegionServerCoprocessorEnvironment environment = environment();
    dashboard.start(environment);
    assertThat(dashboard.uri()).isNull();
    dashboard.stop(environment);
  }

  @Test
  void goesOnWithoutAPageIfThePortIsTaken() throws IOException {
    RegionServerCoprocessorEnvironment environment = environment();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      configuration.setInt(RegionServerDashboard.PORT_KEY, taken.getLocalPort());
      dashboard.start(environment);
      assertThat(dashboard.uri()).isNull();
    }
    dashboard.stop(environment);
  }

  @Test
  void stopsWithTheServer() throws IOException {
    RegionServerCoprocessorEnvironment environment = environment();
    dashboard.start(environment);
    URI uri = dashboard.uri();
    assertThat(uri).isNotNull();
    new Socket(uri.getHost(), uri.getPort()).close();
    dashboard.stop(environment);
    assertThat(dashboard.uri()).isNull();
    assertThatThrownBy(() -> new Socket(uri.getHost(), uri.getPort()).close())
        .isInstanceOf(IOException.class);
  }
}
