import { useId } from "react";
import { sentence } from "../../backend/error";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Switch } from "../../ui/switch";
import { pageWords } from "./words";

const say = pageWords.agents.facts;

/** Whether an agent is told what our tools are for, in the list of its facts. */
export function Preamble({ agent }: { agent: string }) {
  const { store, backend } = useKandev();
  const off = useKandevState((state) => state.settings.preamble_off);
  const label = useId();
  const on = !off.includes(agent);
  const change = () => {
    const preamble_off = on ? [...off, agent] : off.filter((id) => id !== agent);
    actions
      .saveSettings(store, backend, { preamble_off })
      .catch((error) => actions.report(store, sentence(error)));
  };
  return (
    <>
      <dt id={label}>{say.preamble}</dt>
      <dd className="row">
        <Switch on={on} labelledBy={label} onSwitch={change} />
        <span aria-hidden="true">{on ? say.preambleOn : say.preambleOff}</span>
      </dd>
    </>
  );
}
