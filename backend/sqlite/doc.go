// Package sqlite keeps the nouns in one SQLite file: projects, tasks,
// sessions, transcripts, attachments, questions, permissions, settings,
// plugins, and a person's own servers and agents, one file of this package for
// each. A public method is one transaction, a private function one statement;
// the SQL is written by hand.
//
// Guarantees. One connection writes, a pool of query-only connections reads
// beside it (WAL), so a reader never waits for a writer. What one transaction
// holds is stored whole or not at all, also through kill -9. There is no
// catalog without its attempt, and none of an attempt that was superseded.
// Deleted bytes are overwritten in the file, and gone from the WAL once
// [DB.Checkpoint] returned true. Files have mode 0600. An error that says
// something about the file, not about the query, wraps one of the fault
// sentinels, from [ErrNewer] on. The nouns come back as they went in, with times
// in UTC. A [DB] and a [Writer] are safe for concurrent use. A database that
// can be read and not be written is stood in for by memory ([OpenStandIn]).
//
// It does not decide what a fault means for the app, does not lock the data
// folder against a second app, holds no secret and logs nothing. Memory is the
// truth of a running session: [Writer] only follows it.
package sqlite
