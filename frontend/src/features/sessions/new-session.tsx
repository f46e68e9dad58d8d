import { type FormEvent, useMemo, useState } from "react";
import type { Agent, event } from "../../backend/types";
import { matches } from "../../lib/keys";
import * as actions from "../../state/actions";
import { projectList } from "../../state/select";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failure } from "../../ui/failure";
import { Area, Field } from "../../ui/field";
import { Kbd } from "../../ui/kbd";
import { Select } from "../../ui/select";
import { useWork } from "../../ui/use-work";
import { words } from "../../words";
import { AgentList } from "./agent-list";

/** Project, agent, title and first prompt; Enter starts. */
export function NewSession({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={words.create.title}
      className="form-dialog"
      initialFocus={() =>
        document.querySelector<HTMLElement>(".agent-list input:checked") ??
        document.getElementById("new-title")
      }
    >
      <NewSessionForm />
    </Dialog>
  );
}

// Where an agent can work, as the back end names it.
const places = (["local", "worktree"] as const).map((value) => ({
  value,
  label: words.create.places[value],
}));

// The agent used last in this project when it is there, else the embedded one.
function firstAgent(agents: Agent[] | null, project: event.Project | undefined): string {
  const installed = agents?.filter((agent) => agent.installed) ?? [];
  const last = installed.find((agent) => agent.id === project?.agent);
  return (last ?? installed.find((agent) => agent.embedded) ?? installed[0])?.id ?? "";
}

function NewSessionForm() {
  const { store, backend } = useKandev();
  const projects = useKandevState((state) => state.projects);
  const agents = useKandevState((state) => state.agents);
  const shown = useKandevState((state) => state.project);
  const list = useMemo(() => projectList(projects), [projects]);
  const [project, setProject] = useState(shown || (list[0]?.id ?? ""));
  // The subject is the agent that was asked for, where one was.
  const [picked, setPicked] = useState(() => store.getState().subject);
  const [place, setPlace] = useState<keyof typeof words.create.places>("local");
  // Kept when the dialog closes, or when a project is added on the way.
  const { title, prompt } = useKandevState((state) => state.newSession);
  const { busy, error, setError, run } = useWork();
  const asked = agents?.find((agent) => agent.id === picked && agent.installed);
  const agent = asked?.id ?? firstAgent(agents, projects[project]);

  const start = async () => {
    if (busy) return;
    if (!project) return setError(words.create.needProject);
    const request = { project, agent, executor: place, title: title.trim(), prompt };
    if (!(await run(() => actions.startNew(store, backend, request)))) return;
    actions.closeDialog(store);
    // Once the dialog has given the focus back: what comes next is a prompt.
    setTimeout(() => document.getElementById("composer")?.focus(), 50);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start();
  };
  return (
    <form
      onSubmit={submit}
      className="form-body"
      onKeyDown={(event) => {
        // Enter in a list of radios or in the text area starts as well; there with Ctrl.
        const radio = (event.target as HTMLInputElement).type === "radio" && matches(event, "Enter");
        if (!radio && !matches(event, "Mod+Enter")) return;
        event.preventDefault();
        void start();
      }}
    >
      <div className="form">
        <label htmlFor="new-project">{words.create.project}</label>
        <div className="row">
          <Select
            id="new-project"
            boxed
            labelHidden
            label={words.create.project}
            value={project}
            onChange={setProject}
            options={list.map((p) => ({
              value: p.id,
              label: p.name,
              note: p.missing ? words.project.notFound : undefined,
            }))}
          />
          <Button kind="quiet" onClick={() => actions.openDialog(store, "add-project", "new-session")}>
            {words.project.add}
          </Button>
        </div>
        <span className="form-top">{words.create.agent}</span>
        <AgentList agents={agents} value={agent} onChange={setPicked} />
        <label htmlFor="new-title">{words.create.name}</label>
        <Field
          id="new-title"
          value={title}
          placeholder={words.create.nameHint}
          onChange={(event) => actions.setNewSession(store, { title: event.target.value })}
        />
        <Area
          id="new-prompt"
          label={words.create.prompt}
          value={prompt}
          placeholder={words.create.promptHint}
          onText={(next) => actions.setNewSession(store, { prompt: next })}
        />
        <label htmlFor="new-place">{words.create.place}</label>
        <Select
          id="new-place"
          boxed
          labelHidden
          label={words.create.place}
          value={place}
          onChange={setPlace}
          options={places}
        />
      </div>
      <Failure text={error} />
      <footer className="form-foot">
        <span className="grow" />
        <Button onClick={() => actions.closeDialog(store)}>{words.cancel}</Button>
        <Button kind="primary" type="submit" disabled={busy || agent === ""}>
          {words.create.start}
          <Kbd keys="Enter" />
        </Button>
      </footer>
    </form>
  );
}
