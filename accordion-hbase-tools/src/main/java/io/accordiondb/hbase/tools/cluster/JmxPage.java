// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** The page {@code /jmx} of a process, which has the attributes of its management beans. */
public final class JmxPage {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final ProcessPlan plan;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  /** Creates it for a process that has a web page. */
  public JmxPage(ClusterProcess process) {
    this.plan = process.plan();
    if (plan.webPort() == 0) {
      throw new IllegalArgumentException(plan.name() + " has no web page");
    }
  }

  /**
   * Returns the beans whose names match a pattern; none if there are none.
   *
   * @param pattern an {@link javax.management.ObjectName}
   * @throws IOException if the process does not answer, or with something else
   */
  public List<JsonObject> beans(String pattern) throws IOException, InterruptedException {
    URI uri =
        URI.create(
            plan.webPage() + "jmx?qry=" + URLEncoder.encode(pattern, StandardCharsets.UTF_8));
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
    HttpResponse<String> response =
        client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    try {
      List<JsonObject> beans = new ArrayList<>();
      JsonObject page = JsonParser.parseString(response.body()).getAsJsonObject();
      for (JsonElement bean : page.getAsJsonArray("beans")) {
        beans.add(bean.getAsJsonObject());
      }
      return beans;
    } catch (JsonParseException | IllegalStateException | NullPointerException e) {
      throw new IOException(
          uri + " answers with status " + response.statusCode() + " and no list of beans", e);
    }
  }
}
