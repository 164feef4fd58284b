import type {ToolEffect} from '../../worker/index.ts';
import type {ApprovalMode} from './mode.ts';
import {firstMatch, isRunLater, type Rule, type Subject} from './rule.ts';

/** The rules of a session. The first match in each list counts. */
export type Rules = {
	/** In the user's `config.toml`. */
	readonly user: readonly Rule[];
	/** In the project's `inkpod.toml`. It contains rules that allow only if the file is trusted. */
	readonly project: readonly Rule[];
	/** What the user allowed on a card, for the session or always. */
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

/** The decision about a call, and its reason. */
export type Decision =
	| {readonly type: 'run'; readonly reason: 'reads' | 'tool_refuses' | 'answered' | 'rule' | 'mode'}
	| {readonly type: 'ask'; readonly reason: 'rule' | 'read_only' | 'runs_later' | 'mode'}
	| {readonly type: 'deny'; readonly owner: 'user' | 'project'; readonly rule: Rule};

/**
Decides about a call before it runs, in this order:
1. A deny rule of the user, which a project cannot lift. Then a deny rule of the project, which may always narrow.
2. A call that only reads runs, unless a rule asks.
3. In a read-only scope a call that would write runs: its tool answers `read_only` before it does anything.
4. What the user answered before. Then a rule that asks, the user's or the project's. Then a rule that allows; in a
   read-only scope only the user's.
5. The mode. `accept-edits` asks about files that other programs execute. `auto` runs commands in a read-only scope,
   too: only the user can set it, and it says that nothing is asked.
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

/** A tool of an MCP server counts as a command, whatever its server claims. */
function rankOf(tool: string, effect: ToolEffect): ToolEffect {
	return tool.startsWith('mcp__') ? 'execute' : effect;
}
