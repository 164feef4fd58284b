import type {ToolEffect} from '../../../worker/index.ts';
import type {ApprovalMode} from '../../protocol/approval-mode.ts';
import {allowsChain} from './command-chain.ts';
import {firstMatch, isRunLater, type Rule, type Subject} from './rule.ts';

/** The rules of a session. In each list, only the first rule that matches counts. */
export type Rules = {
	/** The rules in the user's `config.toml`. */
	readonly user: readonly Rule[];
	/** The rules in the project's `inkpod.toml`. Rules that allow are included only if the file is trusted. */
	readonly project: readonly Rule[];
	/** The rules that the user allowed on a card, for the session or always. */
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

/**
The decision about a call, and its reason. `no_card`: the call needs approval, but the mode shows no card for it. `rule`
is the one rule that lets the call run, and `owner` the one who wrote it. For a chain of commands there is no such rule.
*/
export type Decision =
	| {
			readonly type: 'run';
			readonly reason: 'reads' | 'tool_refuses' | 'answered' | 'rule' | 'mode';
			readonly rule?: Rule | undefined;
			readonly owner?: 'user' | 'project';
	  }
	| {readonly type: 'ask'; readonly reason: 'rule' | 'read_only' | 'plan' | 'runs_later' | 'mode' | 'no_card'}
	/**
	Plan mode does not allow changes of files. This is decided before a call starts, because the mode may change later.
	*/
	| {readonly type: 'refuse'; readonly reason: 'plan'}
	| {readonly type: 'deny'; readonly owner: 'user' | 'project'; readonly rule: Rule};

/**
Decides about a call before it runs, in this order:
1. A deny rule of the user counts first, and a project cannot lift it. Then a deny rule of the project counts, because a
  project may always restrict.
2. A call that only reads runs, unless a rule asks.
3. In `plan` a call that would write is refused.
4. In a read-only scope a call that would write is allowed to run, because its tool answers `read_only` before it does
  anything.
5. In `plan` a command or MCP tool always needs approval, whatever a rule allows.
6. The user's earlier answer counts. Then a rule that asks counts, whether it is the user's or the project's. Then a
  rule that allows counts. In a read-only scope, the project's rules can allow only web pages.
7. A chain of commands runs if a rule, or a pattern that the user allowed on a card, allows each of its commands.
8. The mode counts last. `accept-edits` asks about files that other programs execute. `auto` also runs commands in a
  read-only scope, because only the user can set this mode, and its text says that inkpod asks about nothing. `plan`
  refuses web pages without a card.
*/
export function decide({tool, effect, subject, mode, writable, rules}: Judged): Decision {
	const user = firstMatch(rules.user, tool, subject);
	if (user?.action === 'deny') return {type: 'deny', owner: 'user', rule: user};
	const project = firstMatch(rules.project, tool, subject);
	if (project?.action === 'deny') return {type: 'deny', owner: 'project', rule: project};
	const rank = rankOf(tool, effect, subject);
	const isAsked = user?.action === 'ask' || project?.action === 'ask';
	if (rank === 'read' && !isAsked) return {type: 'run', reason: 'reads'};
	if (mode === 'plan' && rank === 'write') return {type: 'refuse', reason: 'plan'};
	if (!writable && rank === 'write') return {type: 'run', reason: 'tool_refuses'};
	if (mode === 'plan' && rank === 'execute' && subject.kind !== 'url') return {type: 'ask', reason: 'plan'};
	const answered = firstMatch(rules.answered, tool, subject);
	if (answered !== undefined) return {type: 'run', reason: 'answered', rule: answered};
	if (isAsked) return {type: 'ask', reason: 'rule'};
	const isFetch = subject.kind === 'url';
	if (user !== undefined) return {type: 'run', reason: 'rule', rule: user, owner: 'user'};
	if (project !== undefined && (writable || isFetch))
		return {type: 'run', reason: 'rule', rule: project, owner: 'project'};
	const allowing = {user: rules.user, project: writable ? rules.project : [], answered: rules.answered};
	if (subject.kind === 'command' && allowsChain(subject.command, tool, allowing))
		return {type: 'run', reason: 'answered'};
	const isLater = rank === 'write' && isRunLater(subject);
	if (mode === 'auto' || (mode === 'accept-edits' && rank === 'write' && !isLater))
		return {type: 'run', reason: 'mode'};
	if (isFetch) return {type: 'ask', reason: mode === 'plan' ? 'no_card' : 'mode'};
	return {type: 'ask', reason: isLater ? 'runs_later' : writable ? 'mode' : 'read_only'};
}

/** A tool of an MCP server counts as a command, whatever the server claims. So does a request to a web server. */
function rankOf(tool: string, effect: ToolEffect, {kind}: Subject): ToolEffect {
	return tool.startsWith('mcp__') || kind === 'url' ? 'execute' : effect;
}
