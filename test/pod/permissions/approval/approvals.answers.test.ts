import {readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {projectDir} from '../../../../src/pod/disk/paths.ts';
import {calls} from '../../../helpers/event-model.ts';
import type {TempProject} from '../../../helpers/temp-project.ts';
import {asked, bash, choose, edit, model, results, setting, stateOf} from './setting.ts';

describe('an answer on a card', () => {
	it('“Yes” runs the call, and the next equal call needs approval again', async () => {
		const {told, ran} = await setting(model([bash('1', 'x')], [bash('2', 'x')]));
		await told.run('go');
		await choose(told, 'allow');
		await choose(told, 'deny');
		await told.rest();
		expect([ran, results(told).map(([, isError]) => isError)]).toEqual([['x'], [false, true]]);
	});

	it('the second “Yes” allows exactly that command until the session is closed', async () => {
		const batches = [[bash('1', 'x && y')], [bash('2', 'x && y'), bash('3', 'x && y; z')]];
		const {told, ran, reopen} = await setting(model(...batches));
		await told.run('go');
		await choose(told, 'session');
		expect((await choose(told, 'deny')).callId).toBe('3');
		await told.rest();
		expect(ran).toEqual(['x && y', 'x && y']);
		const again = await reopen({model: model([bash('4', 'x && y')])});
		await again.run('again');
		expect((await asked(again)).callId).toBe('4');
	});

	it('the second “Yes” allows an editing tool in every file', async () => {
		const {told, ran} = await setting(model([edit('1', 'a')], [edit('2', 'b'), bash('3', 'x')]));
		await told.run('go');
		await choose(told, 'session');
		expect((await choose(told, 'deny')).callId).toBe('3');
		await told.rest();
		expect(ran).toEqual(['a', 'b']);
	});

	it('“Always” is saved outside the project, readable only by you, and applies in the next session', async () => {
		const {told, ran, reopen, project} = await setting(model([bash('1', 'x | y'), edit('2', './a.ts')]));
		await told.run('go');
		await choose(told, 'always');
		await choose(told, 'always');
		await told.rest();
		const folder = projectDir(join(stateOf(project), 'approvals'), project.dir);
		const files = await readdir(folder);
		expect([
			files.length,
			(await stat(folder)).mode & 0o777,
			(await stat(join(folder, files[0]!))).mode & 0o777,
		]).toEqual([2, 0o700, 0o600]);
		expect(await readdir(project.dir)).toEqual(['a.ts']);
		const again = await reopen({model: model([bash('3', 'x | y'), edit('4', 'a.ts'), edit('5', 'b.ts')])});
		await again.run('again');
		expect((await choose(again, 'deny')).callId).toBe('5');
		await again.rest();
		expect(ran).toEqual(['x | y', './a.ts', 'x | y', 'a.ts']);
	});

	it('“Always” applies to the session, with an alert, when it cannot be saved', async () => {
		const {told, ran, project} = await setting(model([bash('1', 'x')], [bash('2', 'x')]));
		await writeFile(join(project.dir, '..', 'home'), '');
		await told.run('go');
		await choose(told, 'always');
		await told.rest();
		expect(ran).toEqual(['x', 'x']);
		expect(told.events.filter(event => event.type === 'alert')).toMatchObject([
			{alert: {text: expect.stringMatching(/^The approval was not saved.*\. \S/) as unknown}},
		]);
	});

	it('“Always” has no effect after its file was edited', async () => {
		const {told, reopen, project} = await setting(model([bash('1', 'x')]));
		await told.run('go');
		await choose(told, 'always');
		await told.rest();
		const folder = projectDir(join(stateOf(project), 'approvals'), project.dir);
		const file = join(folder, (await readdir(folder))[0]!);
		await writeFile(file, (await readFile(file, 'utf8')).replace('"tool":"bash"', '"tool":"*"'));
		const again = await reopen({model: model([bash('2', 'x')])});
		await again.run('again');
		expect((await asked(again)).callId).toBe('2');
	});

	it('“No” becomes an error with its reason, which the model reads', async () => {
		const told1 = model([bash('1', 'x'), bash('2', 'y')]);
		const {told, ran} = await setting(told1);
		await told.run('go');
		await choose(told, 'deny');
		await choose(told, 'deny', 'Use make.');
		await told.rest();
		expect(ran).toEqual([]);
		expect(results(told)).toEqual([
			[
				'The user denied this call of bash; it was not run. Do not try it another way: ask what they want instead.',
				true,
			],
			['The user denied this call of bash; it was not run. They say: Use make.', true],
		]);
		expect(JSON.stringify(told1.requests[1])).toContain('They say: Use make.');
		expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});

	it.each([undefined, 'Use make.'])(
		'“No” with the reason %s becomes the result of its call at once, while the next call of the batch waits',
		async reason => {
			const {told} = await setting(model([bash('1', 'x'), bash('2', 'y')]));
			await told.run('go');
			await choose(told, 'deny', reason);
			expect((await asked(told)).callId).toBe('2');
			expect(told.items().filter(item => item.type === 'tool_result')).toMatchObject([
				{callId: '1', details: {denied: {by: 'user', subject: 'x', ...(reason !== undefined && {reason})}}},
			]);
		},
	);

	it('affects only one call of a batch, and no call runs before all are answered', async () => {
		const {told, ran} = await setting(model([bash('1', 'x'), edit('2', 'a'), bash('3', 'y')]));
		await told.run('go');
		await choose(told, 'deny');
		await choose(told, 'allow');
		expect([(await asked(told)).callId, ran]).toEqual(['3', []]);
		await choose(told, 'allow');
		await told.rest();
		expect([ran.toSorted(), results(told).filter(([, isError]) => isError).length]).toEqual([['a', 'y'], 1]);
	});
});

describe('“Yes, always in this project” for a pattern', () => {
	it('shows the rule, is saved, and allows the same kind of command in the next session', async () => {
		const {told, ran, reopen} = await setting(model([bash('1', 'npm test 2>&1 | tail -5')]));
		await told.run('go');
		const {choices} = await choose(told, 'always_alike');
		await told.rest();
		expect(choices.map(({label}) => label)).toEqual([
			'Yes',
			'Yes, and don\'t ask again for "npm test *"',
			'No',
			'Yes, in this session: exactly this command',
			'Yes, always in this project: "npm test *"',
			'Yes, always in this project: exactly this command',
		]);
		expect(choices.map(({more = false}) => more)).toEqual([false, false, false, true, true, true]);
		expect(choices[4]!.rule).toContain('begin with:\nnpm test *\n');
		const batch = [bash('2', 'npm test'), bash('3', 'npm test -- a.test.ts'), bash('4', 'npm test > out')];
		const again = await reopen({model: model(batch)});
		await again.run('again');
		expect((await choose(again, 'deny')).callId).toBe('4');
		await again.rest();
		expect(ran).toEqual(['npm test 2>&1 | tail -5', 'npm test', 'npm test -- a.test.ts']);
	});

	it('is not offered, and does not apply, if a rule asks about the command', async () => {
		const approval = {
			mode: 'ask',
			rules: {user: [{tool: 'bash', match: 'npm test --silent*', action: 'ask'}], project: []},
		} as const;
		const batches = [[bash('1', 'npm test')], [bash('2', 'npm test --silent')]];
		const {told, ran} = await setting(model(...batches), {approval});
		await told.run('go');
		await choose(told, 'session_alike');
		const ask = await choose(told, 'deny');
		await told.rest();
		expect([ran, ask.choices.map(({choice}) => choice)]).toEqual([
			['npm test'],
			['allow', 'session', 'deny', 'always'],
		]);
	});

	it('asks once for each kind of command in a turn of 20 calls', async () => {
		const commands = [
			'git status --short',
			'git log --oneline -5',
			'npm test',
			'npm test 2>&1 | tail -30',
			'npm test -- src/cart.test.ts',
			"npm test -- -t 'adds an item'",
			'git diff',
			'git diff --stat',
			'git status',
			'npm run lint',
			'npm run lint -- --quiet',
			'npm run lint && npm test',
			'npm test -- src/cart.test.ts 2>&1 | head -n 40',
			'git diff src/cart.ts | head -50',
			'npm run build',
			'npm run build && npm run lint && npm test 2>&1 | tail -5',
			'git status; git diff --stat',
			'git add -A && git commit -m "Fix the cart"',
			'git log -1 --stat',
			'git status',
		];
		const {told, ran} = await setting(model(...commands.map((command, index) => [bash(`${index}`, command)])));
		await told.run('go');
		const asks: string[] = [];
		while (ran.length < commands.length) {
			await told.until(() => told.status().asks.length > 0 || told.status().kind === 'idle');
			if (told.status().asks.length === 0) break;
			asks.push(
				(await choose(told, 'session_alike')).choices[1]!.label.replace("Yes, and don't ask again for ", ''),
			);
		}
		expect(ran).toEqual(commands);
		expect(asks).toEqual([
			'"git status *"',
			'"git log *"',
			'"npm test *"',
			'"git diff *"',
			'"npm run lint *"',
			'"npm run build *"',
			'"git add *" and "git commit *"',
		]);
	});
});

describe('“Yes, and don’t ask again for new files in this session”', () => {
	const textOf = async (project: TempProject, path: string) => readFile(project.path(path), 'utf8');
	const write = (id: string, path: string, content = 'new\n') => calls(id, 'write_file', {path, content});

	it('allows writing files that do not exist, until the session is closed, and nothing else', async () => {
		const {told, project, reopen} = await setting(
			model(
				[write('1', 'one.ts')],
				[write('2', 'sub/two.ts'), write('3', 'one.ts', 'other\n'), write('4', '.envrc')],
			),
		);
		await told.run('go');
		expect((await choose(told, 'session_new')).callId).toBe('1');
		expect((await choose(told, 'deny')).callId).toBe('3');
		expect((await choose(told, 'deny')).callId).toBe('4');
		await told.rest();
		expect([await textOf(project, 'one.ts'), await textOf(project, 'sub/two.ts')]).toEqual(['new\n', 'new\n']);
		const listed = (await told.pod.permissions()).filter(({source}) => source === 'session');
		expect(listed.map(({text}) => text)).toEqual(['write_file: new files']);
		const again = await reopen({model: model([write('5', 'three.ts')])});
		await again.run('again');
		expect((await choose(again, 'deny')).callId).toBe('5');
	});

	it('asks about a file that appeared after the decision and before the write', async () => {
		const {told, project} = await setting(
			model([write('1', 'one.ts')], [write('2', 'two.ts'), write('3', 'two.ts', 'other\n')]),
		);
		await told.run('go');
		await choose(told, 'session_new');
		expect((await choose(told, 'deny')).callId).toBe('3');
		await told.rest();
		expect(await textOf(project, 'two.ts')).toBe('new\n');
	});
});
