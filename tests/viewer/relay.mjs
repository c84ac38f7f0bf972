// A relay before the program, so that its address stays the same over a restart: the program's token is random
// every time and its port may change, and the page must not care which process answers. Requests and the heads
// of answers are rewritten, all else passes as it is.
import net from "node:net";

function rewrite(data, start, pairs) {
  const text = data.toString("latin1");
  if (!text.startsWith(start)) return data;
  return Buffer.from(
    pairs.reduce((done, [from, to]) => done.replaceAll(from, to), text),
    "latin1",
  );
}

export class Relay {
  token = "the-token-of-the-relay";
  target = null; // what `start` of program.mjs gave; null: nobody answers
  sockets = new Set();

  async listen() {
    this.server = net.createServer((socket) => this.connect(socket));
    await new Promise((done) => this.server.listen(0, "127.0.0.1", done));
    this.host = `127.0.0.1:${this.server.address().port}`;
    this.url = `http://${this.host}/?token=${this.token}`;
  }

  connect(socket) {
    if (!this.target) return socket.destroy();
    const { port, token } = this.target;
    const host = `127.0.0.1:${port}`;
    const there = net.connect(port, "127.0.0.1");
    const inward = [
      [`token=${this.token}`, `token=${token}`],
      [this.host, host],
    ];
    socket.on("data", (data) => there.write(rewrite(data, "GET ", inward)));
    there.on("data", (data) => socket.write(rewrite(data, "HTTP/1.1 ", [[host, this.host]])));
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ]) {
      this.sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }

  close() {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
