import type { LoginMethod, LoginOffer } from "../backend/types";
import { plainMarked } from "../lib/hidden";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { loginWords as say } from "./login-words";
import { SafeText } from "./safetext";
import "./login.css";

export interface LoginWaysProps {
  offer: LoginOffer;
  disabled?: boolean;
  /** Begins a method that the agent carries out itself. */
  onChoose: (method: string) => void;
}

/** What a person can do to log in to an agent: buttons, commands to copy, variables to set. */
export function LoginWays({ offer, disabled, onChoose }: LoginWaysProps) {
  const own = offer.methods.filter((method) => method.kind === "agent");
  const commands = commandsOf(offer);
  const env = variablesOf(offer);
  const unknown = offer.methods.filter((method) => method.kind === "unknown");
  return (
    <div className="login-ways">
      {own.length > 0 && (
        <>
          <span className="faint small">{say.methods}</span>
          <div className="row login-row">
            {own.map((method) => (
              <Button
                key={method.id}
                small
                disabled={disabled}
                title={method.description ? plainMarked(method.description) : undefined}
                onClick={() => onChoose(method.id)}
              >
                <SafeText text={say.with(method.name)} />
              </Button>
            ))}
          </div>
        </>
      )}
      {commands.length > 0 && (
        <>
          <span className="faint small">{own.length > 0 ? say.terminal : say.terminalFirst}</span>
          {commands.map(({ name, command }) => (
            <span key={command} className="row login-row">
              <span className="cmd">
                <code className="cut">
                  <SafeText text={command} />
                </code>
                <CopyButton label={say.copy(command)} text={command} />
              </span>
              {name && (
                <span className="small soft">
                  <SafeText text={name} />
                </span>
              )}
            </span>
          ))}
        </>
      )}
      {env.length > 0 && (
        <span className="faint small">
          {env.length > 1 ? say.env : say.envOne}{" "}
          <code>
            <SafeText text={env.join(", ")} />
          </code>
        </span>
      )}
      {unknown.length > 0 && (
        <span className="faint small">
          <SafeText text={say.unknown(unknown.map((method) => method.name).join(", "))} />
        </span>
      )}
    </div>
  );
}

/** The agent's own command first, then those of its methods; each once. */
export function commandsOf(offer: LoginOffer): { name: string; command: string }[] {
  const all = offer.methods
    .filter((method) => method.kind === "terminal")
    .map(({ name, command }) => ({ name, command }));
  if (offer.command) all.unshift({ name: "", command: offer.command });
  return all.filter((one, n) => all.findIndex((other) => other.command === one.command) === n);
}

/** The variables that the agent reads or asks for; each once. */
export function variablesOf(offer: LoginOffer): string[] {
  const asked = offer.methods.flatMap((method: LoginMethod) => method.vars);
  return [...new Set([...asked, ...offer.env])];
}
