// Pictures of recorded runs, fetched when they are wanted and kept within a cap of memory: the ones
// not looked at for longest go first. A picture that is on its way is fetched once.
import { Picture, pictureBytes } from "./picture";

export type FetchPicture = (run: number, frame: number, field: string) => Promise<Picture>;

export class FrameCache {
  private kept = new Map<string, Picture>(); // in the order of use
  private coming = new Set<string>();
  private bytes_ = 0;
  private generation = 0;

  constructor(
    private readonly fetchPicture: FetchPicture,
    private readonly arrived: () => void,
    private readonly failed: (reason: string) => void,
    private readonly cap: number,
  ) {}

  get bytes(): number {
    return this.bytes_;
  }
  get length(): number {
    return this.kept.size;
  }
  get waiting(): number {
    return this.coming.size;
  }

  clear(): void {
    this.kept.clear();
    this.coming.clear();
    this.bytes_ = 0;
    ++this.generation;
  }

  // The picture, or null while it is fetched; `arrived` is called when it is there.
  want(run: number, frame: number, field: string): Picture | null {
    const key = `${run}/${frame}/${field}`;
    const picture = this.kept.get(key);
    if (!picture) {
      void this.load(key, run, frame, field);
      return null;
    }
    this.kept.delete(key);
    this.kept.set(key, picture);
    return picture;
  }

  private async load(key: string, run: number, frame: number, field: string): Promise<void> {
    if (this.coming.has(key) || this.coming.size >= 8) return;
    const generation = this.generation;
    this.coming.add(key);
    try {
      const picture = await this.fetchPicture(run, frame, field);
      if (generation !== this.generation) return;
      this.coming.delete(key);
      this.keep(key, picture);
      this.arrived();
    } catch (error) {
      if (generation !== this.generation) return;
      // Asked for again only after a pause, or a server that is gone would be asked sixty times a
      // second.
      setTimeout(() => this.coming.delete(key), 1000);
      this.failed(`frame ${frame}: ${(error as Error).message}`);
    }
  }

  private keep(key: string, picture: Picture): void {
    this.kept.set(key, picture);
    this.bytes_ += pictureBytes(picture);
    for (const [oldKey, old] of this.kept) {
      if (this.bytes_ <= this.cap || oldKey === key) break;
      this.kept.delete(oldKey);
      this.bytes_ -= pictureBytes(old);
    }
  }
}
