// Measures the delay of a command's start with confinement and in a cell, compared with an unconfined command. It also
// measures how long it takes to take over the changes of a cell.
// Usage: node bench/cells.mjs [rounds] [files]    default: 40 rounds, 10,000 new files below one new folder
import {mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {requireNode} from '../scripts/node-version.mjs';
import {median, percentile} from './statistics.mjs';

requireNode();
const {createConfinement} = await import('../src/pod/permissions/confine/confinement.ts');
const {openScratch} = await import('../src/pod/tools/processes/output-file.ts');
const {startCommand} = await import('../src/pod/tools/processes/start-command.ts');

const [rounds = 40, files = 10_000] = process.argv.slice(2).map(Number);
const top = await realpath(await mkdtemp(path.join(os.tmpdir(), 'inkpod-bench-cells-')));
const [project, home, state] = ['project', 'home', 'state'].map(name => path.join(top, name));
for (const folder of [project, home]) await mkdir(folder);
const env = {PATH: process.env['PATH'] ?? '', HOME: home, INKPOD_HOME: state};
const confinement = createConfinement({
	settings: {mode: 'require'},
	scope: {pwd: project, writable: true, readRoots: []},
	env,
	cells: path.join(state, 'cells'),
});
try {
	const why = (await confinement.missing()) ?? (await confinement.noCells());
	if (why !== undefined) throw new Error(`Commands do not run in cells here: ${why}`);
	await measureStarts();
	await measureTakeOvers();
} finally {
	await rm(top, {recursive: true, force: true});
}

async function measureStarts() {
	const ways = {
		unconfined: undefined,
		'within walls': {network: 'none', way: 'direct'},
		'in a cell, without network': {network: 'none', way: 'layered'},
		'in a cell, with network': {network: 'open', way: 'layered'},
	};
	const times = new Map(Object.keys(ways).map(name => [name, {starts: [], ends: []}]));
	for (let round = -3; round < rounds; round++)
		for (const [name, way] of Object.entries(ways)) {
			const {start, end} = await run('echo $EPOCHREALTIME', way);
			if (round < 0) continue;
			times.get(name).starts.push(start);
			times.get(name).ends.push(end);
		}
	const plain = median(times.get('unconfined').starts);
	for (const [name, {starts, ends}] of times) {
		const later = median(starts) - plain;
		print(name, {
			'starts after, ms': median(starts),
			'90th percentile': percentile(starts, 0.9),
			'later than unconfined, ms': later,
			'whole, ms': median(ends),
		});
	}
}

async function measureTakeOvers() {
	const [takes, loads] = [[], []];
	for (let round = -1; round < Math.ceil(rounds / 2); round++) {
		const {takingMs, cpuMs, outcome} = await run(
			`mkdir -p new/a/b && cd new/a/b && for n in {1..${files}}; do echo $n > $n; done`,
			{network: 'none', way: 'layered'},
		);
		if (outcome.counts.added !== files) throw new Error(`Not taken over: ${JSON.stringify(outcome)}`);
		await rm(path.join(project, 'new'), {recursive: true});
		if (round < 0) continue;
		takes.push(takingMs);
		loads.push(cpuMs);
	}
	print(`take over ${files} files`, {
		ms: median(takes),
		'90th percentile': percentile(takes, 0.9),
		'processor, ms': median(loads),
	});
}

/** Runs a command that may print the time of its start, in seconds. */
async function run(command, way) {
	const {output} = await openScratch();
	let cell;
	let taken;
	const since = Date.now() - performance.now();
	const started = performance.now();
	const {ended} = await startCommand(command, {
		shell: '/bin/bash',
		cwd: project,
		env,
		output,
		signal: AbortSignal.timeout(60_000),
		...(way && {
			async launch(...given) {
				const launched = await confinement.launch(...given, way.network, way.way);
				({cell} = launched.launch);
				return launched;
			},
			async settle() {
				taken = await takeOver(cell);
			},
		}),
	});
	await ended;
	const end = performance.now() - started;
	const text = (await output.read(0, 100)).toString();
	await output.close();
	return {start: Number(text) * 1000 - since - started, end, ...taken};
}

/** First reads the protected changes, as the tool does. */
async function takeOver(cell) {
	const [used, since] = [process.cpuUsage(), performance.now()];
	await cell?.protectedChanges();
	const outcome = await cell?.take(false);
	const {user, system} = process.cpuUsage(used);
	return {outcome, takingMs: performance.now() - since, cpuMs: (user + system) / 1000};
}

function print(name, facts) {
	const shown = Object.entries(facts).map(([key, value]) => `${key}: ${value.toFixed(1)}`);
	process.stdout.write(`${name} · ${shown.join(' · ')}\n`);
}
