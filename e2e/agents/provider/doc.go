// Package provider is a model provider without a model, for tests with real
// agents: it speaks the wire formats of the providers they know (OpenAI chat
// completions and responses, Anthropic messages, Gemini generateContent,
// Augment chat-stream), one file each, and answers by a script.
//
// Guarantees: every request body is kept as it came, with the tool definitions
// as this agent gave them to its model; what the script answers depends only on
// the request, so a repeated request is answered alike.
//
// It does not check keys, count tokens or pretend to think.
package provider
