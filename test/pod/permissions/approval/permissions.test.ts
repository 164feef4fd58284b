import {describe, expect, it} from 'vitest';
import {attached, served} from '../../../helpers/socket-pod.ts';
import {asked, bash, choose, edit, model, setting} from './setting.ts';

const rules = {
	user: [
		{tool: 'bash', match: 'git push*', action: 'deny'},
		{tool: 'mcp__*', action: 'ask'},
	],
	project: [{tool: 'edit_file', match: 'dist/**', action: 'deny'}],
} as const;

describe('the list of permissions', () => {
	it('contains every rule with its source, and what decides without a rule', async () => {
		const batch = [bash('1', 'npm test'), bash('2', 'x | y'), edit('3', 'a.ts')];
		const {told} = await setting(model(batch), {approval: {mode: 'ask', rules}});
		await told.run('go');
		for (const choice of ['always_alike', 'session', 'session']) await choose(told, choice);
		await told.rest();
		const found = await told.pod.permissions();
		expect(found.map(({action, source, text}) => `${action} ${source} ${text}`)).toEqual([
			'allow session bash, only exactly: x | y',
			'allow session edit_file: every call',
			'allow saved bash: npm test *',
			'deny user bash: git push*',
			'ask user mcp__*: every call',
			'deny project edit_file: dist/**',
			'allow built_in tools that only read, in this directory',
			'ask built_in reading files that look like secrets',
			'ask built_in changes to files (approval mode)',
			'ask built_in commands and tools of MCP servers (approval mode)',
			'allow built_in head, tail, wc and sort at the end of an allowed command',
		]);
		expect(found.map(({id}) => id !== undefined)).toEqual([
			true,
			true,
			true,
			...Array.from({length: 8}, () => false),
		]);
	});

	it.each([
		['accept-edits', 'allow', 'ask'],
		['auto', 'allow', 'allow'],
	] as const)('follows the mode %s', async (mode, changes, commands) => {
		const {told} = await setting(model());
		await told.pod.send({method: 'approval', mode});
		const found = await told.pod.permissions();
		const actionOf = (start: string) => found.find(({text}) => text.startsWith(start))?.action;
		expect([actionOf('changes to files'), actionOf('commands')]).toEqual([changes, commands]);
	});

	it('removes a saved rule from an attached terminal, from the next call on', async () => {
		const {told, ran, reopen} = await setting(model([bash('1', 'npm test')], [bash('2', 'npm test -- a')]));
		await told.run('go');
		await choose(told, 'always_alike');
		await told.rest();
		expect(ran).toEqual(['npm test', 'npm test -- a']);
		const there = await attached((await served(told.pod)).path);
		const [first] = await there.permissions();
		expect(await there.send({method: 'remove_permission', rule: first!.id!})).toEqual({accepted: true});
		expect((await told.pod.permissions()).filter(({id}) => id !== undefined)).toEqual([]);
		const again = await reopen({model: model([bash('3', 'npm test')])});
		await again.run('again');
		expect((await asked(again)).callId).toBe('3');
	});

	it('asks in every terminal before it removes a rule, if the client wants a card', async () => {
		const {told} = await setting(model([bash('1', 'npm test')]));
		await told.run('go');
		await choose(told, 'always_alike');
		await told.rest();
		const there = await attached((await served(told.pod)).path);
		const [first] = await there.permissions();
		const remove = () => there.send({method: 'remove_permission', rule: first!.id!, asks: true});
		const kept = remove();
		const ask = await asked(told);
		expect(ask).toMatchObject({title: 'Remove this rule?', detail: 'allow bash: npm test *\n(saved on a card)'});
		await choose(told, 'deny');
		expect(await kept).toMatchObject({accepted: false, code: 'aborted'});
		expect((await there.permissions())[0]?.id).toBe(first!.id);
		const removed = remove();
		await asked(told);
		await choose(told, 'allow');
		expect(await removed).toEqual({accepted: true});
		expect((await there.permissions()).filter(({id}) => id !== undefined)).toEqual([]);
	});

	it('removes a rule of the session', async () => {
		const {told, ran} = await setting(model([bash('1', 'x | y')], [bash('2', 'z')], [bash('3', 'x | y')]));
		await told.run('go');
		await choose(told, 'session');
		expect((await asked(told)).callId).toBe('2');
		const [first] = await told.pod.permissions();
		await told.pod.send({method: 'remove_permission', rule: first!.id!});
		await choose(told, 'allow');
		expect((await asked(told)).callId).toBe('3');
		expect(ran).toEqual(['x | y', 'z']);
	});

	it.each(['session:["bash",null,null]', 'saved:x', 'saved:../../../etc/passwd', ''])(
		'refuses to remove a rule that does not exist: %s',
		async rule => {
			const {told} = await setting(model());
			expect(await told.pod.send({method: 'remove_permission', rule})).toMatchObject({
				accepted: false,
				code: 'no_such_rule',
			});
		},
	);
});
