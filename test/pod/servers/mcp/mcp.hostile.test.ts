import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {openServers} from './open-servers.ts';

describe('a hostile MCP server', () => {
	it('may write lines that are not messages', async () => {
		const {call, prepare} = await openServers({
			chatty:
				`say('Hello!\\n\\n{"jsonrpc":"2.0","id":99,"result":{}}\\n'); tools = [tool('t')]; ` +
				`call = id => { say('thinking...\\n'); answer(id, {content: [{type: 'text', text: 'ok'}]}); ` +
				`answer(id, {content: []}); };`,
		});
		await prepare();
		expect(await call('mcp__chatty__t')).toMatchObject({content: 'ok'});
		expect(await call('mcp__chatty__t')).toMatchObject({content: 'ok'});
	});

	it('turns its call into an error when it dies, and starts again with the next run', async () => {
		const {mcp, warnings, prepare, call} = await openServers({
			fragile: `tools = [tool('t')]; call = () => { process.stderr.write('I fall'); process.exit(7); };`,
		});
		await prepare();
		expect(await call('mcp__fragile__t')).toMatchObject({
			isError: true,
			content: 'The MCP server fragile did not complete the call: it ended with exit code 7.',
		});
		expect(await call('mcp__fragile__t')).toMatchObject({
			isError: true,
			content: 'The MCP server fragile is not running.',
		});
		expect(warnings).toEqual([
			'The MCP server fragile is no longer available: it ended with exit code 7. Last output: I fall',
		]);
		await prepare();
		expect(await mcp.list()).toMatchObject([{state: 'ready'}]);
	});

	it('is abandoned in time when it never answers a call, and is informed when a call is stopped', async () => {
		const {call, prepare, project} = await openServers(
			{
				mute:
					`tools = [tool('t')]; call = () => {}; ` +
					`setInterval(() => writeFileSync(import.meta.filename + '.heard', heard.join(' ')), 20);`,
			},
			{call: 200},
		);
		await prepare();
		expect(await call('mcp__mute__t')).toMatchObject({
			isError: true,
			content: 'The MCP server mute did not complete the call: there was no answer within 0.2 s.',
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

	it('is stopped before the memory is full when it sends a message that is too long', async () => {
		const {call, prepare} = await openServers({
			huge:
				`tools = [tool('t')]; call = () => { const more = () => { while ` +
				`(process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); }; more(); };`,
		});
		await prepare();
		const before = process.memoryUsage().rss;
		expect(await call('mcp__huge__t')).toMatchObject({
			isError: true,
			content:
				'The MCP server huge did not complete the call: ' +
				'it sent a message of more than 16777216 bytes, so inkpod ended the connection.',
		});
		expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
	});

	it('may flood its stderr, of which only the end is kept', async () => {
		const {mcp, call, prepare} = await openServers({
			loud:
				`tools = [tool('t')]; call = id => { for (let i = 0; i < 3000; ` +
				`i++) process.stderr.write('é'.repeat(500) + i + '\\n'); answer(id, {content: [{type: ` +
				`'text', text: 'ok'}]}); process.stderr.write('', () => process.exit(1)); };`,
		});
		await prepare();
		expect(await call('mcp__loud__t')).toMatchObject({content: 'ok'});
		await expect.poll(async () => (await mcp.list())[0]!.state).toBe('failed');
		const {sentence = ''} = (await mcp.list())[0]!;
		expect(sentence).toContain('2999');
		expect(sentence).not.toContain('\ufffd');
		expect(Buffer.byteLength(sentence)).toBeLessThan(8192 + 200);
	});

	it('has its tools listed as harmless text with legal names, or left out with a reason', async () => {
		const {mcp, warnings, prepare} = await openServers({
			'we ird': String.raw`tools = [
			tool('a.b', {description: '\x1b]52;c;aGk=\x07Do\u202e it\n\u{e0041}\u{e0042}' + 'x'.repeat(5000)}),
			tool('a_b'), tool('a b'), tool('__proto__'), tool('constructor'), tool('same'), tool('same'),
			tool('long' + 'g'.repeat(200)), tool(''), tool('esc\x1b[2J'),
			tool('self', {inputSchema: {type: 'object', properties: {a: {$ref: '#'}}}}),
			tool('big', {inputSchema: {type: 'object', description: 'x'.repeat(40000)}}),
			tool('polluting', {
			inputSchema: JSON.parse('{"type":"object","properties":{"a":{"properties":{"__proto__":{"type":"string"}}}}}'),
		}),
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
			'"polluting" is left out: its input schema has a property called __proto__.',
			'"list" is left out: its input schema is not of type object.',
		]);
		expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
	});

	it('leaves no process when the session is closed while it starts', async () => {
		const {mcp, prepare, project} = await openServers(
			{
				mute:
					`initialize = () => {}; setInterval(() => {}, 1000); ` +
					`writeFileSync(import.meta.filename + '.pid', String(process.pid));`,
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

	it.each([
		[
			'notifications',
			`'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\\n'`,
			'more than 20000 unrequested messages in 10 s',
		],
		[
			'answers that nobody requested',
			`'{"jsonrpc":"2.0","id":99,"result":{}}\\n'`,
			'more than 20000 unrequested messages in 10 s',
		],
		['pings', `'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n'`, 'more than 20000 unrequested messages in 10 s'],
		[
			'sampling',
			`'{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}\\n'`,
			'more than 20000 unrequested messages in 10 s',
		],
		[
			'elicitations',
			`'{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}\\n'`,
			'more than 20000 unrequested messages in 10 s',
		],
		['blank lines', `'\\n'`, 'more than 20000 unrequested messages in 10 s'],
		['lines that are not messages', `'thinking\\n'`, 'more than 20000 unrequested messages in 10 s'],
		[
			'answers, each 8 MB',
			`JSON.stringify({jsonrpc: '2.0', id: 99, result: {x: 'x'.repeat(8388608)}}) + '\\n'`,
			'more than 128 MB in 10 s',
		],
		[
			'answers of 100,000 values each',
			`'{"jsonrpc":"2.0","id":99,"result":{"content":[' + '{},'.repeat(50000) + '{}]}}\\n'`,
			'more than 200000 JSON values in 10 s',
		],
		[
			'answers of many small values',
			`'{"jsonrpc":"2.0","id":99,"result":{"content":[' + '{},'.repeat(250000) + '{}]}}\\n'`,
			'a message of more than 200000 JSON values or 1000 levels',
		],
	])('is stopped with a sentence when it floods its output with %s', async (_, piece, why) => {
		const flood =
			`const piece = ${piece}; const block = piece.repeat(Math.max(1, 65536 / piece.length)); ` +
			`const more = () => { while (process.stdout.write(block)); process.stdout.once('drain', more); }; more();`;
		const {call, prepare, mcp} = await openServers({flood: `tools = [tool('t')]; call = () => { ${flood} };`});
		await prepare();
		const before = process.memoryUsage().rss;
		expect(await call('mcp__flood__t')).toMatchObject({
			isError: true,
			content: `The MCP server flood did not complete the call: it sent ${why}, so inkpod ended the connection.`,
		});
		expect((await mcp.list())[0]).toMatchObject({state: 'failed'});
		expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
	});

	it('is stopped before the memory is full when it sends endless requests and reads nothing', async () => {
		const long = `JSON.stringify({jsonrpc: '2.0', id: 1, method: 'x'.repeat(1000000)}) + '\\n'`;
		const {call, prepare} = await openServers({
			deaf:
				`tools = [tool('t')]; call = () => { process.stdin.pause(); const line = ${long}; ` +
				`const more = () => { while (process.stdout.write(line)); ` +
				`process.stdout.once('drain', more); }; more(); };`,
		});
		await prepare();
		expect(await call('mcp__deaf__t')).toMatchObject({
			isError: true,
			content: 'The MCP server deaf did not complete the call: it does not read its input, so inkpod stopped it.',
		});
	});

	it('delays no one when it never stops writing to stderr', async () => {
		const {mcp, call, prepare} = await openServers(
			{
				loud:
					`tools = [tool('t')]; const line = 'x'.repeat(65536); ` +
					`const more = () => { while (process.stderr.write(line)); ` +
					`process.stderr.once('drain', more); }; call = () => more();`,
				good: `tools = [tool('t')];`,
			},
			{call: 1000},
		);
		await prepare();
		expect(await call('mcp__loud__t')).toMatchObject({isError: true});
		expect(await call('mcp__good__t')).toMatchObject({content: 'ok'});
		await mcp.close();
	});

	it.each([
		['10,000 tools', `tools = Array.from({length: 10000}, (_, at) => tool('t' + at));`],
		[
			'endless pages',
			`let page = 0; tools = () => [tool('t' + page++)]; const plain = answer; ` +
				`const real = JSON.stringify; JSON.stringify = value => real(value?.result?.tools === ` +
				`undefined ? value : {...value, result: {...value.result, nextCursor: 'more'}});`,
		],
	])('is used up to the limit, with a warning, when it lists %s', async (_, body) => {
		const {mcp, warnings, prepare} = await openServers({many: body});
		await prepare();
		expect(mcp.tools().length).toBeLessThanOrEqual(512);
		expect(mcp.tools().length).toBeGreaterThan(0);
		expect(warnings.join('\n')).toContain('The MCP server many: it lists more tools than inkpod reads.');
	});

	it('is stopped when it sends 100,000 levels of JSON', async () => {
		const {call, prepare} = await openServers(
			{
				deep:
					`tools = [tool('t')]; call = id => say('{"jsonrpc":"2.0","id":' + id + ` +
					`',"result":{"structuredContent":' + '['.repeat(100000) + ']'.repeat(100000) + '}}\\n');`,
			},
			{call: 3000},
		);
		await prepare();
		expect(await call('mcp__deep__t')).toMatchObject({
			isError: true,
			content: expect.stringContaining('more than 200000 JSON values or 1000 levels'),
		});
	});

	it('is killed when it ignores SIGTERM and a closed input', async () => {
		const {mcp, prepare, project} = await openServers({
			stubborn:
				`tools = [tool('t')]; process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); ` +
				`writeFileSync(import.meta.filename + '.pid', String(process.pid));`,
		});
		await prepare();
		const pid = Number(await readFile(project.path('../servers/stubborn.mjs.pid'), 'utf8'));
		await mcp.close();
		expect(() => process.kill(pid, 0)).toThrow('ESRCH');
	});
});
