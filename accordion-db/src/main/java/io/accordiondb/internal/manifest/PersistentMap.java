// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map: a change returns a new map, which shares all but a few nodes with this
 * one. Thread-safe.
 *
 * <p>A balanced tree in the manner of Adelson-Velsky and Landis: the heights of two siblings differ
 * by one at most, and a change copies the path from the root to its place.
 *
 * <p>PCollections (5.0.0, MIT licence) is not used: its changes cost the same, but reading a range,
 * which every flush and compaction does, costs up to three times as much.
 */
final class PersistentMap<K extends Comparable<? super K>, V> {
  private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(null);

  private final @Nullable Node<K, V> root;

  private PersistentMap(@Nullable Node<K, V> root) {
    this.root = root;
  }

  /** An entry and the entries below it. Immutable. */
  private static final class Node<K, V> {
    final K key;
    final V value;
    final @Nullable Node<K, V> left;
    final @Nullable Node<K, V> right;
    final int height;
    final int size;

    Node(K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
      this.key = key;
      this.value = value;
      this.left = left;
      this.right = right;
      this.height = 1 + Math.max(heightOf(left), heightOf(right));
      this.size = 1 + sizeOf(left) + sizeOf(right);
    }
  }

  @SuppressWarnings("unchecked") // Nothing is in it that could be of a wrong type.
  static <K extends Comparable<? super K>, V> PersistentMap<K, V> empty() {
    return (PersistentMap<K, V>) EMPTY;
  }

  int size() {
    return sizeOf(root);
  }

  boolean contains(K key) {
    return get(key) != null;
  }

  /** Returns the value of a key, or null. */
  @Nullable V get(K key) {
    Node<K, V> node = root;
    while (node != null) {
      int order = key.compareTo(node.key);
      if (order == 0) {
        return node.value;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  /** Returns the value of the greatest key not above another one, or null. */
  @Nullable V floor(K key) {
    V floor = null;
    Node<K, V> node = root;
    while (node != null) {
      if (key.compareTo(node.key) < 0) {
        node = node.left;
      } else {
        floor = node.value;
        node = node.right;
      }
    }
    return floor;
  }

  /** Returns the value of the smallest key not below another one, or null. */
  @Nullable V ceiling(K key) {
    V ceiling = null;
    Node<K, V> node = root;
    while (node != null) {
      if (key.compareTo(node.key) > 0) {
        node = node.right;
      } else {
        ceiling = node.value;
        node = node.left;
      }
    }
    return ceiling;
  }

  /** Returns a map in which a key has a value. */
  PersistentMap<K, V> with(K key, V value) {
    return new PersistentMap<>(with(root, key, value));
  }

  /** Returns a map without a key; the key may be absent already. */
  PersistentMap<K, V> without(K key) {
    Node<K, V> changed = without(root, key);
    return changed == root ? this : new PersistentMap<>(changed);
  }

  /** Returns all values in the order of their keys. */
  List<V> values() {
    List<V> values = new ArrayList<>(size());
    forEach((key, value) -> values.add(value));
    return values;
  }

  /** Returns the values of the keys from one, inclusive, to another one, exclusive. */
  List<V> values(K from, K to) {
    List<V> values = new ArrayList<>();
    collect(root, from, to, values);
    return values;
  }

  /** Visits all entries in the order of their keys. */
  void forEach(BiConsumer<? super K, ? super V> visitor) {
    visit(root, visitor);
  }

  private static <K, V> void visit(
      @Nullable Node<K, V> node, BiConsumer<? super K, ? super V> visitor) {
    if (node != null) {
      visit(node.left, visitor);
      visitor.accept(node.key, node.value);
      visit(node.right, visitor);
    }
  }

  private static <K extends Comparable<? super K>, V> void collect(
      @Nullable Node<K, V> node, K from, K to, List<V> values) {
    if (node == null) {
      return;
    }
    boolean atOrAboveFrom = from.compareTo(node.key) <= 0;
    boolean belowTo = to.compareTo(node.key) > 0;
    if (atOrAboveFrom) {
      collect(node.left, from, to, values);
    }
    if (atOrAboveFrom && belowTo) {
      values.add(node.value);
    }
    if (belowTo) {
      collect(node.right, from, to, values);
    }
  }

  private static <K extends Comparable<? super K>, V> Node<K, V> with(
      @Nullable Node<K, V> node, K key, V value) {
    if (node == null) {
      return new Node<>(key, value, null, null);
    }
    int order = key.compareTo(node.key);
    if (order == 0) {
      return new Node<>(key, value, node.left, node.right);
    }
    return order < 0
        ? balanced(node, with(node.left, key, value), node.right)
        : balanced(node, node.left, with(node.right, key, value));
  }

  private static <K extends Comparable<? super K>, V> @Nullable Node<K, V> without(
      @Nullable Node<K, V> node, K key) {
    if (node == null) {
      return null;
    }
    int order = key.compareTo(node.key);
    if (order < 0) {
      Node<K, V> left = without(node.left, key);
      return left == node.left ? node : balanced(node, left, node.right);
    }
    if (order > 0) {
      Node<K, V> right = without(node.right, key);
      return right == node.right ? node : balanced(node, node.left, right);
    }
    if (node.left == null || node.right == null) {
      return node.left == null ? node.right : node.left;
    }
    Node<K, V> next = first(node.right);
    return balanced(next, node.left, without(node.right, next.key));
  }

  private static <K, V> Node<K, V> first(Node<K, V> node) {
    Node<K, V> first = node;
    for (Node<K, V> left = node.left; left != null; left = left.left) {
      first = left;
    }
    return first;
  }

  /** Returns an entry over two subtrees, whose heights differ by two at most. */
  private static <K, V> Node<K, V> balanced(
      Node<K, V> entry, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
    if (left != null && heightOf(left) > heightOf(right) + 1) {
      Node<K, V> pivot = left;
      if (left.right != null && heightOf(left.right) > heightOf(left.left)) {
        pivot = rotatedLeft(left, left.left, left.right);
      }
      return rotatedRight(entry, pivot, right);
    }
    if (right != null && heightOf(right) > heightOf(left) + 1) {
      Node<K, V> pivot = right;
      if (right.left != null && heightOf(right.left) > heightOf(right.right)) {
        pivot = rotatedRight(right, right.left, right.right);
      }
      return rotatedLeft(entry, left, pivot);
    }
    return new Node<>(entry.key, entry.value, left, right);
  }

  private static <K, V> Node<K, V> rotatedRight(
      Node<K, V> entry, Node<K, V> left, @Nullable Node<K, V> right) {
    Node<K, V> lower = new Node<>(entry.key, entry.value, left.right, right);
    return new Node<>(left.key, left.value, left.left, lower);
  }

  private static <K, V> Node<K, V> rotatedLeft(
      Node<K, V> entry, @Nullable Node<K, V> left, Node<K, V> right) {
    Node<K, V> lower = new Node<>(entry.key, entry.value, left, right.left);
    return new Node<>(right.key, right.value, lower, right.right);
  }

  private static int heightOf(@Nullable Node<?, ?> node) {
    return node == null ? 0 : node.height;
  }

  private static int sizeOf(@Nullable Node<?, ?> node) {
    return node == null ? 0 : node.size;
  }
}
