// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name of a table and its column families. Immutable; made by {@link #builder}. */
public final class TableDescriptor {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}");

  private final String name;
  private final Map<String, FamilyDescriptor> families;

  private TableDescriptor(String name, Map<String, FamilyDescriptor> families) {
    this.name = name;
    this.families = Collections.unmodifiableMap(new TreeMap<>(families));
  }

  /** Returns a table of families with all defaults. */
  public static TableDescriptor of(String name, String... families) {
    Builder builder = builder(name);
    for (String family : families) {
      builder.family(FamilyDescriptor.of(family));
    }
    return builder.build();
  }

  /**
   * Begins a descriptor.
   *
   * @param name 1 to 64 of the characters A-Z, a-z, 0-9, '_', '-' and, but for the first, '.'
   * @throws InvalidNameException if it is not
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Returns the families in the order of their names. */
  public List<FamilyDescriptor> families() {
    return new ArrayList<>(families.values());
  }

  /** Returns a family by its name, or null. */
  public @Nullable FamilyDescriptor family(String name) {
    return families.get(name);
  }

  /** Returns the names of all families. */
  public List<String> familyNames() {
    return new ArrayList<>(families.keySet());
  }

  /** Returns a builder that begins with this descriptor's families. */
  public Builder toBuilder() {
    Builder builder = builder(name);
    families.values().forEach(builder::family);
    return builder;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableDescriptor that
        && name.equals(that.name)
        && families.equals(that.families);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name + families.values();
  }

  /** Builds a {@link TableDescriptor}. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final Map<String, FamilyDescriptor> families = new TreeMap<>();

    private Builder(String name) {
      if (!NAME.matcher(name).matches()) {
        throw new InvalidNameException(
            "table", name, "1 to 64 letters, digits, '_', '-' and, but for the first, '.'");
      }
      this.name = name;
    }

    /** Adds a family, or replaces the one of its name. */
    public Builder family(FamilyDescriptor family) {
      families.put(family.name(), family);
      return this;
    }

    /** Removes a family, if there is one of this name. */
    public Builder removeFamily(String family) {
      families.remove(Objects.requireNonNull(family, "family"));
      return this;
    }

    /** Returns the descriptor; there must be a family. */
    public TableDescriptor build() {
      if (families.isEmpty()) {
        throw new IllegalArgumentException(
            "table \"" + name + "\" has no family; add one with family()");
      }
      return new TableDescriptor(name, families);
    }
  }
}
