// Measures how much memory grows during hours of streaming at 100 tokens per second. The answers stream as fast as
// possible. Each answer counts as two minutes.
// The first run is one long session, which inkpod compacts in a window of 200,000 tokens. The second run starts a new
// session every half hour.
// Usage: npm run build && node bench/long.mjs [--hours 8] [--out FILE]
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	realpathSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {builtProgram, projectRoot} from '../test/helpers/built.ts';
import {openTerminal} from '../test/helpers/pty.ts';
import {commit, machine, machineText} from './machine.mjs';
import {startModel} from './model.mjs';
import {median, slope} from './statistics.mjs';
import {environment, subjects} from './subjects.mjs';
import {memoryLeft, usageOf} from './usage.mjs';

const tokensAnAnswer = 12_000;
const answersAnHour = 30;
const days = {'one session': Number.POSITIVE_INFINITY, 'a session each half hour': 15};
const configuration = '[model]\nname = "openai-compatible/bench-model"\nwindow = 200000\n';
const memoryProbe = path.join(import.meta.dirname, 'memory.mjs');

/** The growth per hour that still counts as noise, as a share of the memory in the second hour. */
const mostGrowth = 0.01;

const {values} = parseArgs({options: {hours: {type: 'string', default: '8'}, out: {type: 'string'}}});
const hours = Number(values.hours);
if (!(hours >= 3))
	throw new Error('--hours is at least 3: the first one warms up, and fewer than two say nothing of growth.');
const date = new Date().toISOString().slice(0, 10);
const out = path.resolve(values.out ?? path.join(projectRoot, `bench/results/${date}-${commit()}-long.json`));
const model = await startModel();
try {
	const result = {
		date,
		commit: commit(),
		machine: machine(),
		hours,
		tokens: hours * answersAnHour * tokensAnAnswer,
		days: {},
	};
	process.stdout.write(
		[
			`${date}, commit ${result.commit}, ${machineText(result.machine)},`,
			`${hours} hours at 100 tokens a second, MiB by hour\n`,
		].join(' '),
	);
	for (const [name, answersASession] of Object.entries(days)) {
		const day = judged(await stream(answersASession));
		result.days[name] = day;
		process.stdout.write(`\n${name}\n${table(day.byHour)}\n${verdict(day)}\n`);
	}
	mkdirSync(path.dirname(out), {recursive: true});
	writeFileSync(out, `${JSON.stringify(result, undefined, '\t')}\n`);
} finally {
	model.stop();
}

/**
Streams for the given hours and returns the memory for each hour in MiB. `rss` is the median of the resident memory
after each answer. The other figures are taken at the end of the hour. `history` is the size of the session's file, and
`compactions` counts the compactions so far. `heap` and `external` remain after a garbage collection.
*/
async function stream(answersASession) {
	const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'inkpod-long-')));
	try {
		const home = path.join(directory, 'home');
		const [state, file] = [path.join(home, 'state'), path.join(directory, 'memory.json')];
		mkdirSync(path.join(home, '.config/inkpod'), {recursive: true});
		writeFileSync(path.join(home, '.config/inkpod/config.toml'), configuration);
		const {inkpod} = subjects({program: await builtProgram(), url: model.url, home, project: directory});
		const [node, program] = inkpod.command;
		const env = {...environment(home, inkpod.env), BENCH_MEMORY_FILE: file};
		await using terminal = await openTerminal({
			command: [node, '--expose-gc', '--import', memoryProbe, program],
			cwd: directory,
			home,
			env,
			cols: 120,
			rows: 40,
		});
		await terminal.waitFor(inkpod.ready);
		const byHour = [];
		for (let hour = 1; hour <= hours; hour++) {
			const rss = [];
			for (let answer = (hour - 1) * answersAnHour + 1; answer <= hour * answersAnHour; answer++) {
				if (answer > 1 && (answer - 1) % answersASession === 0)
					await enter(
						terminal,
						'/new',
						screen => !screen.includes('endofanswer') && screen.includes(inkpod.ready),
					);
				await ask(terminal, answer);
				rss.push(usageOf(terminal.pid).rss);
			}
			const {heapUsed, external} = await memoryLeft(terminal.pid, file);
			byHour.push({rss: median(rss), highest: Math.max(...rss), ...historyOf(state), heap: heapUsed, external});
			process.stderr.write(`hour ${hour} of ${hours}: ${JSON.stringify(byHour.at(-1))}\n`);
		}
		return {byHour, bytesToTheTerminal: terminal.bytes()};
	} finally {
		rmSync(directory, {recursive: true, force: true});
	}
}

/**
Computes the growth per hour from the second hour on, for the resident memory and for the memory after a garbage
collection. It subtracts the size of the history, because the history must grow.
*/
function judged({byHour, ...rest}) {
	const settled = byHour.slice(1);
	const growthOf = of => {
		const anHour = slope(settled.map(hour => of(hour) - hour.history));
		return {anHour, isFlat: anHour <= mostGrowth * of(settled[0])};
	};
	return {
		byHour,
		...rest,
		growth: {rss: growthOf(hour => hour.rss), left: growthOf(hour => hour.heap + hour.external)},
	};
}

function verdict({growth: {rss, left}}) {
	const say = ({anHour, isFlat}) => `${signed(anHour)} MiB an hour (${isFlat ? 'flat' : 'NOT flat'})`;
	const growth = `From hour 2 on, beside history: RSS ${say(rss)}, after a collection ${say(left)}.`;
	return `${growth} Flat is at most ${mostGrowth * 100} % an hour.`;
}

function signed(value) {
	return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;
}

function table(byHour) {
	return Object.keys(byHour[0])
		.map(key => `${key.padEnd(12)}${byHour.map(hour => cell(key, hour[key])).join('')}`)
		.join('\n');
}

function cell(key, value) {
	return value.toFixed(value < 100 && key !== 'compactions' ? 1 : 0).padStart(6);
}

/** Reads the last written session. */
function historyOf(state) {
	const files = readdirSync(state, {recursive: true})
		.filter(name => path.basename(name) === 'history.json')
		.map(name => path.join(state, name));
	const bytes = readFileSync(files.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0]);
	return {
		history: bytes.length / 2 ** 20,
		compactions: bytes.toString('latin1').split('"type":"compaction"').length - 1,
	};
}

async function ask(terminal, number) {
	const sentinel = `endofanswer${number}z`;
	const times = model.answer({tokens: tokensAnAnswer, rate: 0, sentinel, isCounted: true});
	await enter(terminal, `write answer ${number}`, screen => screen.includes(sentinel) && screen.includes('○ idle'));
	await times;
}

async function enter(terminal, text, condition) {
	terminal.write(text);
	await terminal.waitFor(text, {timeoutMs: 120_000});
	terminal.write('\r');
	await terminal.waitFor(condition, {timeoutMs: 300_000});
}
