import * as fc from 'fast-check';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../src/pod/protocol.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {historyFile} from '../../src/pod/disk/paths.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {systemClock} from '../../src/worker/index.ts';
import {answers, converse, files} from '../helpers/conversation.ts';
import {createItems, historyText} from '../helpers/items.ts';
import {testPod} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {startServer, wires} from '../helpers/wire-servers/index.ts';
import {modelAt} from '../worker/wires/wire-model.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_203);
const sessionId = '01JZZZZZZZZZZZZZZZZZZZZZZZ';

type Act = {
	readonly type: 'rewind' | 'compaction' | 'drop' | 'restore' | 'pin' | 'prune' | 'undo';
	readonly at: number;
	readonly ids: readonly number[];
};
const act: fc.Arbitrary<Act> = fc.record({
	type: fc.constantFrom('rewind', 'compaction', 'drop', 'drop', 'drop', 'restore', 'pin', 'pin', 'prune', 'undo'),
	at: fc.nat(200),
	ids: fc.array(fc.nat(200), {minLength: 1, maxLength: 3}),
});

/** Returns a conversation with these changes at its end, one after another. */
function acted(items: readonly Item[], acts: readonly Act[]): Item[] {
	const all = [...items];
	const make = createItems('act');
	for (const {type, at, ids: places} of acts) {
		// The setup stays in every case.
		const idAt = (place: number) => all[1 + (place % (all.length - 1))]!.id;
		const ids = places.map(idAt);
		if (type === 'rewind') all.push(make.item('rewind', {to: idAt(at)}));
		else if (type === 'compaction')
			all.push(
				make.item('compaction', {
					summary: 'It was spoken of files.',
					firstKept: idAt(at),
					keptIds: ids,
					refs: [],
					refused: [],
					before: 9,
					after: 1,
					model: 'm',
					usage: {},
				}),
			);
		else if (type === 'undo') all.push(make.item('context', {op: 'restore', ids: [all.at(-1)!.id]}));
		else all.push(make.item('context', {op: type, ids}));
	}
	return all;
}

let count = 0;

async function stored(project: TempProject, items: readonly Item[]): Promise<string> {
	const dir = join(project.dir, '..', `acted-${count++}`, sessionId);
	await mkdir(dir, {recursive: true});
	await writeFile(historyFile(dir), historyText(items, sessionId, project.scope.pwd));
	return dir;
}

/** Returns the result of `inkpod verify --requests` for the session on disk. */
async function verified(
	dir: string,
): Promise<{readonly failures: readonly string[]; readonly different: number; readonly unmade: number}> {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	const {findings} = verifySession(read.session);
	const {different, unmade} = await verifyRequests(read.session.items);
	return {
		failures: findings.filter(({level}) => level === 'failure').map(({sentence}) => sentence),
		different,
		unmade,
	};
}

describe.each(wires)(`the context over the %s wire, with signed thoughts and parallel calls (seed ${seed})`, wire => {
	it('contains only valid requests that can be rebuilt after any rewind, compaction, drop, pin and undo', async () => {
		const project = await tempProject(files);
		await using first = await startServer(wire, answers);
		const items = await converse(project, async () => modelAt(wire, first), {
			name: 'in one process',
			reopen: false,
		});
		await using second = await startServer(
			wire,
			Array.from({length: 20_000}, (_, n) => [{type: 'text' as const, text: `Answer ${n}.`}]),
			{ledger: first.ledger},
		);
		await fc.assert(
			fc.asyncProperty(fc.array(act, {minLength: 1, maxLength: 5}), async acts => {
				const dir = await stored(project, acted(items, acts));
				const opened = await openSession(dir, systemClock());
				if (!opened.ok) throw new Error(opened.sentence);
				const told = await testPod(project, {model: await modelAt(wire, second), session: opened.session});
				for (const words of ['And now?', 'And then?']) {
					expect(await told.run(words)).toEqual({accepted: true});
					await told.rest();
				}
				await told.pod.send({method: 'shutdown'});
				expect(second.refusals).toEqual([]);
				expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
				expect(await verified(dir)).toEqual({failures: [], different: 0, unmade: 0});
			}),
			{seed, numRuns: long ? 400 : 8, verbose: 1},
		);
	});
});

describe('a compaction that is undone', () => {
	it('keeps later turns, and passes verification, even after a rewind of two turns', async () => {
		const project = await tempProject(files);
		await using server = await startServer('anthropic', [
			...answers,
			[{type: 'text', text: 'Later.'}],
			[{type: 'text', text: 'Undone.'}],
			[{type: 'text', text: 'Rewound.'}],
		]);
		const items = await converse(project, async () => modelAt('anthropic', server), {
			name: 'in one process',
			reopen: false,
		});
		const second = items.find(
			item => item.type === 'message' && item.role === 'user' && item.text.startsWith('And'),
		)!;
		const dir = await stored(project, acted(items, []));
		const make = createItems('act');
		const texts = (n: number) => JSON.stringify(server.requests[n]!.json['messages']);

		const sit = async (words: string, ...acts: Item[]) => {
			const opened = await openSession(dir, systemClock());
			if (!opened.ok) throw new Error(opened.sentence);
			await opened.session.log.write(acts);
			await opened.session.close();
			const again = await openSession(dir, systemClock());
			if (!again.ok) throw new Error(again.sentence);
			const told = await testPod(project, {model: await modelAt('anthropic', server), session: again.session});
			await told.run(words);
			await told.rest();
			await told.pod.send({method: 'shutdown'});
			expect(server.refusals).toEqual([]);
			expect(await verified(dir)).toEqual({failures: [], different: 0, unmade: 0});
		};

		const compaction = make.item('compaction', {
			summary: 'They looked at files.',
			firstKept: second.id,
			keptIds: [],
			refs: [],
			refused: [],
			before: 900,
			after: 100,
			model: 'm',
			usage: {},
		});
		await sit('What comes later?', compaction);
		expect([texts(4).includes('They looked at files.'), texts(4).includes('and their neighbours hold?')]).toEqual([
			true,
			false,
		]);
		await sit('And undone?', make.item('context', {op: 'restore', ids: [compaction.id]}));
		expect([
			texts(5).includes('They looked at files.'),
			texts(5).includes('and their neighbours hold?'),
			texts(5).includes('What comes later?'),
		]).toEqual([false, true, true]);
		const lastEnd = items.findLast(({type}) => type === 'run_end')!;
		await sit('And rewound?', make.item('rewind', {to: lastEnd.id}));
		expect([
			texts(6).includes('What comes later?'),
			texts(6).includes('And undone?'),
			texts(6).includes('Thank you.'),
		]).toEqual([false, false, true]);
		expect(texts(6)).not.toContain('They looked at files.');
	});
});
