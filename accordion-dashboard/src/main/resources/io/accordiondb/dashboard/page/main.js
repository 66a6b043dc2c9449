// Licensed under the Apache License, Version 2.0; see the LICENSE file.
// Keeps what the server sends, and shows one moment of it: now, or one of the last ten minutes.

import {Bellows} from './bellows.js';
import {Connection} from './connection.js';
import {element, setText} from './format.js';
import {Panels} from './panels.js';
import {Timeline, showMoment} from './timeline.js';

const HISTORY_MILLIS = 600_000;
const DENSE_MILLIS = 125_000;
const SPARSE_MILLIS = 950;
const EVENTS_MAX = 5000;
const THEMES = ['system', 'light', 'dark'];
const ALL = '*';

const byId = (id) => document.getElementById(id);

class Page {
  #frames = [];
  #events = [];
  #lastEvent = 0;
  /** The moment at which the page stands, in milliseconds since 1970; null for now. */
  #moment = null;
  /** Which database and store, as the select has it; '' until the first frame. */
  #choice = '';
  #options = '';
  #bellows = new Map();
  #busiest = new Map();
  #jump = true;
  #panels = new Panels(byId('figures'));
  #timeline = new Timeline((back) => this.#goBack(back));

  constructor() {
    byId('store').addEventListener('change', (change) => {
      this.#choice = change.target.value;
      this.#redraw(true);
    });
    byId('pause').addEventListener('click', () => this.#togglePause());
    byId('live').addEventListener('click', () => this.#goBack(0));
    byId('theme').addEventListener('click', () => this.#nextTheme());
    document.addEventListener('keydown', (event) => this.#onKey(event));
    addEventListener('resize', () => this.#redraw(true));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#redraw(true));
    this.#setTheme(localStorage.getItem('accordion-theme') ?? 'system');
  }

  onHistory({frames, events}) {
    this.#frames = frames;
    this.#events = [];
    this.#lastEvent = 0;
    this.#addEvents(events);
    this.#redraw(true);
  }

  onFrame(frame) {
    if (frame.at <= (this.#frames.at(-1)?.at ?? 0)) {
      return;
    }
    const gap = frame.at - (this.#frames.at(-1)?.at ?? frame.at);
    this.#frames.push(frame);
    this.#addEvents(frame.events);
    this.#thinOut(frame.at);
    this.#redraw(gap > 2500);
  }

  onState(state, sentence) {
    document.body.dataset.connection = state;
    const words = {live: 'live', lost: 'no connection, trying again', refused: 'no access'};
    setText(byId('status'), words[state]);
    const message = byId('message');
    message.hidden = state === 'live';
    setText(message, state === 'refused' ? sentence
      : 'The program does not answer. It may have ended; the page shows what it said last.');
  }

  #addEvents(events) {
    for (const event of events) {
      if (event.n > this.#lastEvent) {
        this.#lastEvent = event.n;
        this.#events.push(event);
      }
    }
    this.#events.splice(0, Math.max(0, this.#events.length - EVENTS_MAX));
  }

  /** Keeps every frame of the last two minutes, and one a second before. */
  #thinOut(now) {
    let kept = -Infinity;
    this.#frames = this.#frames.filter((frame) => {
      const old = frame.at < now - HISTORY_MILLIS;
      const close = frame.at < now - DENSE_MILLIS && frame.at - kept < SPARSE_MILLIS;
      if (!old && !close) {
        kept = frame.at;
      }
      return !old && !close;
    });
  }

  #now() {
    return this.#frames.at(-1)?.at ?? 0;
  }

  #redraw(jump) {
    this.#jump ||= jump;
    if (this.#frames.length === 0) {
      return;
    }
    const now = this.#now();
    const moment = this.#moment ?? now;
    const upTo = this.#frames.filter((frame) => frame.at <= moment);
    const past = upTo.length ? upTo : [this.#frames[0]];
    this.#showOptions(this.#frames.at(-1));
    const names = this.#visible(past.at(-1));
    this.#showBellows(past.at(-1), names);
    this.#panels.show(past, names);
    this.#timeline.show(this.#frames, this.#events, names, now, moment);
    showMoment(byId('moment'), moment, now);
    byId('live').hidden = this.#moment === null;
    byId('pause').setAttribute('aria-pressed', String(this.#moment !== null));
    setText(byId('pause'), this.#moment === null ? 'Pause' : 'Go on');
    document.body.dataset.paused = String(this.#moment !== null);
    this.#jump = false;
  }

  /** Fills the select with databases and stores, where they have changed. */
  #showOptions(frame) {
    const options = [];
    if (frame.databases.length > 1) {
      options.push([ALL, 'all side by side']);
    }
    for (const {name, stores} of frame.databases) {
      const sorted = [...(stores ?? [])].sort((one, other) => one.id.localeCompare(other.id));
      for (const store of sorted) {
        const region = sorted.length > 1 && (store.start || store.end)
          ? ` from “${store.start}”` : '';
        options.push([`${name}\n${store.id}`, `${name} · ${store.table}/${store.family}${region}`]);
      }
    }
    const key = JSON.stringify(options);
    if (key !== this.#options) {
      this.#options = key;
      const select = byId('store');
      select.replaceChildren(...options.map(([value, name]) => {
        const option = element('option', '', name);
        option.value = value;
        return option;
      }));
      if (!options.some(([value]) => value === this.#choice)) {
        this.#choice = options[0]?.[0] ?? '';
      }
      select.value = this.#choice;
      byId('choice').hidden = options.length < 2;
    }
  }

  #visible(frame) {
    return this.#choice === ALL
      ? frame.databases.map(({name}) => name) : [this.#choice.split('\n')[0]];
  }

  /** The chosen store of a database; with all databases, the one that has held most so far. */
  #storeOf(database) {
    const chosen = this.#choice === ALL ? this.#busiest.get(database.name)
      : this.#choice.split('\n')[1];
    const found = database.stores.find((store) => store.id === chosen) ?? database.stores[0];
    if (found && found.used > 0 && !this.#busiest.has(database.name)) {
      this.#busiest.set(database.name, found.id);
    }
    return found;
  }

  #showBellows(frame, names) {
    const shown = frame.databases.filter((database) =>
      names.includes(database.name) && database.stores?.length);
    for (const [name, bellows] of this.#bellows) {
      if (!shown.some((database) => database.name === name)) {
        bellows.root.remove();
        this.#bellows.delete(name);
      }
    }
    const pairs = shown.map((database) => {
      if (!this.#bellows.has(database.name)) {
        this.#bellows.set(database.name, new Bellows(byId('bellows')));
      }
      return [this.#bellows.get(database.name), database, this.#storeOf(database)];
    });
    // One scale for all, so that widths can be compared.
    const scale = Math.max(...pairs.map(([bellows, , store]) => bellows.wantedScale(store)));
    for (const [bellows, database, store] of pairs) {
      bellows.show(database, store, scale, this.#jump);
    }
  }

  #goBack(back) {
    this.#moment = back <= 0 ? null : this.#now() - back;
    this.#redraw(true);
  }

  #togglePause() {
    this.#moment = this.#moment === null ? this.#now() : null;
    this.#redraw(this.#moment === null);
  }

  #step(seconds) {
    const moment = (this.#moment ?? this.#now()) + seconds * 1000;
    this.#goBack(Math.min(HISTORY_MILLIS, this.#now() - moment));
  }

  #onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey
        || event.target.closest('input, select, button, summary')) {
      return;
    }
    const actions = {
      ' ': () => this.#togglePause(),
      ArrowLeft: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      End: () => this.#goBack(0),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  #nextTheme() {
    const now = THEMES.indexOf(document.documentElement.dataset.theme);
    this.#setTheme(THEMES[(now + 1) % THEMES.length]);
    this.#redraw(true);
  }

  #setTheme(theme) {
    document.documentElement.dataset.theme = THEMES.includes(theme) ? theme : 'system';
    localStorage.setItem('accordion-theme', document.documentElement.dataset.theme);
    setText(byId('theme'), `Theme: ${document.documentElement.dataset.theme}`);
  }
}

new Connection(new Page()).run();
