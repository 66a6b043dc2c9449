// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * HBase on HDFS with one JVM for each process, on this machine. {@link
 * io.accordiondb.hbase.tools.cluster.ClusterLayout} decides about folders, ports and configuration,
 * {@link io.accordiondb.hbase.tools.cluster.ClusterProcess} is one JVM, and {@link
 * io.accordiondb.hbase.tools.cluster.LocalCluster} starts, kills and stops them. Start reading
 * there. The package knows nothing of commands and benchmarks.
 */
@NullMarked
package io.accordiondb.hbase.tools.cluster;

import org.jspecify.annotations.NullMarked;
