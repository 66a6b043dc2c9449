// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.client.NormalizeTableFilterParams;
import org.apache.hadoop.hbase.client.security.SecurityCapability;

/**
 * HBase's operations on the cluster, as far as one process answers them truthfully. It has no
 * balancer, normalizer, catalog janitor, or cleaner: they are off, and switching them leaves them
 * off. Switches return the state before, which is off.
 */
final class ClusterOperations {
  private final ClusterFigures figures;

  ClusterOperations(ClusterFigures figures) {
    this.figures = figures;
  }

  public ClusterMetrics getClusterMetrics() throws IOException {
    return getClusterMetrics(EnumSet.allOf(ClusterMetrics.Option.class));
  }

  public ClusterMetrics getClusterMetrics(EnumSet<ClusterMetrics.Option> options)
      throws IOException {
    return figures.cluster(options);
  }

  public List<RegionMetrics> getRegionMetrics(ServerName server) throws IOException {
    return isOurs(server) ? figures.regions(null) : new ArrayList<>();
  }

  public List<RegionMetrics> getRegionMetrics(ServerName server, TableName table)
      throws IOException {
    return isOurs(server) ? figures.regions(table) : new ArrayList<>();
  }

  private boolean isOurs(ServerName server) {
    return ServerName.isSameAddress(figures.server(), server);
  }

  public boolean isMasterInMaintenanceMode() {
    return false;
  }

  public List<SecurityCapability> getSecurityCapabilities() {
    return new ArrayList<>();
  }

  public List<ServerName> listDecommissionedRegionServers() {
    return new ArrayList<>();
  }

  public List<ServerName> clearDeadServers(List<ServerName> servers) {
    return new ArrayList<>();
  }

  public boolean balancerSwitch(boolean on, boolean synchronous) {
    return false;
  }

  public boolean isBalancerEnabled() {
    return false;
  }

  public BalanceResponse balance(BalanceRequest request) {
    return BalanceResponse.newBuilder().build();
  }

  public boolean normalizerSwitch(boolean on) {
    return false;
  }

  public boolean isNormalizerEnabled() {
    return false;
  }

  public boolean normalize(NormalizeTableFilterParams tables) {
    return false;
  }

  public boolean catalogJanitorSwitch(boolean on) {
    return false;
  }

  public boolean isCatalogJanitorEnabled() {
    return false;
  }

  public int runCatalogJanitor() {
    return 0;
  }

  public boolean cleanerChoreSwitch(boolean on) {
    return false;
  }

  public boolean isCleanerChoreEnabled() {
    return false;
  }

  public boolean runCleanerChore() {
    return false;
  }

  public boolean snapshotCleanupSwitch(boolean on, boolean synchronous) {
    return false;
  }

  public boolean isSnapshotCleanupEnabled() {
    return false;
  }
}
