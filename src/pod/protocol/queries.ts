import {originKinds, type Origin} from './origin.ts';
import type {FileRef, Range, RefFailure, Segment} from './segment.ts';

/** A workflow as a list shows it. Broken ones are listed with their `error`, the end of a sentence about the file. */
export type WorkflowInfo = {
	readonly slug: string;
	/** On one line. Empty where it cannot be read. */
	readonly description: string;
	readonly source: 'project' | 'user' | 'skill';
	/** From `pwd`, or from `~`, or absolute. */
	readonly file: string;
	readonly userInvocable: boolean;
	readonly modelInvocation: boolean;
	/** Slugs of Knowledge. */
	readonly requires: readonly string[];
	readonly error?: string;
	/** What the person should know of it that is no error, as ends of a sentence about the file. */
	readonly remarks?: readonly string[];
	/** The person's own files whose place it takes. */
	readonly shadows?: readonly string[];
};

/**
An MCP server as a list shows it. Names and texts come from files and servers: untrusted text.
`target`: its command line as it is written, or its address without the query. `tools`: what the model is offered of it,
empty unless it is `ready`.
*/
export type McpServerInfo = {
	readonly name: string;
	/** Whose file names it: the person's mcp.json, or the project's .mcp.json. */
	readonly source: 'user' | 'project';
	readonly transport: 'stdio' | 'http';
	readonly target: string;
	/** `idle`: not started yet. `untrusted`: the project's, and not trusted as it is. */
	readonly state: 'idle' | 'starting' | 'ready' | 'failed' | 'untrusted';
	readonly tools: ReadonlyArray<{readonly name: string; readonly description: string}>;
	/** What the person should know of it: why it failed, what was left out. May have several lines. */
	readonly sentence?: string;
};

/** What a popup asks for: paths below `pwd` (the text behind `@`), or workflows (the text behind `/`). */
export type CompletionQuery = {readonly kind: 'path' | 'workflow'; readonly text: string; readonly limit: number};

/** `marks`: the code units of `path` or `slug` that the query matched, ascending. */
export type Match =
	/** As it is written behind `@`, unquoted; a directory ends in `/`. `ignored`: .gitignore names it. */
	| {
			readonly type: 'path';
			readonly path: string;
			readonly directory: boolean;
			readonly ignored: boolean;
			readonly marks: readonly number[];
	  }
	| {
			readonly type: 'workflow';
			readonly slug: string;
			readonly description: string;
			readonly marks: readonly number[];
	  };

/** The answer to one query, which it carries: an answer to a query that is not the latest is stale. */
export type Completions = {
	readonly query: CompletionQuery;
	/** Best first. */
	readonly matches: readonly Match[];
	/** There may be more in a moment: ask again. */
	readonly indexing: boolean;
	/** Why nothing that the query names can be picked, in one sentence. */
	readonly note?: string;
};

/**
What a file ref of a draft will become if it is sent now. Bytes and lines are of the body that would be sent,
`totalBytes` of the file; of a directory `lines` counts the entries listed. `real`, of one that is `denied`: what its
confirmation names.
*/
export type RefForecast =
	| {
			readonly ref: FileRef;
			readonly ok: true;
			readonly kind: 'file' | 'dir';
			readonly bytes: number;
			readonly totalBytes: number;
			readonly lines: number;
			readonly truncated: boolean;
			readonly tokens: number;
	  }
	| {
			readonly ref: FileRef;
			readonly ok: false;
			readonly reason: RefFailure;
			readonly sentence: string;
			readonly real?: string;
	  };

/** What a draft would become. Nothing is committed, and no hook is run. */
export type Preflight = {
	/** The draft as the pod reads it: what a client sends when it confirms a ref that the person typed. */
	readonly segments: readonly Segment[];
	/** Each distinct path and range once, in order of occurrence. */
	readonly refs: readonly RefForecast[];
	/** Estimated tokens of the whole submission, its attachments included. */
	readonly tokens: number;
	/** Why it would be refused, in one sentence. */
	readonly rejection?: string;
};

/** What became of the file that an item shows, since the model saw it. `unknown`: it cannot be told now. */
export type FileState = {readonly id: string; readonly state: 'same' | 'changed' | 'gone' | 'unknown'};

/** What a row of the ledger is, besides the origin of a system item. `gap`: the line that says what is left out. */
const ownLedgerKinds = [
	'prompt',
	'tool',
	'summary',
	'gap',
	'user',
	'assistant',
	'thought',
	'call',
	'result',
	'system',
] as const;

export type LedgerKind = (typeof ownLedgerKinds)[number] | Origin['kind'];
export const ledgerKinds: readonly LedgerKind[] = [...ownLedgerKinds, ...originKinds];

/**
One item of the next request. `bytes` are its content's in UTF-8 as the request holds them, with what its provider wants
back and without the wire's framing; `tokens` are estimated. A dropped item has a row in its place, and counts nothing.
*/
export type LedgerRow = {
	/** Of the item, or of the setup. Absent: of none. */
	readonly id?: string;
	readonly kind: LedgerKind;
	/** What it is, on one line, as it was stored: untrusted. */
	readonly label: string;
	readonly bytes: number;
	readonly tokens: number;
	readonly path?: string;
	readonly range?: Range;
	/** Bytes of body sent, of those that there were. */
	readonly body?: {readonly bytes: number; readonly totalBytes: number};
	readonly pinned?: boolean;
	readonly dropped?: boolean;
	/** Of a summary: how many items that were in the context it stands for. */
	readonly summarised?: number;
	/** What became of the file since. Absent: it shows none, or nobody asked. */
	readonly state?: FileState['state'];
};

/** What the next request holds, in its order. The sum of the rows is the request's content. */
export type Ledger = {
	/** `provider/name`. Empty while history has no setup. */
	readonly model: string;
	readonly rows: readonly LedgerRow[];
	/** By kind, in the order in which the kinds first occur. */
	readonly totals: ReadonlyArray<{
		readonly kind: LedgerKind;
		readonly rows: number;
		readonly bytes: number;
		readonly tokens: number;
	}>;
	readonly bytes: number;
	readonly tokens: number;
	/** Tokens that the model takes. Absent: nobody knows. */
	readonly window?: number;
};

/**
A file that tools have changed since a point of the conversation, and what it would be to put it back as it stood there
then.
`tools`: it stands as they left it. `others`: somebody else has changed it, too, which would be lost; `sentence` says
what.
`lost`: it cannot be put back; `sentence` says why.
*/
export type ChangedFile = {
	readonly state: 'tools' | 'others' | 'lost';
	/** A real path, which names the file in `restore_files`. */
	readonly real: string;
	/** As it was written by the model. Untrusted. */
	readonly path: string;
	/** sha256 of what stands there now, hex. Absent: no file, or it cannot be told. */
	readonly present?: string;
	/** Putting it back takes it away: there was none. */
	readonly removes?: boolean;
	/** What putting it back would change, as a unified diff; empty where that is no text. */
	readonly diff: string;
	readonly sentence?: string;
};
