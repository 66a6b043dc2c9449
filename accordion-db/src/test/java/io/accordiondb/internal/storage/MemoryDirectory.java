// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A directory of a {@link MemoryStorage}, and what its names were since it was synced. */
final class MemoryDirectory implements MemoryNode {
  final Map<String, MemoryNode> entries = new TreeMap<>();

  /** The states of each name since the last sync, before the present one, oldest first. */
  final Map<String, List<@Nullable MemoryNode>> earlier = new TreeMap<>();

  void set(String name, @Nullable MemoryNode node) {
    earlier.computeIfAbsent(name, key -> new ArrayList<>()).add(entries.get(name));
    if (node == null) {
      entries.remove(name);
    } else {
      entries.put(name, node);
    }
  }

  /** Returns the directory with all below it, as another process would find it. */
  MemoryDirectory copy() {
    MemoryDirectory copy = new MemoryDirectory();
    copyInto(copy, this, new IdentityHashMap<>());
    return copy;
  }

  private static void copyInto(
      MemoryDirectory target, MemoryDirectory source, Map<MemoryNode, MemoryNode> copies) {
    source.entries.forEach((name, node) -> target.entries.put(name, copyOf(node, copies)));
    source.earlier.forEach(
        (name, states) -> {
          List<@Nullable MemoryNode> copied = new ArrayList<>();
          states.forEach(node -> copied.add(node == null ? null : copyOf(node, copies)));
          target.earlier.put(name, copied);
        });
  }

  private static MemoryNode copyOf(MemoryNode node, Map<MemoryNode, MemoryNode> copies) {
    MemoryNode copy = copies.get(node);
    if (copy == null && node instanceof MemoryDirectory directory) {
      MemoryDirectory target = new MemoryDirectory();
      copyInto(target, directory, copies);
      copy = target;
    } else if (copy == null) {
      copy = ((MemoryFile) node).copy();
    }
    copies.put(node, copy);
    return copy;
  }
}
