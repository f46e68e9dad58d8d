// Every sentence and label about logging in to an agent: in a conversation and in the settings.

export const loginWords = {
  name: "Ways to log in",
  methods: "The agent logs in by itself, perhaps in your browser",
  with: (name: string) => `Log in: ${name}`,
  terminal: "Or run in a terminal",
  terminalFirst: "Run in a terminal",
  copy: (command: string) => `Copy ${command}`,
  envOne: "Or set this variable before Kandev is started:",
  env: "Or set one of these variables before Kandev is started:",
  unknown: (names: string) => `It also offers ${names}, in a way that Kandev does not know.`,
  afterwards: "After a login outside of Kandev, start the session again.",
  failed: (why: string) => `The ways to log in could not be read. ${why}`,

  begin: "Log in…",
  again: "Try again",
  cancel: "Cancel login",
  starting: (agent: string) => `Starting ${agent} to ask how one logs in`,
  choose: "Choose a way to log in.",
  running: "Logging in. The agent may have opened your browser.",
  done: "Logged in.",
  cancelled: "The login was cancelled.",
} as const;
