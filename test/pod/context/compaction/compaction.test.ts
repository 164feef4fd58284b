import {rmSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {contextPieces} from '../../../../src/pod/ground/history/reader.ts';
import type {Item, ItemOf} from '../../../../src/pod/protocol.ts';
import {compactionsDir} from '../../../../src/pod/disk/paths.ts';
import type {Answer} from '../../../../src/worker/index.ts';
import {answersIn, compactingModel, compactionLimits, steps, words, writes} from '../../../helpers/compacting.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const limits = compactionLimits({retainedTokens: 100, autoReadTokens: 200});
const talk = () => [{type: 'text' as const, text: words(80, 'talk')}];

async function spoken(told: TestPod, ...texts: readonly string[]): Promise<void> {
	for (const text of texts) {
		expect(await told.run(text)).toEqual({accepted: true});
		await told.rest();
	}
}

function compactionsOf(items: readonly Item[]): ReadonlyArray<ItemOf<'compaction'>> {
	return items.filter(item => item.type === 'compaction');
}

const sentTexts = (items: readonly Item[]) =>
	contextPieces(items).pieces.map(({part}) => (part !== undefined && 'text' in part ? part.text : ''));

describe('/compact', () => {
	it('appends the summary and the chosen files together, and keeps the tail and the transcript', async () => {
		const project = await tempProject({'a.ts': 'one\ntwo\nthree\n', 'b.ts': 'b\n'});
		const model = compactingModel(talk, writes('We talked.', {path: 'a.ts', offset: 2, limit: 1}, {path: 'b.ts'}));
		const told = await testPod(project, {model, limits});
		await spoken(told, 'First, see @a.ts and @b.ts', 'Second', 'Third');
		await project.write('b.ts', 'new\n');
		const before = told.items();
		expect(await told.pod.send({method: 'compact', hint: 'mind the "names"'})).toEqual({accepted: true});
		const items = told.items();
		expect(items.slice(0, before.length)).toEqual(before);
		const [item, ...reads] = items.slice(before.length) as [ItemOf<'compaction'>, ...Item[]];
		expect(item).toMatchObject({
			type: 'compaction',
			summary: 'We talked.',
			refs: [],
			refused: [],
			model: 'scripted',
			usage: {input: 200, output: 20},
		});
		expect(reads).toMatchObject([
			{
				text: '[Auto-read file: a.ts:2-2]\ntwo',
				origin: {
					kind: 'auto_read',
					path: 'a.ts',
					range: {first: 2, last: 2},
					bytes: 3,
					totalBytes: 14,
					lines: 1,
					truncated: false,
					compaction: item.id,
				},
			},
			{
				text: '[Auto-read file: b.ts]\nnew\n',
				origin: {kind: 'auto_read', path: 'b.ts', lines: 1, compaction: item.id},
			},
		]);
		expect(item.after).toBeLessThan(item.before);
		expect(told.context()).toMatchObject({tokens: item.after, exact: false});
		expect(sentTexts(items)).toEqual([
			'[Summary of the conversation until here]\nWe talked.',
			'[Auto-read file: a.ts:2-2]\ntwo',
			'[Auto-read file: b.ts]\nnew\n',
			'Third',
			words(80, 'talk'),
		]);
		expect(told.status().kind).toBe('idle');
		const task = JSON.stringify(model.summaries[0]!.messages);
		expect(task).toContain(String.raw`[The user says]\n\tFirst, see @a.ts and @b.ts`);
		expect(task).not.toContain('Third');
		expect(task).toContain(String.raw`- \"b.ts\" (attached)\n- \"a.ts\" (attached)`);
		expect(task).toContain('mind the');
		expect(
			(await readFile(told.file, 'utf8')).split('\n').filter(line => line.includes('"type":"compaction"')),
		).toHaveLength(1);
	});

	it('summarises the last summary with what followed it, and an undo restores the earlier summary', async () => {
		const project = await tempProject({'a.ts': 'a\n'});
		const model = compactingModel(talk, (request, n) => writes(`Summary ${n}.`)(request));
		const told = await testPod(project, {model, limits});
		await spoken(told, 'First', 'Second', 'Third');
		await told.pod.send({method: 'compact'});
		await spoken(told, 'Fourth', 'Fifth');
		await told.pod.send({method: 'compact'});
		expect(JSON.stringify(model.summaries.at(-1)!.messages)).toContain(
			String.raw`[Summary of what came before]\n\tSummary`,
		);
		await spoken(told, 'Sixth');
		const [first, second] = compactionsOf(told.items());
		expect(sentTexts(told.items()).filter(text => !text.startsWith('talk'))).toEqual([
			`[Summary of the conversation until here]\n${second!.summary}`,
			'Fifth',
			'Sixth',
		]);
		expect(await told.pod.send({method: 'context', op: 'restore', ids: [second!.id]})).toEqual({accepted: true});
		expect(sentTexts(told.items()).filter(text => !text.startsWith('talk'))).toEqual([
			`[Summary of the conversation until here]\n${first!.summary}`,
			'Third',
			'Fourth',
			'Fifth',
			'Sixth',
		]);
	});

	it('reports how many items it summarises, as the ledger does, even after an undo', async () => {
		const model = compactingModel(talk, (request, n) => writes(`Summary ${n}.`)(request));
		const told = await testPod(await tempProject(), {model, limits});
		const counts: Array<readonly [said: number | undefined, counted: number | undefined]> = [];
		const compact = async () => {
			await told.pod.send({method: 'compact'});
			counts.push([
				compactionsOf(told.items()).at(-1)!.summarised,
				(await told.pod.ledger()).rows.find(({kind}) => kind === 'summary')?.summarised,
			]);
		};
		await spoken(told, 'First', 'Second', 'Third');
		await compact();
		await told.pod.send({method: 'context', op: 'restore', ids: [compactionsOf(told.items())[0]!.id]});
		await compact();
		await spoken(told, 'Fourth', 'Fifth');
		await compact();
		expect(counts).toEqual([
			[4, 4],
			[4, 4],
			[5, 5],
		]);
	});

	it('fails with a reason and sends no request when there is nothing to summarise', async () => {
		const model = compactingModel(talk);
		const told = await testPod(await tempProject(), {model, limits});
		expect(await told.pod.send({method: 'compact'})).toMatchObject({accepted: false, code: 'empty'});
		await spoken(told, 'First');
		expect(await told.pod.send({method: 'compact'})).toMatchObject({accepted: false, code: 'empty'});
		expect(model.summaries).toHaveLength(0);
	});

	it('names a chosen file that is missing at the commit, with the reason', async () => {
		const project = await tempProject({'a.ts': 'a\n'});
		const model = compactingModel(talk, request => {
			if (answersIn(request) === 1) rmSync(project.path('a.ts'));
			return writes('So far.', {path: 'a.ts'})(request);
		});
		const told = await testPod(project, {model, limits});
		await spoken(told, 'First', 'Second', 'Third');
		await told.pod.send({method: 'compact'});
		expect(compactionsOf(told.items())[0]!.refused).toEqual([
			{path: 'a.ts', reason: 'there is no such file or directory.'},
		]);
	});

	it('refuses to re-read files that it cannot read, and the item names them with the reason', async () => {
		const project = await tempProject({
			bin: new Uint8Array([0, 1, 2]),
			'.env': 'KEY=1\n',
			'long.md': words(400),
			'short.md': 'short\n',
			'dir/': '',
		});
		const marks = ['bin', 'gone.ts', '../outside.ts', 'long.md', '.env', 'dir', 'short.md'];
		const model = compactingModel(
			talk,
			writes('So far.', ...marks.map(path => ({path})), {path: 'short.md', offset: 9}),
		);
		const told = await testPod(project, {model, limits});
		await spoken(told, 'First', 'Second', 'Third');
		await told.pod.send({method: 'compact'});
		const [item] = compactionsOf(told.items());
		expect(item!.refused).toEqual([
			{path: 'bin', reason: 'it is not a text file.'},
			{path: 'gone.ts', reason: 'there is no such file or directory.'},
			{path: '../outside.ts', reason: 'it is outside the directories that may be read.'},
			{
				path: 'long.md',
				reason: expect.stringMatching(
					/^it takes about \d+ tokens, and only 200 were left for files to read again\.$/,
				) as string,
			},
			{path: '.env', reason: 'it looks like a secret, and reading it was not allowed.'},
			{path: 'dir', reason: 'it is a directory. Use glob to list it.'},
			{path: 'short.md:9-', reason: 'these lines are past the end of the file.'},
		]);
		expect(told.items().at(-1)).toMatchObject({text: '[Auto-read file: short.md]\nshort\n'});
		const results = JSON.stringify(model.summaries[1]!.messages);
		expect(results).toContain('About 200 tokens are left');
	});

	it('lists a reference without its text, reads a file only once, and reads lines of a long file', async () => {
		const project = await tempProject({'a.md': 'a\n', 'long.md': `${words(400)}\nlast\n`});
		const model = compactingModel(
			talk,
			steps(
				[
					['mark_read_required', {path: 'long.md'}],
					['mark_read_required', {path: 'a.md'}],
					['mark_read_required', {path: './a.md'}],
					['add_reference', {path: 'a.md'}],
					['add_reference', {path: 'none.md'}],
				],
				[
					['mark_read_required', {path: 'long.md', offset: 2}],
					['write_summary', {text: 'One.'}],
					['write_summary', {text: 'Two.'}],
				],
			),
		);
		const told = await testPod(project, {model, limits});
		await spoken(told, 'First', 'Second', 'Third');
		await told.pod.send({method: 'compact'});
		expect(compactionsOf(told.items())).toMatchObject([{summary: 'Two.', refs: ['a.md'], refused: []}]);
		expect(sentTexts(told.items())[0]).toBe(
			'[Summary of the conversation until here]\nTwo.\n\nFiles that it refers to:\n- a.md',
		);
		expect(told.items().slice(-2)).toMatchObject([
			{text: '[Auto-read file: a.md]\na\n'},
			{text: '[Auto-read file: long.md:2-2]\nlast'},
		]);
	});

	it('explains why the last answer of a failed summary is incomplete', async () => {
		const refusal: Answer = [{type: 'stop', stop: 'refused', explanation: 'Not this.'}];
		const told = await testPod(await tempProject(), {model: compactingModel(talk, () => refusal), limits});
		await spoken(told, 'First', 'Second', 'Third');
		expect(await told.pod.send({method: 'compact'})).toMatchObject({
			sentence: 'The model returned no summary. The model refused: Not this.',
		});
	});

	it('asks again once when no file is marked, and leaves no trace when no summary is written', async () => {
		const project = await tempProject({'a.ts': 'a\n'});
		const model = compactingModel(talk, () => [{type: 'text', text: 'Hm.'}]);
		const told = await testPod(project, {model, limits});
		await spoken(told, 'See @a.ts', 'Second', 'Third');
		const before = await readFile(told.file);
		expect(await told.pod.send({method: 'compact'})).toMatchObject({
			accepted: false,
			code: 'compaction',
			sentence: 'The model returned no summary.',
		});
		expect(model.summaries.map(answersIn)).toEqual([0, 1]);
		expect(JSON.stringify(model.summaries[1]!.messages.at(-1))).toContain('You have not marked any file');
		expect(await readFile(told.file)).toEqual(before);
		expect(told.status()).toMatchObject({kind: 'idle', asks: [], queue: []});
	});

	it('fails with a sentence when its conversation cannot be recorded, and sends nothing', async () => {
		const model = compactingModel(talk);
		const told = await testPod(await tempProject(), {model, limits});
		await spoken(told, 'First', 'Second', 'Third');
		await writeFile(compactionsDir(told.session.dir), '');
		const before = await readFile(told.file);
		expect(await told.pod.send({method: 'compact'})).toMatchObject({
			accepted: false,
			code: 'compaction',
			sentence: expect.stringMatching(/compactions.* The last step was not saved\.$/) as string,
		});
		expect([model.summaries, await readFile(told.file)]).toEqual([[], before]);
		await spoken(told, 'Fourth');
	});

	it.each(['pause', 'cancel'] as const)(
		'leaves no trace when a %s stops it, and can run afterwards',
		async method => {
			const model = compactingModel(talk, (request, n) =>
				n === 0 ? [{type: 'stall'}] : writes('So far.')(request),
			);
			const told = await testPod(await tempProject(), {model, limits});
			await spoken(told, 'First', 'Second', 'Third');
			const before = await readFile(told.file);
			const receipt = told.pod.send({method: 'compact'});
			await expect.poll(() => model.summaries.length).toBe(1);
			expect(told.status()).toMatchObject({kind: 'running', step: 'compacting'});
			expect(await told.run('now')).toMatchObject({accepted: false, code: 'busy'});
			expect(await told.pod.send({method})).toEqual({accepted: true});
			expect(await receipt).toMatchObject({accepted: false, code: 'aborted'});
			expect(await readFile(told.file)).toEqual(before);
			expect(told.status()).toMatchObject({kind: 'idle', asks: [], queue: []});
			expect(await told.pod.send({method: 'compact'})).toEqual({accepted: true});
		},
	);

	it('is refused with the sentence of a hook that cancels, before anything is sent', async () => {
		const model = compactingModel(talk);
		const asked: unknown[] = [];
		const told = await testPod(await tempProject(), {
			model,
			limits,
			async compactHook(compaction) {
				asked.push(compaction);
				return {type: 'cancel', reason: 'Not now.'};
			},
		});
		await spoken(told, 'First', 'Second', 'Third');
		expect(await told.pod.send({method: 'compact', hint: 'names'})).toEqual({
			accepted: false,
			code: 'hook',
			sentence: 'Not now.',
		});
		expect(asked).toEqual([{trigger: 'manual', hint: 'names', tokens: told.context()!.tokens}]);
		expect(model.summaries).toHaveLength(0);
	});

	it('leads to the same next request after the session is reopened', async () => {
		const project = await tempProject({'a.ts': 'a\n'});
		const model = compactingModel(talk, writes('So far.', {path: 'a.ts'}));
		const told = await testPod(project, {model, limits});
		await spoken(told, 'First', 'Second', 'Third');
		await told.pod.send({method: 'compact'});
		const ledger = await told.pod.ledger();
		await told.pod.send({method: 'shutdown'});
		const again = await testPod(project, {model, limits, session: await reopened(told)});
		expect(await again.pod.ledger()).toEqual(ledger);
		expect(again.items()).toEqual(told.items());
	});
});
