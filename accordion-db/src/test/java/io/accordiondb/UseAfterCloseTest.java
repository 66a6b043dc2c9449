// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.typed.Codecs;
import io.accordiondb.typed.TypedIterator;
import io.accordiondb.typed.TypedStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever can be closed can be closed twice, and then says its name to who uses it; after the
 * database was closed, all of it says that.
 */
class UseAfterCloseTest {
  private static final byte[] KEY = bytes("k");
  private static final byte[] FAMILY = bytes(KeyValueStore.FAMILY);

  @TempDir private Path folder;
  private Database database;
  private KeyValueStore store;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    database = Database.open(folder.resolve("db"));
    store = database.keyValueStore("s");
    store.put(KEY, KEY);
    store.put(bytes("l"), KEY);
    table = database.table("s");
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  /** Something that can be closed, what it calls itself, and what uses it. */
  private record Thing(Closeable closeable, String name, ThrowingCallable use) {}

  private Map<String, Thing> things() throws IOException {
    Map<String, Thing> things = new LinkedHashMap<>();
    ResultScanner scanner = table.scan(new Scan());
    things.put("scanner", new Thing(scanner, "of table s", scanner::next));
    KeyValueIterator iterator = store.range(null, null);
    things.put("iterator", new Thing(iterator, "of table s", iterator::next));
    KeyValueIterator reverse = store.reverseRange(null, null);
    things.put("reverse iterator", new Thing(reverse, "of table s", reverse::next));
    KeyValueCursor cursor = store.cursor();
    things.put("cursor", new Thing(cursor, "of table s", cursor::first));
    RowCursor rows = table.cursor(new Scan());
    things.put("row cursor", new Thing(rows, "of table s", rows::last));
    TypedStore<String, String> typed = TypedStore.of(store, Codecs.STRING, Codecs.STRING);
    TypedIterator<String, String> entries = typed.range(null, null);
    things.put("typed iterator", new Thing(entries, "of table s", entries::next));
    TypedIterator<String, String> none = typed.reverseRange("b", "a");
    things.put("typed iterator of no entries", new Thing(none, "of table s", none::hasNext));
    Snapshot snapshot = database.snapshot();
    things.put(
        "snapshot",
        new Thing(snapshot, "snapshot of sequence number", () -> store.at(snapshot).get(KEY)));
    Transaction transaction = database.beginTransaction();
    KeyValueStore within = transaction.keyValueStore("s");
    ResultScanner own = transaction.table("s").scan(new Scan());
    things.put("scanner of a transaction", new Thing(own, "of table s", own::next));
    things.put("transaction", new Thing(transaction, "transaction", () -> within.get(KEY)));
    ChangeFeed feed = database.changes();
    things.put("change feed", new Thing(feed, "change feed", () -> feed.next(Duration.ZERO)));
    return things;
  }

  @Test
  void eachThingNamesItself() throws IOException {
    for (Map.Entry<String, Thing> each : things().entrySet()) {
      Thing thing = each.getValue();
      thing.closeable.close();
      thing.closeable.close();
      assertThatThrownBy(thing.use)
          .as(each.getKey())
          .isInstanceOf(ClosedException.class)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(thing.name)
          .hasMessageContaining("has been closed");
    }
    assertThat(store.get(KEY)).isEqualTo(KEY);
  }

