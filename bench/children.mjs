// Measures the whole program on a pty while each of four child sessions streams 50 tokens per second: the echo of keys,
// the CPU, and the additional resident memory per child. Prints one line of JSON for each round.
//
//   node bench/children.mjs [rounds]
import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import http from 'node:http';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {setTimeout as wait} from 'node:timers/promises';
import {builtProgram} from '../test/helpers/built.ts';
import {openTerminal} from '../test/helpers/pty.ts';
import {percentile} from './statistics.mjs';
import {markdownTokens} from './text.mjs';
import {usageOf} from './usage.mjs';

const children = 4;
const rate = 50;
const patience = {timeoutMs: 60_000};
const rounds = Number(process.argv[2] ?? 3);
const model = await startModel();
for (let round = 0; round < rounds; round++) process.stdout.write(`${JSON.stringify(await measure(model.url))}\n`);
model.close();

async function measure(url) {
	const dir = await mkdtemp(path.join(tmpdir(), 'inkpod-children-'));
	await mkdir(path.join(dir, 'project'));
	const terminal = await openTerminal({
		command: [process.execPath, await builtProgram()],
		args: ['--model', 'openai-compatible/bench-model', '--approval', 'auto'],
		cwd: path.join(dir, 'project'),
		cols: 120,
		rows: 40,
		env: {
			INKPOD_HOME: path.join(dir, 'state'),
			OPENAI_COMPATIBLE_BASE_URL: url,
			OPENAI_COMPATIBLE_API_KEY: 'none',
		},
	});
	try {
		await terminal.waitFor('bench-model', patience);
		await wait(2000);
		// The first answer loads the code that every session needs.
		await say(terminal, 'hello');
		await terminal.waitFor('Hello.', patience);
		await wait(2000);
		const before = usageOf(terminal.pid);
		await say(terminal, 'begin');
		await terminal.waitFor('4 pods', patience);
		await wait(3000);
		const [started, startedAt] = [usageOf(terminal.pid), performance.now()];
		await wait(10_000);
		const cpu = ((usageOf(terminal.pid).cpu - started.cpu) / ((performance.now() - startedAt) / 1000)) * 100;
		const delays = await typeKeys(terminal, 100);
		const rss = (usageOf(terminal.pid).rss - before.rss) / children;
		return {p50: percentile(delays, 0.5), p95: percentile(delays, 0.95), cpu, rssPerChild: rss, rss: before.rss};
	} finally {
		await terminal.close();
		await rm(dir, {recursive: true, force: true});
	}
}

async function say(terminal, words) {
	terminal.write(words);
	await terminal.waitFor(`❯ ${words}`, patience);
	terminal.write('\r');
}

async function typeKeys(terminal, count) {
	const delays = [];
	let typed = '';
	while (delays.length < count) {
		await wait(40 + Math.random() * 40);
		const letter = 'wxkvjqbmphgdfyuc'[(delays.length * 5) % 16];
		typed += letter;
		const writtenAt = performance.now();
		terminal.write(letter);
		delays.push((await terminal.waitFor(`❯ ${typed}`, patience)) - writtenAt);
		if (typed.length === 40) {
			terminal.write('\x15');
			await terminal.waitFor(screen => !screen.includes(typed), patience);
			typed = '';
		}
	}
	return delays;
}

/** Starts a model that gives its work to four children. Each child streams a long answer. */
async function startModel() {
	const server = http.createServer(async (request, response) => {
		const body = await text(request);
		if (!request.url.endsWith('/chat/completions')) {
			response.writeHead(200, {'content-type': 'application/json'});
			response.end(JSON.stringify({object: 'list', data: [{id: 'bench-model', object: 'model'}]}));
			return;
		}
		response.writeHead(200, {'content-type': 'text/event-stream'});
		const {messages} = JSON.parse(body);
		const last = JSON.stringify(messages.at(-1));
		if (last.includes('Part ')) await streamSlowly(response);
		else if (last.includes('begin')) response.write(chunk({role: 'assistant', tool_calls: podCalls()}));
		else response.write(chunk({role: 'assistant', content: 'Hello.'}));
		response.write(chunk({}, last.includes('begin') ? 'tool_calls' : 'stop'));
		response.end('data: [DONE]\n\n');
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}/v1`,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

function podCalls() {
	return Array.from({length: children}, (_, index) => ({
		index,
		id: `call${index}`,
		type: 'function',
		function: {name: 'pod', arguments: JSON.stringify({task: `Part ${index}`, title: `Part ${index}`})},
	}));
}

async function streamSlowly(response) {
	const startedAt = performance.now();
	for (const [index, token] of markdownTokens(4000).entries()) {
		if (response.destroyed) return;
		const due = startedAt + (index / rate) * 1000;
		if (due > performance.now()) await wait(due - performance.now());
		response.write(chunk({content: token}));
	}
}

function chunk(delta, finish = null) {
	const head = {id: 'answer', object: 'chat.completion.chunk', created: 1, model: 'bench-model'};
	return `data: ${JSON.stringify({...head, choices: [{index: 0, delta, finish_reason: finish}]})}\n\n`;
}
