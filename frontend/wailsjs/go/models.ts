export namespace app {
	
	export interface CustomAgent {
	    line: string;
	    words: string[];
	    env: string[];
	    bearer: string;
	}
	export interface Client {
	    characters?: string;
	    description?: string;
	    rewrites?: string;
	    rewrite_keys: string[];
	    type_list?: string;
	    deferred?: string;
	    values?: string;
	    unconnected?: string;
	}
	export interface AgentFacts {
	    starts: string;
	    model_name: string;
	    name_limit: number;
	    beyond_limit: string;
	    defers_tools: boolean;
	    ignores_changes: boolean;
	    ignores_servers: boolean;
	    keeps_its_context: boolean;
	    measured_with: string;
	    client: Client;
	}
	export interface Agent {
	    id: string;
	    name: string;
	    version?: string;
	    pending: boolean;
	    installed: boolean;
	    path?: string;
	    place?: string;
	    embedded: boolean;
	    install?: string;
	    login?: string;
	    login_state: string;
	    login_note?: string;
	    facts: AgentFacts;
	    custom?: CustomAgent;
	    why?: string;
	}
	
	export interface LoginMethod {
	    id: string;
	    name: string;
	    description: string;
	    kind: string;
	    command: string;
	    vars: string[];
	}
	export interface LoginOffer {
	    command: string;
	    env: string[];
	    methods: LoginMethod[];
	}
	export interface AgentLogin {
	    state: string;
	    text: string;
	    offer: LoginOffer;
	}
	export interface AgentNames {
	    id: string;
	    name: string;
	    form: string;
	    limit: number;
	    beyond?: string;
	    defers: boolean;
	    keeps_list: boolean;
	    measured_with?: string;
	    client: Client;
	}
	export interface Answer {
	    question: string;
	    chosen: string[];
	    text?: string;
	}
	export interface AskedServer {
	    id: string;
	    name: string;
	    headers: string[];
	    env: string[];
	}
	export interface Evidence {
	    kind: string;
	    server?: string;
	    at: number;
	    reason?: string;
	}
	export interface Use {
	    tool: string;
	    calls: number;
	    errors: number;
	    last: number;
	}
	export interface Parts {
	    name: number;
	    description: number;
	    input_schema: number;
	}
	export interface Entry {
	    served: string;
	    canonical: string;
	    source: string;
	    plugin?: string;
	    plugin_name?: string;
	    original?: string;
	    description: string;
	    has_description: boolean;
	    description_cut: boolean;
	    input_schema?: string;
	    schema_absent?: string;
	    schema_bytes: number;
	    estimate?: number;
	    parts?: Parts;
	    mark?: string;
	}
	export interface Catalog {
	    entries: Entry[];
	    total: number;
	    unnamed: number;
	    truncated: boolean;
	    tokens_total?: number;
	    tokens_cover: number;
	    method?: string;
	    compared: boolean;
	}
	export interface Attempt {
	    id: string;
	    reason: string;
	    started_at: number;
	    ended_at?: number;
	    end_reason?: string;
	    superseded_by?: string;
	    servers: event.Server[];
	}
	export interface Attachment {
	    session: string;
	    live: boolean;
	    catalog_rev: number;
	    agent: AgentNames;
	    attempts: Attempt[];
	    catalog?: Catalog;
	    uses: Use[];
	    other_calls: number;
	    evidence: Evidence[];
	}
	
	
	
	export interface CommandCheck {
	    words: string[];
	    path: string;
	    why: string;
	}
	
	export interface ServerValue {
	    name: string;
	    value: string;
	    keep: boolean;
	}
	export interface CustomChange {
	    id: string;
	    name: string;
	    line: string;
	    env: ServerValue[];
	    bearer: string;
	}
	export interface Diff {
	    path: string;
	    old?: string;
	    new: string;
	}
	
	
	export interface ImportedServer {
	    name: string;
	    reason: string;
	    notes: string[];
	}
	export interface PlanEntry {
	    content: string;
	    priority?: string;
	    status: string;
	}
	export interface Terminal {
	    id: string;
	    command?: string;
	    output?: string;
	    cut?: boolean;
	    ended: boolean;
	    code?: number;
	    signal?: string;
	}
	export interface ToolCall {
	    call_id: string;
	    title: string;
	    name?: string;
	    kind?: string;
	    status: string;
	    input?: string;
	    output?: string;
	    diffs?: Diff[];
	    paths?: string[];
	    terminals?: Terminal[];
	    started: number;
	    finished?: number;
	}
	export interface Item {
	    number: number;
	    revision: number;
	    kind: string;
	    text?: string;
	    ref?: string;
	    tool?: ToolCall;
	    plan?: PlanEntry[];
	    raw?: string;
	    cut?: boolean;
	    at: number;
	    updated_at: number;
	}
	
	
	export interface NewSession {
	    project: string;
	    agent: string;
	    title: string;
	    prompt: string;
	    executor?: string;
	}
	export interface OwnServer {
	    id: string;
	    agent: string;
	    name: string;
	    transport: string;
	    url: string;
	    command: string;
	    args: string[];
	    env: string[];
	    headers: string[];
	    unstored: string[];
	    off: boolean;
	}
	export interface OwnServers {
	    servers: OwnServer[];
	    ask: boolean;
	    encrypted: boolean;
	    place: string;
	}
	
	export interface PermissionOption {
	    id: string;
	    name: string;
	    kind: string;
	}
	export interface Permission {
	    id: string;
	    session: string;
	    call_id: string;
	    title: string;
	    kind?: string;
	    input?: string;
	    options: PermissionOption[];
	    state: string;
	    chosen?: string;
	    reason?: string;
	    by_rule: boolean;
	    revision: number;
	    asked_at: number;
	    ended_at?: number;
	}
	
	export interface Place {
	    folder: string;
	    exists: boolean;
	    own: boolean;
	    branch: string;
	    dirty: boolean;
	    commits: number;
	    merge: string;
	}
	
	export interface PluginRun {
	    at: number;
	    tool: string;
	    ms: number;
	    outcome: string;
	    line: string;
	}
	export interface PluginField {
	    key: string;
	    type: string;
	    title: string;
	    secret: boolean;
	    required: boolean;
	    added: boolean;
	    set: boolean;
	    value: string;
	}
	export interface PluginAsks {
	    nothing: boolean;
	    hosts: string[];
	    private_network: boolean;
	    memory_mb: number;
	    timeout_ms: number;
	}
	export interface PluginPermissions {
	    hosts: string[];
	    private_network: boolean;
	    memory_mb: number;
	    timeout_ms: number;
	}
	export interface PluginTool {
	    served: string;
	    original: string;
	    description: string;
	    input_schema: string;
	    estimate?: number;
	    read_only?: boolean;
	    destructive?: boolean;
	    idempotent?: boolean;
	    open_world?: boolean;
	    refused?: string;
	}
	export interface Plugin {
	    id: string;
	    name: string;
	    version: string;
	    description: string;
	    author: string;
	    license: string;
	    homepage: string;
	    sha256: string;
	    bare: boolean;
	    state: string;
	    reason: string;
	    detail: string;
	    since: number;
	    installed_at: number;
	    updated_at: number;
	    tools: PluginTool[];
	    tokens_total?: number;
	    requested: PluginPermissions;
	    granted?: PluginPermissions;
	    asks: PluginAsks;
	    config: PluginField[];
	    missing: string[];
	    runs: PluginRun[];
	    warnings: string[];
	}
	
	
	export interface PluginUpdate {
	    version: string;
	    state: string;
	    after: string;
	    same: boolean;
	    asks: PluginAsks;
	    added: string[];
	    removed: string[];
	    changed: string[];
	    granted?: PluginPermissions;
	}
	export interface PluginInspection {
	    path: string;
	    bytes: number;
	    digest: string;
	    plugin: Plugin;
	    ran_code: boolean;
	    problems: string[];
	    update?: PluginUpdate;
	}
	
	
	
	
	export interface PluginValue {
	    key: string;
	    value: string;
	    keep: boolean;
	    secret: boolean;
	}
	export interface Plugins {
	    revision: number;
	    plugins: Plugin[];
	    encrypted: boolean;
	    place: string;
	}
	export interface ProjectSize {
	    id: string;
	    bytes: number;
	    sessions: number;
	}
	export interface QuestionOption {
	    label: string;
	    description?: string;
	}
	export interface QuestionPart {
	    id: string;
	    title?: string;
	    prompt: string;
	    options: QuestionOption[];
	    multiple: boolean;
	}
	export interface Question {
	    id: string;
	    session: string;
	    context?: string;
	    questions: QuestionPart[];
	    state: string;
	    reason?: string;
	    answers: Answer[];
	    revision: number;
	    asked_at: number;
	    deadline: number;
	    ended_at?: number;
	}
	
	
	export interface ServerChange {
	    id: string;
	    agent: string;
	    name: string;
	    transport: string;
	    url: string;
	    command: string;
	    args: string[];
	    env: ServerValue[];
	    headers: ServerValue[];
	    off: boolean;
	}
	export interface ServerImport {
	    servers: ImportedServer[];
	    others: string[];
	}
	
	export interface Settings {
	    theme: string;
	    log_level: string;
	    letters_off: boolean;
	    context_window: number;
	    ask_own_tools?: boolean;
	    preamble_off: string[];
	}
	export interface Snapshot {
	    epoch: string;
	    seq: number;
	    version: string;
	    platform: string;
	    first_run: string;
	    projects: event.Project[];
	    tasks: event.Task[];
	    sessions: event.Session[];
	    attachments: event.Attachment[];
	    questions: event.Question[];
	    permissions: event.Permission[];
	    notices: event.Notice[];
	    quit?: event.QuitRequest;
	    settings: Settings;
	    plugins_rev: number;
	}
	export interface Storage {
	    folder: string;
	    bytes: number;
	    worktrees: number;
	    memory: boolean;
	    projects: ProjectSize[];
	    broken: string[];
	    aside: number;
	}
	
	
	export interface Transcript {
	    session: string;
	    revision: number;
	    more: boolean;
	    items: Item[];
	}
	export interface TypedValue {
	    server: string;
	    header: boolean;
	    name: string;
	    value: string;
	}
	
	export interface ValuesPlace {
	    encrypted: boolean;
	    place: string;
	}

}

