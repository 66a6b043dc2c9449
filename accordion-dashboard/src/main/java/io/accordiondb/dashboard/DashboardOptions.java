// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a dashboard is served. Immutable.
 *
 * @param address address that it listens on; the loopback address by default. The page is served
 *     without encryption, so give another address only within a network that you trust
 * @param port port that it listens on, 0 to 65535; 0, the default, takes a free one
 * @param hostNames names, in lower case, by which browsers may ask for the page, beside IP
 *     addresses and {@code localhost}. A request for another name is refused, because a name that
 *     an attacker owns may point to this machine
 * @param viewersMax pages that may be open at the same time, 1 to 64; 8 by default
 */
public record DashboardOptions(
    InetAddress address, int port, Set<String> hostNames, int viewersMax) {
  /** The defaults: the loopback address, any free port. */
  public static final DashboardOptions DEFAULT = builder().build();

  private static final int VIEWERS_MAX = 64;
  private static final int PORT_MAX = 65535;

  /**
   * Checks the values.
   *
   * @param address address that it listens on
   * @param port port that it listens on, 0 to 65535
   * @param hostNames names, in lower case, by which browsers may ask for the page, beside IP
   *     addresses and {@code localhost}
   * @param viewersMax pages that may be open at the same time, 1 to 64
   */
  public DashboardOptions {
    if (port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("port is " + port + ", expected 0 to " + PORT_MAX);
    }
    if (viewersMax < 1 || viewersMax > VIEWERS_MAX) {
      throw new IllegalArgumentException(
          "viewersMax is " + viewersMax + ", expected 1 to " + VIEWERS_MAX);
    }
    hostNames = Set.copyOf(hostNames);
  }

  /** {@return a builder with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return options for an address in text form: {@code 8080}, {@code 192.168.1.7:8080}, {@code
   * [::1]:8080} or {@code a.example:0}} The host is added to {@link #hostNames}.
   *
   * @param place a port, or a host and a port after a colon
   * @throws IllegalArgumentException if the port or the host does not exist
   */
  public static DashboardOptions parse(String place) {
    int colon = place.lastIndexOf(':');
    Builder options = builder().port(parsePort(place, colon));
    if (colon >= 0) {
      String host = place.substring(0, colon).replaceAll("^\\[|]$", "");
      try {
        options.address(InetAddress.getByName(host));
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(
            "the dashboard's place is " + place + ", but there is no host " + host, e);
      }
      options.hostName(host);
    }
    return options.build();
  }

  private static int parsePort(String place, int colon) {
    try {
      int port = Integer.parseInt(place.substring(colon + 1));
      if (port >= 0 && port <= PORT_MAX) {
        return port;
      }
    } catch (NumberFormatException e) {
      // The exception below reports it.
    }
    throw new IllegalArgumentException(
        "the dashboard's place is \""
            + place
            + "\", expected a port from 0 to 65535, or HOST:PORT");
  }

  /** Builds options. Not thread-safe. */
  public static final class Builder {
    private InetAddress address = InetAddress.getLoopbackAddress();
    private int port;
    private final Set<String> hostNames = new TreeSet<>();
    private int viewersMax = 8;

    private Builder() {}

    /**
     * Sets the address to listen on.
     *
     * @param value the value
     * @return this builder
     */
    public Builder address(InetAddress value) {
      address = value;
      return this;
    }

    /**
     * Sets the port to listen on; 0 takes a free one.
     *
     * @param value the value
     * @return this builder
     */
    public Builder port(int value) {
      port = value;
      return this;
    }

    /**
     * Adds a name by which browsers may ask for the page.
     *
     * @param value the value
     * @return this builder
     */
    public Builder hostName(String value) {
      hostNames.add(value.toLowerCase(Locale.ROOT));
      return this;
    }

    /**
     * Sets how many pages may be open at the same time.
     *
     * @param value the value
     * @return this builder
     */
    public Builder viewersMax(int value) {
      viewersMax = value;
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws IllegalArgumentException if a value is out of its bounds
     */
    public DashboardOptions build() {
      return new DashboardOptions(address, port, hostNames, viewersMax);
    }
  }
}
