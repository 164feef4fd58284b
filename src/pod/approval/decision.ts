import type {ToolEffect} from '../../worker/index.ts';
import type {ApprovalMode} from './mode.ts';
import {firstMatch, isRunLater, type Rule, type Subject} from './rule.ts';

/** The rules of a session. Of each list the first match counts. */
export type Rules = {
	/** Of the person's `config.toml`. */
	readonly user: readonly Rule[];
	/** Of the project's `inkpod.toml`: those that allow only when the file is trusted. */
	readonly project: readonly Rule[];
	/** What the person allowed on a card, for the session or for good. */
	readonly answered: readonly Rule[];
};

export type Judged = {
	readonly tool: string;
	readonly effect: ToolEffect;
	readonly subject: Subject;
	readonly mode: ApprovalMode;
	readonly writable: boolean;
	readonly rules: Rules;
};

/** What becomes of a call, and why. */
export type Decision =
	| {readonly type: 'run'; readonly reason: 'reads' | 'tool_refuses' | 'answered' | 'rule' | 'mode'}
	| {readonly type: 'ask'; readonly reason: 'rule' | 'read_only' | 'runs_later' | 'mode'}
	| {readonly type: 'deny'; readonly owner: 'user' | 'project'; readonly rule: Rule};

/**
Decides about a call before it runs.
A deny rule of the person's comes first and cannot be lifted by the project; the project's own comes next, for a project
may always narrow. What only reads runs, unless a rule asks. In a scope that is read-only what would write is let
through to its tool, which answers `read_only` before anything else. Then counts what the person answered before, a rule
that asks, whoever made it, a rule that allows (in a read-only scope only the person's own), and at last the mode, of
which `accept-edits` leaves out the files that other programs run. `auto` runs commands in a read-only scope, too: only
the person can set it, and it says that nothing is asked.
*/
export function decide({tool, effect, subject, mode, writable, rules}: Judged): Decision {
	const user = firstMatch(rules.user, tool, subject);
	if (user?.action === 'deny') return {type: 'deny', owner: 'user', rule: user};
	const project = firstMatch(rules.project, tool, subject);
	if (project?.action === 'deny') return {type: 'deny', owner: 'project', rule: project};
	const rank = rankOf(tool, effect);
	const isAsked = user?.action === 'ask' || project?.action === 'ask';
	if (rank === 'read' && !isAsked) return {type: 'run', reason: 'reads'};
	if (!writable && rank === 'write') return {type: 'run', reason: 'tool_refuses'};
	if (firstMatch(rules.answered, tool, subject) !== undefined) return {type: 'run', reason: 'answered'};
	if (isAsked) return {type: 'ask', reason: 'rule'};
	if (user !== undefined || (project !== undefined && writable)) return {type: 'run', reason: 'rule'};
	const isLater = rank === 'write' && isRunLater(subject);
	if (mode === 'auto' || (mode === 'accept-edits' && rank === 'write' && !isLater))
		return {type: 'run', reason: 'mode'};
	return {type: 'ask', reason: isLater ? 'runs_later' : writable ? 'mode' : 'read_only'};
}

/** A tool of an MCP server ranks as a command, whatever its server says of it. */
function rankOf(tool: string, effect: ToolEffect): ToolEffect {
	return tool.startsWith('mcp__') ? 'execute' : effect;
}
