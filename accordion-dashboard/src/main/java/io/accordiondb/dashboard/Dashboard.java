// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import io.accordiondb.Database;
import io.accordiondb.dashboard.internal.http.AccessToken;
import io.accordiondb.dashboard.internal.http.DashboardServer;
import io.accordiondb.dashboard.internal.sample.Sampler;
import java.io.IOException;
import java.net.URI;

/**
 * A small web server whose page shows databases at work. No request can change anything.
 * Thread-safe. The server runs on daemon threads until {@link #close}.
 *
 * <p>Only a client that has its address, {@link #uri}, can read it, because the address holds a
 * random token. While no page is open, the dashboard reads the figures once a second, so that a
 * page that opens has ten minutes to show. If the property {@code jdk.httpserver.maxConnections} is
 * not set, it is set to 256 for all HTTP servers of the JDK in this process.
 *
 * <pre>{@code
 * try (Database database = Database.open(folder);
 *     Dashboard dashboard = Dashboard.start(database, DashboardOptions.DEFAULT)) {
 *   System.out.println(dashboard.uri());
 *   ...
 * }
 * }</pre>
 */
public final class Dashboard implements AutoCloseable {
  /** Characters of a name of a database. */
  private static final int NAME_LENGTH_MAX = 100;

  private final Sampler sampler;
  private final DashboardServer server;

  private Dashboard(Sampler sampler, DashboardServer server) {
    this.sampler = sampler;
    this.server = server;
  }

  /**
   * Starts a dashboard that shows one database.
   *
   * @param database the database
   * @param options the options
   * @return the dashboard
   * @throws IOException if the server cannot listen on the address or the port
   */
  public static Dashboard start(Database database, DashboardOptions options) throws IOException {
    Dashboard dashboard = start(options);
    dashboard.show("database", database::statistics);
    return dashboard;
  }

  /**
   * Starts a dashboard without a database.
   *
   * @param options the options
   * @return the dashboard
   * @throws IOException if the server cannot listen on the address or the port
   */
  public static Dashboard start(DashboardOptions options) throws IOException {
    Sampler sampler = new Sampler();
    try {
      DashboardServer server =
          DashboardServer.start(
              options.address(),
              options.port(),
              options.hostNames(),
              options.viewersMax(),
              AccessToken.random(),
              sampler);
      sampler.start();
      return new Dashboard(sampler, server);
    } catch (IOException | RuntimeException e) {
      sampler.close();
      throw e;
    }
  }

  /**
   * Adds a database. Up to 16 databases appear side by side; a further one takes the place of the
   * oldest. A database replaces one with the same name, and its figures continue: so a database
   * that was closed and opened again is shown as one.
   *
   * @param name how the page names it, 1 to 100 characters
   * @param source where its figures come from
   */
  public void show(String name, StatisticsSource source) {
    if (name.isBlank() || name.length() > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "the name \"" + name + "\" has " + name.length() + " characters, expected 1 to 100");
    }
    sampler.show(name, source::statistics);
  }

  /** {@return the address of the page, with its token} */
  public URI uri() {
    return server.uri();
  }

  /** Stops the server. Idempotent. */
  @Override
  public void close() {
    server.close();
    sampler.close();
  }
}
