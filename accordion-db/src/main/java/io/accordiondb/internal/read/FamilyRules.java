// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.retention.VersionRules;

/**
 * The rules of a store's family, and what readers have found by them. Changed rules are another
 * instance.
 *
 * @param name the name of the family
 * @param versions its version rules
 * @param deadRows the rows that have no visible cell by these rules, as far as readers know
 */
public record FamilyRules(byte[] name, VersionRules versions, DeadRows deadRows) {
  /** Creates the rules of a family in which no reader has found anything yet. */
  public FamilyRules(byte[] name, VersionRules versions) {
    this(name, versions, new DeadRows());
  }
}
