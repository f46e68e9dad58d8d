import "./ui/all.css";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import type { Backend, EventSource } from "./backend/backend";
import { connectBridge, hasBridge, onDrop } from "./backend/bridge";
import * as actions from "./state/actions";
import { connect } from "./state/connect";
import { hydrate } from "./state/hydrate";
import { newStore } from "./state/store";
import { words } from "./words";

// Under vite's own server `?fake` stands in for the app. The condition is false in a build, which
// leaves the module out of the bundle.
async function parts(): Promise<{ backend: Backend; events: EventSource }> {
  if (import.meta.env.DEV) {
    const query = new URLSearchParams(location.search);
    if (query.has("fake")) {
      const { createFake } = await import("./backend/fake");
      const scene = (query.get("fake") ?? "").split(" ");
      const on = (name: string) => scene.includes(name);
      return createFake({
        firstRun: on("first"),
        empty: on("empty"),
        long: on("long"),
        down: on("down"),
        slow: on("slow"),
        quit: on("quit"),
        notices: on("notices"),
        values: on("values"),
        theme: query.get("theme") ?? "",
      });
    }
  }
  return connectBridge();
}

async function start() {
  const place = document.getElementById("root");
  if (!place) return;
  const root = createRoot(place);
  const { backend, events } = await parts();
  const store = newStore();
  if (import.meta.env.DEV) Object.assign(window, { kandevStore: store });
  else if (!hasBridge()) {
    root.render(<p className="note">{words.link.outside}</p>);
    return;
  }
  connect(backend, events, store);
  const hydration = hydrate(backend, store);
  onDrop((paths) => void actions.dropped(store, backend, paths));
  root.render(<App kandev={{ store, backend, retry: hydration.retry }} />);
}

void start();
