// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.hbase.client.admin.AdminFixture.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.UnknownSnapshotException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClusterAdminTest {
  private static final TableName T = TableName.valueOf("t");

  private AdminFixture fixture;
  private Admin admin;
  private AsyncAdmin async;

  @BeforeEach
  void open() throws IOException {
    fixture = new AdminFixture();
    admin = fixture.admin;
    async = fixture.async;
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
  }

  @Test
  void theClusterHasOneServerWithAllRegions() throws IOException {
    admin.createTable(table("t", "f"), new byte[][] {bytes("m")});
    admin.createTable(table("u", "f", "g"));
    fixture.put("t", "a");
    ServerName server = fixture.administration.server();
    ClusterMetrics metrics = admin.getClusterMetrics();
    assertThat(metrics.getMasterName()).isEqualTo(server);
    assertThat(metrics.getServersName()).containsExactly(server);
    assertThat(metrics.getLiveServerMetrics()).containsOnlyKeys(server);
    assertThat(metrics.getRegionCount()).isEqualTo(3);
    assertThat(metrics.getDeadServerNames()).isEmpty();
    assertThat(metrics.getBalancerOn()).isFalse();
    assertThat(metrics.getClusterId()).isEqualTo("cluster");
    assertThat(metrics.getLiveServerMetrics().get(server).getRequestCount()).isPositive();
    assertThat(metrics.getTableRegionStatesCount().get(T).getOpenRegions()).isEqualTo(2);
    assertThat(admin.getMaster()).isEqualTo(server);
    assertThat(admin.getRegionServers()).containsExactly(server);
    assertThat(admin.getRegions(server)).hasSize(3);
    List<RegionMetrics> regions = admin.getRegionMetrics(server, T);
    assertThat(regions).hasSize(2);
    assertThat(regions.get(0).getMemStoreSize().getLongValue()).isPositive();
    assertThat(regions.get(0).getRegionName())
        .isEqualTo(admin.getRegions(T).get(0).getRegionName());
    ClusterMetrics onlyMaster = admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER));
    assertThat(onlyMaster.getMasterName()).isEqualTo(server);
    assertThat(onlyMaster.getLiveServerMetrics()).isEmpty();
  }

  @Test
  void whatAProcessDoesNotHaveIsOff() throws IOException {
    assertThat(admin.balancerSwitch(true, true)).isFalse();
    assertThat(admin.isBalancerEnabled()).isFalse();
    assertThat(admin.balance()).isFalse();
    assertThat(admin.normalizerSwitch(true)).isFalse();
    assertThat(admin.isNormalizerEnabled()).isFalse();
    assertThat(admin.normalize()).isFalse();
    assertThat(admin.catalogJanitorSwitch(true)).isFalse();
    assertThat(admin.isCatalogJanitorEnabled()).isFalse();
    assertThat(admin.runCatalogJanitor()).isZero();
    assertThat(admin.isCleanerChoreEnabled()).isFalse();
    assertThat(admin.isSnapshotCleanupEnabled()).isFalse();
    assertThat(admin.isMasterInMaintenanceMode()).isFalse();
    assertThat(admin.listDeadServers()).isEmpty();
    assertThat(admin.getMasterCoprocessorNames()).isEmpty();
  }

  @Test
  void whatCannotExistIsNamed() {
    assertThatThrownBy(() -> admin.coprocessorService())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith("Admin.coprocessorService is not available in an embedded store");
    assertThatThrownBy(() -> admin.listReplicationPeers())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("Admin.listReplicationPeers");
    assertThatThrownBy(() -> admin.setQuota(null))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("Admin.setQuota");
    assertThatThrownBy(() -> admin.getProcedures())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> async.getLocks().get())
        .hasCauseInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("AsyncAdmin.getLocks");
  }

  @Test
  void anAdminKnowsItsConnectionAndConfiguration() {
    assertThat(admin.getConnection()).isSameAs(fixture.connection);
    assertThat(admin.getConfiguration()).isSameAs(fixture.configuration);
    fixture.configuration.setInt("hbase.client.operation.timeout", 1234);
    assertThat(admin.getOperationTimeout()).isEqualTo(1234);
    assertThat(admin.isAborted()).isFalse();
    admin.abort("a test", new IOException());
    assertThat(admin.isAborted()).isTrue();
    assertThat(fixture.administration.admin(fixture.connection).isAborted()).isFalse();
    assertThat(admin).isNotEqualTo(fixture.administration.admin(fixture.connection));
    assertThat(admin.toString()).isEqualTo("Admin of an embedded store");
    assertThat(Set.of(admin)).contains(admin);
  }

  @Test
  void everyOperationIsOneOfAnInterface() {
    Set<String> unused = new TreeSet<>();
    List<Class<?>> types =
        List.of(
            TableOperations.class,
            FamilyOperations.class,
            NamespaceOperations.class,
            RegionOperations.class,
            CompactionOperations.class,
            SnapshotOperations.class,
            ClusterOperations.class,
            ClientOperations.class,
            LegacyOperations.class,
            AsyncFormOperations.class);
    List<Method> wanted = new ArrayList<>(Arrays.asList(Admin.class.getMethods()));
    wanted.addAll(Arrays.asList(AsyncAdmin.class.getMethods()));
    for (Class<?> type : types) {
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers())
            && wanted.stream().noneMatch(other -> isImplementedBy(other, method))) {
          unused.add(type.getSimpleName() + "." + method);
        }
      }
    }
    assertThat(unused).as("methods that neither interface has with these results").isEmpty();
  }

  private static boolean isImplementedBy(Method wanted, Method method) {
    boolean isNamedAlike =
        wanted.getName().equals(method.getName())
            || wanted.getName().equals(method.getName() + "Async");
    return isNamedAlike
        && Arrays.equals(wanted.getParameterTypes(), method.getParameterTypes())
        && new OperationTable.Operation(method, method).returns(wanted);
  }

  /** The methods that the documents list as not available, without the ending Async. */
  private static final Set<String> UNAVAILABLE =
      Set.of(
          ("abortProcedure addReplicationPeer appendReplicationPeerTableCFs assign clearBlockCache"
                  + " clearCompactionQueues clearSlowLogResponses closeRegion"
                  + " closeRegionWithEncodedRegionName compactionSwitch coprocessorService"
                  + " decommissionRegionServers disableReplicationPeer disableTableReplication"
                  + " enableReplicationPeer enableTableReplication exceedThrottleQuotaSwitch"
                  + " execProcedure execProcedureWithReturn flushMasterStore getCachedFilesList"
                  + " getCurrentSpaceQuotaSnapshot getLocks getLogEntries getProcedures getQuota"
                  + " getQuotaRetriever getRegionServerSpaceQuotaSnapshots getReplicationPeerConfig"
                  + " getSpaceQuotaTableSizes getUserPermissions grant hasUserPermissions"
                  + " isProcedureFinished isReplicationPeerEnabled"
                  + " isReplicationPeerModificationEnabled isRpcThrottleEnabled"
                  + " listReplicatedTableCFs listReplicationPeers"
                  + " modifyColumnFamilyStoreFileTracker modifyTableStoreFileTracker move offline"
                  + " recommissionRegionServer removeReplicationPeer"
                  + " removeReplicationPeerTableCFs replicationPeerModificationSwitch revoke"
                  + " rollWALWriter setQuota shutdown stopMaster stopRegionServer"
                  + " switchRpcThrottle unassign updateConfiguration updateReplicationPeerConfig")
              .split(" "));

  @Test
  void exactlyTheDocumentedMethodsAreUnavailable() throws Exception {
    Set<String> found = unavailable(Admin.class, admin);
    found.addAll(unavailable(AsyncAdmin.class, async));
    assertThat(found).containsExactlyInAnyOrderElementsOf(UNAVAILABLE);
  }

  /** Returns the names of the methods without a default that say that they are not available. */
  private static Set<String> unavailable(Class<?> type, Object admin) throws Exception {
    Set<String> names = new TreeSet<>();
    for (Method method : type.getMethods()) {
      if (!method.isDefault()) {
        try {
          Object result = method.invoke(admin, nothing(method.getParameterTypes()));
          if (result instanceof CompletableFuture<?> future) {
            future.join();
          }
        } catch (InvocationTargetException | CompletionException e) {
          Throwable cause = e.getCause();
          if (cause instanceof UnsupportedOperationException
              && String.valueOf(cause.getMessage()).contains("." + method.getName() + " is not")) {
            names.add(method.getName().replaceFirst("Async$", ""));
          }
        }
      }
    }
    return names;
  }

  private static Object[] nothing(Class<?>[] types) {
    return Arrays.stream(types).map(type -> Array.get(Array.newInstance(type, 1), 0)).toArray();
  }

  @Test
  void futuresOfTheBlockingAdminAreComplete() throws Exception {
    Future<Void> created = admin.createTableAsync(table("t", "f"));
    assertThat(created.isDone()).isTrue();
    assertThat(created.get()).isNull();
    assertThatThrownBy(() -> admin.createTableAsync(table("t", "f")))
        .isInstanceOf(TableExistsException.class);
    assertThatThrownBy(() -> admin.deleteTableAsync(T))
        .isInstanceOf(TableNotDisabledException.class);
    admin.disableTableAsync(T).get();
    admin.deleteTableAsync(T).get();
    assertThat(admin.tableExists(T)).isFalse();
  }

  @Test
  void theAsynchronousAdminDoesTheSame() throws Exception {
    async.createTable(table("t", "f"), new byte[][] {bytes("m")}).get();
    assertThat(async.tableExists(T).get()).isTrue();
    assertThat(async.listTableNames().get()).containsExactly(T);
    assertThat(async.listTableDescriptors().get()).containsExactly(table("t", "f"));
    assertThat(async.listTableNames(Pattern.compile("x"), false).get()).isEmpty();
    assertThat(async.listNamespaces().get()).containsExactly("default", "hbase");
    assertThat(async.getRegions(T).get()).hasSize(2);
    assertThat(async.getLastMajorCompactionTimestamp(T).get()).isEmpty();
    async.split(T, bytes("p")).get();
    assertThat(async.getRegions(T).get()).hasSize(3);
    async
        .mergeRegions(
            async.getRegions(T).get().stream().map(region -> region.getRegionName()).toList(),
            false)
        .get();
    assertThat(async.getRegions(T).get()).hasSize(1);
    assertThat(async.isBalancerEnabled().get()).isFalse();
    assertThat(async.getClusterMetrics().get().getRegionCount()).isEqualTo(1);
    assertThatThrownBy(() -> async.splitRegion(bytes("0123456789abcdef0123456789abcdef")).get())
        .hasCauseInstanceOf(UnknownRegionException.class);
    assertThatThrownBy(() -> async.getDescriptor(TableName.valueOf("none")).get())
        .hasCauseInstanceOf(TableNotFoundException.class);
    async.snapshot("s", T).get();
    assertThat(async.listTableSnapshots(Pattern.compile("t")).get()).hasSize(1);
    async.disableTable(T).get();
    async.restoreSnapshot("s").get();
    async.deleteSnapshots().get();
    assertThat(async.listSnapshots().get()).isEmpty();
    async.deleteTable(T).get();
    assertThat(async.tableExists(T).get()).isFalse();
  }

  @Test
  void snapshotsAreListedClonedAndDeletedByPattern() throws Exception {
    admin.createTable(table("t", "f"));
    admin.createTable(table("u", "f"));
    fixture.put("t", "row");
    admin.snapshot("t1", T);
    admin.snapshot("t2", T);
    admin.snapshotAsync(new SnapshotDescription("u1", TableName.valueOf("u"))).get();
    assertThat(names(admin.listSnapshots())).containsExactly("t1", "t2", "u1");
    assertThat(names(admin.listSnapshots("t.*"))).containsExactly("t1", "t2");
    assertThat(names(admin.listTableSnapshots("t", ".*1"))).containsExactly("t1");
    assertThat(admin.isSnapshotFinished(new SnapshotDescription("t1", T))).isTrue();
    assertThatThrownBy(() -> admin.isSnapshotFinished(new SnapshotDescription("x", T)))
        .isInstanceOf(UnknownSnapshotException.class);
    admin.cloneSnapshot("t1", TableName.valueOf("clone"));
    TableDescriptor clone = admin.getDescriptor(TableName.valueOf("clone"));
    assertThat(clone.getTableName().getNameAsString()).isEqualTo("clone");
    assertThatThrownBy(() -> admin.cloneSnapshot("t1", TableName.valueOf("x"), true))
        .isInstanceOf(UnsupportedOperationException.class);
    admin.deleteTableSnapshots("t", ".*2");
    admin.deleteSnapshots(Pattern.compile("u.*"));
    assertThat(names(admin.listSnapshots())).containsExactly("t1");
    admin.deleteSnapshot("t1");
    assertThatThrownBy(() -> admin.deleteSnapshot("t1"))
        .isInstanceOf(SnapshotDoesNotExistException.class);
  }

  @Test
  void snapshotsOfTablesThatAreGoneArePatternsOfNoTable() throws Exception {
    admin.createTable(table("t", "f"));
    admin.snapshot("s", T);
    admin.disableTable(T);
    admin.majorCompact(T);
    admin.deleteTable(T);
    assertThat(admin.listTableSnapshots("t", ".*")).isEmpty();
    admin.deleteTableSnapshots("t", ".*");
    List<SnapshotDescription> left = admin.listSnapshots(".*");
    left.sort(Comparator.comparing(SnapshotDescription::getCreationTime));
    assertThat(names(left)).containsExactly("s");
    assertThat(admin.getRegions(T)).isEmpty();
    admin.deleteSnapshots(".*");
    assertThat(admin.listSnapshots()).isEmpty();
  }

  private static List<String> names(List<SnapshotDescription> snapshots) {
    return snapshots.stream().map(SnapshotDescription::getName).toList();
  }

  @Test
  void aClosedConnectionAcceptsNothing() throws Exception {
    admin.createTable(table("t", "f"));
    fixture.executor.shutdown();
    assertThatThrownBy(() -> admin.majorCompact(T))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessage("the connection is closed");
    assertThatThrownBy(() -> async.tableExists(T).get())
        .hasCauseInstanceOf(DoNotRetryIOException.class);
  }
}
