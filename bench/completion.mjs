// Measures the completion of paths in a generated tree: how soon it answers, how long it indexes, and what that costs
// the main thread.
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
Completion over a directory in this process. Milliseconds and MiB: `first` is the first answer, from before the thread
was started; `letters` the first to letters; `indexed` the whole index; `delayP95` and `delayMax` how late the main
thread's loop was meanwhile; `p50` and `p95` of all later queries, `worst` of the slowest one; `rss` what was added.
`byQuery` has the p50 and p95 of each.
*/
export async function completion(directory, {rounds = 40} = {}) {
	const {createCompletion} = await import('../src/pod/completion/completion.ts');
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
