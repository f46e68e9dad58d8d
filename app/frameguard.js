// Runs at document start in every frame of the web view, before any script of the frame.
// The bridge to Go is an object that WebKit gives to all frames; only our top page may have it.
// window.webkit itself cannot be redefined, so what is behind it is made empty.
(() => {
  "use strict";
  if (window === window.top) return;
  const bridge = window.webkit;
  if (!bridge) return;
  const empty = (object, name) => {
    try {
      Object.defineProperty(object, name, { value: undefined, writable: false, configurable: false });
    } catch {
      // Fixed by the engine; the other properties below still close the way.
    }
  };
  const handler = bridge.messageHandlers && bridge.messageHandlers.external;
  if (handler) {
    empty(Object.getPrototypeOf(handler), "postMessage");
    empty(handler, "postMessage");
  }
  empty(Object.getPrototypeOf(bridge), "messageHandlers");
  empty(bridge, "messageHandlers");
})();
