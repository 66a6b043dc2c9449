// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The configuration of a column family. Immutable; {@link #builder} makes one. */
public final class FamilyDescriptor {
  // Longer than 400 lines because each attribute is described, set and checked here, and nowhere
  // else.

  /** Smallest block of a sorted table, in bytes. */
  public static final int BLOCK_BYTES_MIN = 512;

  /** Largest block of a sorted table, in bytes. */
  public static final int BLOCK_BYTES_MAX = 1 << 20;

  private static final int NAME_BYTES_MAX = KeyValueLayout.FAMILY_BYTES_MAX;
  private static final int BLOCK_BYTES_DEFAULT = 4 << 10;

  private final String name;
  private final VersionRules versionRules;
  private final Compression compression;
  private final int blockSizeBytes;
  private final BloomKind bloomFilter;
  private final @Nullable MemStorePolicy memStorePolicy;
  private final @Nullable SegmentLayout segmentLayout;
  private final CompactionStyle compactionStyle;
  private final @Nullable String mergeOperator;
  private final @Nullable String compactionFilter;
  private final boolean filtersReads;

  private FamilyDescriptor(Builder builder) {
    this.name = builder.name;
    this.versionRules = builder.versionRules;
    this.compression = builder.compression;
    this.blockSizeBytes = builder.blockSizeBytes;
    this.bloomFilter = builder.bloomFilter;
    this.memStorePolicy = builder.memStorePolicy;
    this.segmentLayout = builder.segmentLayout;
    this.compactionStyle = builder.compactionStyle;
    this.mergeOperator = builder.mergeOperator;
    this.compactionFilter = builder.compactionFilter;
    this.filtersReads = builder.filtersReads;
  }

  /**
   * {@return a family with all defaults}
   *
   * @param name the name of the family
   */
  public static FamilyDescriptor of(String name) {
    return builder(name).build();
  }

  /**
   * {@return a builder with all defaults: one version without a time to live, LZ4, blocks of 4 KiB,
   * a Bloom filter by row, and the database's memory policy}
   *
   * @param name 1 to 127 printable ASCII characters without ':'
   * @throws InvalidNameException if it is not
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /**
   * {@return the descriptor with the attributes that {@link #attributes} returned}
   *
   * @param name the name of the family
   * @param attributes the attributes by name; one that is missing has its default
   * @throws IllegalArgumentException if an attribute, or its value, is unknown
   */
  public static FamilyDescriptor ofAttributes(String name, Map<String, String> attributes) {
    return FamilyAttributes.parse(name, Objects.requireNonNull(attributes, "attributes"));
  }

  /** {@return the descriptor as text, by stable attribute names} */
  public Map<String, String> attributes() {
    return FamilyAttributes.format(this);
  }

  /** {@return the name} */
  public String name() {
    return name;
  }

