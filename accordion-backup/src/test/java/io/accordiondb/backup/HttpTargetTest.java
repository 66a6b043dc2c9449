// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.accordiondb.Database;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups in an object store, which a server in this process stands in for. */
class HttpTargetTest {
  private static final String BUCKET = "/bucket/";

  @TempDir private Path folder;
  private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
  private HttpServer server;
  private Backups backups;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(BUCKET, this::answer);
    server.start();
    URI bucket = URI.create("http://localhost:" + server.getAddress().getPort() + BUCKET);
    backups = Backups.at(new HttpTarget(bucket));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String name = exchange.getRequestURI().getPath().substring(BUCKET.length());
      String query = exchange.getRequestURI().getQuery();
      switch (exchange.getRequestMethod()) {
        case "PUT" -> {
          byte[] content = exchange.getRequestBody().readAllBytes();
          boolean onlyNew = exchange.getRequestHeaders().containsKey("If-None-Match");
          boolean refused = onlyNew && objects.containsKey(name);
          if (!refused) {
            objects.put(name, content);
          }
          exchange.sendResponseHeaders(refused ? 412 : 200, -1);
        }
        case "DELETE" -> {
          objects.remove(name);
          exchange.sendResponseHeaders(204, -1);
        }
        default -> {
          byte[] found = query == null ? objects.get(name) : list(query);
          exchange.sendResponseHeaders(found == null ? 404 : 200, found == null ? -1 : 0);
          if (found != null) {
            exchange.getResponseBody().write(found);
          }
        }
      }
    }
  }

  private byte[] list(String query) {
    String prefix = query.substring("prefix=".length());
    StringBuilder names = new StringBuilder();
    objects.forEach(
        (name, content) -> {
          if (name.startsWith(prefix)) {
            names.append(name).append(' ').append(content.length).append('\n');
          }
        });
    return names.toString().getBytes(UTF_8);
  }

  @Test
  void backsUpAndRestores() throws IOException {
    try (Database database = Database.open(folder.resolve("database"))) {
      KeyValueStore store = database.keyValueStore("carts");
      for (int i = 0; i < 3; i++) {
        store.put(new byte[] {1}, new byte[] {(byte) i});
        database.flush();
        backups.create(database);
      }
    }
    assertThat(backups.generations()).hasSize(3);
    backups.keepNewest(2);
    assertThat(valueOf(2)).containsExactly(1);
    assertThat(valueOf(3)).containsExactly(2);
    assertThat(objects.keySet()).doesNotContain("generations/0000000001");
    assertThat(objects).containsEntry("locks/0000000004", "free".getBytes(UTF_8));
  }

  private byte[] valueOf(long generation) throws IOException {
    Path restored = folder.resolve("restored" + generation);
    backups.restore(generation, restored);
    try (Database database = Database.open(restored)) {
      return Objects.requireNonNull(database.keyValueStore("carts").get(new byte[] {1}));
    }
  }

  @Test
  void whatTheObjectStoreLostIsNamed() throws IOException {
    try (Database database = Database.open(folder.resolve("database"))) {
      database.keyValueStore("carts").put(new byte[] {1}, new byte[] {2});
      backups.create(database);
    }
    String lost =
        objects.keySet().stream().filter(name -> name.startsWith("files/")).findAny().orElseThrow();
    objects.remove(lost);
    assertThatThrownBy(() -> backups.restore(1, folder.resolve("restored")))
        .isInstanceOf(BackupDamagedException.class)
        .hasMessageContaining(lost)
        .hasMessageContaining("is missing");
  }
}
