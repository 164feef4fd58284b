// Measures the built program and a floor on a real pty, in interleaved rounds, and prints one Markdown table.
// Usage: npm run bench -- [--rounds N] [--metric start,npx,idle,echo,stream,rate,resume,frames,popup,paste,draft]
// [--subject floor,inkpod] [--turns N] [--files N] [--out FILE]
// A complete run is saved in bench/results/ with its date and commit, every other run in bench/results/local/.
import {existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {builtProgram, projectRoot} from '../test/helpers/built.ts';
import {openTerminal} from '../test/helpers/pty.ts';
import {echoCost} from './composer.mjs';
import {frames} from './frames.mjs';
import {paste, popup} from './input.mjs';
import {commit, machine, machineText} from './machine.mjs';
import {clear, echo, idle, rate, stream, untilUsable} from './metrics.mjs';
import {startModel} from './model.mjs';
import {cold} from './npx.mjs';
import {markdownTable} from './report.mjs';
import {environment, subjects} from './subjects.mjs';
import {makeTree} from './tree.mjs';

const options = readOptions();
const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'inkpod-bench-')));
const model = await startModel();
try {
	const about = {
		date: new Date().toISOString().slice(0, 10),
		commit: commit(),
		machine: machine(),
		rounds: options.rounds,
		turns: options.turns,
		files: options.files,
	};
	const lines = await measure();
	mkdirSync(path.dirname(options.out), {recursive: true});
	writeFileSync(options.out, `${JSON.stringify({...about, lines}, undefined, '\t')}\n`);
	process.stdout.write(
		[
			`${about.date}, commit ${about.commit}, ${machineText(about.machine)}, 120x40,`,
			`median of ${options.rounds} rounds (range)\n\n${markdownTable(lines)}\n`,
		].join(' '),
	);
} finally {
	model.stop();
	rmSync(directory, {recursive: true, force: true});
}

function readOptions() {
	const all = 'start,npx,idle,echo,stream,rate,resume,frames,popup,paste,draft';
	const {values} = parseArgs({
		options: {
			rounds: {type: 'string', default: '5'},
			metric: {type: 'string', default: all},
			subject: {type: 'string', default: 'floor,inkpod'},
			turns: {type: 'string', default: '2000'},
			files: {type: 'string', default: '150000'},
			out: {type: 'string'},
		},
	});
	const stamp = new Date().toISOString().replaceAll(/[:.]/gu, '-');
	const name =
		values.metric === all && values.subject === 'floor,inkpod'
			? `${stamp.slice(0, 10)}-${commit()}`
			: `local/${stamp}`;
	return {
		rounds: Number(values.rounds),
		metrics: new Set(values.metric.split(',')),
		subjects: values.subject.split(','),
		turns: Number(values.turns),
		files: Number(values.files),
		out: path.resolve(values.out ?? path.join(projectRoot, `bench/results/${name}.json`)),
	};
}

async function measure() {
	const program = options.subjects.includes('inkpod') ? await builtProgram() : '';
	const project = path.join(directory, 'project');
	mkdirSync(project);
	const all = subjects({program, url: model.url, home: path.join(directory, 'home'), project});
	const lines = [];
	for (let round = 1; round <= options.rounds; round++) {
		for (const name of options.subjects) {
			for await (const {metric, values} of measureSubject(all[name], project)) {
				lines.push({subject: name, round, metric, values});
				process.stderr.write(`${round}/${options.rounds} ${name} ${metric} ${JSON.stringify(values)}\n`);
			}
		}
	}
	return lines;
}

