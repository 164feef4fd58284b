// Measures a search in the texts of many sessions.
// Usage: node bench/search.mjs [sessions] [KB of each session]    default: 3,000 sessions of 133 KB, 400 MB in all
import {mkdtemp, rm, utimes, writeFile, mkdir} from 'node:fs/promises';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import os from 'node:os';
import path from 'node:path';
import {ulid} from 'ulid';
import {requireNode} from '../scripts/node-version.mjs';
import {builtProgram} from '../test/helpers/built.ts';
import {historyText, sessionItems} from './sessions.mjs';

requireNode();
const {findText, listAllSessions} = await import('../src/pod/index.ts');

const [sessions = 3000, kilobytes = 133] = process.argv.slice(2).map(Number);
const home = await mkdtemp(path.join(os.tmpdir(), 'inkpod-bench-search-'));
const root = path.join(home, 'sessions');
try {
	await writeSessions();
	const started = performance.now();
	const all = await listAllSessions(root);
	print({sessions: all.length, 'list, ms': performance.now() - started});
	const program = await builtProgram();
	for (const text of ['rareword', 'answer'])
		print({text, command: 'sessions --search', ...(await command(program, text))});
	for (const text of ['rareword', 'answer', 'no session has this']) print({text, ...(await search(all, text))});
} finally {
	await rm(home, {recursive: true, force: true});
}

/** Writes the sessions. Every hundredth session has a rare word in its last item. */
async function writeSessions() {
	const turns = Math.max(1, Math.round((kilobytes * 1024) / (historyText('/project', sessionItems(50)).length / 50)));
	const items = sessionItems(turns);
	const plain = historyText('/project', items);
	const rare = historyText(
		'/project',
		items.with(-3, {...items.at(-3), text: 'Here is a rareword.', type: 'message', role: 'assistant'}),
	);
	for (let index = 0; index < sessions; index++) {
		const directory = path.join(root, `project${index % 40}-0123456789ab`, ulid(1_700_000_000_000 + index));
		await mkdir(directory, {recursive: true});
		const file = path.join(directory, 'history.json');
		await writeFile(file, index % 100 === 0 ? rare : plain);
		await utimes(file, 1_700_000_000 + index, 1_700_000_000 + index);
	}
}

/** Returns two times from the start of the process: to its first row, and to its end. */
async function command(program, text) {
	const started = performance.now();
	const child = spawn(process.execPath, [program, 'sessions', '--all', '--search', text], {
		env: {...process.env, INKPOD_HOME: home},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let first;
	child.stdout.on('data', () => (first ??= performance.now() - started));
	await once(child, 'close');
	return {'first row, ms': first, 'all, ms': performance.now() - started};
}

/** Returns the time to the first match and to the end, the matches, and the longest time without reading a key. */
async function search(all, text) {
	const {signal} = new AbortController();
	const started = performance.now();
	let [hits, first, pause, last] = [0, undefined, 0, started];
	const timer = setInterval(() => {
		pause = Math.max(pause, performance.now() - last - 1);
		last = performance.now();
	}, 1);
	for (const {dir} of all) {
		if ((await findText(dir, text, signal)) === undefined) continue;
		hits++;
		first ??= performance.now() - started;
		if (hits === 500) break;
	}
	clearInterval(timer);
	return {hits, 'first hit, ms': first, 'all, ms': performance.now() - started, 'longest pause, ms': pause};
}

function print(facts) {
	const shown = Object.entries(facts).map(
		([name, value]) => `${name}: ${typeof value === 'number' ? Math.round(value) : value}`,
	);
	process.stdout.write(`${shown.join(' · ')}\n`);
}
