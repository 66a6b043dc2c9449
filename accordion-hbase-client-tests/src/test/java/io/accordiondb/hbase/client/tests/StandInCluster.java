// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.tests;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.mockito.Mockito;
import org.mockito.invocation.InvocationOnMock;
import org.mockito.stubbing.Answer;

/**
 * Answers for a mini cluster what one process can answer: its configuration, flushes and
 * compactions, and that its one server is up. Every other question is about threads, regions or
 * files of servers, and fails with a {@link NotInOneProcessException} that names the method.
 */
public final class StandInCluster implements Answer<Object> {
  private final HBaseTestingUtility utility;

  private StandInCluster(HBaseTestingUtility utility) {
    this.utility = utility;
  }

  /**
   * Returns what stands for the cluster of a test.
   *
   * @param utility does what the cluster is asked to do
   * @return the cluster
   */
  public static MiniHBaseCluster of(HBaseTestingUtility utility) {
    return Mockito.mock(
        MiniHBaseCluster.class,
        Mockito.withSettings().stubOnly().defaultAnswer(new StandInCluster(utility)));
  }

  @Override
  public Object answer(InvocationOnMock call) throws IOException {
    Object[] arguments = call.getArguments();
    return switch (call.getMethod().getName()) {
      case "getConf", "getConfiguration" -> configuration();
      case "getClusterMetrics" -> utility.getAdmin().getClusterMetrics();
      case "flushcache" -> {
        if (arguments.length == 0) {
          utility.flush();
        } else {
          utility.flush((TableName) arguments[0]);
        }
        yield null;
      }
      case "compact" -> {
        if (arguments.length == 1) {
          utility.compact((boolean) arguments[0]);
        } else {
          utility.compact((TableName) arguments[0], (boolean) arguments[1]);
        }
        yield null;
      }
      case "waitForActiveAndReadyMaster" -> true;
      case "getNumLiveRegionServers" -> 1;
      case "toString" -> "a database in one process";
      case "hashCode" -> System.identityHashCode(this);
      default ->
          throw new NotInOneProcessException(
              "MiniHBaseCluster." + call.getMethod().getName(),
              "one process has no master and no region servers to look into");
    };
  }

  private Configuration configuration() {
    return utility.getConfiguration();
  }
}
