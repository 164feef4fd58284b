// Measures what a tool call costs in one long turn: a pod in this process, a real session, and a model that asks for
// one call in each answer. For each thousand calls it prints the CPU milliseconds per call and the memory. It fails if
// the last thousand costs more than twice the first thousand, or if the memory exceeds the limit.
// Without a wire the model makes no body. With a wire it makes the body of each request, but does not send it.
// With `--uncounted` the server reports no tokens. With `--server` the model sends the bodies to a server in a separate
// process.
// Usage: node [--cpu-prof] bench/calls.mjs [--calls 20000] [--wire openai-compatible] [--uncounted] [--server]
// [--most 220]
import {fork, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {z} from 'zod';
import {bundled} from './in-process.mjs';

const step = 1000;

const {values} = parseArgs({
	options: {
		calls: {type: 'string', default: '20000'},
		wire: {type: 'string', default: ''},
		server: {type: 'boolean', default: false},
		uncounted: {type: 'boolean', default: false},
		most: {type: 'string', default: '220'},
		/** These options are set in the measured process: the address of the bundle, and the port of the server. */
		parts: {type: 'string', default: ''},
		port: {type: 'string'},
	},
});
const calls = Number(values.calls);
const self = fileURLToPath(import.meta.url);

if (values.parts !== '') await main();
else if (process.send === undefined) await start();
else startServer();

/** Builds the program, and measures it in a separate process. */
async function start() {
	const server = values.server ? fork(self) : undefined;
	const [port] = server === undefined ? [] : await once(server, 'message');
	const own = [
		'--parts',
		await bundled('bench/calls-parts.ts'),
		...(port === undefined ? [] : ['--port', `${port}`]),
	];
	const child = spawn(process.execPath, [...process.execArgv, self, ...process.argv.slice(2), ...own], {
		stdio: 'inherit',
	});
	[process.exitCode] = await once(child, 'exit');
	server?.disconnect();
}

async function main() {
	const parts = await import(values.parts);
	const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'inkpod-calls-')));
	try {
		const rows = await run(directory, parts, await modelOf(parts));
		const [first, last] = [rows[0], rows.at(-1)];
		const most = Math.max(...rows.map(({rss}) => rss));
		process.stdout.write(
			`the last thousand costs ${(last.cpu / first.cpu).toFixed(2)} times the first, most memory ${most.toFixed(0)} MiB\n`,
		);
		if (last.cpu > 2 * first.cpu || most > Number(values.most)) process.exitCode = 1;
	} finally {
		rmSync(directory, {recursive: true, force: true});
	}
}

/** Runs one turn. Returns the CPU milliseconds per call and the MiB after each thousand calls. */
async function run(directory, parts, {model, settings}) {
	const {createScope, createSession, defaultLimits, defineTool, limitMemory, openPod, systemClock} = parts;
	limitMemory();
	const project = path.join(directory, 'project');
	mkdirSync(project);
	const made = await createScope({pwd: project, home: directory});
	const rows = [];
	let done = 0;
	let cpu = process.cpuUsage();
	const tick = defineTool({
		name: 'tick',
		description: 'Counts.',
		effect: 'read',
		input: z.object({n: z.number()}),
		async execute({n}) {
			done++;
			if (done % step === 0) {
				const used = process.cpuUsage(cpu);
				const {rss, heapUsed} = process.memoryUsage();
				const row = {
					cpu: (used.user + used.system) / 1000 / step,
					rss: rss / 2 ** 20,
					heap: heapUsed / 2 ** 20,
				};
				rows.push(row);
				const memory = `rss ${row.rss.toFixed(0)}  heap ${row.heap.toFixed(0)} MiB`;
				process.stdout.write(`${String(done).padStart(6)}  ${row.cpu.toFixed(2)} ms  ${memory}\n`);
				cpu = process.cpuUsage();
			}
			return {summary: `${n}`, content: `This is the output of call ${n}, which has a line or two of text.\n`};
		},
	});
	const clock = systemClock();
	const pod = openPod({
		session: createSession({root: path.join(directory, 'state'), cwd: project}, clock),
		scope: made.scope,
		limits: {...defaultLimits, maxTurns: calls + 10},
		env: {HOME: directory},
		attended: true,
		clock,
		approval: {mode: 'auto', rules: {user: [], project: []}},
		features: [() => ({name: 'tick', tools: [tick]})],
		model: {name: model.name, load: async () => model, facts: {window: 1e9}, settings},
	});
	const ended = Promise.withResolvers();
	let hasRun = false;
	let cause;
	pod.subscribe(event => {
		if (event.type === 'item' && event.item.type === 'run_end') cause = event.item.cause;
		if (event.type !== 'status') return;
		hasRun ||= event.status.kind === 'running';
		if (hasRun && event.status.kind !== 'running') ended.resolve(event.status);
	});
	await pod.send({method: 'run', segments: [{type: 'text', text: 'Count.'}]});
	const status = await ended.promise;
	if (done < calls) throw new Error(`the turn ended after ${done} calls: ${cause ?? status.kind}`);
	await pod.send({method: 'shutdown'});
	return rows;
}

