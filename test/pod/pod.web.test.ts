import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {Rule} from '../../src/pod/permissions/approval/rule.ts';
import {narrowDetails, narrowOrigin, type Segment} from '../../src/pod/protocol.ts';
import {scriptedModel, type Item, type Model} from '../../src/worker/index.ts';
import {startServer} from '../helpers/proxy-server.ts';
import {testPod, type TestPod, type TestPodOptions} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';

const web = {resolve: async (name: string) => (name.endsWith('.example') ? ['127.0.0.1'] : [])};
const local: Rule = {tool: 'fetch', match: 'http://127.0.0.1:*', action: 'allow'};

function rules(user: readonly Rule[], mode: 'ask' | 'accept-edits' | 'auto' = 'ask'): Pick<TestPodOptions, 'approval'> {
	return {approval: {mode, rules: {user, project: []}}};
}

function fetching(...calls: ReadonlyArray<Record<string, unknown>>): Model {
	return scriptedModel([
		...calls.map(args => [{type: 'tool_call', name: 'fetch', arguments: args}] as const),
		[{type: 'text', text: 'done'}],
	]);
}

async function open(model: Model, options: Partial<TestPodOptions> = {}): Promise<TestPod> {
	return testPod(await tempProject(), {model, web, ...rules([local]), ...options});
}

const results = (items: readonly Item[]) => items.filter(item => item.type === 'tool_result');
const asks = ({status}: TestPod) => status().asks;

async function answer(pod: TestPod, choice: string): Promise<{readonly title: string; readonly detail: string}> {
	await pod.until(() => asks(pod).length > 0);
	const [ask] = asks(pod);
	if (ask === undefined) throw new Error('nothing is asked');
	await pod.pod.send({method: 'answer', askId: ask.id, choice});
	await pod.until(() => !asks(pod).some(({id}) => id === ask.id));
	return {title: ask.title, detail: ask.detail};
}

