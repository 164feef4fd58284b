import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {seededRandom} from '../helpers/random.ts';
import {freeze, savedWords, watch, type Watch} from '../helpers/frozen.ts';
import {openTerminal, type Terminal} from '../helpers/pty.ts';
import {shortAnswers, type State} from '../helpers/shown-states/stage.ts';
import {states} from '../helpers/shown-states/states.ts';
import {tempProject} from '../helpers/temp-project.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const points = Number(process.env['INKPOD_POINTS'] ?? (long ? 1000 : 40));
const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const only = process.env['INKPOD_STATE'] ?? '';
/** A draft may be ahead of its file by this many milliseconds. */
const lead = 500;

type Point = {readonly name: string; readonly state: State; readonly step: number; readonly pause: number};
type Lost = {readonly name: string; readonly words: readonly string[]; readonly at: string; readonly frame: string};

describe('a chat that is stopped at any moment', () => {
	it(
		`has saved each word that it shows (INKPOD_SEED=${seed} INKPOD_POINTS=${points})`,
		{timeout: 120_000 + points * 15_000},
		async () => {
			const random = seededRandom(seed);
			const names = Object.keys(states).filter(name => name.includes(only));
			const first = Math.floor(random() * names.length);
			const jobs = Array.from({length: points}, (_, n): Point => {
				const name = names[(first + n) % names.length]!;
				const state = states[name]!;
				const step = Math.floor(random() * state.steps);
				return {name, state, step, pause: random() < 0.6 ? random() ** 2 * 60 : random() * 1000};
			});
			const waiting = jobs.values();
			const lost: Lost[] = [];
			const failures: unknown[] = [];
			let seen = 0;
			const take = async () => {
				for (const point of waiting) {
					try {
						const found = await stopAt(point);
						seen += found.seen;
						if (found.lost !== undefined) lost.push(found.lost);
					} catch (error) {
						failures.push(error);
					}
				}
			};
			await Promise.all([take(), take()]);
			console.log(
				`shown means saved: seed ${seed}, ${points} points, ${seen} words seen, ${lost.length} points lost`,
			);
			for (const {name, words, at} of lost) console.log(`${name} (${at}): ${words.join(' ')}`);
			if (failures.length > 0) throw new AggregateError(failures, `${failures.length} states were not reached`);
			if (lost[0] !== undefined) console.log(lost[0].frame);
			expect(lost.map(({name, at, words}) => ({name, at, words}))).toEqual([]);
			expect(seen).toBeGreaterThan(points);
		},
	);
});

/** Stops the terminals of a state at a point, and looks for the words of their frames in the files of the home. */
async function stopAt({name, state, step, pause}: Point): Promise<{readonly seen: number; readonly lost?: Lost}> {
	const {answers = shortAnswers, approval = 'ask'} = state;
	const script = JSON.stringify([...answers, ...shortAnswers]);
	const project = await tempProject({
		'script.json': script,
		'note.txt': 'x\n',
		'.inkpod/workflows/audit.md': '# Audit\n\nAudit it.\n',
	});
	const at = {cwd: project.dir, home: join(dirname(project.dir), 'home'), run: await project.mkdir('../run')};
	const opened: Array<readonly [Terminal, Watch]> = [];
	const deleted = new Set<string>();
	const reached = Promise.withResolvers<void>();
	let left = step;
	let count = 0;
	const acting = state.act({
		at,
		deleted,
		word: () => `w${String(count++).padStart(4, '0')}`,
		step() {
			if (left-- <= 0) reached.resolve();
		},
		async open(args = [], {isScripted = true} = {}) {
			const model = isScripted ? ['--model', 'scripted:script.json', '--approval', approval] : [];
			const env = {XDG_RUNTIME_DIR: at.run};
			const terminal = await openTerminal({...at, rows: 40, args: [...args, ...model], env});
			opened.push([terminal, watch(terminal)]);
			return terminal;
		},
	});
	let failure: Error | undefined;
	let isStopped = false;
	const over = acting.catch((error: Error) => {
		if (!isStopped) failure = error;
	});
	try {
		await Promise.race([reached.promise, over]);
		await sleep(pause);
		if (failure !== undefined)
			throw new Error(`${name} failed before step ${step}: ${failure.message}`, {cause: failure});
		isStopped = true;
		const stopped = await Promise.all(opened.map(async ([{pid}]) => freeze(pid).catch(() => performance.now())));
		await Promise.all(opened.map(async ([, watched]) => watched.settled()));
		const saved = await savedWords(join(at.home, '.local/state/inkpod'));
		const due = opened.flatMap(([, {typed, shown}], index) => [
			...shown.keys(),
			...[...typed].flatMap(([word, since]) => (since < stopped[index]! - lead ? [word] : [])),
		]);
		const words = [...new Set(due)].filter(word => !saved.has(word) && !deleted.has(word)).toSorted();
		const frame = opened.map(([, watched]) => watched.frame()).join('\n=====\n');
		const where = `step ${step}, ${pause.toFixed(1)} ms`;
		return {seen: new Set(due).size, ...(words.length > 0 && {lost: {name, words, at: where, frame}})};
	} finally {
		isStopped = true;
		await Promise.all(opened.map(async ([terminal]) => terminal.close()));
		await over;
	}
}
