// The past of a live run, within a cap of memory: when it is full every second picture is dropped
// and from then on only every second new one is kept. What is kept is thus always spread evenly
// over the run, however long it is, and the newest picture is always there.
import { Picture, pictureBytes } from "./picture";
import { lastAtOrBefore } from "./playback";

export const pastCap = 256 * 1024 * 1024; // bytes, over all runs

export class Past {
  times: number[] = []; // of the pictures, s
  private pictures: Picture[] = [];
  private newestIsExtra = false; // the newest stands between two that are to be kept
  private seen = 0;
  private stride = 1;
  private bytes_ = 0;

  constructor(private readonly cap: number = pastCap) {}

  get length(): number {
    return this.pictures.length;
  }
  get bytes(): number {
    return this.bytes_;
  }
  get spacing(): number {
    return this.stride;
  }
  get newest(): Picture | null {
    return this.pictures[this.pictures.length - 1] ?? null;
  }
  at(index: number): Picture {
    return this.pictures[index];
  }

  clear(): void {
    [this.pictures, this.times] = [[], []];
    this.newestIsExtra = false;
    [this.seen, this.stride, this.bytes_] = [0, 1, 0];
  }

  add(picture: Picture): void {
    if (this.newestIsExtra) {
      this.bytes_ -= pictureBytes(this.pictures.pop()!);
      this.times.pop();
    }
    this.newestIsExtra = this.seen % this.stride !== 0;
    ++this.seen;
    this.pictures.push(picture);
    this.times.push(picture.time);
    this.bytes_ += pictureBytes(picture);
    while (this.bytes_ > this.cap && this.pictures.length > 2) this.thin();
  }

  // The last picture at or before the time, or the first; null where there is none.
  find(time: number): Picture | null {
    return this.pictures[lastAtOrBefore(this.times, time)] ?? null;
  }

  private thin(): void {
    this.stride *= 2;
    const last = this.pictures.length - 1;
    this.pictures = this.pictures.filter((_, k) => k % 2 === 0 || k === last);
    this.times = this.pictures.map((picture) => picture.time);
    this.newestIsExtra = (this.seen - 1) % this.stride !== 0;
    this.bytes_ = this.pictures.reduce((sum, picture) => sum + pictureBytes(picture), 0);
  }
}
