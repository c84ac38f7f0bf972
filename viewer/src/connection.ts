// The socket to the server: opens it, opens it again after it closed, with growing pauses, and
// hands on what comes. A server that was restarted says hello with a new session number; what was
// loaded before is then no longer true, which is for the receiver to see to.
import { decodeFrame, decodeMessage, Frame, Message } from "./protocol";

export interface Receiver {
  message(message: Message): void;
  frame(frame: Frame): void;
  connected(): void;
  lost(reason: string): void;
  broken(error: Error): void; // a message that cannot be read
}

const firstPause = 250; // ms
const longestPause = 4000;

export class Connection {
  reconnects = 0;
  private socket: WebSocket | null = null;
  private pause = firstPause;
  private everOpen = false;

  constructor(
    readonly token: string,
    private readonly receiver: Receiver,
  ) {}

  get open(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  start(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.address("socket")}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.received(event.data);
    socket.onclose = () => this.closed();
    this.socket = socket;
  }

  send(message: object): boolean {
    if (!this.open) return false;
    this.socket!.send(JSON.stringify(message));
    return true;
  }

  // A path of the server with the token; relative to where the page itself was found.
  address(path: string, more = ""): string {
    const base = location.pathname.replace(/[^/]*$/, "");
    return `${base}${path}?token=${encodeURIComponent(this.token)}${more}`;
  }

  async get(path: string, more = ""): Promise<Response> {
    const answer = await fetch(this.address(path, more), { cache: "no-store" });
    if (!answer.ok) throw new Error(`the server answered ${answer.status} to ${path}`);
    return answer;
  }

  private opened(): void {
    if (this.everOpen) ++this.reconnects;
    this.everOpen = true;
    this.pause = firstPause;
    this.receiver.connected();
  }

  private received(data: unknown): void {
    try {
      if (data instanceof ArrayBuffer) return this.receiver.frame(decodeFrame(data));
      const message = decodeMessage(String(data));
      if (message) this.receiver.message(message);
    } catch (error) {
      this.receiver.broken(error as Error);
    }
  }

  private closed(): void {
    this.socket = null;
    void this.reason().then((reason) => this.receiver.lost(reason));
    setTimeout(() => this.start(), this.pause);
    this.pause = Math.min(1.6 * this.pause, longestPause);
  }

  // A refused socket does not say why; a plain request does.
  private async reason(): Promise<string> {
    if (this.everOpen && this.pause < 1000) return "The connection is lost; trying again.";
    try {
      const answer = await fetch(this.address("session"), { cache: "no-store" });
      if (answer.status === 403)
        return "The server refuses this address: open the one it printed last.";
    } catch {
      /* not there: said below */
    }
    return "The server does not answer; trying again.";
  }
}
