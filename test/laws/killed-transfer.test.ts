import {readdir, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {context} from '../../src/pod/ground/history/reader.ts';
import type {Item} from '../../src/pod/protocol.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {scriptedModel, systemClock} from '../../src/worker/index.ts';
import {seededRandom} from '../helpers/random.ts';
import {histories, idle, send} from '../helpers/chat.ts';
import {says} from '../helpers/family.ts';
import {pacedModel} from '../helpers/blocked-model.ts';
import {timeFor} from '../helpers/kills.ts';
import {allowed, testPod} from '../helpers/pod.ts';
import {openTerminal} from '../helpers/pty.ts';
import {refusePairs} from '../helpers/random-session.ts';
import {sharedPlace, startServing, type SharedPlace} from '../helpers/serve.ts';

const kills = Number(process.env['INKPOD_KILLS'] ?? (process.env['INKPOD_TEST'] === 'long' ? 300 : 3));
const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const words = (name: string) => Array.from({length: 60}, (_, n) => `${name}w${n};`).join(' ');
const victims = ['terminal', 'server', 'both'] as const;

describe('a transfer to the server in which a process is killed', () => {
	it(
		`loses nothing that was shown or queued (INKPOD_SEED=${seed} INKPOD_KILLS=${kills})`,
		{timeout: timeFor(kills)},
		async () => {
			const random = seededRandom(seed);
			let shown = 0;
			for (let n = 0; n < kills; n++) {
				const victim = victims[n % victims.length]!;
				const pause = random() * 700;
				shown += await killOnce(`k${n}`, victim, pause).catch((error: unknown) => {
					throw new Error(`k${n}: ${victim} killed after ${pause} ms`, {cause: error});
				});
			}
			console.log(`killed transfers: seed ${seed}, ${kills} kills, ${shown} words shown`);
			// Each of a few kills may come before the first word.
			if (kills > 20) expect(shown).toBeGreaterThan(0);
		},
	);
});

/** Kills processes during the transfer of a streaming session with a queued message. Returns how many words showed. */
async function killOnce(name: string, victim: (typeof victims)[number], pause: number): Promise<number> {
	const answers = [0, 1, 2, 3].map(n => [{type: 'text', text: words(`${name}a${n}`), chunk: 7, delayMs: 3} as const]);
	const {args, env} = await pacedModel(answers, async ms => sleep(ms));
	const place = await sharedPlace({}, env);
	const server = await startServing(place);
	await using terminal = await openTerminal({...place, args, rows: 40});
	await terminal.waitFor(idle);
	await send(terminal, 'go');
	await terminal.waitFor(new RegExp(`${name}a0w`));
	await send(terminal, 'the queued message');
	await terminal.waitFor(/\d queued/);
	await send(terminal, '/detach');
	await sleep(pause);
	if (victim !== 'server') terminal.kill('SIGKILL');
	if (victim !== 'terminal') server.kill('SIGKILL');
	const seen = [...new Set(terminal.screen().match(new RegExp(`${name}a\\d+w\\d+;`, 'gu')))];
	terminal.kill('SIGKILL');
	server.kill('SIGKILL');
	await Promise.all([terminal.exit, server.ended]);
	await inspect(place, seen);
	return seen.length;
}

/** Opens the session as the next process does, and checks that everything is there once. */
async function inspect({home, project}: SharedPlace, shown: readonly string[]): Promise<void> {
	const [file] = await histories(home);
	const dir = dirname(file!);
	const opened = await openSession(dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	const model = scriptedModel(async () => says('And on.'), {name: 'anthropic/test'});
	const told = await testPod(project, {model, session: opened.session, ...allowed});
	const all: Item[] = [];
	told.pod.subscribe(event => {
		if (event.type === 'snapshot') all.push(...event.items, ...event.tail);
	})();
	const text = JSON.stringify(all);
	expect(shown.filter(word => !text.includes(word))).toEqual([]);
	const isSent = all.filter(item => item.type === 'message' && item.role === 'user' && item.text.includes('queued'));
	const waits = told.status().queue;
	// A message whose receipt had not come is in the draft of the terminal, under the same id.
	const isKept = (await draftsIn(home)).includes('the queued message');
	expect(isSent.length + waits.length).toBeLessThanOrEqual(1);
	expect(isSent.length + waits.length + (isKept ? 1 : 0)).toBeGreaterThan(0);
	if (told.status().kind === 'paused') await told.pod.send({method: 'resume'});
	else await told.run('Next');
	await told.until(() => told.status().kind === 'idle');
	expect(refusePairs(context(told.items()).messages)).toBeUndefined();
	await told.pod.send({method: 'shutdown'});
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	expect(verifySession(read.session).findings.filter(({level}) => level === 'failure')).toEqual([]);
}

/** Returns the texts of all saved drafts. */
async function draftsIn(home: string): Promise<string> {
	const names = await readdir(home, {recursive: true, withFileTypes: true});
	const files = names.filter(name => name.isFile() && name.parentPath.includes('/drafts/'));
	return (await Promise.all(files.map(async ({parentPath, name}) => readFile(join(parentPath, name), 'utf8')))).join(
		'',
	);
}
