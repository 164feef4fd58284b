// Measures the built program, a floor and the installed peers on a real pty, in interleaved rounds, and prints one
// Markdown table.
// Usage: npm run bench -- [--rounds N] [--metric start,idle,...] [--subject floor,inkpod,pi,claude,codex] [--turns N]
// [--files N] [--out FILE]
// A complete run is saved in bench/results/ with its date and commit, every other run in bench/results/local/.
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {builtProgram, projectRoot} from '../test/helpers/built.ts';
import {commit, machine, machineText} from './machine.mjs';
import {measure} from './measure.mjs';
import {startModel} from './model.mjs';
import {peers} from './peers.mjs';
import {failures, markdownTable} from './report.mjs';
import {allMetrics, subjects} from './subjects.mjs';

const options = readOptions();
const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'inkpod-bench-')));
const [project, home] = [path.join(directory, 'project'), path.join(directory, 'home')];
const model = await startModel();
try {
	const places = {url: model.url, home, project};
	const all = {...subjects({...places, program: await builtProgram()}), ...peers(places)};
	const names = options.subjects ?? Object.keys(all);
	const missing = names.filter(name => all[name] === undefined);
	if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`);
	const versions = Object.fromEntries(names.map(name => [name, all[name].version]));
	const about = {
		date: new Date().toISOString().slice(0, 10),
		commit: commit(),
		machine: machine(),
		versions,
		rounds: options.rounds,
		turns: options.turns,
		files: options.files,
	};
	const lines = await measureAll(names.map(name => [name, all[name]]));
	mkdirSync(path.dirname(options.out), {recursive: true});
	writeFileSync(options.out, `${JSON.stringify({...about, lines}, undefined, '\t')}\n`);
	process.stdout.write(
		[
			`${about.date}, commit ${about.commit}, ${machineText(about.machine)}, 120x40,`,
			`median of ${options.rounds} rounds (range)\n\n${markdownTable(lines, versions)}\n${failures(lines)}`,
		].join(' '),
	);
} finally {
	model.stop();
	rmSync(directory, {recursive: true, force: true, maxRetries: 5});
}

function readOptions() {
	const {values} = parseArgs({
		options: {
			rounds: {type: 'string', default: '5'},
			metric: {type: 'string'},
			subject: {type: 'string'},
			turns: {type: 'string', default: '2000'},
			files: {type: 'string', default: '150000'},
			out: {type: 'string'},
		},
	});
	const stamp = new Date().toISOString().replaceAll(/[:.]/gu, '-');
	const isComplete = values.metric === undefined && values.subject === undefined;
	const name = isComplete ? `${stamp.slice(0, 10)}-${commit()}` : `local/${stamp}`;
	return {
		rounds: Number(values.rounds),
		metrics: values.metric?.split(',') ?? allMetrics,
		subjects: values.subject?.split(','),
		turns: Number(values.turns),
		files: Number(values.files),
		out: path.resolve(values.out ?? path.join(projectRoot, `bench/results/${name}.json`)),
	};
}

async function measureAll(measured) {
	mkdirSync(project);
	const context = {...options, model, directory, project, home};
	const lines = [];
	for (let round = 1; round <= options.rounds; round++) {
		for (const [name, subject] of measured) {
			for await (const line of measure(subject, context)) {
				lines.push({subject: name, round, ...line});
				const text = line.failure ?? JSON.stringify(line.values);
				process.stderr.write(`${round}/${options.rounds} ${name} ${line.metric} ${text}\n`);
			}
		}
	}
	return lines;
}
