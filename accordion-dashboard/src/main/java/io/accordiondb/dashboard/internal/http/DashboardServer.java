// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.accordiondb.dashboard.internal.http.PageFiles.PageFile;
import io.accordiondb.dashboard.internal.sample.Sampler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page and its data, and nothing else. Thread-safe.
 *
 * <p>The page itself holds no secret, and every request that {@link RequestGuard} accepts gets it;
 * {@value #STREAM} and {@value #HISTORY} require the token. The token follows {@code #} in the
 * address, a part that browsers never send. The page puts the token into its session storage, which
 * only this host and port can read, and from there into a header. A cookie would go to every other
 * port of the host as well.
 */
public final class DashboardServer implements AutoCloseable {
  static final String STREAM = "/api/stream";
  static final String HISTORY = "/api/history";

  /** Threads for requests that end at once. */
  private static final int SHORT_REQUESTS_MAX = 8;

  private static final int CONNECTIONS_WAITING_MAX = 16;

  /** Further connections are closed at once, so that the process can open files. */
  private static final int CONNECTIONS_MAX = 256;

  private static final String CONNECTIONS_PROPERTY = "jdk.httpserver.maxConnections";

  private static final int PART_BYTES = 64 << 10;

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src 'self' data:; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Permissions-Policy",
          "camera=(), geolocation=(), microphone=()",
          "Cache-Control",
          "no-store");

  private final HttpServer server;
  private final InetAddress address;
  private final AccessToken token;
  private final RequestGuard guard;
  private final PageFiles files;
  private final Sampler sampler;
  private final RequestThreads threads;
  private final Semaphore places;
  private final AtomicBoolean closed = new AtomicBoolean();

  private DashboardServer(
      HttpServer server,
      InetAddress address,
      Set<String> hostNames,
      int viewersMax,
      AccessToken token,
      PageFiles files,
      Sampler sampler) {
    this.server = server;
    this.address = address;
    this.token = token;
    this.guard = new RequestGuard(new HostNames(address, hostNames), token);
    this.files = files;
    this.sampler = sampler;
    this.threads = new RequestThreads(viewersMax + SHORT_REQUESTS_MAX);
    this.places = new Semaphore(viewersMax);
  }

  /**
   * Starts a server.
   *
   * @param port 0 for a free one
   * @param hostNames names, in lower case, by which it may be asked for
   * @throws IOException if the server cannot listen on the address or the port
   */
  public static DashboardServer start(
      InetAddress address,
      int port,
      Set<String> hostNames,
      int viewersMax,
      AccessToken token,
      Sampler sampler)
      throws IOException {
    // Before there is a port to give back.
    PageFiles files = new PageFiles();
    limitConnections();
    HttpServer http;
    try {
      http = HttpServer.create(new InetSocketAddress(address, port), CONNECTIONS_WAITING_MAX);
    } catch (BindException e) {
      throw new IOException(
          "the dashboard cannot listen on "
              + host(address)
              + ":"
              + port
              + " ("
              + e.getMessage()
              + "); give another port, or 0 for any free one",
          e);
    }
    DashboardServer server =
        new DashboardServer(http, address, hostNames, viewersMax, token, files, sampler);
    http.setExecutor(server.threads);
    http.createContext("/", server::handle);
    server.startAsDaemon();
    return server;
  }

  /**
   * Limits the connections of each server of the process, unless somebody has done it. The JDK
   * reads the limit once, before the first server.
   */
  private static void limitConnections() {
    if (System.getProperty(CONNECTIONS_PROPERTY) == null) {
      System.setProperty(CONNECTIONS_PROPERTY, Integer.toString(CONNECTIONS_MAX));
    }
  }

  /** Starts the server's own thread, which is a daemon if the thread that starts it is one. */
  private void startAsDaemon() throws IOException {
    Thread starter = RequestThreads.daemons("accordion-dashboard-start").newThread(server::start);
    starter.start();
    try {
      starter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
      throw new IOException("interrupted", e);
    }
  }

  /** Returns the address of the page, with the token. */
  public URI uri() {
    InetAddress reached = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    return URI.create(
        "http://"
            + host(reached)
            + ":"
            + server.getAddress().getPort()
            + "/#token="
            + token.text());
  }

  private static String host(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet6Address ? "[" + text.replaceFirst("%.*", "") + "]" : text;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Headers answer = exchange.getResponseHeaders();
      HEADERS.forEach(answer::set);
      Headers request = exchange.getRequestHeaders();
      URI target = exchange.getRequestURI();
      // A target that names a host, as for a proxy, is no path of this server.
      String path = target.getRawAuthority() == null ? target.getPath() : null;
      Refusal refusal = guard.refusal(exchange.getRequestMethod(), request);
      boolean isData = STREAM.equals(path) || HISTORY.equals(path);
      if (refusal == null && isData) {
        refusal = guard.refusalOfData(request);
      }
      if (refusal != null) {
        refuse(exchange, refusal);
      } else if (STREAM.equals(path)) {
        stream(exchange);
      } else if (HISTORY.equals(path)) {
        send(exchange, 200, "application/json", sampler.history());
      } else {
        sendFile(exchange, path);
      }
    }
  }

  private void sendFile(HttpExchange exchange, @Nullable String path) throws IOException {
    PageFile file = path == null ? null : files.at(path);
    if (file == null) {
      refuse(exchange, new Refusal(404, "there is no such page"));
    } else {
      send(exchange, 200, file.type(), file.bytes());
    }
  }

  private void refuse(HttpExchange exchange, Refusal refusal) throws IOException {
    Headers answer = exchange.getResponseHeaders();
    switch (refusal.status()) {
      case 401 -> answer.set("WWW-Authenticate", "Bearer");
      case 405 -> answer.set("Allow", "GET, HEAD");
      case 503 -> answer.set("Retry-After", "5");
      default -> {}
    }
    answer.set("Connection", "close");
    byte[] sentence = (refusal.sentence() + "\n").getBytes(StandardCharsets.UTF_8);
    send(exchange, refusal.status(), "text/plain; charset=utf-8", sentence);
  }

  private void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    Headers answer = exchange.getResponseHeaders();
    answer.set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      answer.set("Content-Length", Integer.toString(body.length));
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    try (OutputStream target = exchange.getResponseBody()) {
      write(target, body, threads::renew);
    }
  }

  /**
   * Writes bytes in parts, since a slow client may need longer for all of them than a request has.
   *
   * @param progress is called after each part
   */
  static void write(OutputStream target, byte[] bytes, Runnable progress) throws IOException {
    for (int at = 0; at < bytes.length; at += PART_BYTES) {
      target.write(bytes, at, Math.min(PART_BYTES, bytes.length - at));
      progress.run();
    }
  }

  private void stream(HttpExchange exchange) throws IOException {
    if (exchange.getRequestMethod().equals("HEAD")) {
      send(exchange, 200, "text/event-stream", new byte[0]);
      return;
    }
    if (!places.tryAcquire()) {
      refuse(exchange, new Refusal(503, "as many pages are open as may be; close one"));
      return;
    }
    FrameStream frames = new FrameStream();
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      sampler.join(frames);
      frames.writeTo(exchange.getResponseBody(), threads::renew);
    } finally {
      sampler.leave(frames);
      places.release();
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      server.stop(0);
      threads.close();
    }
  }
}
