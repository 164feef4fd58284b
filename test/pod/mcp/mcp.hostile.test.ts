import {chmod, readdir, readFile} from 'node:fs/promises';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createMcp, type Mcp} from '../../../src/pod/mcp/mcp.ts';
import type {McpTimes} from '../../../src/pod/mcp/server.ts';
import type {Tool, ToolOutput} from '../../../src/worker/index.ts';
import {withTime} from '../../helpers/effort.ts';
import {configure, writtenServer} from '../../helpers/mcp-server.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

type Opened = {
	readonly mcp: Mcp;
	readonly warnings: string[];
	readonly project: TempProject;
	readonly prepare: () => Promise<void>;
	readonly call: (name: string, signal?: AbortSignal) => Promise<ToolOutput>;
};

/** The servers of a person whose mcp.json names those of these bodies. */
async function opened(bodies: Readonly<Record<string, string>>, times: Partial<McpTimes> = {}): Promise<Opened> {
	const project = await tempProject();
	const entries = await Promise.all(
		Object.entries(bodies).map(
			async ([name, body]) => [name, await writtenServer(project, body, `${name}.mjs`)] as const,
		),
	);
	await configure(project, Object.fromEntries(entries));
	const warnings: string[] = [];
	const mcp = createMcp({
		pwd: project.dir,
		env: {HOME: project.path('../home')},
		trust: {check: async () => 'denied'},
		attended: true,
		onStart() {},
		onWarning: text => warnings.push(text),
		times,
	});
	onTestFinished(async () => mcp.close());
	const toolOf = (name: string): Tool => mcp.tools().find(({definition}) => definition.name === name)!;
	return {
		mcp,
		warnings,
		project,
		prepare: async () => mcp.prepare(new AbortController().signal),
		async call(name, signal = new AbortController().signal) {
			const output = await toolOf(name).execute({}, {id: 'i', callId: 'c', signal, progress() {}});
			if (output === 'moved') throw new Error('a server has no place that moves');
			return output;
		},
	};
}

describe('a server that does not start', () => {
	test('never answers, the run goes on without it; the next run does not wait, and at last it is given up and ended', async () => {
		// Long enough for the good one to start.
		const {
			result: {mcp, warnings, prepare},
			ms: patience,
		} = await withTime(
			async ms => {
				const made = await opened(
					{mute: 'initialize = () => {}; setInterval(() => {}, 1000);', good: `tools = [tool('t')];`},
					{patience: ms, start: 4 * ms},
				);
				await made.prepare();
				return made;
			},
			({mcp}) => mcp.tools().length === 1,
		);
		expect(mcp.tools().map(({definition}) => definition.name)).toEqual(['mcp__good__t']);
		expect(await mcp.list()).toMatchObject([
			{name: 'mute', state: 'starting'},
			{name: 'good', state: 'ready'},
		]);
		expect(warnings).toEqual([
			expect.stringContaining(
				`The MCP server mute has not answered for ${patience / 1000} s. The run continues without it`,
			),
		]);
		await prepare();
		expect(warnings).toHaveLength(1);
		await expect.poll(async () => (await mcp.list())[0]!.state).toBe('failed');
		expect(warnings[1]).toBe(
			`The MCP server mute could not be started: it did not answer within ${(4 * patience) / 1000} s.`,
		);
	});

	test('is slow, its tools come with a later run', async () => {
		const {mcp, prepare} = await opened(
			{slow: `const now = initialize; initialize = id => setTimeout(() => now(id), 600); tools = [tool('t')];`},
			{patience: 100},
		);
		await prepare();
		expect(mcp.tools()).toEqual([]);
		await expect.poll(async () => (await mcp.list())[0]!.state).toBe('ready');
		expect(mcp.tools()).toEqual([]);
		await prepare();
		expect(mcp.tools()).toHaveLength(1);
	});

	test('ends with words on stderr, the sentence has the last of them, inert', async () => {
		const {mcp, warnings, prepare} = await opened({
			dead: String.raw`process.stderr.write('first\n\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202eturned\n'); process.exit(3);`,
		});
		await prepare();
		expect(warnings).toEqual([
			'The MCP server dead could not be started: it ended with exit code 3. Last output: red turned',
		]);
		expect((await mcp.list())[0]).toMatchObject({
			state: 'failed',
			sentence: expect.stringContaining('Last output:\nfirst\nred') as unknown,
		});
	});

	test('is no program, says so', async () => {
		const {mcp, warnings, prepare, project} = await opened({});
		await configure(project, {
			none: {command: 'no-such-program-here'},
			nowhere: {command: process.execPath, cwd: 'gone'},
			null: {command: 'a\0b'},
		});
		await prepare();
		expect(warnings.toSorted()).toEqual([
			'The MCP server none could not be started: there is no such program.',
			`The MCP server nowhere could not be started: there is no folder ${project.path('gone')}.`,
			'The MCP server null could not be started: its command holds a NUL byte.',
		]);
		expect((await mcp.list()).map(({state}) => state)).toEqual(['failed', 'failed', 'failed']);
	});

	test('is named, and only a relative folder of PATH has it: the project does not supply it', async () => {
		const {warnings, prepare, project} = await opened({});
		await chmod(await project.write('bin/server', '#!/bin/sh\ntouch owned\n'), 0o755);
		await configure(project, {s: {command: 'server', env: {PATH: 'bin:./bin::.'}}});
		await prepare();
		expect(warnings).toEqual(['The MCP server s could not be started: there is no such program.']);
		expect(await readdir(project.dir)).toEqual(['bin']);
	});

	test('answers nonsense, is none that the protocol knows', async () => {
		const {warnings, prepare} = await opened({
			odd: `say('Listening on stdio!\\n[1, 2\\n"x"\\n{"jsonrpc":"2.0","id":99,"result":{}}\\n'); initialize = id => answer(id, {hello: 1});`,
			list: `tools = 'many';`,
		});
		await prepare();
		expect(warnings.toSorted()).toEqual([
			'The MCP server list could not be started: its answer is none that the protocol knows.',
			'The MCP server odd could not be started: its answer is none that the protocol knows.',
		]);
	});
});

