// Licensed under the Apache License, Version 2.0; see the LICENSE file.
// One memory store: its segments as bars, as wide as the memory they hold.

import {bytes, count, element, fillRows, large, percent, setText} from './format.js';

/** How long a bar that is gone stays in the document; longer than its transition. */
const GONE_MILLIS = 1700;

/** A scale shrinks by this share with each frame, so that bars do not jump. */
const SCALE_SHRINK = 0.03;

const KIND_NAMES = {
  active: 'active segment',
  sealed: 'sealed, not yet flat',
  array: 'flat, index of objects',
  chunk: 'flat, index in chunks',
  snapshot: 'flushing',
};

const POLICY_WORDS = {
  NONE: 'one skip list; nothing is done in memory',
  BASIC: 'merges indices, keeps every cell',
  EAGER: 'compacts all segments each time',
  ADAPTIVE: 'merges, and compacts when enough keys are redundant',
  AUTO: 'estimates what a compaction would drop, then decides',
};

/** The segments of a store in the order of the bars, each with a key that survives a flush. */
function segmentsOf(store) {
  const list = [{...store.active, zone: 'active', key: 'active'}];
  for (const zone of ['pipeline', 'snapshot']) {
    for (const segment of store[zone]) {
      list.push({...segment, zone, key: `upto-${segment.max ?? `none-${list.length}`}`});
    }
  }
  return list;
}

/** How much the active segment holds when it is sealed, unless the policy never seals one. */
function sealBytes(store) {
  return store.share * store.policy.a;
}

/** Says that writes are refused, and why. */
function refusal({writes, reason}) {
  return writes === 'OK' ? '' : ` (writes ${writes.toLowerCase()}: ${reason})`;
}

export class Bellows {
  #title = element('h2');
  #amount = element('p', 'amount');
  #strip = element('div', 'strip');
  #axis = element('div', 'axis');
  #decision = element('p', 'decision');
  #policy = element('p', 'policy');
  #tallies = element('dl', 'tallies');
  #rows = element('tbody');
  #bars = new Map();
  #store = null;
  #scale = 0;
  #labelled = 0;

  constructor(parent) {
    this.#strip.setAttribute('role', 'img');
    const legend = element('ul', 'legend');
    for (const [kind, words] of [...Object.entries(KIND_NAMES), ['dropped', 'dropped in memory']]) {
      legend.append(element('li', `kind-${kind}`, words));
    }
    const head = element('thead', '', '', element('tr'));
    for (const name of ['Segment', 'Cells', 'Memory', 'Index', 'Newest write']) {
      const cell = element('th', '', name);
      cell.scope = 'col';
      head.firstChild.append(cell);
    }
    const details = element('details', '', '', element('summary', '', 'Segments as a table'),
      element('div', 'scroll', '', element('table', '', '', head, this.#rows)));
    this.root = element('article', 'card store', '',
      element('div', 'card-head', '', this.#title, this.#amount),
      this.#strip, this.#axis,
      element('div', 'account', '',
        element('div', 'words', '', this.#decision, this.#policy), this.#tallies),
      element('div', 'foot', '', details, legend));
    parent.append(this.root);
  }

  /** How many bytes the whole width should stand for. */
  wantedScale(store) {
    const held = segmentsOf(store).reduce((sum, segment) => sum + segment.held, 0);
    return Math.max(store.share, held * 1.02, 1);
  }

  /** Shows a store; a jump in time is shown without movement. */
  show(database, store, scale, jump) {
    const before = !jump && this.#store?.id === store.id ? this.#store : null;
    this.#scale = before ? Math.max(scale, this.#scale * (1 - SCALE_SHRINK)) : scale;
    this.#strip.classList.toggle('still', !before);
    const segments = segmentsOf(store);
    this.#placeBars(segments, store, before);
    this.#showWords(database, store, segments);
    this.#store = store;
    if (!before) {
      // Have the bars stand before they may move.
      void this.#strip.offsetWidth;
      this.#strip.classList.remove('still');
    }
  }

  #share(size) {
    return `${(100 * size) / this.#scale}%`;
  }

  #placeBars(segments, store, before) {
    if (!before) {
      this.#strip.replaceChildren();
      this.#bars.clear();
    }
    this.#passOn(segments);
    let left = 0;
    for (const segment of segments) {
      const bar = this.#bars.get(segment.key) ?? this.#newBar(segment.key, left);
      bar.segment = segment;
      bar.node.className = `segment kind-${segment.zone === 'pipeline' ? segment.kind : segment.zone}`;
      bar.node.style.left = this.#share(left);
      bar.node.style.width = this.#share(segment.held);
      bar.node.title = `${this.#nameOf(segment)}: ${bytes(segment.held)}, ${count(segment.cells)} cells`;
      bar.left = left;
      if (segment.zone === 'active' && store.policy.kind !== 'NONE') {
        left = Math.max(segment.held, sealBytes(store));
        this.#placeRoom(left);
      } else {
        left += segment.held;
      }
    }
    this.#removeBars(segments);
    if (before && store.eliminatedBytes > before.eliminatedBytes) {
      this.#showDropped(left, store.eliminatedBytes - before.eliminatedBytes);
    }
  }

  /** The room in which the active segment grows until it is sealed. */
  #placeRoom(width) {
    let room = this.#strip.querySelector('.room');
    if (!room) {
      room = element('div', 'room');
      this.#strip.prepend(room);
    }
    room.style.width = this.#share(width);
  }

  #newBar(key, left) {
    const node = element('div', 'segment');
    node.style.left = this.#share(left);
    node.style.width = '0';
    this.#strip.append(node);
    void node.offsetWidth;
    const bar = {node};
    this.#bars.set(key, bar);
    return bar;
  }

  /**
   * Has bars go on under other keys: that of an active segment as the bar of the sealed one, and the
   * widest of those that were merged as the bar of the new one.
   */
  #passOn(segments) {
    for (const segment of segments.slice(1)) {
      const merged = [...this.#bars].filter(([key, {segment: old}]) =>
        old.min >= segment.min && old.max <= segment.max
        && !(key === 'active' && old.min === segments[0].min));
      if (merged.length === 0) {
        continue;
      }
      const [key, widest] = merged.reduce((one, other) =>
        (other[1].segment.held > one[1].segment.held ? other : one));
      if (key !== segment.key) {
        const other = this.#bars.get(segment.key);
        this.#bars.delete(key);
        this.#bars.set(segment.key, widest);
        if (other) {
          this.#bars.set(`merged-${segment.key}`, other);
        }
      }
    }
  }

  /** Bars of merged segments close into the new one; those of flushed ones leave towards the disk. */
  #removeBars(segments) {
    const keys = new Set(segments.map((segment) => segment.key));
    for (const [key, bar] of this.#bars) {
      if (keys.has(key)) {
        continue;
      }
      this.#bars.delete(key);
      const old = bar.segment;
      const heir = segments.find((segment) =>
        segment.zone !== 'active' && segment.min <= old.min && segment.max >= old.max);
      const target = heir && this.#bars.get(heir.key);
      bar.node.classList.add('gone');
      if (target) {
        bar.node.style.left = this.#share(target.left + heir.held);
        bar.node.style.width = '0';
      } else {
        bar.node.classList.add('flushed');
      }
      setTimeout(() => bar.node.remove(), GONE_MILLIS);
    }
  }

