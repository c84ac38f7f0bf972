// What time is shown: a clock over recorded times, or the newest that there is, of a live run from
// its start and of a recorded one that is still being written from when its end is reached. Pure
// state, so that every rule of playing, stepping and scrubbing can be tested without a page.

export class Playback {
  time = 0; // s, shown
  playing = false;
  following = false; // shows the newest, as it comes
  speed = 1; // simulated seconds per second
  constructor(readonly live: boolean) {
    this.following = live;
    this.playing = !live;
  }

  // Times that can be shown, in order; the newest is the last.
  advance(elapsed: number, times: ArrayLike<number>): void {
    const newest = times.length ? times[times.length - 1] : 0;
    if (this.following) {
      this.time = newest;
    } else if (this.playing) {
      this.time += elapsed * this.speed;
      if (this.time < newest) return;
      this.time = newest;
      this.follow();
    }
  }

  // From the end a live run is followed on, and a recorded one starts over.
  play(times: ArrayLike<number>): void {
    const newest = times.length ? times[times.length - 1] : 0;
    if (this.following || this.time >= newest) {
      if (this.live) return this.follow();
      this.scrub(times.length ? times[0] : 0);
    }
    this.playing = true;
  }

  pause(): void {
    this.playing = false;
    this.following = false;
  }

  follow(): void {
    this.following = true;
    this.playing = false;
  }

  scrub(time: number): void {
    this.time = time;
    this.following = false;
  }

  // One recorded time on or back.
  step(direction: 1 | -1, times: ArrayLike<number>): void {
    this.pause();
    if (!times.length) return;
    const k = lastAtOrBefore(times, this.time) + direction;
    this.time = times[Math.min(Math.max(k, 0), times.length - 1)];
  }
}

// The index of the last time at or before `time`; 0 where all are later.
export function lastAtOrBefore(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + 1e-12) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}
