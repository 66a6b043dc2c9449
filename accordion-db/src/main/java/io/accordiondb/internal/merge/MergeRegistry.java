// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.merge;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.MergeOperator;
import io.accordiondb.TableDescriptor;
import io.accordiondb.merge.MergeOperators;
import io.accordiondb.retention.OperandMerge;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The merge operators of a database, and how often they have failed. Thread-safe. */
public final class MergeRegistry {
  private final Map<String, MergeOperator> operators = new TreeMap<>();
  private final MergeFailures failures = new MergeFailures();

  /**
   * Creates a registry of the built-in operators and further ones.
   *
   * @throws IllegalArgumentException if one has the name of a built-in one
   */
  public MergeRegistry(Map<String, MergeOperator> registered) {
    MergeOperators.all().forEach(operator -> operators.put(operator.name(), operator));
    registered.forEach(
        (name, operator) -> {
          MergeOperator before = operators.putIfAbsent(name, operator);
          if (before != null && before != operator) {
            throw new IllegalArgumentException(
                "merge operator " + name + " has the name of one that is always there");
          }
        });
  }

  /** Returns the merge of a family's operator; null if the family has none. */
  public @Nullable OperandMerge of(FamilyDescriptor family, int valueBytesMax) {
    String name = family.mergeOperator();
    return name == null
        ? null
        : new FamilyMerge(name, operators.get(name), valueBytesMax, failures);
  }

  /**
   * Checks the operators of a table that is created or altered.
   *
   * @param before the table as it is; null if it is new
   * @throws IllegalArgumentException if a new family names an operator that does not exist, or an
   *     existing family names another operator than before
   */
  public void check(@Nullable TableDescriptor before, TableDescriptor table) {
    for (FamilyDescriptor family : table.families()) {
      FamilyDescriptor old = before == null ? null : before.family(family.name());
      String name = family.mergeOperator();
      if (old == null && name != null && !operators.containsKey(name)) {
        Set<String> names = new TreeSet<>(operators.keySet());
        throw new IllegalArgumentException(
            "family "
                + family.name()
                + " names merge operator "
                + name
                + ", which is not among those of the database: "
                + names);
      }
      if (old != null && !Objects.equals(old.mergeOperator(), name)) {
        throw new IllegalArgumentException(
            "family "
                + family.name()
                + " of table "
                + table.name()
                + " was created with merge operator "
                + old.mergeOperator()
                + " and cannot have "
                + name
                + " instead");
      }
    }
  }

  /** Returns what has failed. */
  public MergeFailures failures() {
    return failures;
  }
}
