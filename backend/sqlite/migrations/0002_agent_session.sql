-- The agent's own id of a conversation, so that it can be taken up again.
ALTER TABLE session ADD COLUMN agent_session TEXT NOT NULL DEFAULT '';
