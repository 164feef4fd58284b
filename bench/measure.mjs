import {existsSync, mkdtempSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {pathToFileURL} from 'node:url';
import {openTerminal} from '../test/helpers/pty.ts';
import {echoCost} from './composer.mjs';
import {frames} from './frames.mjs';
import {paste, popup} from './input.mjs';
import {clear, echo, enter, idle, rate, stream, turns, untilUsable, warm} from './metrics.mjs';
import {cold} from './npx.mjs';
import {environment} from './subjects.mjs';
import {makeTree} from './tree.mjs';

/**
Measures a subject once. Yields {metric, values} for each metric of `metrics` that the subject has. If a part of the
measurements of a peer fails, it yields {metric, values: {}, failure} for this part.
- `model`: the fake server (model.mjs).
- `directory` is for temporary files. `project` is the working directory, and `home` the home directory.
- `turns`, `files`: the size of the resumed session and of the large tree.
*/
export async function* measure(subject, context) {
	const wanted = new Set(context.metrics.filter(name => subject.metrics.includes(name)));
	for (const [name, part] of Object.entries(parts)) {
		if (![name, ...(name === 'start' ? Object.keys(inOneSession) : [])].some(metric => wanted.has(metric)))
			continue;
		try {
			yield* part(subject, {...context, wanted});
		} catch (error) {
			if (subject.version === undefined) throw error;
			yield {metric: name, values: {}, failure: error.message.split('\n')[0]};
		}
	}
}

const inOneSession = {idle, echo, stream, rate};
const fresh = {args: [], env: {}};

const parts = {
	async *start(subject, context) {
		await using opened = await open(subject, context, fresh);
		const {terminal} = opened;
		yield {metric: 'start', values: await untilUsable(terminal, [subject.ready])};
		await clear(terminal);
		for (const [name, run] of Object.entries(inOneSession))
			if (context.wanted.has(name)) yield {metric: name, values: await run(terminal, context.model)};
	},
	async *warm(subject, context) {
		await using opened = await openUsable(subject, context);
		yield {metric: 'warm', values: await warm(opened.terminal)};
	},
	async *enter(subject, context) {
		await using opened = await openUsable(subject, context);
		yield {metric: 'enter', values: await enter(opened.terminal, context.model)};
	},
	async *turns(subject, context) {
		const file = path.join(mkdtempSync(path.join(context.directory, 'turns-')), 'turns.json');
		const module = pathToFileURL(path.join(import.meta.dirname, 'turns.mjs')).href;
		const env = {BENCH_TURNS: file, NODE_OPTIONS: `--import ${module}`};
		await using _opened = await open(subject, context, {args: [], env});
		yield {metric: 'turns', values: await turns(file)};
	},
	async *npx(subject, context) {
		const {cwd, ...start} = cold(subject, path.join(context.directory, 'packed'), context.directory);
		await using opened = await open(subject, {...context, project: cwd}, start);
		yield {metric: 'npx', values: await untilUsable(opened.terminal, [subject.ready])};
	},
	async *resume(subject, context) {
		await using opened = await open(subject, context, await subject.resume(context.turns));
		const {terminal} = opened;
		const {usable} = await untilUsable(terminal, [`code${context.turns}`, subject.ready]);
		await clear(terminal);
		const {p50, p95} = await echo(terminal);
		const {rss} = await idle(terminal);
		// The first request gets one answer, as in the empty session, because `rate` does not measure the first answer
		// of a process.
		if (context.wanted.has('rate')) await stream(terminal, context.model);
		const streaming = context.wanted.has('rate') ? await rate(terminal, context.model) : {};
		yield {
			metric: 'resume',
			values: {usable, rss, echoP50: p50, echoP95: p95, cpu: streaming.cpu, rateP95: streaming.p95},
		};
	},
	async *paste(subject, context) {
		const times = [];
		for (const megabytes of [5, 10]) {
			await using opened = await open(subject, alone(context), fresh);
			times.push(await paste(opened.terminal, {ready: subject.ready, megabytes}));
		}
		yield {metric: 'paste', values: {ms: times[1], ratio: times[1] / times[0]}};
	},
	async *frames() {
		const costs = Object.values(await frames());
		const most = key => Math.max(...costs.map(cost => cost[key])); // of the slowest kind of frame
		yield {metric: 'frames', values: {small: most('small'), large: most('large'), ratio: most('ratio')}};
	},
	async *popup(subject, context) {
		await using opened = await open(subject, {...context, project: tree(context)}, fresh);
		const {ready} = subject;
		yield {metric: 'popup', values: await popup(opened.terminal, {ready, files: context.files})};
	},
	async *draft(subject, context) {
		await using opened = await openUsable(subject, alone(context));
		yield {metric: 'draft', values: await echoCost(opened.terminal, {lines: 5000})};
	},
};

// Uses a new directory as the project. If two programs shared a directory, the second program would open with the saved
// draft of the first.
function alone(context) {
	return {...context, project: mkdtempSync(path.join(context.directory, 'alone-'))};
}

// Returns the large tree. The tree is created at its first use, and all rounds use it.
function tree({directory, files}) {
	const made = path.join(directory, 'tree');
	if (!existsSync(made)) makeTree(made, files);
	return made;
}

async function openUsable(subject, context) {
	const opened = await open(subject, context, fresh);
	try {
		await untilUsable(opened.terminal, [subject.ready]);
		await clear(opened.terminal);
		return opened;
	} catch (error) {
		await opened[Symbol.asyncDispose]();
		throw error;
	}
}

// The terminal's own echo is switched off, because it would count as the program's output.
async function open(subject, context, {args, env, command = subject.command, home = subject.home ?? context.home}) {
	const terminal = await openTerminal({
		command: ['/bin/sh', '-c', 'stty -echo; exec "$@"', 'sh', ...command],
		args,
		cwd: context.project,
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
