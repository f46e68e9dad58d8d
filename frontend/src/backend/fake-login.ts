import type { Backend } from "./backend";
import type * as t from "./types";

type Methods = "loginMethods" | "startAgentLogin" | "agentLogin" | "chooseAgentLogin" | "cancelAgentLogin";

const method = (id: string, name: string, kind: string, more: Partial<t.LoginMethod> = {}) => ({
  id,
  name,
  kind,
  description: "",
  command: "",
  vars: [],
  ...more,
});

/** What an agent of the fake offers: one way of each kind. */
export const offer: t.LoginOffer = {
  command: "auggie login",
  env: ["AUGMENT_SESSION_AUTH"],
  methods: [
    method("browser", "Account", "agent", { description: "Opens your browser" }),
    method("key", "API key", "agent"),
    method("console", "Console billing", "terminal", { command: "auggie login --console" }),
    method("vars", "Key", "env_var", { vars: ["AUGMENT_API_KEY"] }),
    method("odd", "Smart card", "unknown"),
  ],
};

/** Logins without a session: "key" fails, "browser" is done after a while. */
export class FakeLogins {
  private logins = new Map<string, t.AgentLogin>();

  private set(agent: string, state: string, text = "") {
    this.logins.set(agent, { state, text, offer });
  }

  private soon(agent: string, from: string, state: string, text = "") {
    setTimeout(() => this.logins.get(agent)?.state === from && this.set(agent, state, text), 700);
  }

  methods(): Pick<Backend, Methods> {
    return {
      loginMethods: async () => offer,
      startAgentLogin: async (agent) => {
        this.set(agent, "starting");
        this.soon(agent, "starting", "choose");
      },
      agentLogin: async (agent) => this.logins.get(agent) ?? { state: "", text: "", offer },
      chooseAgentLogin: async (agent, method) => {
        this.set(agent, "running", "Logging in. The agent may open a browser.");
        if (method === "key") this.soon(agent, "running", "failed", "The login failed: no key was given.");
        else this.soon(agent, "running", "done", "Logged in.");
      },
      cancelAgentLogin: async (agent) => this.set(agent, "cancelled"),
    };
  }
}
