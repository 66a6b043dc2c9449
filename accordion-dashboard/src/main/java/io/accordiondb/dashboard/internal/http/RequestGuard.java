// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

import com.sun.net.httpserver.Headers;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests the server answers. Pure.
 *
 * <p>Every request must be a {@code GET} or {@code HEAD}, name this server, and come from its own
 * page or from no page. A request for data must carry the token in a header, which no browser adds
 * by itself, so another page cannot make the browser read data.
 */
final class RequestGuard {
  private static final String BEARER = "Bearer ";

  private final HostNames hosts;
  private final AccessToken token;

  RequestGuard(HostNames hosts, AccessToken token) {
    this.hosts = hosts;
    this.token = token;
  }

  /** Returns why a request for the page or for data is not answered; null if it is. */
  @Nullable Refusal refusal(String method, Headers headers) {
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return new Refusal(405, "this server only answers GET and HEAD");
    }
    String host = only(headers, "Host");
    if (host == null || !hosts.accept(host)) {
      return new Refusal(421, "the Host header does not name this server");
    }
    if (headers.containsKey("Origin")) {
      String origin = only(headers, "Origin");
      if (origin == null || !origin.equalsIgnoreCase("http://" + host)) {
        return new Refusal(403, "the request comes from another origin");
      }
    }
    if (headers.containsKey("Sec-Fetch-Site")) {
      String site = only(headers, "Sec-Fetch-Site");
      if (site == null || !isOwn(site.toLowerCase(Locale.ROOT))) {
        return new Refusal(403, "the request comes from another site");
      }
    }
    return null;
  }

  /** Returns why a request for data is not answered; null if it is. */
  @Nullable Refusal refusalOfData(Headers headers) {
    String authorization = only(headers, "Authorization");
    if (authorization == null
        || !authorization.startsWith(BEARER)
        || !token.matches(authorization.substring(BEARER.length()))) {
      return new Refusal(
          401, "the token is missing or wrong; open the address that the program printed");
    }
    return null;
  }

  /**
   * Whether the browser says that the request comes from the page itself or from a typed address.
   */
  private static boolean isOwn(String site) {
    return site.equals("same-origin") || site.equals("none");
  }

  /** Returns the value of a header that stands exactly once; null otherwise. */
  private static @Nullable String only(Headers headers, String name) {
    List<String> values = headers.get(name);
    return values != null && values.size() == 1 ? values.get(0) : null;
  }
}
