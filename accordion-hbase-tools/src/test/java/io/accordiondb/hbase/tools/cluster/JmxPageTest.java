// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JmxPageTest {
  private HttpServer server;
  private volatile String answer = "";
  private volatile String query = "";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          query = exchange.getRequestURI().getQuery();
          byte[] bytes = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private List<JsonObject> beans() throws IOException, InterruptedException {
    ProcessPlan plan =
        new ProcessPlan(
            "regionserver-1",
            Role.REGION_SERVER,
            Path.of("unused"),
            1,
            server.getAddress().getPort(),
            new JvmMemory(64, 64),
            List.of());
    return new JmxPage(new ClusterProcess(plan)).beans("java.lang:type=GarbageCollector,*");
  }

  @Test
  void readsBeans() throws Exception {
    answer = "{\"beans\": [{\"CollectionCount\": 3}, {\"CollectionCount\": 4}]}";
    assertThat(beans())
        .extracting(bean -> bean.get("CollectionCount").getAsInt())
        .containsExactly(3, 4);
    assertThat(query).isEqualTo("qry=java.lang:type=GarbageCollector,*");
  }

  @Test
  void refusesAnotherPage() {
    for (String page : new String[] {"<html>", "{}", "[]", ""}) {
      answer = page;
      assertThatThrownBy(this::beans)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("/jmx?qry=", "status 200", "no list of beans");
    }
  }
}
