// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;

/** The values of a map of a store, compared by their encodings. Thread-safe; holds no state. */
final class StoreValues<K, V> extends AbstractCollection<V> {
  private final StoreMap<K, V> map;

  StoreValues(StoreMap<K, V> map) {
    this.map = map;
  }

  @Override
  public Iterator<V> iterator() {
    return map.entries().parts(Map.Entry::getValue);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public boolean contains(Object value) {
    return map.entries().skipTo(map.encodeValue(value));
  }

  @Override
  public boolean remove(Object value) {
    byte[] wanted = map.encodeValue(value);
    EntryIterator<K, V> entries = map.entries();
    boolean removed = false;
    while (!removed && entries.skipTo(wanted)) {
      removed = entries.removeIfUnchanged();
    }
    return removed;
  }

  @Override
  public boolean removeIf(Predicate<? super V> selected) {
    Objects.requireNonNull(selected, "selected");
    return map.entries().removeIf(entry -> selected.test(entry.getValue()));
  }

  @Override
  public Spliterator<V> spliterator() {
    return new ViewSpliterator<>(iterator(), 0, null);
  }

  @Override
  public void clear() {
    map.clear();
  }
}
