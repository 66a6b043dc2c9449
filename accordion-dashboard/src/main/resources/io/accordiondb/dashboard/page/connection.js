// Licensed under the Apache License, Version 2.0; see the LICENSE file.
// The way to the server: the token, ten minutes of history, then frame after frame.

const KEY = 'accordion-token';
const RETRY_MILLIS = 1000;
const RETRY_MILLIS_MAX = 8000;

/** The server wants another token. */
export class WrongToken extends Error {}

/** Takes the token out of the address, and keeps it for this tab alone. */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

export class Connection {
  #token = takeToken();
  #listener;

  /** The listener has onHistory(history), onFrame(frame), onState(state, sentence). */
  constructor(listener) {
    this.#listener = listener;
  }

  /** Goes on until the token turns out to be wrong. */
  async run() {
    let wait = RETRY_MILLIS;
    for (;;) {
      await this.#untilSeen();
      const hiding = this.#abortWhenHidden();
      try {
        this.#listener.onHistory(await (await this.#get('/api/history', hiding.signal)).json());
        const stream = await this.#get('/api/stream', hiding.signal);
        this.#listener.onState('live', '');
        wait = RETRY_MILLIS;
        await this.#read(stream.body);
        throw new Error('the stream has ended');
      } catch (problem) {
        if (problem instanceof WrongToken) {
          this.#listener.onState('refused', problem.message);
          return;
        }
        if (hiding.signal.aborted) {
          continue;
        }
        this.#listener.onState('lost', problem.message);
      } finally {
        hiding.stop();
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, RETRY_MILLIS_MAX);
    }
  }

  /** A tab that nobody sees costs the server nothing. */
  async #untilSeen() {
    while (document.hidden) {
      await new Promise((resolve) =>
        document.addEventListener('visibilitychange', resolve, {once: true}));
    }
  }

  #abortWhenHidden() {
    const controller = new AbortController();
    const look = () => document.hidden && controller.abort();
    document.addEventListener('visibilitychange', look);
    return {signal: controller.signal,
      stop: () => document.removeEventListener('visibilitychange', look)};
  }

  async #get(path, signal) {
    const answer = await fetch(path, {
      headers: {Authorization: `Bearer ${this.#token ?? ''}`},
      cache: 'no-store',
      credentials: 'omit',
      signal,
    });
    if (answer.status === 401) {
      throw new WrongToken((await answer.text()).trim());
    }
    if (!answer.ok) {
      throw new Error((await answer.text()).trim());
    }
    return answer;
  }

  /** Reads server-sent events: each has one line of data. */
  async #read(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const {value, done} = await reader.read();
      if (done) {
        return;
      }
      const events = (rest + value).split('\n\n');
      rest = events.pop();
      for (const event of events) {
        if (event.startsWith('data: ')) {
          this.#listener.onFrame(JSON.parse(event.slice(6)));
        }
      }
    }
  }
}