  #showDropped(left, size) {
    const node = element('div', 'segment kind-dropped');
    node.style.left = this.#share(Math.min(left, this.#scale - Math.min(size, this.#scale)));
    node.style.width = this.#share(Math.min(size, this.#scale));
    this.#strip.append(node);
    void node.offsetWidth;
    node.classList.add('gone');
    setTimeout(() => node.remove(), GONE_MILLIS);
  }

  #nameOf(segment) {
    return KIND_NAMES[segment.zone === 'pipeline' ? segment.kind : segment.zone];
  }

  #showWords(database, store, segments) {
    const {policy} = store;
    const held = segments.reduce((sum, segment) => sum + segment.held, 0);
    const state = database.state === 'open' ? refusal(database.health) : ` (${database.state})`;
    setText(this.#title, `${database.name}${state} · ${store.table}/${store.family}`);
    const others = database.storeCount > database.stores.length
      ? `; the ${database.stores.length} largest of ${count(database.storeCount)} stores are here` : '';
    setText(this.#amount, `${bytes(held)} of ${bytes(store.share)}${others}`);
    setText(this.#axis, '');
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const at = element('span', '', bytes(this.#scale * share));
      at.style.left = `${share * 100}%`;
      this.#axis.append(at);
    }
    setText(this.#decision, store.decision || (policy.kind === 'NONE'
      ? 'nothing to decide: memory fills until it is flushed' : 'nothing decided yet'));
    setText(this.#policy, this.#policyInWords(store));
    this.#showTallies(store);
    this.#showTable(segments);
    this.#label(store, segments);
  }

  #policyInWords(store) {
    const {policy} = store;
    let words = `${policy.kind}: ${POLICY_WORDS[policy.kind] ?? ''}`;
    if (policy.kind !== 'NONE') {
      words += `. A ${percent(policy.a)}, S ${policy.s}`;
    }
    if (policy.kind === 'ADAPTIVE') {
      words += `, R ${percent(policy.r)}`;
      words += `. u = ${store.u === undefined ? 'not yet known' : store.u.toFixed(2)}`;
      words += store.t === undefined ? '' : `, t = ${store.t.toFixed(2)}`;
    }
    return words;
  }

  #showTallies(store) {
    const values = [
      ['Sealed', large(store.seals)],
      ['Merges', large(store.merges)],
      ['Compactions', large(store.compactions)],
      ['Cells dropped', large(store.eliminatedCells)],
      ['Bytes dropped', bytes(store.eliminatedBytes)],
      ['On disk', bytes(store.fileBytes)],
    ];
    if (this.#tallies.childElementCount !== values.length) {
      this.#tallies.replaceChildren(...values.map(([name]) =>
        element('div', '', '', element('dt', '', name), element('dd'))));
    }
    values.forEach(([, value], i) => setText(this.#tallies.children[i].lastChild, value));
  }

  #showTable(segments) {
    if (!this.#rows.closest('details').open) {
      return;
    }
    fillRows(this.#rows, segments.map((segment) => [
      [this.#nameOf(segment), `kind-${segment.zone === 'pipeline' ? segment.kind : segment.zone}`],
      [count(segment.cells)], [bytes(segment.held)], [bytes(segment.index)],
      [segment.max === undefined ? '' : count(segment.max)]]));
  }

  /** Tells a screen reader, not more than every other second. */
  #label(store, segments) {
    const now = Date.now();
    if (now - this.#labelled < 2000) {
      return;
    }
    this.#labelled = now;
    const sum = (zone) => bytes(segments.filter((segment) => segment.zone === zone)
      .reduce((total, segment) => total + segment.held, 0));
    this.#strip.setAttribute('aria-label', `Active segment ${sum('active')}; pipeline of `
      + `${store.pipeline.length} segments, ${sum('pipeline')}; flushing ${sum('snapshot')}; `
      + `of ${bytes(store.share)}`);
  }
}
