// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The host names by which a browser may request the page. Immutable.
 *
 * <p>An attacker's page may let its own host name point to this machine, and so request data from
 * this server as if it were its own (DNS rebinding). Such a request has the attacker's name in its
 * Host header. An IP address cannot be rebound, so addresses are accepted; while the server listens
 * on the loopback address only, only loopback addresses are. The port is not compared: it may be
 * that of a tunnel.
 */
final class HostNames {
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?");
  private static final Pattern IPV4 =
      Pattern.compile("(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
  private static final String LOOPBACK_IPV4 = "127.";

  private final boolean loopbackOnly;
  private final Set<String> names;

  /**
   * @param address where the server listens
   * @param names further names, in lower case
   */
  HostNames(InetAddress address, Set<String> names) {
    this.loopbackOnly = address.isLoopbackAddress();
    this.names = Set.copyOf(names);
  }

  /** Tells whether a Host header names this server. */
  boolean accept(String header) {
    Matcher matcher = HOST.matcher(header);
    if (!matcher.matches()) {
      return false;
    }
    String host = matcher.group(1).toLowerCase(Locale.ROOT);
    if (host.equals("localhost") || names.contains(host)) {
      return true;
    }
    if (host.startsWith("[")) {
      return !loopbackOnly || isLoopback(host);
    }
    return IPV4.matcher(host).matches() && (!loopbackOnly || host.startsWith(LOOPBACK_IPV4));
  }

  /**
   * Tells whether an IPv6 address in brackets, of which one can be written in many ways, is ::1.
   */
  private static boolean isLoopback(String bracketed) {
    try {
      return InetAddress.getByName(bracketed).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false; // It is no address. What is in brackets is never looked up.
    }
  }
}