describe('the tool fetch', () => {
	it('returns the text of a page with its facts', async () => {
		const {port} = await startServer((_, response) =>
			response
				.writeHead(200, {'content-type': 'text/html'})
				.end('<h1>Title</h1><p>Text with <a href="/b">b</a>.'),
		);
		const url = `http://docs.example:${port}/a`;
		const pod = await open(fetching({url}), rules([local], 'auto'));
		await pod.run('fetch it');
		await pod.rest();
		const [result] = results(pod.items());
		const [address, facts, ...text] = result?.content.split('\n') ?? [];
		expect(address).toBe(`[Web: ${url}]`);
		expect(facts).toMatch(/^\[200, text\/html, \d+ bytes, fetched .+Z, sha256 [\da-f]{12}\]$/);
		expect(text.join('\n')).toContain(`# Title\n\nText with [b](http://docs.example:${port}/b).`);
		expect(result?.summary).toMatch(/^200 · \d+ B$/);
		expect(narrowDetails(result?.details).web).toMatchObject({
			url,
			finalUrl: url,
			status: 200,
			mediaType: 'text/html',
			bytes: 46,
			first: 0,
		});
	});

	it('asks for every new host, and what is allowed for the session applies to this host only', async () => {
		const {port} = await startServer((_, response) => response.end('text'));
		const pages = ['one.example', 'one.example', 'two.example'].map(host => ({url: `http://${host}:${port}/x`}));
		const pod = await open(fetching(...pages), rules([local], 'accept-edits'));
		await pod.run('fetch them');
		await pod.until(() => asks(pod).length > 0);
		expect(asks(pod)[0]?.choices).toMatchObject([
			{choice: 'allow'},
			{choice: 'session', label: `Yes, and don't ask again for fetch on "http://one.example:${port}/*"`},
			{choice: 'deny'},
			{
				choice: 'always',
				label: `Yes, always in this project: fetch on "http://one.example:${port}/*"`,
				rule: `Allow fetch, only for exactly:\nhttp://one.example:${port}/*`,
				more: true,
			},
		]);
		expect(await answer(pod, 'session')).toEqual({
			title: 'Fetch a page from one.example?',
			detail: `http://one.example:${port}/x`,
		});
		expect((await answer(pod, 'deny')).detail).toBe(`http://two.example:${port}/x`);
		await pod.rest();
		expect(results(pod.items()).map(({isError}) => isError)).toEqual([false, false, true]);
		expect(narrowDetails(results(pod.items())[2]?.details).denied).toEqual({
			by: 'user',
			subject: `http://two.example:${port}/x`,
		});
	});

	it('runs by a rule, is denied by a rule, and without a rule is denied if nobody can be asked', async () => {
		let requests = 0;
		const {port} = await startServer((_, response) => {
			requests += 1;
			response.end('text');
		});
		const one = {url: `http://docs.example:${port}/`};
		const two = {url: `http://docs.example:${port}/admin/%2e./admin/x`};
		const three = {url: `http://other.example:${port}/`};
		const user: readonly Rule[] = [
			{tool: 'fetch', match: 'http://docs.*/admin', action: 'deny'},
			{tool: 'fetch', match: 'http://docs.*:*', action: 'allow'},
			local,
		];
		const pod = await open(fetching(one, two, three), {attended: false, ...rules(user)});
		await pod.run('fetch them');
		await pod.rest();
		expect(results(pod.items()).map(({summary}) => summary)).toEqual([
			'200 · 4 B',
			'Denied by a rule',
			'Denied: no one to approve',
		]);
		expect(requests).toBe(1);
	});

	it('refuses private addresses in every mode and without a question, unless a rule names the address', async () => {
		const {port} = await startServer((_, response) => response.end('inner'));
		const urls = [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, `http://docs.example:${port}/`];
		const calls = urls.map(url => ({url}));
		const wide: readonly Rule[] = [
			{tool: 'fetch', action: 'allow'},
			{tool: 'fetch', match: '*', action: 'allow'},
			{tool: 'fetch', match: 'http://docs.example:*', action: 'allow'},
		];
		for (const approval of [rules(wide), rules(wide, 'auto'), rules([], 'auto')]) {
			const pod = await open(fetching(...calls), approval);
			await pod.run('fetch them');
			await pod.rest();
			for (const {content} of results(pod.items())) expect(content).toContain('the address is not public');
		}
		const asked = await open(fetching(...calls.slice(0, 2)), rules([]));
		await asked.run('fetch them');
		await asked.rest();
		expect(results(asked.items()).map(({isError}) => isError)).toEqual([true, true]);
		const localhost: Rule = {tool: 'fetch', match: 'http://localhost:*', action: 'allow'};
		const pod = await open(fetching(...calls), {
			...rules([localhost, ...wide]),
			web: {resolve: async () => ['127.0.0.1']},
		});
		await pod.run('fetch them');
		await pod.rest();
		expect(results(pod.items()).map(({isError}) => isError)).toEqual([true, false, true]);
	});

	it('asks about a redirect to another site, and its refusal is the result', async () => {
		const other = await startServer((_, response) => response.end('other'));
		const target = `http://other.example:${other.port}/`;
		const {port} = await startServer((request, response) => {
			if (request.url === '/') response.writeHead(302, {location: '/here'}).end();
			else response.writeHead(302, {location: target}).end();
		});
		const url = `http://docs.example:${port}/`;
		const docs: Rule = {tool: 'fetch', match: 'http://docs.example:*', action: 'allow'};
		const pod = await open(fetching({url}, {url}), rules([local, docs]));
		await pod.run('fetch it twice');
		expect(await answer(pod, 'deny')).toEqual({
			title: 'Follow a redirect to another site?',
			detail: `${target}\n\nRedirected from http://docs.example:${port}/here`,
		});
		await answer(pod, 'allow');
		await pod.rest();
		expect(results(pod.items()).map(({summary}) => summary)).toEqual(['Denied by the user', '200 · 5 B']);
		expect(narrowDetails(results(pod.items())[1]?.details).web).toMatchObject({url, finalUrl: target});
		const alone = await open(fetching({url}), {...rules([local, docs]), attended: false});
		await alone.run('fetch it');
		await alone.rest();
		expect(results(alone.items()).map(({summary}) => summary)).toEqual(['Denied: no one to approve']);
	});

	it('follows no redirect that a rule or a hook refuses, even on the same site', async () => {
		const {port} = await startServer((request, response) => {
			if (request.url === '/admin') response.end('secret');
			else response.writeHead(302, {location: '/admin'}).end();
		});
		const url = `http://docs.example:${port}/`;
		const denied: Rule = {tool: 'fetch', match: 'http://docs.example/admin', action: 'deny'};
		const byRule = await open(fetching({url}), rules([denied, local], 'auto'));
		await byRule.run('fetch it');
		await byRule.rest();
		const seen: unknown[] = [];
		const byHook = await open(fetching({url}), {
			...rules([local], 'auto'),
			toolHooks: {
				async before({tool, args}) {
					seen.push(tool, args);
					return seen.length < 4 ? {type: 'continue'} : {type: 'cancel', reason: 'not there'};
				},
			},
		});
		await byHook.run('fetch it');
		await byHook.rest();
		expect(results([...byRule.items(), ...byHook.items()]).map(({summary}) => summary)).toEqual([
			'Denied by a rule',
			'Denied by a hook',
		]);
		expect(seen).toEqual(['fetch', {url}, 'fetch', {url: `${url}admin`}]);
	});

	it('asks again about a host that only a proxy can resolve, whatever the rules and the mode', async () => {
		const env = {HOME: '/', HTTP_PROXY: 'http://127.0.0.1:1'};
		const all: readonly Rule[] = [{tool: 'fetch', action: 'allow'}];
		const url = 'http://corp.internal/';
		const pod = await open(fetching({url}), {env, ...rules(all, 'auto')});
		await pod.run('fetch it');
		expect(await answer(pod, 'deny')).toEqual({
			title: 'Fetch this page? address not checked (proxy)',
			detail: url,
		});
		await pod.rest();
		const alone = await open(fetching({url}), {env, ...rules(all, 'auto'), attended: false});
		await alone.run('fetch it');
		await alone.rest();
		expect(results([...pod.items(), ...alone.items()]).map(({summary}) => summary)).toEqual([
			'Denied by the user',
			'Denied: no one to approve',
		]);
	});

	it('returns a long page in parts, from one request', async () => {
		let requests = 0;
		const body = Array.from({length: 3000}, (_, line) => `line ${line}\n`).join('');
		const {port} = await startServer((_, response) => {
			requests += 1;
			response.writeHead(200, {'content-type': 'text/plain'}).end(body);
		});
		const url = `http://docs.example:${port}/`;
		const calls = [{url}, {url, range: '16382-'}, {url, range: '999999-'}, {url, range: 'x'}];
		const pod = await open(fetching(...calls), rules([local], 'auto'));
		await pod.run('fetch it');
		await pod.rest();
		const [first, second, third, fourth] = results(pod.items());
		const total = Buffer.byteLength(body);
		const next = narrowDetails(first?.details).web?.next ?? 0;
		expect(first?.content).toContain(`[...truncated, ${total} bytes total — use range "${next}-" for the rest]`);
		expect(first?.summary).toBe('200 · 16 KB of 28 KB');
		expect(second?.content).toContain(`bytes 16382-${total - 1} of ${total}`);
		expect(second?.content.endsWith('line 2999\n')).toBe(true);
		expect(third?.content).toContain(`the text has only ${total} bytes`);
		expect(fourth?.content).toContain('write it as "16384-"');
		expect(requests).toBe(1);
	});

	it('reports a failure as an error, with the page of an error status', async () => {
		const {port} = await startServer((_, response) => response.writeHead(404).end('no such page'));
		const calls = [`http://docs.example:${port}/`, 'http://missing.test/', 'ftp://a', 'https://a:b@c.example/'];
		const pod = await open(fetching(...calls.map(url => ({url}))), rules([local], 'auto'));
		await pod.run('fetch them');
		await pod.rest();
		expect(results(pod.items()).map(({summary, isError}) => [summary, isError])).toEqual([
			['404 Not Found · 12 B', true],
			['The page was not fetched: the name missing.test was not found.', true],
			['The page was not fetched: only http and https addresses can be fetched.', true],
			['The page was not fetched: addresses with a user name or a password are refused.', true],
		]);
		expect(results(pod.items())[0]?.content).toContain('no such page');
	});
});