  /** {@return the name as bytes} */
  public byte[] nameBytes() {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /** {@return which versions are kept, and for how long} */
  public VersionRules versionRules() {
    return versionRules;
  }

  /** {@return how blocks are compressed} */
  public Compression compression() {
    return compression;
  }

  /** {@return the size of a block before compression, in bytes} */
  public int blockSizeBytes() {
    return blockSizeBytes;
  }

  /** {@return what the Bloom filter contains} */
  public BloomKind bloomFilter() {
    return bloomFilter;
  }

  /** {@return the memory store's policy, or null for the database's default} */
  public @Nullable MemStorePolicy memStorePolicy() {
    return memStorePolicy;
  }

  /** {@return the form of segments in memory, or null for the database's default} */
  public @Nullable SegmentLayout segmentLayout() {
    return segmentLayout;
  }

  /** {@return how sorted tables are merged} */
  public CompactionStyle compactionStyle() {
    return compactionStyle;
  }

  /** {@return the name of the family's merge operator, or null if it has none} */
  public @Nullable String mergeOperator() {
    return mergeOperator;
  }

  /** {@return the name of the family's compaction filter, or null if it has none} */
  public @Nullable String compactionFilter() {
    return compactionFilter;
  }

  /** {@return whether the compaction filter also applies to reads} */
  public boolean filtersReads() {
    return filtersReads;
  }

  /** {@return a builder that begins with this descriptor's settings} */
  public Builder toBuilder() {
    return builder(name)
        .versionRules(versionRules)
        .compression(compression)
        .blockSizeBytes(blockSizeBytes)
        .bloomFilter(bloomFilter)
        .memStorePolicy(memStorePolicy)
        .segmentLayout(segmentLayout)
        .compactionStyle(compactionStyle)
        .mergeOperator(mergeOperator)
        .compactionFilter(compactionFilter)
        .filtersReads(filtersReads);
  }

  /** Throws if a merge operator or a compaction filter cannot have this name. */
  static void checkFunctionName(String kind, String name) {
    if (name.isEmpty()
        || name.length() > NAME_BYTES_MAX
        || !name.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new IllegalArgumentException(
          kind
              + " is \""
              + name
              + "\", expected 1 to "
              + NAME_BYTES_MAX
              + " printable ASCII characters");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FamilyDescriptor that
        && name.equals(that.name)
        && attributes().equals(that.attributes());
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name + attributes();
  }

  /** Builds a {@link FamilyDescriptor}. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private VersionRules versionRules = VersionRules.DEFAULT;
    private Compression compression = Compression.LZ4;
    private int blockSizeBytes = BLOCK_BYTES_DEFAULT;
    private BloomKind bloomFilter = BloomKind.ROW;
    private @Nullable MemStorePolicy memStorePolicy;
    private @Nullable SegmentLayout segmentLayout;
    private CompactionStyle compactionStyle = CompactionStyle.TIERED;
    private @Nullable String mergeOperator;
    private @Nullable String compactionFilter;
    private boolean filtersReads;

    private Builder(String name) {
      boolean allowed =
          !name.isEmpty()
              && name.length() <= NAME_BYTES_MAX
              && name.chars().allMatch(c -> c > ' ' && c <= '~' && c != ':');
      if (!allowed) {
        throw new InvalidNameException(
            "family", name, "1 to " + NAME_BYTES_MAX + " printable ASCII characters without ':'");
      }
      this.name = name;
    }

    /**
     * Sets which versions are kept, and for how long.
     *
     * @param rules number of versions, times to live, and deleted cells
     * @return this builder
     */
    public Builder versionRules(VersionRules rules) {
      versionRules = Objects.requireNonNull(rules, "rules");
      return this;
    }

    /**
     * Sets how many versions of a column are kept; 1 by default.
     *
     * @param versions the number of versions, at least 1
     * @return this builder
     */
    public Builder maxVersions(int versions) {
      return versionRules(
          new VersionRules(
              versions,
              Math.min(versionRules.minVersions(), versions),
              versionRules.ttlMillis(),
              versionRules.keepDeleted()));
    }

    /**
     * Sets the time to live, in milliseconds; without a limit by default.
     *
     * <p>If it is lengthened later, cells that had expired and were not dropped yet are seen again.
     * The newest version of a column may have been dropped before older ones, which then come back.
     *
     * @param millis the duration in milliseconds, at least 1; {@link VersionRules#FOREVER} for no
     *     limit
     * @return this builder
     */
    public Builder ttlMillis(long millis) {
      return versionRules(
          new VersionRules(
              versionRules.maxVersions(),
              versionRules.minVersions(),
              millis,
              versionRules.keepDeleted()));
    }

    /**
     * Sets how many versions of a column are kept even after their time to live; 0 by default.
     *
     * @param versions the number of versions, 0 to the maximum number of versions
     * @return this builder
     */
    public Builder minVersions(int versions) {
      return versionRules(
          new VersionRules(
              versionRules.maxVersions(),
              versions,
              versionRules.ttlMillis(),
              versionRules.keepDeleted()));
    }

    /**
     * Sets whether deleted cells are kept for reads whose time range ends before the delete; {@link
     * KeepDeletedCells#FALSE} by default.
     *
     * <p>If they are kept from now on, a read whose time range ends before some later delete may
     * see cells that were deleted before the change: their delete markers may be gone.
     *
     * @param kind which deleted cells are kept
     * @return this builder
     */
    public Builder keepDeletedCells(KeepDeletedCells kind) {
      return versionRules(
          new VersionRules(
              versionRules.maxVersions(),
              versionRules.minVersions(),
              versionRules.ttlMillis(),
              Objects.requireNonNull(kind, "kind")));
    }

    /**
     * Sets how blocks are compressed; {@link Compression#LZ4} by default.
     *
     * @param kind the compression
     * @return this builder
     */
    public Builder compression(Compression kind) {
      compression = Objects.requireNonNull(kind, "kind");
      return this;
    }

    /**
     * Sets the size of a block before compression; 4 KiB by default.
     *
     * @param bytes the size in bytes, {@link #BLOCK_BYTES_MIN} to {@link #BLOCK_BYTES_MAX}
     * @return this builder
     */
    public Builder blockSizeBytes(int bytes) {
      if (bytes < BLOCK_BYTES_MIN || bytes > BLOCK_BYTES_MAX) {
        throw new IllegalArgumentException(
            "block size is "
                + bytes
                + " bytes, expected "
                + BLOCK_BYTES_MIN
                + " to "
                + BLOCK_BYTES_MAX);
      }
      blockSizeBytes = bytes;
      return this;
    }

    /**
     * Sets what the Bloom filter contains; {@link BloomKind#ROW} by default.
     *
     * @param kind what the filter contains; {@link BloomKind#NONE} for no filter
     * @return this builder
     */
    public Builder bloomFilter(BloomKind kind) {
      bloomFilter = Objects.requireNonNull(kind, "kind");
      return this;
    }

    /**
     * Sets the memory store's policy; null for the database's default.
     *
     * @param policy the policy and its parameters; null for the default
     * @return this builder
     */
    public Builder memStorePolicy(@Nullable MemStorePolicy policy) {
      memStorePolicy = policy;
      return this;
    }

    /**
     * Sets the form of segments in memory; null for the database's default.
     *
     * @param layout form of cells and indices; null for the default
     * @return this builder
     */
    public Builder segmentLayout(@Nullable SegmentLayout layout) {
      segmentLayout = layout;
      return this;
    }

    /**
     * Sets how sorted tables are merged; {@link CompactionStyle#TIERED} by default.
     *
     * @param style how tables are merged
     * @return this builder
     */
    public Builder compactionStyle(CompactionStyle style) {
      compactionStyle = Objects.requireNonNull(style, "style");
      return this;
    }

    /**
     * Sets the merge operator by the name that {@link MergeOperator#name} returns; null for none. A
     * family keeps its operator: it cannot be changed or removed later.
     *
     * <p>Such a family keeps one version of a column. Its writes take effect in the order in which
     * they are committed, whatever their timestamps, and only whole columns can be deleted. With a
     * time to live each operand expires by itself, so operands are not combined.
     *
     * @param name the name of the operator; null for none
     * @return this builder
     * @throws IllegalArgumentException if it is not 1 to 127 printable ASCII characters
     */
    public Builder mergeOperator(@Nullable String name) {
      if (name != null) {
        checkFunctionName("merge operator", name);
      }
      mergeOperator = name;
      return this;
    }

    /**
     * Sets the compaction filter, by the name that {@link DatabaseOptions.Builder#compactionFilter}
     * was given; null for none. It can be set, changed and removed at any time.
     *
     * @param name the name of the filter; null for none
     * @return this builder
     * @throws IllegalArgumentException if it is not 1 to 127 printable ASCII characters
     */
    public Builder compactionFilter(@Nullable String name) {
      if (name != null) {
        checkFunctionName("compaction filter", name);
      }
      compactionFilter = name;
      return this;
    }

    /**
     * Sets whether the compaction filter also applies to reads, which then never see what it drops;
     * false by default. If true, a get merges all sources that may hold the row, and each cell that
     * is read costs a call of the filter.
     *
     * @param filters whether the filter applies to reads
     * @return this builder
     */
    public Builder filtersReads(boolean filters) {
      filtersReads = filters;
      return this;
    }

    /**
     * {@return the descriptor}
     *
     * @throws IllegalArgumentException if it names a merge operator and keeps more than one version
     *     or deleted cells, if it names a compaction filter and a merge operator or keeps deleted
     *     cells, or if a filter applies to reads and none is named
     */
    public FamilyDescriptor build() {
      boolean oneVersion =
          versionRules.maxVersions() == 1
              && versionRules.minVersions() == 0
              && versionRules.keepDeleted() == KeepDeletedCells.FALSE;
      if (mergeOperator != null && !oneVersion) {
        throw new IllegalArgumentException(
            "family "
                + name
                + " has merge operator "
                + mergeOperator
                + " and "
                + versionRules
                + ", expected one version, no minimum, and no deleted cells kept");
      }
      checkFilter();
      return new FamilyDescriptor(this);
    }

    private void checkFilter() {
      if (compactionFilter == null && filtersReads) {
        throw new IllegalArgumentException(
            "family " + name + " applies a compaction filter to reads, and names none");
      }
      boolean keepsDeleted = versionRules.keepDeleted() != KeepDeletedCells.FALSE;
      if (compactionFilter != null && (mergeOperator != null || keepsDeleted)) {
        throw new IllegalArgumentException(
            "family "
                + name
                + " has compaction filter "
                + compactionFilter
                + ", and "
                + (keepsDeleted ? "keeps deleted cells" : "merge operator " + mergeOperator)
                + ", expected one of them");
      }
    }
  }
}