async function* measureSubject(subject, project) {
	const inOneSession = {idle, echo, stream, rate};
	if (['start', ...Object.keys(inOneSession)].some(name => options.metrics.has(name))) {
		await using opened = await open(subject, project, {args: [], env: {}});
		const {terminal} = opened;
		yield {metric: 'start', values: await untilUsable(terminal, [subject.ready])};
		await clear(terminal);
		for (const [name, run] of Object.entries(inOneSession)) {
			if (options.metrics.has(name)) yield {metric: name, values: await run(terminal, model)};
		}
	}
	if (options.metrics.has('npx')) {
		const {cwd, ...start} = cold(subject, path.join(directory, 'packed'), directory);
		await using opened = await open(subject, cwd, start);
		yield {metric: 'npx', values: await untilUsable(opened.terminal, [subject.ready])};
	}
	if (options.metrics.has('resume')) {
		await using opened = await open(subject, project, await subject.resume(options.turns));
		const {terminal} = opened;
		const {usable} = await untilUsable(terminal, [`code${options.turns}`, subject.ready]);
		await clear(terminal);
		const {p50, p95} = await echo(terminal);
		const {rss} = await idle(terminal);
		// The first request gets one answer, as in the empty session, because `rate` does not measure the first answer
		// of a process.
		if (options.metrics.has('rate')) await stream(terminal, model);
		const streaming = options.metrics.has('rate') ? await rate(terminal, model) : {};
		yield {
			metric: 'resume',
			values: {usable, rss, echoP50: p50, echoP95: p95, cpu: streaming.cpu, rateP95: streaming.p95},
		};
	}
	if (options.metrics.has('paste')) {
		const times = [];
		for (const megabytes of [5, 10]) {
			await using opened = await open(subject, alone(), {args: [], env: {}});
			times.push(await paste(opened.terminal, {ready: subject.ready, megabytes}));
		}
		yield {metric: 'paste', values: {ms: times[1], ratio: times[1] / times[0]}};
	}
	if (subject.hasComposer && options.metrics.has('frames')) yield {metric: 'frames', values: await frameCosts()};
	if (subject.hasComposer) yield* measureInput(subject);
}

// Returns the times in milliseconds of the slowest kind of frame.
async function frameCosts() {
	const costs = Object.values(await frames());
	const most = key => Math.max(...costs.map(cost => cost[key]));
	return {small: most('small'), large: most('large'), ratio: most('ratio')};
}

// The floor has no composer, so these metrics measure inkpod only.
async function* measureInput(subject) {
	const fresh = {args: [], env: {}};
	if (options.metrics.has('popup')) {
		await using opened = await open(subject, tree(), fresh);
		yield {metric: 'popup', values: await popup(opened.terminal, {ready: subject.ready, files: options.files})};
	}
	if (options.metrics.has('draft')) {
		await using opened = await open(subject, alone(), fresh);
		await untilUsable(opened.terminal, [subject.ready]);
		await clear(opened.terminal);
		yield {metric: 'draft', values: await echoCost(opened.terminal, {lines: 5000})};
	}
}

// Returns a new directory. If two programs shared a directory, the second program would open with the saved draft of
// the first.
function alone() {
	return mkdtempSync(path.join(directory, 'alone-'));
}

// Returns the large tree. The tree is created at its first use, and all rounds use it.
function tree() {
	const made = path.join(directory, 'tree');
	if (!existsSync(made)) makeTree(made, options.files);
	return made;
}

// The terminal's own echo is switched off, because it would count as the program's output.
async function open(subject, project, {args, env, command = subject.command, home = path.join(directory, 'home')}) {
	const terminal = await openTerminal({
		command: ['/bin/sh', '-c', 'stty -echo; exec "$@"', 'sh', ...command],
		args,
		cwd: project,
		home,
		env: environment(home, {...subject.env, ...env}),
		cols: 120,
		rows: 40,
	});
	return {terminal, [Symbol.asyncDispose]: async () => end(terminal)};
}

// Asks the program to end before killing it, because the compile cache is saved only at a normal exit.
async function end(terminal) {
	terminal.kill('SIGTERM');
	await Promise.race([terminal.exit, wait(3000, undefined, {ref: false})]);
	await terminal.close();
}
