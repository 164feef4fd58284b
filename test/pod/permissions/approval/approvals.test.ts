import {describe, expect, it} from 'vitest';
import {interruption, unansweredCalls} from '../../../../src/pod/ground/history/reader.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';
import {testPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {attached, served} from '../../../helpers/socket-pod.ts';
import {asked, bash, choose, edit, mcp, model, results, setting} from './setting.ts';

describe('the card of a call', () => {
	it('shows the whole command and what each choice allows', async () => {
		const {told} = await setting(model([bash('1', 'npm test\u001b[2K; rm x')]));
		await told.run('go');
		expect(await asked(told)).toEqual({
			id: expect.any(String) as unknown,
			callId: '1',
			title: 'Run a command?',
			detail: 'npm test\u001b[2K; rm x',
			shows: 'command',
			choices: [
				{choice: 'allow', label: 'Yes'},
				{choice: 'session', label: "Yes, and don't ask again for exactly this command"},
				{choice: 'deny', label: 'No', refuses: true, reason: true},
				{
					choice: 'always',
					label: 'Yes, always in this project: exactly this command',
					rule: 'Allow bash, only for exactly:\nnpm test\u001b[2K; rm x',
					more: true,
				},
			],
		});
	});

	it('shows all arguments when the preview is missing or fails', async () => {
		const {told} = await setting(model([edit('1', 'b\n.ts'), mcp('2')]));
		await told.run('go');
		expect(await choose(told, 'allow')).toMatchObject({
			title: 'Run edit_file?',
			detail: '{\n  "path": "b\\n.ts"\n}',
			shows: 'text',
			choices: [
				{},
				{label: "Yes, and don't ask again for edits in this directory"},
				{},
				{
					label: 'Yes, always in this project: edits to "b\\n.ts"',
					rule: 'Allow edit_file, only for exactly:\nb\n.ts',
				},
			],
		});
		expect(await choose(told, 'deny')).toMatchObject({
			title: 'Run mcp__s__t?',
			detail: '{}',
			choices: [
				{},
				{label: "Yes, and don't ask again for calls of mcp__s__t"},
				{},
				{rule: 'Allow every call of mcp__s__t'},
			],
		});
	});

	it.each([
		[
			'a new file',
			'b.ts',
			[
				['allow', 'Yes'],
				['session_new', "Yes, and don't ask again for new files in this session"],
				['deny', 'No'],
				['session', 'Yes, in this session: writing files in this directory'],
				['always', 'Yes, always in this project: writing "b.ts"'],
			],
		],
		[
			'a new file that other programs run',
			'.envrc',
			[
				['allow', 'Yes'],
				['session', 'Yes, and don\'t ask again for writing ".envrc"'],
				['deny', 'No'],
				['always', 'Yes, always in this project: writing ".envrc"'],
			],
		],
	])('for %s offers to allow new files only if no other program runs the file', async (_, path, choices) => {
		const {told, project} = await setting(model([calls('1', 'write_file', {path, content: 'b\n'})]));
		await project.write('.git/config', '');
		await told.run('go');
		const ask = await choose(told, 'deny');
		expect(ask.shows).toBe('diff');
		expect(ask.choices.map(({choice, label}) => [choice, label])).toEqual(choices);
		expect(ask.choices.filter(({unread}) => unread).map(({choice}) => choice)).toEqual(
			choices.map(([choice]) => choice).filter(choice => choice === 'session_new'),
		);
	});

	it.each<[string, string, string, object]>([
		['out of the scope', 'write_file', '(out_of_scope)', {path: '../b.ts', content: 'b\n'}],
		['of a folder', 'write_file', '(is_directory)', {path: '.git', content: 'b\n'}],
		['of a missing file', 'edit_file', '(not_found)', {path: 'gone.ts', edits: [{old: 'a', new: 'b'}]}],
		['of a file that was not read', 'edit_file', '(not_read)', {path: 'c.ts', edits: [{old: 'c', new: 'b'}]}],
		['that writes something other than text', 'write_file', 'is not text', {path: 'b.ts', content: 'b\0'}],
	])(
		'is skipped for a change %s: the tool’s own refusal is the result, even when no one can approve',
		async (_, name, reason, args) => {
			for (const attended of [true, false]) {
				const project = await tempProject({'.git/config': '', 'c.ts': 'c\n'});
				const told = await testPod(project, {model: model([calls('1', name, args)]), attended});
				await told.run('go');
				await told.rest();
				const [result] = told.items().filter(item => item.type === 'tool_result');
				expect(result).toMatchObject({isError: true, content: expect.stringContaining(reason) as unknown});
				expect([
					result?.details,
					told.events.some(event => event.type === 'status' && event.status.asks.length > 0),
				]).toEqual([undefined, false]);
			}
		},
	);

	it('is shown for a call that fails now but may succeed after an earlier change of the batch', async () => {
		const {told} = await setting(
			model([bash('0', 'make gone.ts'), calls('1', 'write_file', {path: '.git', content: 'b\n'})]),
		);
		await told.run('go');
		await choose(told, 'allow');
		expect((await asked(told)).choices.map(({choice}) => choice)).toEqual(['allow', 'session', 'deny', 'always']);
	});

	it('refuses a choice that it does not offer', async () => {
		const {told, project} = await setting(
			model([bash('0', 'x'), calls('1', 'write_file', {path: '.git', content: 'b\n'})]),
		);
		await project.write('.git/config', '');
		await told.run('go');
		await choose(told, 'allow');
		const {id} = await asked(told);
		expect(await told.pod.send({method: 'answer', askId: id, choice: 'always'})).toMatchObject({accepted: false});
		await choose(told, 'deny');
	});
});

describe('a rule', () => {
	const rules = {
		user: [
			{tool: 'bash', match: 'git push*', action: 'deny'},
			{tool: 'bash', match: 'npm *', action: 'allow'},
		],
		project: [{tool: 'bash', action: 'allow'}],
	} as const;

	it('that denies wins over a project rule that allows, in every mode', async () => {
		for (const mode of ['ask', 'auto'] as const) {
			const {told, ran} = await setting(model([bash('1', 'cd x && git push'), bash('2', 'npm test')]), {
				approval: {mode, rules},
			});
			await told.run('go');
			await told.rest();
			expect(ran).toEqual(['npm test']);
			expect(results(told)).toContainEqual([
				'A rule in the user’s config.toml denies this call of bash ("git push*"); ' +
					'it was not run, and nobody was asked. Do not try it another way.',
				true,
			]);
		}
	});

	it('that allows a command does not allow a compound command', async () => {
		const {told} = await setting(model([bash('1', 'npm test; rm x')]), {
			approval: {mode: 'ask', rules: {user: rules.user, project: []}},
		});
		await told.run('go');
		expect((await asked(told)).callId).toBe('1');
	});
});

describe('a read-only scope', () => {
	it('asks before a command in accept-edits, and leaves the refusal of a write to the tool', async () => {
		const {told, ran} = await setting(model([edit('1', 'a'), bash('2', 'x')]), {
			readOnly: true,
			approval: {mode: 'accept-edits', rules: {user: [], project: []}},
		});
		await told.run('go');
		expect(await choose(told, 'allow')).toMatchObject({
			title: 'Run a command? (the scope is read-only)',
			note: 'inkpod cannot keep this call from changing files.',
		});
		await told.rest();
		expect(ran.toSorted()).toEqual(['a', 'x']);
	});
});

describe('the approval mode', () => {
	it('is in the status from the start and after each change, unless it is ask', async () => {
		const {told} = await setting(model(), {approval: {mode: 'accept-edits', rules: {user: [], project: []}}});
		expect(told.status()).toEqual({kind: 'idle', asks: [], queue: [], approval: 'accept-edits'});
		expect(await told.pod.send({method: 'approval', mode: 'auto'})).toEqual({accepted: true});
		expect(told.status().approval).toBe('auto');
		await told.pod.send({method: 'approval', mode: 'ask'});
		expect(told.status()).toEqual({kind: 'idle', asks: [], queue: []});
	});

	it('settles an open question when a change makes it unnecessary', async () => {
		const {told, ran} = await setting(model([bash('1', 'x')], [bash('2', 'y')]));
		await told.run('go');
		await asked(told);
		await told.pod.send({method: 'approval', mode: 'accept-edits'});
		expect(told.status().asks).toHaveLength(1);
		await told.pod.send({method: 'approval', mode: 'auto'});
		await told.rest();
		expect([ran, told.status()]).toEqual([['x', 'y'], {kind: 'idle', asks: [], queue: [], approval: 'auto'}]);
	});

	it('is not saved with the session', async () => {
		const {told, reopen} = await setting(model([bash('1', 'x')]), {});
		await told.pod.send({method: 'approval', mode: 'auto'});
		await told.run('go');
		await told.rest();
		const again = await reopen({model: model([bash('2', 'x')])});
		expect(again.status().approval).toBeUndefined();
		await again.run('again');
		expect((await asked(again)).callId).toBe('2');
	});
});

describe('a run that waits for an answer', () => {
	it('asks again when it is paused and resumed', async () => {
		const {told, ran} = await setting(model([bash('1', 'x'), bash('2', 'y')]));
		await told.run('go');
		await choose(told, 'allow');
		await asked(told);
		await told.pod.send({method: 'pause'});
		expect([told.status(), ran, unansweredCalls(told.items()).length]).toEqual([
			{kind: 'paused', asks: [], queue: []},
			[],
			2,
		]);
		await told.pod.send({method: 'resume'});
		expect([(await choose(told, 'allow')).callId, (await choose(told, 'allow')).callId]).toEqual(['1', '2']);
		await told.rest();
		expect(ran.toSorted()).toEqual(['x', 'y']);
	});

	it('is an interrupted turn after a restart, and asks again when it is resumed', async () => {
		const {told, ran, reopen} = await setting(model([bash('1', 'x')]));
		await told.run('go');
		await asked(told);
		const again = await reopen({model: eventModel(answer(says('Done.')))});
		expect([again.status().kind, interruption(again.items()), unansweredCalls(again.items()).length]).toEqual([
			'paused',
			'paused',
			1,
		]);
		await again.pod.send({method: 'resume'});
		expect((await choose(again, 'allow')).title).toBe('Run a command?');
		await again.rest();
		expect([ran, results(again)]).toEqual([['x'], [['did x', false]]]);
	});

	it('can be answered from another terminal', async () => {
		const {told, ran} = await setting(model([bash('1', 'x')]));
		const {path} = await served(told.pod);
		await told.run('go');
		await asked(told);
		const client = await attached(path);
		const seen: string[] = [];
		client.subscribe(event => {
			if (event.type === 'snapshot') seen.push(...event.status.asks.map(({id}) => id));
		});
		expect(await client.send({method: 'answer', askId: seen[0]!, choice: 'allow'})).toEqual({accepted: true});
		await told.rest();
		expect(ran).toEqual(['x']);
		expect(await client.send({method: 'approval', mode: 'auto'})).toEqual({accepted: true});
		expect(told.status().approval).toBe('auto');
	});
});

it('a session with no one to approve denies what needs approval, runs what a rule allows, and finishes', async () => {
	const {told, ran} = await setting(model([bash('1', 'rm \u001b[2Kx'), bash('2', 'npm test')]), {
		attended: false,
		approval: {mode: 'ask', rules: {user: [{tool: 'bash', match: 'npm test', action: 'allow'}], project: []}},
	});
	await told.run('go');
	await told.rest();
	expect(ran).toEqual(['npm test']);
	expect(results(told)).toContainEqual([
		'This call of bash needs approval, and nobody can approve it here; it was not run. ' +
			'Continue without it, and say what could not be done.',
		true,
	]);
	expect(told.items().find(item => item.type === 'tool_result' && item.isError)).toMatchObject({
		details: {denied: {by: 'unattended', subject: 'rm \u001b[2Kx'}},
	});
	expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
});
