// Compares two built programs on long sessions: opening a session, sending a message, and showing the first answer.
// It runs them in turn (A, B, A, B, ...) and prints the medians and the ratios of A to B, in milliseconds.
// Usage: node bench/growth.mjs --program A/dist/inkpod.js --other B/dist/inkpod.js [--pairs 5]
// [--kind turns,bytes,items]
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {sessionDir} from '../src/pod/disk/paths.ts';
import {builtProgram} from '../test/helpers/built.ts';
import {openTerminal} from '../test/helpers/pty.ts';
import {historyText, sessionId, sessionItems} from './sessions.mjs';
import {median} from './statistics.mjs';
import {environment} from './subjects.mjs';
import {untilIdle, usageOf} from './usage.mjs';

const {values} = parseArgs({
	options: {
		program: {type: 'string'},
		other: {type: 'string'},
		pairs: {type: 'string', default: '5'},
		kind: {type: 'string', default: 'turns,bytes,items'},
	},
});
if (values.other === undefined) throw new Error('bench/growth.mjs needs --other: the program to compare with');
const programs = [values.program ?? (await builtProgram()), values.other];
const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'inkpod-growth-')));
const model = await startModel();
try {
	for (const kind of values.kind.split(',')) {
		const results = [[], []];
		for (let pair = 0; pair < Number(values.pairs); pair++)
			for (const at of pair % 2 === 0 ? [0, 1] : [1, 0]) results[at].push(await measure(programs[at], kind));
		for (const name of Object.keys(results[0][0])) {
			const [one, other] = results.map(runs => median(runs.map(run => run[name])));
			const numbers = [one, other].map(value => value.toFixed(0).padStart(8)).join('');
			process.stdout.write(
				`${kind.padEnd(8)}${name.padEnd(18)}${numbers}${(one / other).toFixed(2).padStart(8)}\n`,
			);
		}
	}
} finally {
	model.stop();
	rmSync(directory, {recursive: true, force: true});
}

/** Returns the items of a session: 5,000 turns, 60 MB in 5,000 turns, or 200,000 items. */
function itemsOf(kind) {
	if (kind === 'turns') return sessionItems(5000);
	if (kind === 'items') return sessionItems(50_000).slice(0, 200_000);
	const line = 'The quick brown fox jumps over the lazy dog, and then it rests for a while.\n';
	return sessionItems(5000).map(item =>
		item.role === 'assistant' ? {...item, text: item.text + line.repeat(145)} : item,
	);
}

/** Returns the elapsed and the CPU milliseconds of each step. */
async function measure(program, kind) {
	const home = mkdtempSync(path.join(directory, 'home-'));
	const project = path.join(home, 'project');
	mkdirSync(project);
	const folder = sessionDir(path.join(home, 'state/sessions'), project, sessionId);
	mkdirSync(folder, {recursive: true, mode: 0o700});
	const items = itemsOf(kind);
	writeFileSync(path.join(folder, 'history.json'), historyText(project, items), {mode: 0o600});
	const env = environment(home, {OPENAI_COMPATIBLE_BASE_URL: model.url, OPENAI_COMPATIBLE_API_KEY: 'none'});
	const command = [process.execPath, program, '--model', 'openai-compatible/bench-model', '-r', sessionId];
	await using terminal = await openTerminal({command, cwd: project, home, env, cols: 120, rows: 40});
	const {startedAt, pid} = terminal;
	const shownAt = await terminal.waitFor(screen => /bench-model/.test(screen) && /code\d|idle/.test(screen), {
		timeoutMs: 120_000,
	});
	const loaded = await untilIdle(pid);
	const request = model.next();
	const typedCpu = usageOf(pid).cpu;
	terminal.write('hello');
	await terminal.waitFor('hello', {timeoutMs: 120_000});
	const enteredAt = performance.now();
	terminal.write('\r');
	const {beganAt, endedAt} = await request;
	const answeredAt = await terminal.waitFor('endofanswer', {timeoutMs: 120_000});
	const answered = await untilIdle(pid);
	terminal.kill('SIGKILL');
	await terminal.exit;
	rmSync(home, {recursive: true, force: true});
	return {
		screen: shownAt - startedAt,
		'loaded, wall': loaded.at - startedAt,
		'loaded, CPU': loaded.cpu * 1000,
		'sent, wall': beganAt - enteredAt,
		'body, wall': endedAt - enteredAt,
		'answer, wall': answeredAt - enteredAt,
		'answer, CPU': (answered.cpu - typedCpu) * 1000,
	};
}

async function startModel() {
	let waiting = Promise.withResolvers();
	const server = createServer((request, response) => {
		if (request.method === 'GET') return void response.writeHead(404).end();
		const beganAt = performance.now();
		request.resume();
		request.on('end', () => {
			const next = waiting;
			waiting = Promise.withResolvers();
			next.resolve({beganAt, endedAt: performance.now()});
			const chunk = delta => `data: ${JSON.stringify({choices: [{index: 0, ...delta}]})}\n\n`;
			response.writeHead(200, {'content-type': 'text/event-stream'});
			response.end(
				`${chunk({delta: {content: 'endofanswer'}})}${chunk({delta: {}, finish_reason: 'stop'})}data: [DONE]\n\n`,
			);
		});
		return undefined;
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}/v1`,
		next: async () => waiting.promise,
		stop() {
			server.closeAllConnections();
			server.close();
		},
	};
}