export namespace event {
	
	export interface Times {
	    configured?: number;
	    delivered?: number;
	    accepted?: number;
	    connected?: number;
	    listed?: number;
	    used?: number;
	    closed?: number;
	    failed?: number;
	    observed?: number;
	}
	export interface Server {
	    name: string;
	    source: string;
	    transport?: string;
	    target?: string;
	    status: string;
	    reason?: string;
	    summary?: string;
	    protocol?: string;
	    client?: string;
	    tool_count?: number;
	    stored: number;
	    truncated: boolean;
	    tokens_total?: number;
	    tokens_cover: number;
	    method?: string;
	    counting: boolean;
	    tools_changed: boolean;
	    times: Times;
	}
	export interface Attachment {
	    session: string;
	    attempt: string;
	    number: number;
	    live: boolean;
	    started_at?: number;
	    ended_at?: number;
	    end_reason?: string;
	    catalog_rev: number;
	    servers: Server[];
	}
	export interface Notice {
	    id: string;
	    kind: string;
	    text: string;
	    action?: string;
	}
	export interface Permission {
	    id: string;
	    session: string;
	    title: string;
	    state: string;
	    revision: number;
	}
	export interface Project {
	    id: string;
	    name: string;
	    path: string;
	    agent: string;
	    missing: boolean;
	    sample: boolean;
	    used_at: number;
	}
	export interface Question {
	    id: string;
	    session: string;
	    title: string;
	    state: string;
	    revision: number;
	}
	export interface QuitRequest {
	    agents: string[];
	}
	
	export interface Session {
	    id: string;
	    project: string;
	    task: string;
	    agent: string;
	    agent_name: string;
	    embedded: boolean;
	    gone?: boolean;
	    executor: string;
	    state: string;
	    waiting: number;
	    reason?: string;
	    login?: boolean;
	    asks?: boolean;
	    archived: boolean;
	    seq: number;
	    revision: number;
	    since: number;
	    created_at: number;
	}
	export interface Task {
	    id: string;
	    project: string;
	    parent?: string;
	    title: string;
	    step: string;
	    seq: number;
	    archived: boolean;
	}

}

