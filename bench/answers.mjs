// Measures the memory that one answer of 16 MB takes, over each wire and in several forms, on a real pty.
// `peak` is the highest resident memory during the answer, and `left` is the memory after a garbage collection. Both
// are in MiB, without the memory before the answer.
// Usage: npm run build && node bench/answers.mjs [--wire NAME] [--shape PART] [--megabytes 16] [--program FILE]
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import os from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {builtProgram} from '../test/helpers/built.ts';
import {cleanEnvironment, openTerminal} from '../test/helpers/pty.ts';
import {answerOf, shapes, wires} from './answer-shapes.mjs';
import {memoryLeft, untilIdle} from './usage.mjs';

const mebibyte = 2 ** 20;
const memoryProbe = path.join(import.meta.dirname, 'memory.mjs');

const {values} = parseArgs({
	options: {
		wire: {type: 'string'},
		shape: {type: 'string', default: ''},
		megabytes: {type: 'string', default: '16'},
		program: {type: 'string'},
	},
});
const program = values.program ?? (await builtProgram());
const bytes = Number(values.megabytes) * mebibyte;
const heads = ['before', 'peak', 'times', 'left', 'heap', 'seconds'].map(cell).join('');
process.stdout.write(`${'wire'.padEnd(18)}${'answer'.padEnd(24)}${heads}\n`);
for (const wire of wires.filter(name => values.wire === undefined || name === values.wire))
	for (const shape of Object.keys(shapes).filter(name => name.includes(values.shape)))
		process.stdout.write(`${lineOf(wire, shape, await measure(wire, shape))}\n`);

function lineOf(wire, shape, {before, peak, left, heap, seconds, end}) {
	const numbers = [before, peak, (peak * mebibyte) / bytes, left, heap, seconds].map(value => cell(value.toFixed(1)));
	return `${wire.padEnd(18)}${shape.padEnd(24)}${numbers.join('')}  ${end}`;
}

function cell(text) {
	return text.padStart(9);
}

async function measure(wire, shape) {
	const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'inkpod-answers-')));
	const server = await startModel(wire, shape);
	try {
		const home = path.join(directory, 'home');
		const file = path.join(directory, 'memory.json');
		mkdirSync(path.join(home, '.config/inkpod'), {recursive: true});
		const provider = `[providers.local]\nwire = "${wire}"\nbase_url = "${server.url}"\n`;
		writeFileSync(
			path.join(home, '.config/inkpod/config.toml'),
			`[model]\nname = "local/bench-model"\n${provider}`,
		);
		await using terminal = await openTerminal({
			command: [process.execPath, '--expose-gc', '--import', memoryProbe, program],
			cwd: directory,
			home,
			env: {...cleanEnvironment(home), BENCH_MEMORY_FILE: file},
			cols: 120,
			rows: 40,
		});
		await terminal.waitFor('bench-model');
		for (const word of ['one', 'two', 'three']) await ask(terminal, server, `warm ${word}`);
		const floor = await memoryLeft(terminal.pid, file);
		const before = residentOf(terminal.pid, 'VmRSS');
		writeFileSync(`/proc/${terminal.pid}/clear_refs`, '5');
		const startedAt = performance.now();
		const endedAt = await ask(terminal, server, 'the long one', true);
		const seconds = (endedAt - startedAt) / 1000;
		const peak = residentOf(terminal.pid, 'VmHWM') - before;
		const after = await memoryLeft(terminal.pid, file);
		const left = residentOf(terminal.pid, 'VmRSS') - before;
		const heap = after.heapUsed + after.external - floor.heapUsed - floor.external;
		return {before, peak, left, heap, seconds, end: /8 MB|parts|larger/.exec(terminal.screen())?.[0] ?? ''};
	} finally {
		server.stop();
		rmSync(directory, {recursive: true, force: true});
	}
}

/** Answers with a word, or with the long answer if `asks` requests it. */
async function startModel(wire, shape) {
	let isLong = false;
	let answered = Promise.withResolvers();
	const server = createServer(async (request, response) => {
		if (request.method === 'GET') return void response.writeHead(404).end();
		await once(request.resume(), 'end');
		const answer = isLong ? answerOf(wire, shape, bytes) : answerOf(wire, 'short', 0);
		isLong = false;
		response.writeHead(200, {'content-type': 'text/event-stream'});
		response.setMaxListeners(0);
		for (const text of answer) {
			if (response.destroyed) break;
			if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
		}
		response.end();
		answered.resolve();
		return undefined;
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}${wire === 'google' ? '/v1beta' : '/v1'}`,
		/** Resolves when the next answer has been sent. */
		async next(long) {
			isLong = long;
			answered = Promise.withResolvers();
			return answered.promise;
		},
		stop() {
			server.closeAllConnections();
			server.close();
		},
	};
}

async function ask(terminal, server, text, isLong = false) {
	const answered = server.next(isLong);
	terminal.write(text);
	await terminal.waitFor(text);
	terminal.write('\r');
	await answered;
	return (await untilIdle(terminal.pid)).at;
}

function residentOf(pid, key) {
	return Number(new RegExp(`${key}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;
}
