import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {context} from '../../src/pod/ground/history/reader.ts';
import type {Item} from '../../src/pod/protocol.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifyChildren} from '../../src/pod/disk/check/verify-blobs.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {scriptedModel, systemClock} from '../../src/worker/index.ts';
import {seededRandom} from '../helpers/random.ts';
import {histories, idle, send} from '../helpers/chat.ts';
import {itemsOf, says} from '../helpers/family.ts';
import {timeFor} from '../helpers/kills.ts';
import {allowed, testPod, type TestPod} from '../helpers/pod.ts';
import {openTerminal, type Terminal} from '../helpers/pty.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {refusePairs} from '../helpers/random-session.ts';

const kills = Number(process.env['INKPOD_KILLS'] ?? (process.env['INKPOD_TEST'] === 'long' ? 1000 : 10));
const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const words = (name: string) => Array.from({length: 60}, (_, n) => `${name}w${n};`).join(' ');
const pod = (task: string, more = {}) => ({type: 'tool_call', name: 'pod', arguments: {task, title: task, ...more}});

/** The children answer in any order, so each answer fits each of them. */
function scriptOf(name: string): string {
	const text = (n: number) => ({type: 'text', text: words(`${name}c${n}`), chunk: 7, delayMs: 3});
	const glob = {type: 'tool_call', name: 'glob', arguments: {pattern: '*'}};
	const write = {type: 'tool_call', name: 'write_file', arguments: {path: `${name}.txt`, content: 'x\n'}};
	return JSON.stringify([
		[pod('one'), pod('two'), pod('three', {background: true})],
		[text(0), glob],
		[text(1), write],
		[text(2)],
		[text(3)],
		[text(4)],
		[text(5)],
		[{type: 'text', text: 'End.'}],
	]);
}

describe('a family of sessions that is killed', () => {
	it(
		`loses nothing that its screen had shown, and goes on (INKPOD_SEED=${seed} INKPOD_KILLS=${kills})`,
		{timeout: timeFor(kills)},
		async () => {
			const random = seededRandom(seed);
			const jobs = Array.from({length: kills}, (_, n) => ({
				name: `k${n}`,
				pause: random() * 500,
				isViewed: n % 2 === 1,
			}));
			const queue = jobs.values();
			let shown = 0;
			let started = 0;
			const take = async () => {
				for (const {name, pause, isViewed} of queue) {
					const seen = await killOnce(name, pause, isViewed).catch((error: unknown) => {
						throw new Error(`${name}, killed after ${pause} ms`, {cause: error});
					});
					shown += seen.words;
					started += seen.children;
				}
			};
			await Promise.all([take(), take()]);
			console.log(`killed families: seed ${seed}, ${kills} kills, ${started} children, ${shown} words shown`);
			expect(started).toBeGreaterThan(0);
			if (kills > 1) expect(shown).toBeGreaterThan(0);
		},
	);
});

/** Kills a chat whose children work. Returns how many words of a child its screen had shown. */
async function killOnce(name: string, pause: number, isViewed: boolean) {
	const project = await tempProject({'script.json': scriptOf(name)});
	const home = join(dirname(project.dir), 'home');
	await using terminal = await openVictim(project, home);
	await terminal.waitFor(idle);
	await send(terminal, 'go');
	await terminal.waitFor(/· \d child(?:ren)?/);
	if (isViewed) {
		terminal.write('\x1Bn');
		await terminal.waitFor('child: ');
	}
	await sleep(pause);
	terminal.kill('SIGKILL');
	await terminal.exit;
	const seen = [...new Set(terminal.screen().match(new RegExp(`${name}c\\d+w\\d+;`, 'gu')))];
	const children = await inspect(project, home, isViewed ? seen : []);
	return {words: seen.length, children};
}

async function openVictim(project: TempProject, home: string): Promise<Terminal> {
	return openTerminal({
		cwd: project.dir,
		home,
		rows: 40,
		args: ['--model', 'scripted:script.json', '--approval', 'auto', '--no-socket'],
	});
}

/** Opens the session as the next process does, lets it go on, and checks it with its children. */
async function inspect(project: TempProject, home: string, shown: readonly string[]): Promise<number> {
	const file = (await histories(home)).find(path => !path.includes('/children/'));
	if (file === undefined) throw new Error('the parent has no history');
	const dir = dirname(file);
	const opened = await openSession(dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	const model = scriptedModel(async () => says('And on.'), {name: 'scripted:script.json'});
	const told = await testPod(project, {model, session: opened.session, ...allowed});
	// A write that may have happened runs again only with the user's approval.
	told.pod.subscribe(event => {
		for (const {id} of event.type === 'status' ? event.status.asks : [])
			void told.pod.send({method: 'answer', askId: id, choice: 'allow'});
	});
	const started = itemsOf(told.items(), 'child_started');
	const all: Item[] = [];
	for (const {child} of shown.length > 0 ? started : []) all.push(...(await itemsOfChild(told, child)));
	const text = JSON.stringify(all);
	expect(shown.filter(word => !text.includes(word))).toEqual([]);
	if (told.status().kind === 'paused') await told.pod.send({method: 'resume'});
	else await told.run('Next');
	await told.until(() => told.status().kind === 'idle' && told.status().children === undefined);
	expect(refusePairs(context(told.items()).messages)).toBeUndefined();
	await told.pod.send({method: 'shutdown'});
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	expect(verifySession(read.session).findings.filter(({level}) => level === 'failure')).toEqual([]);
	const children = await verifyChildren(read.session);
	expect(children.findings.filter(({level}) => level === 'failure')).toEqual([]);
	for (const {items} of children.sessions) expect(refusePairs(context(items).messages)).toBeUndefined();
	const ends = itemsOf(read.session.items, 'child_ended');
	// A call that had not begun starts its child now.
	const begun = itemsOf(read.session.items, 'child_started');
	expect(ends.map(({child}) => child).toSorted()).toEqual(begun.map(({child}) => child).toSorted());
	return started.length;
}

async function itemsOfChild(told: TestPod, id: string): Promise<readonly Item[]> {
	const view = await told.pod.child(id);
	// It was killed before its first commit.
	if (!view.ok) return [];
	const items: Item[] = [];
	view.pod.subscribe(event => {
		if (event.type === 'snapshot') items.push(...event.items, ...event.tail);
	})();
	await view.pod.send({method: 'shutdown'});
	return items;
}
