// A network that can be cut: it hands on every request and, when told, breaks each connection
// that is open, without a word to either side.
import http from "node:http";

export async function proxy(target) {
  const to = new URL(target);
  const open = new Set();
  const server = http.createServer((request, response) => {
    const onward = http.request(
      {
        host: to.hostname,
        port: to.port,
        path: request.url,
        method: request.method,
        headers: { ...request.headers, host: to.host },
        agent: false,
      },
      (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        response.flushHeaders();
        answer.on("data", (chunk) => response.write(chunk));
        answer.on("end", () => response.end());
        answer.on("error", () => response.destroy());
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}${to.pathname}`,
    cut() {
      for (const socket of open) socket.destroy();
    },
    close() {
      this.cut();
      return new Promise((done) => server.close(done));
    },
  };
}