describe('a server that runs', () => {
	test('says things that are no messages, is heard all the same', async () => {
		const {call, prepare} = await opened({
			chatty: `say('Hello!\\n\\n{"jsonrpc":"2.0","id":99,"result":{}}\\n'); tools = [tool('t')]; call = id => { say('thinking...\\n'); answer(id, {content: [{type: 'text', text: 'ok'}]}); answer(id, {content: []}); };`,
		});
		await prepare();
		expect(await call('mcp__chatty__t')).toMatchObject({content: 'ok'});
		expect(await call('mcp__chatty__t')).toMatchObject({content: 'ok'});
	});

	test('dies in the middle of a call, the call is an error, and the next run starts it anew', async () => {
		const {mcp, warnings, prepare, call} = await opened({
			fragile: `tools = [tool('t')]; call = () => { process.stderr.write('I fall'); process.exit(7); };`,
		});
		await prepare();
		expect(await call('mcp__fragile__t')).toMatchObject({
			isError: true,
			content: 'The MCP server fragile did not do it: it ended with exit code 7.',
		});
		expect(await call('mcp__fragile__t')).toMatchObject({
			isError: true,
			content: 'The MCP server fragile does not run now.',
		});
		expect(warnings).toEqual([
			'The MCP server fragile is no longer available: it ended with exit code 7. Last output: I fall',
		]);
		await prepare();
		expect(await mcp.list()).toMatchObject([{state: 'ready'}]);
	});

	test('never answers a call, is given up in time; a call that is stopped tells the server so', async () => {
		const {call, prepare, project} = await opened(
			{
				mute: `tools = [tool('t')]; call = () => {}; setInterval(() => writeFileSync(import.meta.filename + '.heard', heard.join(' ')), 20);`,
			},
			{call: 200},
		);
		await prepare();
		expect(await call('mcp__mute__t')).toMatchObject({
			isError: true,
			content: 'The MCP server mute did not do it: there was no answer within 0.2 s.',
		});
		const stop = new AbortController();
		const called = call('mcp__mute__t', stop.signal);
		stop.abort(new Error('pause'));
		await expect(called).rejects.toThrow('pause');
		await expect
			.poll(
				async () =>
					(await readFile(project.path('../servers/mute.mjs.heard'), 'utf8').catch(() => '')).match(
						/notifications\/cancelled/g,
					)?.length,
			)
			.toBe(2);
	});

	test('sends a message that is too long, is stopped before the memory is full', async () => {
		const {call, prepare} = await opened({
			huge: `tools = [tool('t')]; call = () => { const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); }; more(); };`,
		});
		await prepare();
		const before = process.memoryUsage().rss;
		expect(await call('mcp__huge__t')).toMatchObject({
			isError: true,
			content:
				'The MCP server huge did not do it: it sent a message of more than 16777216 bytes and was stopped.',
		});
		expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
	});

	test('floods its stderr, is not kept from its work, and only the last is kept', async () => {
		const {mcp, call, prepare} = await opened({
			loud: `tools = [tool('t')]; call = id => { for (let i = 0; i < 3000; i++) process.stderr.write('é'.repeat(500) + i + '\\n'); answer(id, {content: [{type: 'text', text: 'ok'}]}); setTimeout(() => process.exit(1), 200); };`,
		});
		await prepare();
		expect(await call('mcp__loud__t')).toMatchObject({content: 'ok'});
		await expect.poll(async () => (await mcp.list())[0]!.state).toBe('failed');
		const {sentence = ''} = (await mcp.list())[0]!;
		expect(sentence).toContain('2999');
		expect(sentence).not.toContain('\ufffd');
		expect(Buffer.byteLength(sentence)).toBeLessThan(8192 + 200);
	});

	test('has tools with hostile names, descriptions and schemas, they are offered inert, under legal names, each once, or left out with a word', async () => {
		const {mcp, warnings, prepare} = await opened({
			'we ird': String.raw`tools = [
			tool('a.b', {description: '\x1b]52;c;aGk=\x07Do\u202e it\n\u{e0041}\u{e0042}' + 'x'.repeat(5000)}),
			tool('a_b'), tool('a b'), tool('__proto__'), tool('constructor'), tool('same'), tool('same'),
			tool('long' + 'g'.repeat(200)), tool(''), tool('esc\x1b[2J'),
			tool('self', {inputSchema: {type: 'object', properties: {a: {$ref: '#'}}}}),
			tool('big', {inputSchema: {type: 'object', description: 'x'.repeat(40000)}}),
			tool('polluting', {inputSchema: JSON.parse('{"type":"object","properties":{"a":{"properties":{"__proto__":{"type":"string"}}}}}')}),
			tool('list', {inputSchema: {type: 'array'}}),
			tool('annotated', {annotations: {readOnlyHint: true}}),
		];`,
		});
		await prepare();
		const definitions = mcp.tools().map(({definition}) => definition);
		expect(definitions.map(({name}) => name)).toEqual(
			expect.arrayContaining([
				'mcp__we_ird____proto__',
				'mcp__we_ird__a_b',
				'mcp__we_ird__constructor',
				'mcp__we_ird__same',
				'mcp__we_ird__annotated',
			]),
		);
		expect(definitions).toHaveLength(9);
		for (const {name, description} of definitions) {
			expect(name).toMatch(/^[\w-]{1,64}$/);
			expect(description).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
			expect(description.length).toBeLessThan(2100);
		}
		expect(new Set(definitions.map(({name}) => name)).size).toBe(9);
		expect(mcp.tools().every(({effect}) => effect === 'execute')).toBe(true);
		expect(warnings.map(text => text.replace('The MCP server we ird: its tool ', ''))).toEqual([
			'"same" is left out: another tool has that name.',
			'"" is left out: its name is empty or too long.',
			'"self" is left out: its input schema refers to itself.',
			'"big" is left out: its input schema has more than 32768 bytes.',
			'"polluting" is left out: its input schema names a property __proto__.',
			'"list" is left out: its input schema is not of type object.',
		]);
		expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
	});

	test('closed with the session while it starts, leaves nothing', async () => {
		const {mcp, prepare, project} = await opened(
			{
				mute: `initialize = () => {}; setInterval(() => {}, 1000); writeFileSync(import.meta.filename + '.pid', String(process.pid));`,
			},
			{patience: 500},
		);
		const prepared = prepare();
		const pid = async () => readFile(project.path('../servers/mute.mjs.pid'), 'utf8').catch(() => '');
		await expect.poll(pid).not.toBe('');
		await mcp.close();
		await prepared;
		const group = Number(await pid());
		expect(() => process.kill(group, 0)).toThrow('ESRCH');
	});

	test.each([
		[
			'notifications',
			`'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\\n'`,
			'more than 20000 messages in 10 s that nobody asked for',
		],
		[
			'answers to nothing',
			`'{"jsonrpc":"2.0","id":99,"result":{}}\\n'`,
			'more than 20000 messages in 10 s that nobody asked for',
		],
		[
			'pings',
			`'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n'`,
			'more than 20000 messages in 10 s that nobody asked for',
		],
		[
			'sampling',
			`'{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}\\n'`,
			'more than 20000 messages in 10 s that nobody asked for',
		],
		[
			'elicitations',
			`'{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}\\n'`,
			'more than 20000 messages in 10 s that nobody asked for',
		],
		['blank lines', `'\\n'`, 'more than 20000 messages in 10 s that nobody asked for'],
		['lines that are not messages', `'thinking\\n'`, 'more than 20000 messages in 10 s that nobody asked for'],
		[
			'answers, each 8 MB',
			`JSON.stringify({jsonrpc: '2.0', id: 99, result: {x: 'x'.repeat(8388608)}}) + '\\n'`,
			'more than 128 MB in 10 s',
		],
	])('floods its output with %s, is stopped with a sentence', async (_, piece, why) => {
		const flood = `const piece = ${piece}; const block = piece.repeat(Math.max(1, 65536 / piece.length)); const more = () => { while (process.stdout.write(block)); process.stdout.once('drain', more); }; more();`;
		const {call, prepare, mcp} = await opened({flood: `tools = [tool('t')]; call = () => { ${flood} };`});
		await prepare();
		const before = process.memoryUsage().rss;
		expect(await call('mcp__flood__t')).toMatchObject({
			isError: true,
			content: `The MCP server flood did not do it: it sent ${why} and was stopped.`,
		});
		expect((await mcp.list())[0]).toMatchObject({state: 'failed'});
		expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
	});

	test('asks without end and reads nothing, is stopped before the memory is full', async () => {
		const long = `JSON.stringify({jsonrpc: '2.0', id: 1, method: 'x'.repeat(1000000)}) + '\\n'`;
		const {call, prepare} = await opened({
			deaf: `tools = [tool('t')]; call = () => { process.stdin.pause(); const line = ${long}; const more = () => { while (process.stdout.write(line)); process.stdout.once('drain', more); }; more(); };`,
		});
		await prepare();
		expect(await call('mcp__deaf__t')).toMatchObject({
			isError: true,
			content: 'The MCP server deaf did not do it: it does not read its input and was stopped.',
		});
	});

	test('never stops writing to its stderr, leaves time for others, and is not waited for', async () => {
		const {mcp, call, prepare} = await opened(
			{
				loud: `tools = [tool('t')]; const line = 'x'.repeat(65536); const more = () => { while (process.stderr.write(line)); process.stderr.once('drain', more); }; call = () => more();`,
				good: `tools = [tool('t')];`,
			},
			{call: 1000},
		);
		await prepare();
		expect(await call('mcp__loud__t')).toMatchObject({isError: true});
		expect(await call('mcp__good__t')).toMatchObject({content: 'ok'});
		await mcp.close();
	});

	test.each([
		['100,000 tools', `tools = Array.from({length: 100000}, (_, at) => tool('t' + at));`],
		[
			'pages without end',
			`let page = 0; tools = () => [tool('t' + page++)]; const plain = answer; const real = JSON.stringify; JSON.stringify = value => real(value?.result?.tools === undefined ? value : {...value, result: {...value.result, nextCursor: 'more'}});`,
		],
	])('lists %s, is taken up to the limit, with a sentence', async (_, body) => {
		const {mcp, warnings, prepare} = await opened({many: body});
		await prepare();
		expect(mcp.tools().length).toBeLessThanOrEqual(128);
		expect(mcp.tools().length).toBeGreaterThan(0);
		expect(warnings.join('\n')).toContain('The MCP server many: it lists more tools than inkpod reads.');
	});

	test('answers with 100,000 levels of JSON, is an error or a text, never more', async () => {
		const {call, prepare} = await opened(
			{
				deep: `tools = [tool('t')]; call = id => say('{"jsonrpc":"2.0","id":' + id + ',"result":{"structuredContent":' + '['.repeat(100000) + ']'.repeat(100000) + '}}\\n');`,
			},
			{call: 3000},
		);
		await prepare();
		const {isError} = await call('mcp__deep__t').catch((error: unknown) => ({
			isError: error instanceof RangeError,
		}));
		expect(isError).toBe(true);
	});

	test('ignores SIGTERM and an input that is closed, is ended all the same', async () => {
		const {mcp, prepare, project} = await opened({
			stubborn: `tools = [tool('t')]; process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); writeFileSync(import.meta.filename + '.pid', String(process.pid));`,
		});
		await prepare();
		const pid = Number(await readFile(project.path('../servers/stubborn.mjs.pid'), 'utf8'));
		await mcp.close();
		expect(() => process.kill(pid, 0)).toThrow('ESRCH');
	});
});
