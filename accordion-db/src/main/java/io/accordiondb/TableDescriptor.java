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

/** The name of a table and its column families. Immutable; {@link #builder} makes one. */
public final class TableDescriptor {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}");

  private final String name;
  private final Map<String, FamilyDescriptor> families;

  private TableDescriptor(String name, Map<String, FamilyDescriptor> families) {
    this.name = name;
    this.families = Collections.unmodifiableMap(new TreeMap<>(families));
  }

  /**
   * {@return the descriptor of a table whose families have all defaults}
   *
   * @param name the name of the table
   * @param families the names of the families, at least one
   */
  public static TableDescriptor of(String name, String... families) {
    Builder builder = builder(name);
    for (String family : families) {
      builder.family(FamilyDescriptor.of(family));
    }
    return builder.build();
  }

  /**
   * {@return a builder without families}
   *
   * @param name 1 to 64 of the characters A-Z, a-z, 0-9, '_', '-' and '.', but '.' not first
   * @throws InvalidNameException if the name has another form
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** {@return the name} */
  public String name() {
    return name;
  }

  /** {@return the families in the order of their names} */
  public List<FamilyDescriptor> families() {
    return new ArrayList<>(families.values());
  }

  /**
   * {@return a family by its name, or null}
   *
   * @param name the name of the family
   */
  public @Nullable FamilyDescriptor family(String name) {
    return families.get(name);
  }

  /** {@return the names of all families} */
  public List<String> familyNames() {
    return new ArrayList<>(families.keySet());
  }

  /** {@return a builder that begins with this descriptor's families} */
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

    /**
     * Adds a family, or replaces the one with the same name.
     *
     * @param family the family and its attributes
     * @return this builder
     */
    public Builder family(FamilyDescriptor family) {
      families.put(family.name(), family);
      return this;
    }

    /**
     * Removes the family with this name, if there is one.
     *
     * @param family the name of the family
     * @return this builder
     */
    public Builder removeFamily(String family) {
      families.remove(Objects.requireNonNull(family, "family"));
      return this;
    }

    /** {@return the descriptor, which must have at least one family} */
    public TableDescriptor build() {
      if (families.isEmpty()) {
        throw new IllegalArgumentException(
            "table \"" + name + "\" has no family; add one with family()");
      }
      return new TableDescriptor(name, families);
    }
  }
}
