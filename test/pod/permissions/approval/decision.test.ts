import {expect, it} from 'vitest';
import {decide, type Judged, type Rules} from '../../../../src/pod/permissions/approval/decision.ts';
import type {ApprovalMode} from '../../../../src/pod/protocol/approval-mode.ts';
import type {Rule} from '../../../../src/pod/permissions/approval/rule.ts';
import {fileSubject} from '../../../../src/pod/permissions/approval/subject.ts';

const none: Rules = {user: [], project: [], answered: []};
const kinds = {
	read: {tool: 'read_file', effect: 'read', subject: fileSubject('a', undefined, {pwd: '/p', home: '/h'})},
	write: {tool: 'edit_file', effect: 'write', subject: fileSubject('a', undefined, {pwd: '/p', home: '/h'})},
	bash: {tool: 'bash', effect: 'execute', subject: {kind: 'command', command: 'npm test'}},
	web: {tool: 'fetch', effect: 'read', subject: {kind: 'url', url: 'https://a.example/b'}},
	mcp: {tool: 'mcp__s__t', effect: 'read', subject: {kind: 'tool', tool: 'mcp__s__t'}},
} as const;
const judged = (kind: keyof typeof kinds, mode: ApprovalMode, change: Partial<Judged> = {}) =>
	decide({...kinds[kind], mode, writable: true, rules: none, ...change});
const rule = (action: Rule['action'], tool = '*'): Rule => ({tool, action});
const allow = rule('allow');
const ask = rule('ask');
const deny = rule('deny');

it.each([
	['read', 'ask', 'run', 'run'],
	['read', 'accept-edits', 'run', 'run'],
	['read', 'auto', 'run', 'run'],
	['read', 'plan', 'run', 'run'],
	['write', 'plan', 'refuse', 'refuse'],
	['bash', 'plan', 'ask', 'ask'],
	['mcp', 'plan', 'ask', 'ask'],
	// In a read-only scope the tool itself refuses.
	['write', 'ask', 'ask', 'run'],
	['write', 'accept-edits', 'run', 'run'],
	['write', 'auto', 'run', 'run'],
	['bash', 'ask', 'ask', 'ask'],
	['bash', 'accept-edits', 'ask', 'ask'],
	['bash', 'auto', 'run', 'run'],
	['web', 'ask', 'ask', 'ask'],
	['web', 'accept-edits', 'ask', 'ask'],
	['web', 'auto', 'run', 'run'],
	['mcp', 'ask', 'ask', 'ask'],
	['mcp', 'accept-edits', 'ask', 'ask'],
	['mcp', 'auto', 'run', 'run'],
] as const)(
	'without rules a %s call in the mode %s gets the decision %s, and in a read-only scope %s',
	(kind, mode, writable, readOnly) => {
		expect([judged(kind, mode).type, judged(kind, mode, {writable: false}).type]).toEqual([writable, readOnly]);
	},
);

it.each<[string, Partial<Rules>, ApprovalMode, string, string]>([
	['you deny', {user: [deny]}, 'auto', 'deny', 'deny'],
	['the project denies', {project: [deny]}, 'auto', 'deny', 'deny'],
	['you deny, the project allows', {user: [deny], project: [allow]}, 'auto', 'deny', 'deny'],
	['the project denies, you allow', {user: [allow], project: [deny]}, 'auto', 'deny', 'deny'],
	['you deny what you had always allowed', {user: [deny], answered: [allow]}, 'auto', 'deny', 'deny'],
	['you allow before you deny', {user: [allow, deny]}, 'ask', 'run', 'run'],
	['you allow', {user: [allow]}, 'ask', 'run', 'run'],
	['the project allows', {project: [allow]}, 'ask', 'run', 'ask'],
	['you ask', {user: [ask]}, 'auto', 'ask', 'ask'],
	['the project asks, you allow', {user: [allow], project: [ask]}, 'auto', 'ask', 'ask'],
	['you ask, the project allows', {user: [ask], project: [allow]}, 'auto', 'ask', 'ask'],
	['a rule asks, and you answered before', {user: [ask], project: [ask], answered: [allow]}, 'ask', 'run', 'run'],
	['you answered before', {answered: [allow]}, 'ask', 'run', 'run'],
	[
		'rules are about other tools',
		{user: [rule('deny', 'edit_file')], answered: [rule('allow', 'mcp__*')]},
		'ask',
		'ask',
		'ask',
	],
])('a command gets the expected decision when %s, also in a read-only scope', (_, rules, mode, writable, readOnly) => {
	const all = {...none, ...rules};
	expect([judged('bash', mode, {rules: all}).type, judged('bash', mode, {rules: all, writable: false}).type]).toEqual(
		[writable, readOnly],
	);
});

it('a call that only reads is stopped by a deny rule, and by an ask rule until you approve', () => {
	expect([deny, ask, allow].map(one => judged('read', 'ask', {rules: {...none, user: [one]}}).type)).toEqual([
		'deny',
		'ask',
		'run',
	]);
	expect(judged('read', 'auto', {rules: {...none, project: [ask]}})).toEqual({type: 'ask', reason: 'rule'});
	expect(judged('read', 'ask', {rules: {...none, user: [ask], answered: [allow]}}).type).toBe('run');
});

it('a denial names the owner of its rule, and a question names its reason', () => {
	expect(judged('bash', 'auto', {rules: {...none, project: [deny]}})).toEqual({
		type: 'deny',
		owner: 'project',
		rule: deny,
	});
	expect(judged('bash', 'ask', {writable: false})).toEqual({type: 'ask', reason: 'read_only'});
	expect(judged('bash', 'ask')).toEqual({type: 'ask', reason: 'mode'});
	expect(judged('bash', 'auto', {rules: {...none, user: [ask]}})).toEqual({type: 'ask', reason: 'rule'});
});

it('in plan mode a web page needs a rule, and no card is shown', () => {
	expect(judged('web', 'plan')).toEqual({type: 'ask', reason: 'no_card'});
	const docs: Rule = {tool: 'fetch', match: 'https://a.*', action: 'allow'};
	expect(judged('web', 'plan', {rules: {...none, user: [docs]}}).type).toBe('run');
	// A page changes nothing, so a trusted rule of the project also counts in a read-only scope.
	expect(judged('web', 'ask', {writable: false, rules: {...none, project: [docs]}}).type).toBe('run');
});

it.each([
	['you allow', {user: [allow]}, 'ask'],
	['you had always allowed it', {answered: [allow]}, 'ask'],
	['you deny', {user: [deny]}, 'deny'],
] as const)('in plan mode a command still needs an answer when %s', (_, rules, decision) => {
	for (const kind of ['bash', 'mcp'] as const)
		expect(judged(kind, 'plan', {rules: {...none, ...rules}}).type).toBe(decision);
});
