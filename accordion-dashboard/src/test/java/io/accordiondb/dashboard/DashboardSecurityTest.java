// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.dashboard.RawClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tries each attack on the server, on the wire. */
@Tag("slow")
class DashboardSecurityTest {
  private static final String HISTORY = "/api/history";
  private static final String STREAM = "/api/stream";

  private Dashboard dashboard;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    dashboard = Dashboard.start(DashboardOptions.builder().viewersMax(2).build());
    client = new RawClient(dashboard.uri());
  }

  @AfterEach
  void stop() {
    dashboard.close();
  }

  @Test
  void listensOnTheLoopbackAddressAlone() throws IOException {
    assertThat(InetAddress.getByName(dashboard.uri().getHost()).isLoopbackAddress()).isTrue();
  }

  @Test
  void tokensAreLongAndNeverTheSame() throws IOException {
    assertThat(client.token()).hasSize(32).matches("[A-Za-z0-9_-]+");
    try (Dashboard other = Dashboard.start(DashboardOptions.DEFAULT)) {
      assertThat(new RawClient(other.uri()).token()).isNotEqualTo(client.token());
      assertThat(
              new RawClient(other.uri())
                  .get(HISTORY, "Authorization: Bearer " + client.token())
                  .status())
          .isEqualTo(401);
    }
  }

  @Test
  void givesDataForTheToken() throws IOException {
    Answer answer = client.getWithToken(HISTORY);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).startsWith("{\"frames\":[");
  }

  @ParameterizedTest
  @ValueSource(strings = {HISTORY, STREAM})
  void givesNoDataWithoutTheTokenInItsHeader(String path) throws IOException {
    String token = client.token();
    for (String header :
        List.of(
            "X: y",
            "Authorization: Bearer ",
            "Authorization: Bearer " + token.substring(1),
            "Authorization: Bearer " + token + "x",
            "Authorization: Basic " + token,
            "Authorization: " + token,
            "Cookie: token=" + token,
            "Authorization: Bearer x\r\nAuthorization: Bearer " + token)) {
      Answer answer = client.get(path, header);
      assertThat(answer.status()).as(header).isEqualTo(401);
      assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
      assertThat(answer.body()).doesNotContain(token);
    }
    assertThat(client.get(path + "?token=" + token).status()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "attacker.example",
        "attacker.example:80",
        "127.0.0.1.attacker.example",
        "localhost.attacker.example",
        "192.168.1.7",
        "[fe80::1]",
        "[::2]",
        "[127.0.0.1]",
        "2130706433",
        "127.0.0.1@attacker.example",
        "127.0.0.1, attacker.example",
        ""
      })
  void refusesNamesThatMayHaveBeenRebound(String host) throws IOException {
    for (String path : List.of("/", HISTORY)) {
      Answer answer =
          client.send(
              "GET "
                  + path
                  + " HTTP/1.1\r\nHost: "
                  + host
                  + "\r\nAuthorization: Bearer "
                  + client.token()
                  + "\r\n");
      assertThat(answer.status()).isEqualTo(421);
    }
  }

  @Test
  void refusesRequestsWithoutOrWithTwoNames() throws IOException {
    String token = "Authorization: Bearer " + client.token() + "\r\n";
    assertThat(client.send("GET / HTTP/1.0\r\n" + token).status()).isEqualTo(421);
    assertThat(
            client
                .send("GET / HTTP/1.1\r\nHost: " + client.host() + "\r\nHost: attacker.example\r\n")
                .status())
        .isGreaterThanOrEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "127.0.0.1:1",
        "[::1]:8080",
        "[0:0:0:0:0:0:0:1]:8080",
        "LOCALHOST:80"
      })
  void acceptsTheNamesOfTheLoopback(String host) throws IOException {
    assertThat(client.send("GET / HTTP/1.1\r\nHost: " + host + "\r\n").status()).isEqualTo(200);
  }

  @Test
  void acceptsFurtherNamesThatWereGiven() throws IOException {
    try (Dashboard named =
        Dashboard.start(DashboardOptions.builder().hostName("Store.Example").build())) {
      RawClient other = new RawClient(named.uri());
      assertThat(other.send("GET / HTTP/1.1\r\nHost: store.example:80\r\n").status())
          .isEqualTo(200);
      assertThat(other.send("GET / HTTP/1.1\r\nHost: other.example:80\r\n").status())
          .isEqualTo(421);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: http://attacker.example",
        "Origin: null",
        "Origin: http://127.0.0.1:1",
        "Origin: https://HOST",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: anything"
      })
  void refusesWhatOtherPagesAskForEvenWithTheToken(String header) throws IOException {
    String sent = header.replace("HOST", client.host());
    for (String path : List.of("/", HISTORY, STREAM)) {
      assertThat(client.getWithToken(path, sent).status()).isEqualTo(403);
    }
  }

  @Test
  void answersItsOwnPage() throws IOException {
    assertThat(
            client
                .getWithToken(
                    HISTORY, "Origin: http://" + client.host(), "Sec-Fetch-Site: same-origin")
                .status())
        .isEqualTo(200);
    assertThat(client.get("/", "Sec-Fetch-Site: none").status()).isEqualTo(200);
    Answer head = client.send("HEAD / HTTP/1.1\r\nHost: " + client.host() + "\r\n");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void noOtherPageMayReadTheAnswers() throws IOException {
    Answer answer = client.getWithToken(HISTORY);
    assertThat(answer.headers()).doesNotContainKey("access-control-allow-origin");
    assertThat(answer.header("cross-origin-resource-policy")).isEqualTo("same-origin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"})
  void nothingCanBeChanged(String method) throws IOException {
    for (String path : List.of("/", HISTORY, STREAM)) {
      Answer answer =
          client.send(
              method
                  + " "
                  + path
                  + " HTTP/1.1\r\nHost: "
                  + client.host()
                  + "\r\nAuthorization: Bearer "
                  + client.token()
                  + "\r\nContent-Length: 0\r\n");
      assertThat(answer.status()).isEqualTo(405);
      assertThat(answer.header("allow")).isEqualTo("GET, HEAD");
    }
  }

  @Test
  void everyAnswerHasTheHeadersThatProtectThePage() throws IOException {
    for (Answer answer :
        List.of(
            client.get("/"),
            client.get("/main.js"),
            client.get("/missing"),
            client.get(HISTORY),
            client.getWithToken(HISTORY))) {
      assertThat(answer.header("content-security-policy"))
          .isEqualTo(
              "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                  + " img-src 'self' data:; base-uri 'none'; form-action 'none';"
                  + " frame-ancestors 'none'");
      assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
      assertThat(answer.header("x-frame-options")).isEqualTo("DENY");
      assertThat(answer.header("referrer-policy")).isEqualTo("no-referrer");
      assertThat(answer.header("cross-origin-opener-policy")).isEqualTo("same-origin");
      assertThat(answer.header("cache-control")).isEqualTo("no-store");
      assertThat(answer.headers()).doesNotContainKey("set-cookie");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/index.html",
        "/../main.js",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/dashboard.css",
        "//attacker.example/",
        "http://attacker.example/",
        "/main.js/",
        "/api/",
        "/api/history/"
      })
  void servesNothingButItsOwnFiles(String path) throws IOException {
    assertThat(client.get(path).status()).isEqualTo(404);
  }

  @Test
  void thePageHoldsNoSecretAndNoForeignAddress() throws IOException {
    for (String path : List.of("/", "/main.js", "/connection.js", "/dashboard.css", "/panels.js")) {
      String text = client.get(path).body();
      assertThat(text).doesNotContain(client.token()).doesNotContain("http:", "https:", "//cdn");
    }
    String html = client.get("/").body();
    assertThat(html)
        .doesNotContainPattern("<script(?![^>]*src=)")
        .doesNotContainPattern("<[^>]* (on[a-z]+|style)=");
  }

  @Test
  void moreViewersThanAllowedAreTurnedAway() throws IOException {
    List<Socket> viewers = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        viewers.add(openStream());
      }
      Answer refused = client.getWithToken(STREAM);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("retry-after")).isEqualTo("5");
      assertThat(client.getWithToken(HISTORY).status()).isEqualTo(200);
    } finally {
      for (Socket viewer : viewers) {
        viewer.close();
      }
    }
    awaitStatus(STREAM, 200);
  }

  private Socket openStream() throws IOException {
    Socket socket = client.connect();
    socket.getOutputStream().write(streamRequest());
    assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
        .isEqualTo("HTTP/1.1 200");
    return socket;
  }

  private byte[] streamRequest() {
    return ("GET "
            + STREAM
            + " HTTP/1.1\r\nHost: "
            + client.host()
            + "\r\nAuthorization: Bearer "
            + client.token()
            + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** A place is free again once the server has noticed that a viewer is gone. */
  private void awaitStatus(String path, int status) throws IOException {
    await(
        "the status of " + path,
        () -> {
          try (Socket socket = client.connect()) {
            socket.getOutputStream().write(streamRequest());
            return text(socket.getInputStream().readNBytes(12));
          }
        },
        line -> line.endsWith(" " + status));
  }

  @Test
  void slowRequestsTakeNoThreadForLong() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try {
      // As many as there are threads, and more.
      for (int i = 0; i < 14; i++) {
        Socket socket = client.connect();
        slow.add(socket);
        socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
      }
      for (Socket socket : slow) {
        assertThat(isClosedByServer(socket)).isTrue();
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    awaitPage();
  }

  /** Each takes a file descriptor, of which the application has a limited number. */
  @Test
  void silentConnectionsAreLimited() throws IOException {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        silent.add(client.connect());
      }
      // The server has accepted them all when the last one is closed.
      assertThat(isClosedByServer(silent.get(299))).isTrue();
      int open = 0;
      for (Socket socket : silent) {
        socket.setSoTimeout(1);
        try {
          open += socket.getInputStream().read() < 0 ? 0 : 1;
        } catch (SocketTimeoutException e) {
          open++;
        } catch (SocketException e) {
          // Closed.
        }
      }
      assertThat(open).isBetween(1, 256);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
    awaitPage();
  }

  /** A request that has waited for a thread for as long as a slow one may take is closed, too. */
  private void awaitPage() throws IOException {
    await(
        "the page",
        () -> {
          try {
            return client.get("/").status() == 200;
          } catch (SocketException e) {
            return false;
          }
        });
  }

  /** Waits until the server has closed a connection; false after half a minute. */
  private static boolean isClosedByServer(Socket socket) throws IOException {
    try {
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) {
        // An answer may come before the end.
      }
      return true;
    } catch (SocketException e) {
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u0000\u0001\r\n\r\n"})
  void whatIsNoRequestHarmsNobody(String bytes) throws IOException {
    try (Socket socket = client.connect()) {
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      assertThat(isClosedByServer(socket)).isTrue();
    }
    assertThat(client.get("/").status()).isEqualTo(200);
  }

  @Test
  void saysWhichPortIsTaken() {
    int port = dashboard.uri().getPort();
    assertThatThrownBy(() -> Dashboard.start(DashboardOptions.builder().port(port).build()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(":" + port)
        .hasMessageContaining("another port");
  }

  @Test
  void closingEndsStreamsAndThreads() throws Exception {
    try (Socket viewer = openStream()) {
      dashboard.close();
      assertThat(isClosedByServer(viewer)).isTrue();
    }
    await("the end of the threads", DashboardSecurityTest::liveThreads, threads -> threads == 0);
  }

  private static long liveThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("accordion-dashboard"))
        .count();
  }

  @Test
  void refusesOptionsOutOfBounds() {
    assertThatThrownBy(() -> DashboardOptions.builder().port(65536).build())
        .hasMessageContaining("65536");
    assertThatThrownBy(() -> DashboardOptions.builder().viewersMax(0).build())
        .hasMessageContaining("viewersMax");
    assertThatThrownBy(() -> dashboard.show("", () -> null)).hasMessageContaining("name");
  }
}
