// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.AbstractMap;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A range of a store as a map, in either direction. Thread-safe; holds no state.
 *
 * <p>"Lower" and "first" refer to the order of the map: in a descending map they are "higher" and
 * "last" in the store.
 */
final class StoreMap<K, V> extends AbstractMap<K, V> implements ConcurrentNavigableMap<K, V> {
  private final TypedStore<K, V> store;
  private final KeyRange range;
  private final boolean descending;

  StoreMap(TypedStore<K, V> store, KeyRange range, boolean descending) {
    this.store = store;
    this.range = range;
    this.descending = descending;
  }

  /** Returns the entries in the order of the map, with iterators that remove. */
  EntryIterator<K, V> entries() {
    return new EntryIterator<>(store, range, descending);
  }

  /** Returns the encoding of a key that the application passes as an {@link Object}. */
  @SuppressWarnings("unchecked") // A key of another class fails in its codec, as maps do.
  private byte[] encode(Object key) {
    return store.codecs.encodeKey((K) key);
  }

  @SuppressWarnings("unchecked") // As above.
  private @Nullable K inRangeOrNull(Object key) {
    return range.contains(encode(key)) ? (K) key : null;
  }

  private K checkInRange(K key) {
    if (!range.contains(encode(key))) {
      throw new IllegalArgumentException("key out of range");
    }
    return key;
  }

  @Override
  public @Nullable V get(Object key) {
    K known = inRangeOrNull(key);
    return known == null ? null : IoWork.unchecked(() -> store.get(known));
  }

  @Override
  public V getOrDefault(Object key, V other) {
    V found = get(key);
    return found == null ? other : found;
  }

  @Override
  public boolean containsKey(Object key) {
    K known = inRangeOrNull(key);
    return known != null && IoWork.uncheckedResult(() -> store.exists(known));
  }

  @Override
  public @Nullable V put(K key, V value) {
    checkInRange(key);
    return IoWork.unchecked(() -> store.getAndPut(key, value));
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> entries) {
    entries.keySet().forEach(this::checkInRange);
    IoWork.unchecked(
        () -> {
          store.putInParts(entries);
          return true;
        });
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    checkInRange(key);
    return IoWork.unchecked(() -> store.putIfAbsent(key, value));
  }

  @Override
  public @Nullable V replace(K key, V value) {
    checkInRange(key);
    return IoWork.unchecked(() -> store.replace(key, value));
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    checkInRange(key);
    Objects.requireNonNull(expected, "expected");
    Objects.requireNonNull(value, "value");
    return IoWork.uncheckedResult(() -> store.compareAndSet(key, expected, value));
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return change(key, before -> function.apply(key, before));
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return change(key, before -> before == null ? null : function.apply(key, before));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return change(key, before -> before == null ? value : function.apply(before, value));
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    entries()
        .forEachRemaining(
            entry ->
                computeIfPresent(
                    entry.getKey(),
                    (key, before) -> Objects.requireNonNull(function.apply(key, before), "value")));
  }

  private @Nullable V change(K key, Function<@Nullable V, @Nullable V> change) {
    if (inRangeOrNull(key) != null) {
      return IoWork.unchecked(() -> store.compute(key, change));
    }
    if (change.apply(null) != null) {
      checkInRange(key);
    }
    return null;
  }

  @Override
  public @Nullable V remove(Object key) {
    K known = inRangeOrNull(key);
    return known == null ? null : IoWork.unchecked(() -> store.getAndDelete(known));
  }

  @Override
  @SuppressWarnings("unchecked") // A value of another class fails in its codec.
  public boolean remove(Object key, Object value) {
    K known = inRangeOrNull(key);
    return known != null
        && value != null
        && containsKey(known)
        && IoWork.uncheckedResult(() -> store.compareAndSet(known, (V) value, null));
  }

  /** Returns whether the map has an entry. */
  @SuppressWarnings("unchecked") // As above.
  boolean has(Object key, Object value) {
    K known = inRangeOrNull(key);
    return known != null && IoWork.uncheckedResult(() -> store.has(known, (V) value));
  }

  @Override
  public boolean containsValue(Object value) {
    return values().contains(value);
  }

