// Listens to `watch_orders` of a served shop with the `eventsource` package, which follows the HTML
// standard, loses the connection after the first event, and comes back.
//
// usage: sse_listen.js PACKAGE_DIR URL AFTER
//
// Writes a line for each event, {"type", "id", "data"}, and for each request, {"lastEventId", "status"}.

const { createRequire } = require("node:module");
const path = require("node:path");

const [directory, url, after] = process.argv.slice(2);
const { EventSource } = createRequire(path.join(directory, "package.json"))("eventsource");

const write = (line) => console.log(JSON.stringify(line));
const post = (body, more) => {
  const headers = { "content-type": "application/json", ...more?.headers };
  return fetch(`${url}/v1/call`, { ...more, method: "POST", headers, body: JSON.stringify(body) });
};

async function order() {
  const lines = [{ product: "GIF-001", quantity: 1 }];
  await post({ name: "create_order", args: { customer: "C-101", lines } });
}

let connection;
const watch = { name: "watch_orders", id: "node", args: { after: Number(after), most: 3, seconds: 30 } };
const source = new EventSource(`${url}/v1/call`, {
  fetch: async (_, init) => {
    connection = new AbortController();
    const signal = AbortSignal.any([connection.signal, init.signal]);
    const response = await post(watch, { headers: init.headers, signal });
    write({ lastEventId: init.headers["Last-Event-ID"] ?? null, status: response.status });
    return response;
  },
});

let heard = 0;
source.addEventListener("order.created", async (event) => {
  write({ type: event.type, id: event.lastEventId, data: typeof JSON.parse(event.data).order });
  heard += 1;
  if (heard === 1) {
    connection.abort(new Error("the network is gone"));
    await order();
    await order();
  }
});
source.addEventListener("result", (event) => {
  write({ type: event.type, id: event.lastEventId, data: Object.keys(JSON.parse(event.data)).join() });
});
source.addEventListener("open", () => heard === 0 && order());
// It comes back after the end, too, as the standard says, unless it is told to stop.
source.addEventListener("error", () => {
  if (source.readyState === EventSource.CLOSED) process.exit(0);
});
setTimeout(() => process.exit(1), 25_000);
