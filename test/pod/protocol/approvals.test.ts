import {describe, expect, it} from 'vitest';
import {approvalsIn, type Item} from '../../../src/pod/protocol.ts';

const at = '2026-01-01T00:00:00.000Z';

function ended(details: object, name = 'bash', args: object = {command: 'npm test'}): readonly Item[] {
	return [
		{id: 'c', at, type: 'tool_call', callId: '1', name, arguments: JSON.stringify(args)},
		{
			...{id: 'r', at, type: 'tool_result', callId: '1', summary: '', content: '', isError: false, ms: 0},
			details: {...details},
		},
	] as readonly Item[];
}

describe('the approvals of a history', () => {
	it('include denials of sessions that recorded nothing else', () => {
		expect(approvalsIn(ended({denied: {by: 'rule', subject: 'rm x', reason: 'rm* in …'}}))).toEqual([
			{item: 'c', callId: '1', tool: 'bash', subject: 'rm x', at, by: 'rule', allowed: false, rule: 'rm* in …'},
		]);
		expect(approvalsIn(ended({denied: {by: 'user', reason: 'no'}}))).toMatchObject([
			{by: 'user', allowed: false, reason: 'no', shown: 'npm test'},
		]);
		expect(approvalsIn(ended({denied: {by: 'unattended'}}))).toMatchObject([{by: 'unattended', allowed: false}]);
	});

	it('list a denial once', () => {
		const approvals = [{at, by: 'user', allowed: false, choice: 'deny'}];
		expect(approvalsIn(ended({approvals, denied: {by: 'user'}}))).toHaveLength(1);
	});

	it('show the diff of a change, or what was recorded', () => {
		const approvals = [{at, by: 'user', allowed: true, choice: 'allow'}];
		expect(approvalsIn(ended({approvals, diff: '+a'}, 'edit_file', {path: 'a'}))).toMatchObject([{shown: '+a'}]);
		expect(approvalsIn(ended({approvals, diff: '+abcd'}), 3)).toMatchObject([{shown: '+ab…'}]);
	});

	it('include the decision about a plan', () => {
		const plan = {sha256: 's', outcome: 'accepted', mode: 'auto'};
		expect(approvalsIn(ended({plan}, 'plan', {plan: 'x'}))).toMatchObject([
			{by: 'user', allowed: true, choice: 'accepted', mode: 'auto'},
		]);
		expect(approvalsIn(ended({plan: {...plan, outcome: 'unattended'}}))).toEqual([]);
	});

	it('keep a result without its call, and a call whose arguments are not JSON', () => {
		const [, result] = ended({denied: {by: 'user'}});
		expect(approvalsIn([result!])).toMatchObject([{item: 'r', tool: '', subject: ''}]);
		const broken = {id: 'c', at, type: 'tool_call', callId: '1', name: 'bash', arguments: '{"comm'} as const;
		expect(approvalsIn([broken, result!])).toMatchObject([{tool: 'bash', subject: '{"comm'}]);
	});

	it('leave out calls that needed no approval', () => {
		expect(approvalsIn(ended({read: {}}))).toEqual([]);
	});
});
