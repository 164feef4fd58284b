import {describe, expect, it} from 'vitest';
import {createApprovalNotes} from '../../../../src/pod/permissions/approval/approval-notes.ts';
import {asksOfChild, createAsks} from '../../../../src/pod/permissions/approval/asks.ts';
import {approvalsIn, type Approval} from '../../../../src/pod/protocol.ts';
import {asked, bash, choose, edit, mcp, model, setting} from './setting.ts';
import {countedClock} from '../../../helpers/clock.ts';
import type {TestPod} from '../../../helpers/pod.ts';

const recorded = ({items}: TestPod): readonly Approval[] => approvalsIn(items()).toReversed();
const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;

describe('the record of approvals', () => {
	it('has the answer on each card, with the call and the reason', async () => {
		const {told} = await setting(model([bash('1', 'x && y'), edit('2', 'a.ts')]));
		await told.run('go');
		await choose(told, 'allow');
		await choose(told, 'deny', 'not this file');
		await told.rest();
		expect(recorded(told)).toEqual([
			{
				...{item: expect.any(String) as string, callId: '1', tool: 'bash', subject: 'x && y', at: time},
				...{by: 'user', allowed: true, choice: 'allow', shown: 'x && y'},
			},
			{
				...{item: expect.any(String) as string, callId: '2', tool: 'edit_file', subject: 'a.ts', at: time},
				...{by: 'user', allowed: false, choice: 'deny', reason: 'not this file'},
				shown: 'a.ts',
			},
		]);
	});

	it('does not repeat what the card showed if the call contains it', async () => {
		const {told} = await setting(model([bash('1', 'printf "a\\n"\nls')]));
		await told.run('go');
		await choose(told, 'allow');
		await told.rest();
		const result = told.items().find(item => item.type === 'tool_result');
		expect(result?.details?.['approvals']).toEqual([{at: time, by: 'user', allowed: true, choice: 'allow'}]);
	});

	it('has the rule of an earlier card, and the rule of a file', async () => {
		const approval = {mode: 'ask', rules: {user: [{tool: 'mcp__s__t', action: 'allow'}], project: []}} as const;
		const {told} = await setting(model([bash('1', 'x && y')], [bash('2', 'x && y'), mcp('3')]), {approval});
		await told.run('go');
		await choose(told, 'session');
		await told.rest();
		expect(recorded(told)).toMatchObject([
			{callId: '1', by: 'user', choice: 'session'},
			{callId: '2', by: 'rule', allowed: true, source: 'answered', rule: 'bash(x && y)'},
			{callId: '3', by: 'rule', allowed: true, source: 'user', rule: 'mcp__s__t'},
		]);
	});

	it('has the mode that let a call run', async () => {
		const {told} = await setting(model([bash('1', 'x')]), {
			approval: {mode: 'auto', rules: {user: [], project: []}},
		});
		await told.run('go');
		await told.rest();
		expect(recorded(told)).toMatchObject([{callId: '1', by: 'mode', mode: 'auto', allowed: true}]);
		expect(recorded(told)[0]).not.toHaveProperty('shown');
	});

	it('has the mode, and no answer, if a change of the mode closed the card', async () => {
		const {told} = await setting(model([bash('1', 'x')]));
		await told.run('go');
		await asked(told);
		await told.pod.send({method: 'approval', mode: 'auto'});
		await told.rest();
		expect(recorded(told)).toMatchObject([{by: 'mode', mode: 'auto'}]);
	});

	it('says where the user answered', async () => {
		const {told} = await setting(model([bash('1', 'x')]));
		await told.run('go');
		const {id: askId} = await asked(told);
		await told.pod.send({method: 'answer', askId, choice: 'allow', from: 'editor'});
		await told.rest();
		expect(recorded(told)).toMatchObject([{by: 'user', from: 'editor'}]);
	});

	it('of a call of a child belongs to the child', async () => {
		const [parent, child] = [createApprovalNotes(countedClock()), createApprovalNotes(countedClock())];
		const asks = parent.observe(createAsks(() => 'q'));
		const own = child.observe(asksOfChild(asks, {id: 'c', title: 'Child'}));
		const choices = [{choice: 'deny', label: 'No', refuses: true}];
		const answer = own.ask({callId: '1', title: 'Run?', detail: 'x', choices}, new AbortController().signal);
		asks.answer('q', {choice: 'deny', from: 'attached'});
		await answer;
		const call = {id: 'i', at: '', type: 'tool_call', callId: '1', name: 'bash', arguments: '{}'} as const;
		expect(parent.take(call)).toBeUndefined();
		const note = {at: time, by: 'user', allowed: false, choice: 'deny', from: 'attached'};
		expect(child.take(call)).toEqual({approvals: [note]});
		expect(child.take(call)).toBeUndefined();
	});

	it('is the answer of the query, the latest first', async () => {
		const {told} = await setting(model([bash('1', 'x')], [bash('2', 'y')]));
		await told.run('go');
		await choose(told, 'allow');
		await choose(told, 'allow');
		await told.rest();
		expect((await told.pod.approvals()).map(({callId}) => callId)).toEqual(['2', '1']);
	});
});
