import { useEffect, useState } from "react";
import { sentence } from "../../backend/error";
import type { Storage } from "../../backend/types";
import { bytes } from "../../lib/format";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { SafeText } from "../../ui/safetext";
import { Select } from "../../ui/select";
import { Switch } from "../../ui/switch";
import { words } from "../../words";
import { pageWords } from "./words";
import "./settings.css";

const themes = [
  { value: "system", label: words.settings.system },
  { value: "light", label: words.settings.light },
  { value: "dark", label: words.settings.dark },
] as const;

/** The person's choices about the app, and where the data is. */
export function General() {
  const { store, backend } = useKandev();
  const settings = useKandevState((state) => state.settings);
  const version = useKandevState((state) => state.version);
  const [error, setError] = useState("");
  const failed = (thrown: unknown) => setError(sentence(thrown));
  const save = (change: Partial<typeof settings>) => {
    setError("");
    actions.saveSettings(store, backend, change).catch(failed);
  };
  return (
    <>
      <h3>{pageWords.pages.general}</h3>
      <div className="form settings-form">
        <span>{words.settings.theme}</span>
        <Select
          boxed
          labelHidden
          label={words.settings.theme}
          value={(settings.theme || "system") as "system" | "light" | "dark"}
          options={themes}
          onChange={(theme) => save({ theme: theme === "system" ? "" : theme })}
        />
        <span id="letters-label">{words.settings.letters}</span>
        <span className="row">
          <Switch
            on={!settings.letters_off}
            labelledBy="letters-label"
            onSwitch={() => save({ letters_off: !settings.letters_off })}
          />
          <span aria-hidden="true">
            {settings.letters_off ? words.settings.lettersOff : words.settings.lettersOn}
          </span>
        </span>
        <span id="own-tools-label">{words.settings.ownTools}</span>
        <span className="row">
          <Switch
            on={!settings.ask_own_tools}
            labelledBy="own-tools-label"
            onSwitch={() => save({ ask_own_tools: !settings.ask_own_tools })}
          />
          <span aria-hidden="true">
            {settings.ask_own_tools ? words.settings.ownToolsAsk : words.settings.ownToolsRule}
          </span>
        </span>
        <span className="form-top">{words.settings.data}</span>
        <div className="settings-data">
          <Place />
          <div className="row">
            <Button icon="folder" onClick={() => backend.openFolder("data").catch(failed)}>
              {words.settings.openData}
            </Button>
            <Button icon="file" onClick={() => backend.openFolder("logs").catch(failed)}>
              {words.settings.openLogs}
            </Button>
          </div>
        </div>
        <span>{words.settings.version}</span>
        <span className="num">{version}</span>
      </div>
      <Failure text={error} />
    </>
  );
}

// Where the data is and how large.
function Place() {
  const { backend } = useKandev();
  const [storage, setStorage] = useState<Storage | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    let left = false;
    backend.storage().then(
      (found) => !left && setStorage(found),
      (thrown) => !left && setError(sentence(thrown)),
    );
    return () => {
      left = true;
    };
  }, [backend]);
  if (error) return <Failure text={`${words.settings.storageFailed} ${error}`} />;
  if (!storage) return <p className="faint">…</p>;
  return (
    <>
      <p className="wrap mono">
        <SafeText text={storage.folder} />
      </p>
      <p className="faint num">{storage.memory ? words.settings.memory : bytes(storage.bytes)}</p>
    </>
  );
}
