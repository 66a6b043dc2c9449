// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.TreeMap;

/**
 * An example of a target: objects in a store that is spoken to as S3 is, with PUT, GET and DELETE,
 * and a PUT that succeeds only where there is no object yet. A real one signs its requests, too.
 */
final class HttpTarget implements BackupTarget {
  private static final int CONFLICT = 412;
  private static final int NOT_FOUND = 404;

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI bucket;

  HttpTarget(URI bucket) {
    this.bucket = bucket;
  }

  @Override
  public void write(String name, InputStream content, long bytes) throws IOException {
    // The object store takes all of the announced bytes or refuses the object.
    HttpRequest request =
        to(name)
            .PUT(BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> content), bytes))
            .build();
    check(request, send(request, BodyHandlers.discarding()).statusCode());
  }

  @Override
  public boolean writeNew(String name, byte[] content) throws IOException {
    HttpRequest request =
        to(name).header("If-None-Match", "*").PUT(BodyPublishers.ofByteArray(content)).build();
    int status = send(request, BodyHandlers.discarding()).statusCode();
    if (status == CONFLICT) {
      return false;
    }
    check(request, status);
    return true;
  }

  @Override
  public InputStream read(String name) throws IOException {
    HttpRequest request = to(name).GET().build();
    HttpResponse<InputStream> response = send(request, BodyHandlers.ofInputStream());
    if (response.statusCode() == NOT_FOUND) {
      response.body().close();
      throw new NoSuchFileException(name);
    }
    check(request, response.statusCode());
    return response.body();
  }

  @Override
  public Map<String, Long> list(String prefix) throws IOException {
    HttpRequest request = to("?prefix=" + URLEncoder.encode(prefix, UTF_8)).GET().build();
    HttpResponse<String> response = send(request, BodyHandlers.ofString());
    check(request, response.statusCode());
    Map<String, Long> found = new TreeMap<>();
    // One "name size" a line; a real object store answers with XML, in pages.
    for (String line : response.body().split("\n")) {
      if (!line.isEmpty()) {
        int space = line.indexOf(' ');
        found.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
      }
    }
    return found;
  }

  @Override
  public void delete(String name) throws IOException {
    HttpRequest request = to(name).DELETE().build();
    check(request, send(request, BodyHandlers.discarding()).statusCode());
  }

  private HttpRequest.Builder to(String name) {
    return HttpRequest.newBuilder(bucket.resolve(name));
  }

  private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body)
      throws IOException {
    try {
      return client.send(request, body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted in " + request);
    }
  }

  private static void check(HttpRequest request, int status) throws IOException {
    if (status / 100 != 2) {
      throw new IOException(request + " was answered with " + status);
    }
  }

  @Override
  public String toString() {
    return bucket.toString();
  }
}
