// Tries to get through the window's walls and reports each attempt to Go; see window_test.go.
const bound = window.go.app.wallsAPI;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const report = (what, result) => bound.Report(token, what, String(result));
const caught = async (run) => {
  try {
    return await run();
  } catch (error) {
    return error.message;
  }
};
const callFromFrame = (token) =>
  `<script>window.webkit.messageHandlers.external.postMessage('C' + JSON.stringify({` +
  `name: 'app.wallsAPI.Report', args: ['${token}', 'frame', 'got through'], callbackID: 'x' }))</script>`;
let token = "";

async function tokenOf(init) {
  const answer = await fetch("/kandev/token", init);
  return answer.ok ? (await answer.json()).token : answer.status;
}

async function frames(foreign) {
  const kinds = [
    { srcdoc: callFromFrame(token) },
    { sandbox: "allow-scripts", srcdoc: callFromFrame(token) },
    { src: `data:text/html,${encodeURIComponent(callFromFrame(token))}` },
    { src: `${foreign}/frame` },
    { src: `${foreign}/sandboxed`, sandbox: "allow-scripts" },
  ];
  for (const kind of kinds) {
    document.body.append(Object.assign(document.createElement("iframe"), kind));
    await pause(200);
  }
  const blank = document.createElement("iframe");
  document.body.append(blank);
  await report("bridge in a blank frame", blank.contentWindow.webkit?.messageHandlers);
}

async function leave(foreign) {
  const link = Object.assign(document.createElement("a"), { href: `${foreign}/link` });
  document.body.append(link);
  for (const go of [
    () => { location.href = `${foreign}/top`; },
    () => link.click(),
    () => window.open(`${foreign}/opened`),
    () => { location.href = "data:text/html,x"; },
    () => { location.href = "about:blank"; },
  ]) {
    go();
    await pause(200);
  }
  await report("still at", location.href);
}

window.addEventListener("load", async () => {
  await pause(300); // the guard looks for the web view every 10 ms
  token = await tokenOf({ headers: { "X-Kandev-Page": "1" } });
  await report("token digits", token.length);
  await report("token without header", await tokenOf({}));
  await report("token by post", await tokenOf({ method: "POST", headers: { "X-Kandev-Page": "1" } }));
  await report("call without token", await caught(() => bound.Report("", "x", "x")));
  await report("nil dereference", await caught(() => bound.Explode(token)));
  await report("eval", await caught(() => (0, eval)("'ran'")).then((r) => (r === "ran" ? r : "blocked")));
  const script = document.createElement("script");
  script.textContent = "window.inline = 'ran'";
  document.body.append(script);
  await report("inline script", window.inline);
  const foreign = await bound.Foreign(token);
  await frames(foreign);
  await leave(foreign);
  await bound.Done(token);
});
