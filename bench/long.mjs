// Hours of streaming at 100 tokens a second, as fast as they go: what the program's memory does meanwhile. Each answer is two minutes long; a new session begins every half hour.
// Usage: npm run build && node bench/long.mjs [--hours 8] [--out FILE]
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {builtProgram, projectRoot} from '../test/helpers/built.ts';
import {openTerminal} from '../test/helpers/pty.ts';
import {commit, machine, machineText} from './machine.mjs';
import {startModel} from './model.mjs';
import {median} from './statistics.mjs';
import {environment, subjects} from './subjects.mjs';
import {usageOf} from './usage.mjs';

const tokensAnAnswer = 12_000;
const answersAnHour = 30;
const answersASession = 15;

const {values} = parseArgs({options: {hours: {type: 'string', default: '8'}, out: {type: 'string'}}});
const hours = Number(values.hours);
const date = new Date().toISOString().slice(0, 10);
const out = path.resolve(values.out ?? path.join(projectRoot, `bench/results/${date}-${commit()}-long.json`));
const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'inkpod-long-')));
const model = await startModel();
try {
	const samples = await stream();
	const byHour = Array.from({length: hours}, (_, hour) => Math.round(median(samples.slice(hour * answersAnHour, (hour + 1) * answersAnHour).map(sample => sample.rss))));
	const result = {date, commit: commit(), machine: machine(), hours, tokens: samples.length * tokensAnAnswer, rssByHourMiB: byHour, highestMiB: Math.round(Math.max(...samples.map(sample => sample.rss))), bytesToTheTerminal: samples.at(-1).bytes};
	mkdirSync(path.dirname(out), {recursive: true});
	writeFileSync(out, `${JSON.stringify(result, undefined, '\t')}\n`);
	process.stdout.write(`${date}, commit ${result.commit}, ${machineText(result.machine)}\n${hours} hours at 100 tokens a second: RSS by hour ${byHour.join(', ')} MiB, at most ${result.highestMiB} MiB\n`);
} finally {
	model.stop();
	rmSync(directory, {recursive: true, force: true});
}

/** One sample an answer. */
async function stream() {
	const program = await builtProgram();
	const {inkpod} = subjects({program, url: model.url, home: path.join(directory, 'home'), project: directory});
	const home = path.join(directory, 'home');
	await using terminal = await openTerminal({command: inkpod.command, cwd: directory, home, env: environment(home, inkpod.env), cols: 120, rows: 40});
	await terminal.waitFor(inkpod.ready);
	const samples = [];
	for (let answer = 1; answer <= hours * answersAnHour; answer++) {
		await ask(terminal, answer);
		samples.push({rss: usageOf(terminal.pid).rss, bytes: terminal.bytes()});
		process.stderr.write(`answer ${answer} of ${hours * answersAnHour}: ${Math.round(samples.at(-1).rss)} MiB\n`);
		if (answer % answersASession === 0) await enter(terminal, '/new', screen => !screen.includes('endofanswer') && screen.includes(inkpod.ready));
	}
	return samples;
}

async function ask(terminal, number) {
	const sentinel = `endofanswer${number}z`;
	const times = model.answer({tokens: tokensAnAnswer, rate: 0, sentinel});
	await enter(terminal, `write answer ${number}`, screen => screen.includes(sentinel) && screen.includes('○ idle'));
	await times;
}

async function enter(terminal, text, condition) {
	terminal.write(text);
	await terminal.waitFor(text, {timeoutMs: 120_000});
	terminal.write('\r');
	await terminal.waitFor(condition, {timeoutMs: 300_000});
}