  /** Returns the encoding of a value that the application passes as an {@link Object}. */
  @SuppressWarnings("unchecked") // As above.
  byte[] encodeValue(Object value) {
    return store.codecs.encodeValue((V) value);
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, IoWork.uncheckedResult(() -> store.count(range)));
  }

  @Override
  public boolean isEmpty() {
    return IoWork.unchecked(() -> store.firstOf(range, false)) == null;
  }

  @Override
  public void clear() {
    IoWork.unchecked(
        () -> {
          store.deleteRange(range);
          return true;
        });
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new StoreEntrySet<>(this);
  }

  @Override
  public Collection<V> values() {
    return new StoreValues<>(this);
  }

  @Override
  public NavigableSet<K> keySet() {
    return navigableKeySet();
  }

  @Override
  public NavigableSet<K> navigableKeySet() {
    return new StoreKeySet<>(this);
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return descendingMap().navigableKeySet();
  }

  @Override
  public Comparator<? super K> comparator() {
    Comparator<K> order = store.codecs.order();
    return descending ? Collections.reverseOrder(order) : order;
  }

  @Override
  public ConcurrentNavigableMap<K, V> descendingMap() {
    return new StoreMap<>(store, range, !descending);
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(
      K from, boolean fromInclusive, K to, boolean toInclusive) {
    if (comparator().compare(from, to) > 0) {
      throw new IllegalArgumentException("the first key comes after the last one");
    }
    return ending(behind(checkEnd(from, fromInclusive), from, fromInclusive), to, toInclusive);
  }

  private StoreMap<K, V> ending(KeyRange remaining, K to, boolean inclusive) {
    checkEnd(to, inclusive);
    byte[] key = encode(to);
    KeyRange cut =
        descending ? remaining.atLeast(key, inclusive) : remaining.atMost(key, inclusive);
    return new StoreMap<>(store, cut, descending);
  }

  /** Returns the range if a sub map may begin or end at a key. */
  private KeyRange checkEnd(K key, boolean inclusive) {
    if (!range.mayEndAt(encode(key), inclusive)) {
      throw new IllegalArgumentException("key out of range");
    }
    return range;
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K to, boolean inclusive) {
    return ending(range, to, inclusive);
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K from, boolean inclusive) {
    return new StoreMap<>(store, behind(checkEnd(from, inclusive), from, inclusive), descending);
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(K from, K to) {
    return subMap(from, true, to, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K to) {
    return headMap(to, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K from) {
    return tailMap(from, true);
  }

  /** Returns the part of a range that begins at a key, as the map sees it. */
  private KeyRange behind(KeyRange all, K key, boolean inclusive) {
    byte[] encoded = encode(key);
    return descending ? all.atMost(encoded, inclusive) : all.atLeast(encoded, inclusive);
  }

  /** Returns the part of the range that ends at a key, as the map sees it. */
  private KeyRange before(K key, boolean inclusive) {
    byte[] encoded = encode(key);
    return descending ? range.atLeast(encoded, inclusive) : range.atMost(encoded, inclusive);
  }

  private Map.@Nullable Entry<K, V> first(KeyRange part) {
    return IoWork.unchecked(() -> store.decoded(store.firstOf(part, descending)));
  }

  private Map.@Nullable Entry<K, V> last(KeyRange part) {
    return IoWork.unchecked(() -> store.decoded(store.firstOf(part, !descending)));
  }

  private static <K> @Nullable K keyOf(Map.@Nullable Entry<K, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  private static <K> K present(Map.@Nullable Entry<K, ?> entry) {
    if (entry == null) {
      throw new NoSuchElementException();
    }
    return entry.getKey();
  }

  @Override
  public Map.@Nullable Entry<K, V> lowerEntry(K key) {
    return last(before(key, false));
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return keyOf(lowerEntry(key));
  }

  @Override
  public Map.@Nullable Entry<K, V> floorEntry(K key) {
    return last(before(key, true));
  }

  @Override
  public @Nullable K floorKey(K key) {
    return keyOf(floorEntry(key));
  }

  @Override
  public Map.@Nullable Entry<K, V> ceilingEntry(K key) {
    return first(behind(range, key, true));
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return keyOf(ceilingEntry(key));
  }

  @Override
  public Map.@Nullable Entry<K, V> higherEntry(K key) {
    return first(behind(range, key, false));
  }

  @Override
  public @Nullable K higherKey(K key) {
    return keyOf(higherEntry(key));
  }

  @Override
  public Map.@Nullable Entry<K, V> firstEntry() {
    return first(range);
  }

  @Override
  public Map.@Nullable Entry<K, V> lastEntry() {
    return last(range);
  }

  @Override
  public K firstKey() {
    return present(firstEntry());
  }

  @Override
  public K lastKey() {
    return present(lastEntry());
  }

  @Override
  public Map.@Nullable Entry<K, V> pollFirstEntry() {
    return IoWork.unchecked(() -> store.poll(range, descending));
  }

  @Override
  public Map.@Nullable Entry<K, V> pollLastEntry() {
    return IoWork.unchecked(() -> store.poll(range, !descending));
  }
}