async function modelOf({loadModel, requestSettings}) {
	const {wire, port} = values;
	if (wire === '') return {model: plainModel(), settings: {}};
	let n = 0;
	const name = {anthropic: 'claude-sonnet-5', openai: 'gpt-5.2', google: 'gemini-3-pro-preview'}[wire] ?? 'local';
	const options =
		port === undefined
			? {fetch: async () => response((wire === 'anthropic' ? anthropicAnswer : chatAnswer)(n++))}
			: {};
	const baseURL = `http://127.0.0.1:${port ?? 1}/v1`;
	const model = await loadModel({provider: wire, model: name, apiKey: 'none', baseURL, options});
	return {model, settings: requestSettings({provider: wire, model: name})};
}

/** Returns a model that makes no body. */
function plainModel() {
	let n = 0;
	return {
		name: 'plain/model',
		async *stream() {
			const text = JSON.stringify({n});
			const key = `k${n}`;
			yield {type: 'sending', hash: 'f'.repeat(64)};
			if (n < calls) {
				yield {type: 'start', key, part: {type: 'tool_call', callId: `call_${n}`, name: 'tick'}};
				yield {type: 'delta', key, text};
				yield {type: 'end', key, text};
			} else {
				yield {type: 'start', key, part: {type: 'text'}};
				yield {type: 'end', key, text: 'Done.'};
			}
			const stop = n < calls ? 'tool_calls' : 'end';
			const usage = values.uncounted ? {} : {input: 20_000 + n * 60, output: 20};
			n++;
			yield {type: 'finish', stop, usage};
		},
	};
}

function response(text) {
	return new Response(text, {headers: {'content-type': 'text/event-stream'}});
}

function chatAnswer(n) {
	const chunk = (delta, finish) =>
		`data: ${JSON.stringify({choices: [{index: 0, delta, ...(finish && {finish_reason: finish})}]})}\n\n`;
	const call = {index: 0, id: `call_${n}`, function: {name: 'tick', arguments: JSON.stringify({n})}};
	const counts = {prompt_tokens: 20_000 + n * 60, completion_tokens: 20};
	const usage = `data: ${JSON.stringify({choices: [], usage: counts})}\n\n`;
	const said = n < calls ? chunk({tool_calls: [call]}, 'tool_calls') : chunk({content: 'Done.'}, 'stop');
	return `${said}${values.uncounted ? '' : usage}data: [DONE]\n\n`;
}

function anthropicAnswer(n) {
	const event = value => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
	const isCall = n < calls;
	const block = isCall ? {type: 'tool_use', id: `toolu_${n}`, name: 'tick', input: {}} : {type: 'text', text: ''};
	const delta = isCall
		? {type: 'input_json_delta', partial_json: JSON.stringify({n})}
		: {type: 'text_delta', text: 'Done.'};
	const message = {
		id: `m${n}`,
		type: 'message',
		role: 'assistant',
		model: 'm',
		content: [],
		usage: {input_tokens: 20_000 + n * 60, output_tokens: 1},
	};
	return [
		{type: 'message_start', message},
		{type: 'content_block_start', index: 0, content_block: block},
		{type: 'content_block_delta', index: 0, delta},
		{type: 'content_block_stop', index: 0},
		{type: 'message_delta', delta: {stop_reason: isCall ? 'tool_use' : 'end_turn'}, usage: {output_tokens: 20}},
		{type: 'message_stop'},
	]
		.map(value => event(value))
		.join('');
}

/** Serves chat completions, in a separate process. */
function startServer() {
	let n = 0;
	const server = createServer((request, answer) => {
		request.resume();
		request.on('end', () => {
			answer.writeHead(200, {'content-type': 'text/event-stream'});
			answer.end(chatAnswer(n++));
		});
	});
	process.on('disconnect', () => process.exit());
	server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}
