// Measures path completion in a generated tree: the time to an answer, the time to build the index, and the load on the
// main thread.
// Usage: node bench/completion.mjs [--files 150000] [--rounds 40]
import {mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {percentile} from './statistics.mjs';
import {makeTree} from './tree.mjs';

const queries = [
	'',
	'a',
	'se',
	'mod',
	'session',
	'pkgworkerts',
	'packages/',
	'packages/ag',
	'src/mod',
	'session-store-1',
	'sesstorts',
	'zzzz',
];

/**
Measures completion over a directory in this process, in milliseconds and MiB.
- `first`: from before the worker thread starts to the first answer.
- `letters`: from the same moment to the first answer for typed letters.
- `indexed`: until the index is complete.
- `delayP95` and `delayMax`: delays of the main thread's event loop during that time.
- `p50` and `p95`: over all later queries; `worst`: for the slowest query.
- `rss`: the added memory. `byQuery`: p50 and p95 of each query.
*/
export async function completion(directory, {rounds = 40} = {}) {
	const {createCompletion} = await import('../src/pod/references/completion/completion.ts');
	const scope = {pwd: realpathSync(directory), writable: true, readRoots: []};
	const open = createCompletion({scope: () => scope});
	const before = resident();
	const delay = monitorEventLoopDelay({resolution: 1});
	delay.enable();
	const startedAt = performance.now();
	try {
		const [, first] = await timed(open, '', startedAt);
		const [, letters] = await timed(open, 'mod', startedAt);
		while ((await open.complete(queryOf('zzzz'))).indexing) await wait(20);
		const indexed = performance.now() - startedAt;
		delay.disable();
		const byQuery = {};
		for (const text of queries) byQuery[text] = await timesOf(open, text, rounds);
		const all = Object.values(byQuery).flatMap(({times}) => times);
		return {
			values: {
				first,
				letters,
				indexed,
				delayP95: delay.percentile(95) / 1e6,
				delayMax: delay.max / 1e6,
				p50: percentile(all, 0.5),
				p95: percentile(all, 0.95),
				worst: Math.max(...Object.values(byQuery).map(({p95}) => p95)),
				rss: resident() - before,
			},
			byQuery: Object.fromEntries(Object.entries(byQuery).map(([text, {p50, p95}]) => [text, {p50, p95}])),
		};
	} finally {
		open.close();
	}
}

async function timesOf(open, text, rounds) {
	const times = [];
	for (let round = 0; round < rounds; round += 1) times.push((await timed(open, text, performance.now()))[1]);
	return {times, p50: percentile(times, 0.5), p95: percentile(times, 0.95)};
}

async function timed(open, text, startedAt) {
	const answer = await open.complete(queryOf(text));
	return [answer, performance.now() - startedAt];
}

function queryOf(text) {
	return {kind: 'path', text, limit: 50};
}

function resident() {
	if (process.platform !== 'linux') return process.memoryUsage().rss / 2 ** 20;
	return Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync('/proc/self/status', 'latin1'))[1]) / 1024;
}

async function main() {
	const {values: options} = parseArgs({
		options: {files: {type: 'string', default: '150000'}, rounds: {type: 'string', default: '40'}},
	});
	const directory = mkdtempSync(path.join(os.tmpdir(), 'inkpod-bench-tree-'));
	const keptAlive = setInterval(() => {}, 1000);
	try {
		makeTree(directory, Number(options.files));
		const {values, byQuery} = await completion(directory, {rounds: Number(options.rounds)});
		const table = [
			...Object.entries(values).map(([name, value]) => [name, value.toFixed(1)]),
			...Object.entries(byQuery).map(([text, {p50, p95}]) => [
				`@${text}`,
				`${p50.toFixed(1)} / ${p95.toFixed(1)}`,
			]),
		];
		process.stdout.write(
			[
				`| completion, ${options.files} files | ms, MiB |`,
				'| --- | --- |',
				...table.map(cells => `| ${cells.join(' | ')} |`),
				'',
			].join('\n'),
		);
	} finally {
		clearInterval(keptAlive);
		rmSync(directory, {recursive: true, force: true});
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
