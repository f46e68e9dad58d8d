//go:build linux

package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kandev/e2e/agents/provider"
)

// rig is how one agent is pointed at the provider, as its person would: by
// variables and files of its own. "{url}" in them is the provider's address.
type rig struct {
	id    string // of its definition, and of its folder in packages/
	npm   string // its package; "" = embedded
	env   []string
	files map[string]string // below the home folder

	namespaces   bool // its client shows <tool>_<server>, so our suffix must not be served
	defersOthers bool // the model has to search for a tool that is not marked to be loaded always
	defersAll    bool // the model has to search for every tool
	minute       bool // a load within the minute in which the session began fails
	noModel      bool // a prompt is a call, not a directive
}

// rigs are the agents of this release. What each needs was found by reading and
// trying the version in packages/.
func rigs() []rig {
	return []rig{
		{id: "toolbench", noModel: true},
		{
			id: "claude", npm: "@agentclientprotocol/claude-agent-acp", defersOthers: true,
			env: []string{
				"ANTHROPIC_BASE_URL={url}", "ANTHROPIC_API_KEY=sk-ant-dummy-000000000000",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "IS_SANDBOX=1",
			},
			files: map[string]string{".claude/settings.json": `{"permissions":{"defaultMode":"default"}}`},
		},
		{
			id: "codex", npm: "@agentclientprotocol/codex-acp", env: []string{"FAKE_KEY=dummy"},
			files: map[string]string{".codex/config.toml": "model = \"" + provider.Model + "\"\nmodel_provider = \"fake\"\n\n" +
				"[model_providers.fake]\nname = \"Fake\"\nbase_url = \"{url}/v1\"\nenv_key = \"FAKE_KEY\"\nwire_api = \"responses\"\n"},
		},
		{
			id: "gemini", npm: "@google/gemini-cli", minute: true,
			env: []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL={url}"},
			files: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}},` +
				`"general":{"disableAutoUpdate":true},"privacy":{"usageStatisticsEnabled":false}}`},
		},
		{
			id: "opencode", npm: "opencode-ai",
			env: []string{
				"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
				"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
			},
			files: map[string]string{".config/opencode/opencode.json": `{"model":"fake/` + provider.Model + `","small_model":"fake/` + provider.Model + `",` +
				`"provider":{"fake":{"npm":"@ai-sdk/openai-compatible","name":"Fake","options":{"baseURL":"{url}/v1","apiKey":"dummy"},` +
				`"models":{"` + provider.Model + `":{"name":"Fake","limit":{"context":100000,"output":4096}}}}}}`},
		},
		{
			id: "auggie", npm: "@augmentcode/auggie", namespaces: true,
			env: []string{
				"AUGMENT_DISABLE_AUTO_UPDATE=1",
				`AUGMENT_SESSION_AUTH={"accessToken":"dummy","tenantURL":"{url}/","scopes":["email"]}`,
			},
		},
		{
			id: "copilot", npm: "@github/copilot",
			env: []string{
				"COPILOT_PROVIDER_BASE_URL={url}/v1", "COPILOT_PROVIDER_API_KEY=dummy", "COPILOT_MODEL=" + provider.Model,
				"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false",
			},
		},
		{
			id: "qwen", npm: "@qwen-code/qwen-code", defersAll: true,
			env:   []string{"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL={url}/v1", "OPENAI_MODEL=" + provider.Model},
			files: map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"openai"}},"tools":{"approvalMode":"default"}}`},
		},
	}
}

func rigOf(t *testing.T, id string) rig {
	t.Helper()
	for _, r := range rigs() {
		if r.id == id {
			return r
		}
	}
	t.Fatalf("no rig for %q", id)
	return rig{}
}

// environ is this process's environment with what points the agent at the
// provider; the files are written.
func (r rig) environ(t *testing.T, url string) []string {
	t.Helper()
	for name, text := range r.files {
		path := filepath.Join(os.Getenv("HOME"), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "{url}", url)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := os.Environ()
	for _, entry := range r.env {
		env = append(env, strings.ReplaceAll(entry, "{url}", url))
	}
	return env
}

// version is that of the installed package.
func (r rig) version(t *testing.T) string {
	t.Helper()
	if r.npm == "" {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(os.Getenv(envCache), r.id, "node_modules", r.npm, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Version string }
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	return p.Version
}
