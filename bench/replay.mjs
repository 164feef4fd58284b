// Measures the time to the first complete screen of a replay, and of the floor, which reads the same history.
// Usage: npm run build && node bench/replay.mjs [--turns 200] [--rounds 9] [--other FILE]
// --other names another built program, for example of an earlier commit, which is measured in the same rounds.
import {mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {execFileSync} from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {builtProgram} from '../test/helpers/built.ts';
import {openTerminal} from '../test/helpers/pty.ts';
import {commit, machine, machineText} from './machine.mjs';
import {sessionId} from './sessions.mjs';
import {median} from './statistics.mjs';
import {environment, subjects} from './subjects.mjs';
import {usageOf} from './usage.mjs';

const {values} = parseArgs({
	options: {
		turns: {type: 'string', default: '200'},
		rounds: {type: 'string', default: '9'},
		other: {type: 'string'},
	},
});
const [turns, rounds] = [Number(values.turns), Number(values.rounds)];
const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'inkpod-bench-replay-')));
try {
	const [project, home] = [path.join(directory, 'project'), path.join(directory, 'home')];
	mkdirSync(project);
	const program = await builtProgram();
	const {floor, inkpod} = subjects({program, url: 'http://127.0.0.1:9', home, project});
	const read = await floor.resume(turns);
	await inkpod.resume(turns);
	const env = environment(home, {});
	const [node] = inkpod.command;
	for (const to of ['session.tar', 'session.tar.gz'])
		execFileSync(node, [program, 'export', sessionId, '--bundle', '--to', to], {
			cwd: project,
			env: {...env, HOME: home},
			stdio: 'ignore',
		});
	const ready = 'q quit';
	const runs = {
		floor: {command: floor.command, env: {...floor.env, ...read.env}, ready: floor.ready},
		session: {command: [node, program, 'replay', sessionId], env: {}, ready},
		bundle: {command: [node, program, 'replay', './session.tar'], env: {}, ready},
		'compressed bundle': {command: [node, program, 'replay', './session.tar.gz'], env: {}, ready},
		...(values.other && {other: {command: [node, values.other, 'replay', './session.tar.gz'], env: {}, ready}}),
	};
	const costs = Object.fromEntries(Object.keys(runs).map(name => [name, []]));
	// The first round fills the caches of files and of compiled code.
	for (let round = 0; round <= rounds; round++)
		for (const [name, run] of Object.entries(runs)) {
			const cost = await start(run);
			if (round > 0) costs[name].push(cost);
		}
	process.stdout.write(
		`commit ${commit()}, ${machineText(machine())}, ${turns} turns, median of ${rounds} (least)\n`,
	);
	for (const [name, all] of Object.entries(costs))
		process.stdout.write(`${name}: ${['ms', 'cpu'].map(unit => shown(all, costs.floor, unit)).join(', ')}\n`);

	async function start({command, env: own, ready: mark}) {
		await using terminal = await openTerminal({
			command,
			cwd: project,
			home,
			env: {...env, ...own},
			cols: 120,
			rows: 40,
		});
		const ms = (await terminal.waitFor(mark)) - terminal.startedAt;
		return {ms, cpu: usageOf(terminal.pid).cpu * 1000};
	}
	function shown(all, floors, unit) {
		const [own, least] = [all, floors].map(each => each.map(cost => cost[unit]));
		const times = value => (value(own) / value(least)).toFixed(2);
		const leastOf = values => Math.min(...values);
		const [middle, best] = [median(own), leastOf(own)].map(value => value.toFixed(0));
		return `${unit} ${middle} (${best}), ${times(median)} (${times(leastOf)}) times the floor`;
	}
} finally {
	rmSync(directory, {recursive: true, force: true});
}