describe('an address in a message', () => {
	const origins = (items: readonly Item[]) =>
		items.flatMap(item => (item.type === 'message' ? (narrowOrigin(item.origin) ?? []) : []));

	it('is fetched without a question when the user typed it, and is attached with its facts', async () => {
		const {port} = await startServer((_, response) =>
			response.writeHead(200, {'content-type': 'text/plain'}).end('the page'),
		);
		const url = `http://docs.example:${port}/a?b=(c)`;
		const pod = await open(scriptedModel([[{type: 'text', text: 'I see.'}]]));
		await pod.run(`read (@${url}), please`);
		await pod.rest();
		expect(origins(pod.items())).toMatchObject([
			{kind: 'submit', segments: [{text: 'read ('}, {path: url, outcome: {}}, {text: '), please'}]},
			{kind: 'web', url, finalUrl: url, status: 200, mediaType: 'text/plain', bytes: 8, truncated: false},
		]);
		const messages = pod.items().flatMap(item => (item.type === 'message' ? item.text : []));
		expect(messages[1]).toBe(`[Web: ${url}]\nthe page`);
		expect(await readFile(pod.file, 'utf8')).toContain('"kind":"web"');
	});

	it('in a paste, in code or in a file is text', async () => {
		let requests = 0;
		const {url} = await startServer((_, response) => {
			requests += 1;
			response.end();
		});
		const project = await tempProject({'a.md': `@${url}`});
		const pod = await testPod(project, {
			model: scriptedModel([[{type: 'text', text: 'ok'}]]),
			web,
			...rules([local]),
		});
		const content = `line\n@${url}`;
		const paste: Segment = {type: 'paste', id: '1', chars: content.length, lines: 2, content};
		await pod.run([{type: 'text', text: `see @a.md and \`@${url}\` and a@${url} `}, paste]);
		await pod.rest();
		expect(origins(pod.items()).map(({kind}) => kind)).toEqual(['submit', 'file']);
		expect(requests).toBe(0);
	});

	it('is cut like a file, and the rest can be fetched', async () => {
		const body = 'word '.repeat(10_000);
		const {port} = await startServer((_, response) => response.end(body));
		const url = `http://docs.example:${port}/`;
		const pod = await open(scriptedModel([[{type: 'text', text: 'ok'}]]));
		await pod.run(`read @${url}`);
		await pod.rest();
		const page = pod.items().find(item => item.type === 'message' && item.role === 'system');
		expect(page).toMatchObject({origin: {kind: 'web', sentBytes: 16_384, textBytes: 50_000, truncated: true}});
		expect(page).toHaveProperty(
			'text',
			expect.stringMatching(
				/\n\[\.\.\.truncated, 50000 bytes total — use fetch with url "http.+" and range "16384-" for the rest\]$/,
			),
		);
	});

	it('that is private, denied or missing fails with a sentence, and the message is sent', async () => {
		const other = await startServer((_, response) => response.end('other'));
		const {port} = await startServer((request, response) => {
			if (request.url === '/404') response.writeHead(404).end();
			else response.writeHead(302, {location: `http://other.example:${other.port}/`}).end();
		});
		const pod = await open(scriptedModel([[{type: 'text', text: 'ok'}]]));
		const docs = `http://docs.example:${port}`;
		const sent = pod.run(`@http://10.0.0.1/ @${docs}/404 @${docs}/moved`);
		expect((await answer(pod, 'deny')).title).toBe('Follow a redirect to another site?');
		await sent;
		await pod.rest();
		const alerts = pod.events.flatMap(event => (event.type === 'alert' ? event.alert.text : []));
		expect(alerts).toEqual([
			expect.stringContaining('http://10.0.0.1/ was not attached: the address is not public (10.0.0.1).'),
			`${docs}/404 was not attached: the server answered with 404 Not Found.`,
			`${docs}/moved was not attached: Denied by the user.`,
		]);
		const [user] = pod.items().filter(item => item.type === 'message');
		expect(user).toMatchObject({
			text:
				`[unresolved file ref: http://10.0.0.1/] [unresolved file ref: ${docs}/404] ` +
				`[unresolved file ref: ${docs}/moved]`,
		});
	});

	it('is not fetched while the message is being written', async () => {
		let requests = 0;
		const {url} = await startServer((_, response) => {
			requests += 1;
			response.end();
		});
		const {pod} = await open(scriptedModel([]));
		const forecast = await pod.preflight([{type: 'text', text: `read @${url}/a. And @https://a:b@c.example/`}]);
		expect(forecast.refs).toMatchObject([
			{ok: true, kind: 'web', ref: {path: `${url}/a`}},
			{ok: false, reason: 'fetch'},
		]);
		expect(requests).toBe(0);
	});

	it('is not fetched when the message is cancelled', async () => {
		const {port} = await startServer(() => {});
		const pod = await open(scriptedModel([]));
		const sent = pod.run(`read @http://docs.example:${port}/`);
		await pod.pod.send({method: 'pause'});
		expect(await sent).toMatchObject({accepted: false, code: 'aborted'});
		expect(pod.items()).toEqual([]);
	});
});
