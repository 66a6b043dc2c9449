// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Sends requests as an attacker may: with any headers, whole or in part. */
final class RawClient {
  private static final int TIMEOUT_MILLIS = 30_000;

  private final URI uri;

  RawClient(URI uri) {
    this.uri = uri;
  }

  /** An answer; the names of headers in lower case. */
  record Answer(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  String token() {
    return uri.getFragment().substring("token=".length());
  }

  String host() {
    return uri.getAuthority();
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(uri.getHost(), uri.getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  /** Sends a request with the right Host header. */
  Answer get(String path, String... headers) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: " + host() + "\r\n" + lines(headers));
  }

  /** Sends a request for data with the right token and the right Host header. */
  Answer getWithToken(String path, String... headers) throws IOException {
    return get(path, with(headers, "Authorization: Bearer " + token()));
  }

  private static String[] with(String[] headers, String further) {
    String[] all = Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = further;
    return all;
  }

  private static String lines(String... headers) {
    StringBuilder lines = new StringBuilder();
    for (String header : headers) {
      lines.append(header).append("\r\n");
    }
    return lines.toString();
  }

  /** Sends a request without its last, empty line, which is added. */
  Answer send(String head) throws IOException {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      return parse(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Answer parse(String text) {
    int end = text.indexOf("\r\n\r\n");
    String[] lines = text.substring(0, end).split("\r\n");
    Map<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.put(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).trim());
    }
    return new Answer(Integer.parseInt(lines[0].split(" ")[1]), headers, text.substring(end + 4));
  }
}
