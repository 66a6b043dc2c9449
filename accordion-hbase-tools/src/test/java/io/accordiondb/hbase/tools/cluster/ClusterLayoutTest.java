// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterLayoutTest {
  @TempDir Path folder;

  private ClusterOptions options() {
    return ClusterOptions.of(folder, 3).withDataNodes(2);
  }

  private static List<ProcessPlan> all(ClusterLayout layout) {
    List<ProcessPlan> all = new ArrayList<>(List.of(layout.zooKeeper(), layout.nameNode()));
    all.addAll(layout.dataNodes());
    all.add(layout.master());
    all.addAll(layout.servers());
    return all;
  }

  private static Configuration site(ProcessPlan plan, String file) {
    Configuration site = new Configuration(false);
    site.addResource(new org.apache.hadoop.fs.Path(plan.configuration().resolve(file).toUri()));
    return site;
  }

  @Test
  void givesEachProcessAFolderAndPortsOfItsOwn() throws IOException {
    List<ProcessPlan> all = all(new ClusterLayout(options()));
    assertThat(all).extracting(ProcessPlan::name).hasSize(8).doesNotHaveDuplicates();
    assertThat(all).extracting(ProcessPlan::folder).doesNotHaveDuplicates();
    assertThat(
            all.stream()
                .flatMap(plan -> Stream.of(plan.port(), plan.webPort()))
                .filter(port -> port != 0))
        .hasSize(15)
        .doesNotHaveDuplicates();
  }

  @Test
  void listensOnTheLoopbackAddressOnly() throws IOException {
    ClusterLayout layout = new ClusterLayout(options());
    layout.create();
    for (ProcessPlan plan : all(layout)) {
      for (String file : new String[] {"hbase-site.xml", "hdfs-site.xml"}) {
        site(plan, file)
            .forEach(
                setting -> {
                  String key = setting.getKey();
                  if (key.endsWith("address") || key.endsWith("Address") || key.endsWith("host")) {
                    assertThat(setting.getValue()).as(key).startsWith("127.0.0.1");
                  }
                });
      }
    }
  }

  @Test
  void givesSettingsToAllProcessesAndTheyWin() throws IOException {
    ClusterLayout layout =
        new ClusterLayout(
            options()
                .with("hbase.regionserver.memstore.class", "a.Class")
                .with("zookeeper.session.timeout", "7"));
    layout.create();
    for (ProcessPlan plan : all(layout)) {
      Configuration site = site(plan, "hbase-site.xml");
      assertThat(site.get("hbase.regionserver.memstore.class")).isEqualTo("a.Class");
      assertThat(site.get("zookeeper.session.timeout")).isEqualTo("7");
    }
    assertThat(layout.client().getInt("hbase.zookeeper.property.clientPort", 0))
        .isEqualTo(layout.zooKeeper().port());
    assertThat(Files.exists(layout.clientFolder().resolve("hbase-site.xml"))).isTrue();
  }

  @Test
  void putsOtherJarsOfOneServerBeforeAllOthers() throws IOException {
    ClusterLayout layout =
        new ClusterLayout(options().withFirstJars(2, Path.of("previous").toAbsolutePath()));
    for (ProcessPlan plan : layout.servers()) {
      List<String> command = plan.command();
      String[] path = command.get(command.indexOf("-cp") + 1).split(File.pathSeparator);
      assertThat(path[0]).isEqualTo(plan.configuration().toString());
      assertThat(path[1].contains("previous")).isEqualTo(plan.name().equals("regionserver-2"));
    }
  }

  @Test
  void staysWithinSixGigabytesWithAnyNumberOfServers() {
    for (int servers = 1; servers <= ClusterOptions.SERVERS_MAX; servers++) {
      JvmMemory memory = JvmMemory.ofServer(servers);
      assertThat(servers * (memory.heapMegabytes() + memory.directMegabytes() + 220))
          .isLessThanOrEqualTo(4400);
      assertThat(memory.heapMegabytes()).isGreaterThan(150);
      assertThat(memory.storeMegabytes()).isGreaterThan(50);
    }
  }

  @Test
  void refusesNumbersThatDoNotFit() {
    assertThatThrownBy(() -> ClusterOptions.of(folder, ClusterOptions.SERVERS_MAX + 1))
        .hasMessage("9 region servers, expected 1 to 8");
    assertThatThrownBy(() -> options().withDataNodes(0))
        .hasMessage("0 data nodes, expected 1 to 3");
  }
}
