import { useState } from "react";
import { sentence } from "../../backend/error";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Failure } from "../../ui/failure";
import { Select } from "../../ui/select";
import { Switch } from "../../ui/switch";
import { words } from "../../words";
import "./settings.css";

const themes = [
  { value: "system", label: words.settings.system },
  { value: "light", label: words.settings.light },
  { value: "dark", label: words.settings.dark },
] as const;

const levels = (["error", "warn", "info", "debug"] as const).map((value) => ({
  value,
  label: words.settings.logLevels[value],
}));

// What the app does not know it takes for the usual one as well.
const levelOf = (word: string) => levels.find(({ value }) => value === word)?.value ?? "info";

/** The person's choices about the app. */
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
      <h3>{words.settings.pages.general}</h3>
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
        <span>{words.settings.logs}</span>
        <Select
          boxed
          labelHidden
          label={words.settings.logs}
          value={levelOf(settings.log_level)}
          options={levels}
          onChange={(level) => save({ log_level: level })}
        />
        <span>{words.settings.version}</span>
        <span className="num">{version}</span>
      </div>
      <Failure text={error} />
    </>
  );
}
