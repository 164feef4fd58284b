import {once} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, it, vi} from 'vitest';
import type {Event, Item} from '../../../../src/pod/protocol.ts';
import {configure, everything, everythingAt, filesystem, freePort, writtenServer} from '../../../helpers/mcp-server.ts';
import {allowed, reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {attached, served} from '../../../helpers/socket-pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';

const results = (items: readonly Item[]) => items.filter(item => item.type === 'tool_result');
const setups = (items: readonly Item[]) => items.filter(item => item.type === 'setup');
const offered = (told: TestPod) =>
	setups(told.items())
		.at(-1)!
		.tools.map(({name}) => name)
		.filter(name => name.startsWith('mcp__'));
const alerts = (told: TestPod) =>
	told.events
		.filter((event): event is Extract<Event, {type: 'alert'}> => event.type === 'alert')
		.map(({alert}) => alert.text);
const isAlive = (pid: number) => {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
};

describe('published MCP servers', () => {
	it('are in the setup before the first request, and their pictures are named but not sent', async () => {
		const project = await tempProject();
		await configure(project, {everything: {command: process.execPath, args: [everything, 'stdio']}});
		const model = eventModel(
			answer(
				calls('c1', 'mcp__everything__echo', {message: 'hi'}),
				calls('c2', 'mcp__everything__get-tiny-image', {}),
				calls('c3', 'mcp__everything__get-sum', {a: 'x'}),
			),
			answer(says('Done.')),
		);
		const told = await testPod(project, {...allowed, model});
		expect(await told.pod.mcp()).toMatchObject([
			{name: 'everything', source: 'user', transport: 'stdio', state: 'idle', tools: []},
		]);
		expect(await told.run('go')).toEqual({accepted: true});
		await told.rest();
		expect(offered(told)).toContain('mcp__everything__echo');
		expect(model.requests[0]!.tools.map(({name}) => name)).toEqual(
			setups(told.items())[0]!.tools.map(({name}) => name),
		);
		const byCall = new Map(results(told.items()).map(result => [result.callId, result]));
		expect(byCall.get('c1')).toMatchObject({summary: '8 bytes', content: 'Echo: hi', isError: false});
		expect(byCall.get('c2')!.content).toMatch(/\[image, not shown: image\/png, \d+ bytes\]/);
		expect(byCall.get('c3')).toMatchObject({isError: true});
		expect(await told.pod.mcp()).toMatchObject([{state: 'ready'}]);
		expect((await told.pod.mcp())[0]!.tools).toContainEqual({
			name: 'mcp__everything__echo',
			description: 'Echoes back the input string',
		});
		expect(alerts(told)).toEqual([]);
	});

	it('get the variables of the entry and of the user, but no API keys of models', async () => {
		const project = await tempProject();
		await configure(project, {
			e: {
				command: process.execPath,
				args: [everything, 'stdio'],
				env: {OWN: 'mine', FROM: '${PLACE:-here} ${HOME}'},
			},
		});
		const env = {
			HOME: join(project.dir, '../home'),
			PATH: process.env['PATH'],
			ANTHROPIC_API_KEY: 'sk-secret-1',
			OPENAI_API_KEY: 'sk-secret-2',
			OTHER: 'kept',
		};
		const told = await testPod(project, {
			...allowed,
			model: eventModel(answer(calls('c1', 'mcp__e__get-env', {})), answer(says('Done.'))),
			env,
		});
		await told.run('go');
		await told.rest();
		expect(JSON.parse(results(told.items())[0]!.content)).toEqual({
			HOME: env.HOME,
			PATH: env.PATH,
			OTHER: 'kept',
			OWN: 'mine',
			FROM: `here ${env.HOME}`,
			INKPOD_COMMAND: expect.any(String) as unknown,
		});
		expect(await readFile(told.file, 'utf8')).not.toContain('sk-secret');
	});

	it('read and write in their folder, and their errors stay errors', async () => {
		const project = await tempProject({'a.txt': 'in the file\n'});
		await configure(project, {files: {command: process.execPath, args: [filesystem, '.']}});
		const told = await testPod(project, {
			...allowed,
			model: eventModel(
				answer(
					calls('c1', 'mcp__files__read_text_file', {path: project.path('a.txt')}),
					calls('c2', 'mcp__files__write_file', {path: project.path('b.txt'), content: 'new'}),
					calls('c3', 'mcp__files__read_text_file', {path: '/etc/passwd'}),
				),
				answer(says('Done.')),
			),
		});
		await told.run('go');
		await told.rest();
		const byCall = new Map(results(told.items()).map(result => [result.callId, result]));
		expect(byCall.get('c1')).toMatchObject({content: 'in the file\n', isError: false});
		expect(await readFile(project.path('b.txt'), 'utf8')).toBe('new');
		expect(byCall.get('c3')).toMatchObject({isError: true, summary: 'an error'});
	});

	it('are connected again by the next run after a failure over HTTP', async () => {
		const port = await freePort();
		const start = async () => everythingAt(port, 'streamableHttp');
		const first = await start();
		const project = await tempProject();
		await configure(project, {remote: {type: 'http', url: `http://127.0.0.1:${port}/mcp?token=t`}});
		const echo = (id: string) => answer(calls(id, 'mcp__remote__echo', {message: id}));
		const told = await testPod(project, {
			...allowed,
			model: eventModel(
				echo('c1'),
				answer(says('Done.')),
				echo('c2'),
				answer(says('Done.')),
				echo('c3'),
				answer(says('Done.')),
			),
		});
		await told.run('one');
		await told.rest();
		expect(await told.pod.mcp()).toMatchObject([
			{transport: 'http', target: `http://127.0.0.1:${port}/mcp`, state: 'ready'},
		]);
		first.kill('SIGKILL');
		await once(first, 'exit');
		await told.run('two');
		await told.rest();
		expect(await told.pod.mcp()).toMatchObject([
			{
				state: 'failed',
				sentence: 'The MCP server remote is no longer available: it cannot be reached (ECONNREFUSED).',
			},
		]);
		await start();
		await told.run('three');
		await told.rest();
		expect(results(told.items()).map(({content}) => content)).toEqual([
			'Echo: c1',
			'The MCP server remote did not complete the call: it cannot be reached (ECONNREFUSED).',
			'Echo: c3',
		]);
	});
});

describe('a session with MCP servers', () => {
	it('leaves no process of a server or its children when it is closed', async () => {
		const project = await tempProject();
		const pids = project.path('../pids');
		await configure(project, {
			s: await writtenServer(
				project,
				`
			process.on('SIGTERM', () => {});
			const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'ignore'});
			setInterval(() => {}, 1000);
			tools = [tool('t')];
			writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
		`,
			),
		});
		const told = await testPod(project, {...allowed, model: eventModel(answer(says('Yes.')))});
		await told.run('go');
		await told.rest();
		const running = (await readFile(pids, 'utf8')).split(' ').map(Number);
		expect(running.map(isAlive)).toEqual([true, true]);
		await told.pod.send({method: 'shutdown'});
		await expect.poll(() => running.map(isAlive)).toEqual([false, false]);
	});

	it.skipIf(process.platform !== 'linux').each([
		['is closed and ends by itself', '', 'shutdown'],
		['is closed and does not end', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`, 'shutdown'],
		['ends by itself', `call = () => process.exit(1);`, 'call'],
		[
			'floods and is stopped',
			`call = () => setInterval(() => process.stdout.write('{}\\n'.repeat(30000)), 1);`,
			'call',
		],
	] as const)('leaves no process behind when the server %s', async (_, code, end) => {
		const project = await tempProject();
		const file = project.path('../pid');
		await configure(project, {
			s: await writtenServer(
				project,
				`
			tools = [tool('t')];
			${code}
			spawn('sh', ['-c', 'setsid sleep 1000 & echo $! > ${file}'], {stdio: 'ignore'});
		`,
			),
		});
		const model = eventModel(
			answer(end === 'call' ? calls('1', 'mcp__s__t', {}) : says('Yes.')),
			answer(says('Yes.')),
		);
		const told = await testPod(project, {...allowed, model});
		await told.run('go');
		await told.rest();
		const pid = await vi.waitFor(
			async () => Number((await readFile(file, 'utf8')).trim()) || Promise.reject(new Error('not yet')),
		);
		onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
		if (end === 'shutdown') {
			expect(isAlive(pid)).toBe(true);
			await told.pod.send({method: 'shutdown'});
		}
		await expect.poll(() => isAlive(pid), {timeout: 5000}).toBe(false);
	});

	it('sends the same setup when it is resumed, and a new one when the tools changed', async () => {
		const project = await tempProject();
		const list = project.path('../tools');
		await writeFile(list, '["b", "a"]');
		await configure(project, {
			s: await writtenServer(
				project,
				`tools = () => JSON.parse(readFileSync(${JSON.stringify(list)}, 'utf8')).map(name => tool(name));`,
			),
		});
		const told = await testPod(project, {...allowed, model: eventModel(answer(says('Yes.')))});
		await told.run('go');
		await told.rest();
		await told.pod.send({method: 'shutdown'});
		await writeFile(list, '["a", "b"]');
		const again = await testPod(project, {
			...allowed,
			session: await reopened(told),
			model: eventModel(answer(says('Yes.')), answer(says('Yes.'))),
		});
		await again.run('go on');
		await again.rest();
		expect(setups(again.items())).toHaveLength(1);
		await writeFile(list, '["a", "c"]');
		await again.run('and on');
		await again.rest();
		expect(offered(again)).toEqual(['mcp__s__a', 'mcp__s__c']);
	});

	it('has no server and no warning without a configuration', async () => {
		const told = await testPod(await tempProject(), {...allowed, model: eventModel(answer(says('Yes.')))});
		await told.run('go');
		await told.rest();
		expect([await told.pod.mcp(), alerts(told), offered(told)]).toEqual([[], [], []]);
	});

	it('lists its servers in an attached terminal', async () => {
		const project = await tempProject();
		await configure(project, {s: await writtenServer(project, `tools = [tool('t')];`), broken: {args: []}});
		const told = await testPod(project, {...allowed, model: eventModel(answer(says('Yes.')))});
		await told.run('go');
		await told.rest();
		const {path} = await served(told.pod);
		const there = await attached(path);
		expect(await there.mcp()).toEqual(await told.pod.mcp());
		expect(await there.mcp()).toMatchObject([
			{name: 's', state: 'ready', tools: [{name: 'mcp__s__t', description: 'd'}]},
			{name: 'broken', state: 'failed'},
		]);
	});
});
