// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.dashboard;

import io.accordiondb.dashboard.Dashboard;
import io.accordiondb.dashboard.DashboardOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a page that shows the memory stores of a region server at work, from the start of the
 * server to its end. An operator names it in HBase's configuration, as one of {@code
 * hbase.coprocessor.regionserver.classes}.
 *
 * <p>A server must not fail because of the page: if the page cannot be served, because a setting is
 * wrong or the port is taken, the log says why, and the server runs without it.
 *
 * <p>HBase starts and stops it, on one thread at a time.
 */
@CoreCoprocessor
public final class RegionServerDashboard implements RegionServerCoprocessor {
  /** Port that the page is served on; 0, the default, takes a free one. */
  static final String PORT_KEY = "accordion.dashboard.port";

  /** Address that the page is served on; by default the loopback address. */
  static final String ADDRESS_KEY = "accordion.dashboard.address";

  /** Names, separated by commas, by which browsers may ask for the page. */
  static final String HOST_NAMES_KEY = "accordion.dashboard.host.names";

  /** Characters that the page takes of a name. */
  private static final int NAME_LENGTH_MAX = 100;

  private static final Logger LOG = LoggerFactory.getLogger(RegionServerDashboard.class);

  private volatile @Nullable Dashboard dashboard;

  /** HBase calls this constructor by reflection. */
  public RegionServerDashboard() {}

  @Override
  public void start(CoprocessorEnvironment environment) {
    RegionServerServices server = ((HasRegionServerServices) environment).getRegionServerServices();
    // A master is a region server, too, of regions of its own, which have HBase's memory stores.
    if (server instanceof MasterServices) {
      return;
    }
    try {
      Dashboard started = Dashboard.start(options(environment.getConfiguration()));
      String name = "region server " + server.getServerName().getAddress();
      started.show(
          name.substring(0, Math.min(name.length(), NAME_LENGTH_MAX)),
          new RegionServerStatistics(server, environment.getConfiguration()));
      dashboard = started;
      LOG.info("the dashboard of this region server: {}", started.uri());
    } catch (IOException e) {
      LOG.error(
          "this region server has no dashboard: {}; {} and {} say where it is served",
          e.getMessage(),
          PORT_KEY,
          ADDRESS_KEY);
    } catch (RuntimeException e) {
      LOG.error("this region server has no dashboard: {}", e.getMessage(), e);
    }
  }

  /**
   * Returns the options that the configuration asks for.
   *
   * @throws IllegalArgumentException if a key has a wrong value; the message names the key
   */
  static DashboardOptions options(Configuration configuration) {
    DashboardOptions.Builder options = DashboardOptions.builder();
    String port = configuration.getTrimmed(PORT_KEY, "0");
    try {
      options.port(Integer.parseInt(port)).build();
    } catch (IllegalArgumentException e) {
      throw wrong(PORT_KEY, port, "a port from 0 to 65535", e);
    }
    String address = configuration.getTrimmed(ADDRESS_KEY, "");
    if (!address.isEmpty()) {
      try {
        options.address(InetAddress.getByName(address)).hostName(address);
      } catch (UnknownHostException e) {
        throw wrong(ADDRESS_KEY, address, "an address of this machine, or a name of it", e);
      }
    }
    for (String name : configuration.getTrimmedStrings(HOST_NAMES_KEY)) {
      if (!name.matches("[A-Za-z0-9._-]+")) {
        throw wrong(HOST_NAMES_KEY, name, "names of hosts, without ports", null);
      }
      options.hostName(name);
    }
    return options.build();
  }

  private static IllegalArgumentException wrong(
      String key, String value, String allowed, @Nullable Exception cause) {
    return new IllegalArgumentException(key + " is \"" + value + "\", expected " + allowed, cause);
  }

  /** Returns the address of the page, with its token; null if there is none. */
  public @Nullable URI uri() {
    Dashboard running = dashboard;
    return running == null ? null : running.uri();
  }

  @Override
  public void stop(CoprocessorEnvironment environment) {
    Dashboard running = dashboard;
    if (running != null) {
      running.close();
      dashboard = null;
    }
  }
}
