import { useState } from "react";
import { sentence } from "../../backend/error";
import { plural } from "../../lib/format";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failure } from "../../ui/failure";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { words } from "../../words";
import "./quit.css";

/** Asked before live agents are stopped; it names them. Esc and the cross mean: keep running. */
export function QuitQuestion() {
  const { store, backend } = useKandev();
  const quit = useKandevState((state) => state.quit);
  const [error, setError] = useState("");
  const agents = quit?.agents ?? [];
  const what = plural(agents.length, "agent");
  const answer = (work: () => Promise<void>, close: boolean) => {
    setError("");
    work().then(
      () => close && store.setState({ quit: null }),
      (thrown) => setError(sentence(thrown)),
    );
  };
  const keep = () => answer(() => backend.keepRunning(), true);
  return (
    <Dialog
      open={quit !== null}
      onOpenChange={(open) => !open && keep()}
      title={words.quit.title(what)}
      className="form-dialog"
      initialFocus={() => document.getElementById("keep-running")}
    >
      <div className="form-text">
        <ul className="quit-list scroll">
          {agents.map((agent, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two agents may have the same name, and the list is fixed.
            <li key={n} className="row">
              <StatusShape shape="active" tone="ok" />
              <span className="cut">
                <SafeText text={agent} />
              </span>
            </li>
          ))}
        </ul>
        <p>{words.quit.text}</p>
      </div>
      <Failure text={error} />
      <footer className="form-foot">
        <span className="grow" />
        <Button id="keep-running" onClick={keep}>
          {words.quit.keep}
        </Button>
        <Button onClick={() => answer(() => backend.quit(), false)}>{words.quit.quit(what)}</Button>
      </footer>
    </Dialog>
  );
}
