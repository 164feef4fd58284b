import type {PermissionInfo} from '../../protocol.ts';
import {patternText} from './command-starts.ts';
import type {Rules} from './decision.ts';
import type {ApprovalMode} from '../../protocol/approval-mode.ts';
import type {Rule} from './rule.ts';
import type {SavedRule} from './saved-rules.ts';
import {builtInTexts, permissionTexts} from './texts.ts';

/** Everything that currently decides about calls. `saved` are the rules on the disk. */
type PermissionFacts = Pick<Rules, 'user' | 'project'> & {
	readonly session: readonly Rule[];
	readonly saved: readonly SavedRule[];
	readonly mode: ApprovalMode;
	readonly writable: boolean;
};

/**
Lists what is allowed, what needs approval and what is denied, each with its source. Only rules that the user created on
a card have an `id` and can be removed. A rule that is both saved and in the session is listed once.
*/
export function listPermissions({session, saved, user, project, mode, writable}: PermissionFacts): PermissionInfo[] {
	const savedKeys = new Set(saved.map(({rule}) => ruleKey(rule)));
	const ownKeys = [...new Set(session.map(ruleKey))].filter(key => !savedKeys.has(key));
	const own = ownKeys.flatMap(key => session.find(rule => ruleKey(rule) === key) ?? []);
	return [
		...own.map((rule): PermissionInfo => ({...infoOf(rule, 'session'), id: sessionId(rule)})),
		...saved.map(({rule, id}): PermissionInfo => ({...infoOf(rule, 'saved'), id: `${savedPrefix}${id}`})),
		...user.map(rule => infoOf(rule, 'user')),
		...project.map(rule => infoOf(rule, 'project')),
		...builtIn(mode, writable),
	];
}

/**
Returns the session's rules without the removed rule. `removed` is the id of a rule of the session, or a rule that was
removed from the disk.
*/
export function withoutRule(session: readonly Rule[], removed: string | Rule): readonly Rule[] {
	return session.filter(rule =>
		typeof removed === 'string' ? sessionId(rule) !== removed : ruleKey(rule) !== ruleKey(removed),
	);
}

/** Returns the id that a listed rule has in the saved rules, or `undefined` for other rules. */
export function savedIdOf(id: string): string | undefined {
	return id.startsWith(savedPrefix) ? id.slice(savedPrefix.length) : undefined;
}

const savedPrefix = 'saved:';

function sessionId(rule: Rule): string {
	return `session:${ruleKey(rule)}`;
}

function ruleKey({tool, exact, begins, isNew}: Rule): string {
	return JSON.stringify([tool, exact ?? null, begins ?? null, isNew ?? null]);
}

function infoOf(rule: Rule, source: PermissionInfo['source']): PermissionInfo {
	return {action: rule.action, source, text: ruleText(rule)};
}

function ruleText({tool, match, exact, begins, isNew}: Rule): string {
	if (isNew === true) return permissionTexts.newFiles(tool);
	if (begins !== undefined) return `${tool}: ${patternText(begins)}`;
	if (exact !== undefined) return permissionTexts.exactly(tool, exact);
	return match === undefined ? permissionTexts.everyCall(tool) : `${tool}: ${match}`;
}

function builtIn(mode: ApprovalMode, writable: boolean): readonly PermissionInfo[] {
	const changes = mode === 'ask' ? 'ask' : 'allow';
	const others = mode === 'auto' ? 'allow' : 'ask';
	const of = (action: PermissionInfo['action'], text: string): PermissionInfo => ({action, source: 'built_in', text});
	return [
		of('allow', builtInTexts.reads),
		of('ask', builtInTexts.secrets),
		of(writable ? changes : 'deny', writable ? builtInTexts.changes : builtInTexts.readOnly),
		...(writable && mode === 'accept-edits' ? [of('ask', builtInTexts.runsLater)] : []),
		of(others, builtInTexts.commands),
		...(mode === 'auto' ? [] : [of('allow', builtInTexts.filters)]),
	];
}
