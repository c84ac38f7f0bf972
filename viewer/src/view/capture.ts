// Pictures and films of the canvas, saved by the browser: PNG of what is drawn, WebM while
// recording.

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const fileName = (title: string, time: number, ending: string): string =>
  `${title.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "pliant"}-${time.toFixed(3)}.${ending}`;

// To be called right after drawing, before the browser takes the drawing away.
export function savePicture(canvas: HTMLCanvasElement, name: string): Promise<number> {
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => {
      if (!blob) return failed(new Error("the browser could not make a picture"));
      save(blob, name);
      done(blob.size);
    }, "image/png"),
  );
}

export class Film {
  private recorder: MediaRecorder | null = null;
  get recording(): boolean {
    return this.recorder !== null;
  }

  start(canvas: HTMLCanvasElement, name: string, ended: (bytes: number) => void): void {
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find(
      (candidate) => MediaRecorder.isTypeSupported(candidate),
    );
    if (!type) throw new Error("this browser cannot record films");
    const parts: Blob[] = [];
    this.recorder = new MediaRecorder(canvas.captureStream(30), {
      mimeType: type,
      videoBitsPerSecond: 12e6,
    });
    this.recorder.ondataavailable = (event) => parts.push(event.data);
    this.recorder.onstop = () => {
      const film = new Blob(parts, { type: "video/webm" });
      save(film, name);
      ended(film.size);
    };
    this.recorder.start(500);
  }

  stop(): void {
    this.recorder?.stop();
    this.recorder = null;
  }
}
