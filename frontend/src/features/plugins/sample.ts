import type * as t from "../../backend/types";

const permissions: t.PluginPermissions = {
  hosts: [],
  private_network: false,
  memory_mb: 64,
  timeout_ms: 30_000,
};

export const noAsks: t.PluginAsks = {
  nothing: true,
  hosts: [],
  private_network: false,
  memory_mb: 0,
  timeout_ms: 0,
};

/** A whole plugin, enabled, with what a test names changed. */
export function samplePlugin(change: Partial<t.Plugin> = {}): t.Plugin {
  return {
    id: "acme.slug",
    name: "Slugs",
    version: "1.0.0",
    description: "",
    author: "",
    license: "",
    homepage: "",
    sha256: "ab",
    bare: false,
    state: "enabled",
    reason: "",
    detail: "",
    since: 0,
    installed_at: 0,
    updated_at: 0,
    tools: [],
    requested: permissions,
    granted: permissions,
    asks: noAsks,
    config: [],
    missing: [],
    runs: [],
    warnings: [],
    ...change,
  };
}

export function sampleTool(change: Partial<t.PluginTool> = {}): t.PluginTool {
  return {
    served: "kandev_acme_slug_make_slug",
    original: "make-slug",
    description: "Makes one",
    input_schema: '{"type":"object"}',
    ...change,
  };
}

export function sampleField(key: string, change: Partial<t.PluginField> = {}): t.PluginField {
  return {
    key,
    type: "string",
    title: "",
    secret: false,
    required: false,
    added: false,
    set: false,
    value: "",
    ...change,
  };
}
