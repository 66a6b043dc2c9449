// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

/** The rules of a host that decides by itself what in-memory compactions drop. */
public final class HostRules {
  private HostRules() {}

  /** Returns a filter that keeps all markers. */
  public static CellFilter filter(VersionRules rules, UnseenHistory unseen, long nowMillis) {
    return new RetentionFilter(rules, null, unseen, nowMillis, (cell, offset) -> true);
  }
}