  @Test
  void eachThingNamesTheDatabaseThatWasClosed() throws IOException {
    Map<String, Thing> things = things();
    database.close();
    database.close();
    for (Map.Entry<String, Thing> each : things.entrySet()) {
      // A transaction that was rolled back then says so.
      boolean isEnded = each.getKey().equals("transaction");
      assertThatThrownBy(each.getValue().use)
          .as(each.getKey())
          .isInstanceOf(isEnded ? ClosedException.class : DatabaseClosedException.class)
          .hasMessageContaining("has been closed");
      each.getValue().closeable.close();
    }
    Map<String, ThrowingCallable> uses = new LinkedHashMap<>();
    uses.put("get", () -> store.get(KEY));
    uses.put("put", () -> store.put(KEY, KEY));
    uses.put("batch", () -> store.writeBatch().put(KEY, KEY).commit());
    uses.put("write", () -> database.write(new WriteBatch().put(store, KEY, KEY)));
    uses.put("writeAsync", () -> database.writeAsync(new WriteBatch().put(store, KEY, KEY)));
    TypedStore<String, String> typed = TypedStore.of(store, Codecs.STRING, Codecs.STRING);
    uses.put("empty range", () -> typed.range("b", "a"));
    uses.put("deletion of an empty range", () -> typed.deleteRange("b", "a"));
    uses.put("transaction", () -> database.beginTransaction());
    uses.put("feed", () -> database.changes());
    uses.put("checkpoint", () -> database.checkpoint(folder.resolve("copy")));
    uses.put("tables", () -> database.tables());
    uses.put("options", () -> database.options());
    uses.put("reconfigure", () -> database.reconfigure(options -> options));
    uses.put("statistics", () -> database.statistics());
    uses.put("resume", () -> database.resume());
    uses.put("refresh", () -> database.refresh());
    uses.put("merge", () -> table.merge(new Merge(KEY).addColumn(FAMILY, KEY, KEY)));
    for (Map.Entry<String, ThrowingCallable> use : uses.entrySet()) {
      assertThatThrownBy(use.getValue())
          .as(use.getKey())
          .isInstanceOf(DatabaseClosedException.class)
          .hasMessageContaining(folder.toRealPath().resolve("db").toString());
    }
    assertThat(folder.resolve("copy")).doesNotExist();
  }

  @Test
  void anIteratorKnowsAfterLookingAheadAndAtItsEndThatTheDatabaseWasClosed() throws IOException {
    try (KeyValueIterator ahead = store.range(null, null);
        KeyValueIterator atEnd = store.range(bytes("z"), null)) {
      assertThat(ahead.hasNext()).isTrue();
      assertThat(atEnd.hasNext()).isFalse();
      database.close();
      for (KeyValueIterator iterator : List.of(ahead, atEnd)) {
        assertThatThrownBy(iterator::hasNext).isInstanceOf(ClosedException.class);
        assertThatThrownBy(iterator::next).isInstanceOf(ClosedException.class);
      }
    }
  }

  @Test
  void aSavepointIsGoneWithItsTransaction() throws IOException {
    Savepoint savepoint;
    try (Transaction transaction = database.beginTransaction()) {
      savepoint = transaction.savepoint();
      transaction.rollback();
      assertThatThrownBy(() -> transaction.rollbackTo(savepoint))
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("transaction");
      assertThatThrownBy(transaction::commit).isInstanceOf(ClosedException.class);
    }
  }

  /** A filter of a read that throws reaches the caller, and nobody else. */
  @Test
  void aFilterThatThrowsIsTheCallersAndLeavesAllUsable() throws IOException {
    IllegalStateException thrown = new IllegalStateException("the filter is broken");
    Filter broken =
        cells -> {
          throw thrown;
        };
    assertThatThrownBy(() -> table.get(new Get(KEY).setFilter(broken))).isSameAs(thrown);
    try (ResultScanner scanner = table.scan(new Scan().setFilter(broken))) {
      assertThatThrownBy(scanner::next).isSameAs(thrown);
      assertThatThrownBy(scanner::next)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("table s has failed before")
          .hasMessageContaining("the filter is broken")
          .hasCause(thrown);
    }
    assertThatThrownBy(
            () ->
                table.checkAndMutate(
                    CheckAndMutate.builder(KEY)
                        .ifMatches(broken)
                        .build(new Put(KEY).addColumn(FAMILY, KEY, KEY))))
        .isSameAs(thrown);
    assertThat(table.get(new Get(KEY)).cells()).hasSize(1);
    assertThat(table.mutateRow(new RowMutations(KEY).add(new Delete(KEY)))).isNotNull();
    assertThat(store.get(KEY)).isNull();
  }

  /** A scanner reads memory that is given back when another thread closes it. */
  @Test
  void whatAScannerFindsThatWasClosedMeanwhileIsNoDamage() throws IOException {
    CorruptionException found = new CorruptionException("file", 0, "rows in order", "others");
    AtomicReference<ResultScanner> open = new AtomicReference<>();
    Filter closing =
        cells -> {
          open.get().close();
          throw UseAfterCloseTest.<RuntimeException>unchecked(found);
        };
    ResultScanner scanner = table.scan(new Scan().setFilter(closing));
    open.set(scanner);
    assertThatThrownBy(scanner::next)
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("of table s")
        .hasSuppressedException(found);
    assertThat(database.statistics().health().corruptions()).isZero();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
