// What of the conformance suites does not apply to us, and why. ARCHITECTURE.md says the same.
// A key is a scenario, or a check of one.
const text = "a result of ours is text, with structured content where a schema promises it";
const noPrompts = "no prompts are offered";
const noResources = "no resources are offered";
const noInput = "no tool of ours asks the client for input: questions go to the person in the app";
const noTasks = "tasks are an extension, and are not offered";
const noLogging = "logging is not offered";

export const notApplicable = {
  "completion-complete": "completions belong to prompts and resources",
  "logging-set-level": noLogging,
  "tools-call-with-logging": noLogging,
  "tools-call-image": text,
  "tools-call-audio": text,
  "tools-call-embedded-resource": text,
  "tools-call-mixed-content": text,
  "tools-call-sampling": noInput,
  "tools-call-elicitation": noInput,
  "elicitation-sep1034-defaults": noInput,
  "elicitation-sep1330-enums": noInput,
  "resources-list": noResources,
  "resources-read-text": noResources,
  "resources-read-binary": noResources,
  "resources-templates-read": noResources,
  "resources-subscribe": noResources,
  "resources-unsubscribe": noResources,
  "sep-2164-resource-not-found": noResources,
  "prompts-list": noPrompts,
  "prompts-get-simple": noPrompts,
  "prompts-get-with-args": noPrompts,
  "prompts-get-embedded-resource": noPrompts,
  "prompts-get-with-image": noPrompts,
  "server-sse-polling": "streams are not resumable: a call of the older era ends with its stream",
  "http-custom-header-server-validation": "a schema with x-mcp-header is refused at registration",
  "input-required-result-basic-elicitation": noInput,
  "input-required-result-basic-sampling": noInput,
  "input-required-result-basic-list-roots": noInput,
  "input-required-result-request-state": noInput,
  "input-required-result-multiple-input-requests": noInput,
  "input-required-result-multi-round": noInput,
  "input-required-result-missing-input-response": noInput,
  "input-required-result-non-tool-request": noPrompts,
  "input-required-result-result-type": noInput,
  "input-required-result-tampered-state": noInput,
  "input-required-result-capability-check": noInput,
  "input-required-result-ignore-extra-params": noInput,
  "input-required-result-validate-input": noInput,
  "tasks-lifecycle": noTasks,
  "tasks-capability-negotiation": noTasks,
  "tasks-wire-fields": noTasks,
  "tasks-request-state-removal": noTasks,
  "tasks-mrtr-input": noTasks,
  "tasks-request-headers": noTasks,
  "tasks-dispatch-and-envelope": noTasks,
  "tasks-status-notifications": noTasks,
  "tasks-required-task-error": noTasks,
  "tasks-mrtr-composition": noTasks,
  // Checks.
  "localhost-host-valid-accepted":
    "it sends an Origin: agents are no browsers, so every Origin is refused, ours too",
  "sep-2549-prompts-list-caching-hints": noPrompts,
  "sep-2549-resources-list-caching-hints": noResources,
  "sep-2549-resources-templates-list-caching-hints": noResources,
  "sep-2549-resources-read-caching-hints": noResources,
  "sep-2575-server-sends-prompts-list-changed-on-subscription": noPrompts,
};
