import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {contentOf, ledgerOf, shownFiles, withStates} from '../../../../src/pod/context/ledger/ledger.ts';
import {estimateTokens} from '../../../../src/pod/ground/text/tokens.ts';
import type {Item, ModelRequest} from '../../../../src/worker/index.ts';
import {context} from '../../../../src/pod/ground/history/reader.ts';
import {createItems} from '../../../helpers/items.ts';
import {anyHistory, drafts, randomHistory} from '../../../helpers/random-history.ts';

const of = (...items: Item[]) => ledgerOf(items, {estimate: estimateTokens});

/** Counts the bytes of a request's content from the request alone. */
function bytesOf({prompt, tools, messages}: ModelRequest): number {
	const texts = messages.flatMap(message => {
		if (message.role === 'user') return [message.text];
		return message.role === 'tool'
			? message.results.map(({content}) => content)
			: message.parts.map(part => contentOf(part));
	});
	return Buffer.byteLength([prompt, ...tools.map(tool => JSON.stringify(tool)), ...texts].join(''));
}

describe('ledgerOf', () => {
	it('has a row for the prompt, each tool, and every item of the next request in its order', () => {
		const make = createItems();
		const [setup, user, file] = [
			make.setup(),
			make.user('read it'),
			make.file('src/日本.ts', 'one\ntwo\n', {totalBytes: 500, range: {first: 1, last: 2}}),
		];
		const {rows, totals, model, bytes, tokens} = of(
			setup,
			user,
			file,
			make.reasoning('Let me see.'),
			make.call('1', 'read_file', {path: 'a'}),
			make.request('tool_calls'),
			make.result('1', '3 lines', 'a\nb\n'),
			make.assistant('Done.'),
			make.request(),
			make.end(),
		);
		expect(model).toBe('scripted/demo');
		expect(rows.map(({kind, label}) => [kind, label])).toEqual([
			['prompt', 'System prompt'],
			['tool', 'read_file'],
			['user', 'read it'],
			['file', 'src/日本.ts'],
			['thought', 'Let me see.'],
			['call', 'read_file {"path":"a"}'],
			['result', 'read_file 3 lines'],
			['assistant', 'Done.'],
		]);
		expect(rows[3]).toMatchObject({
			id: file.id,
			path: 'src/日本.ts',
			range: {first: 1, last: 2},
			body: {bytes: 8, totalBytes: 500},
			bytes: Buffer.byteLength(file.text),
			tokens: estimateTokens(file.text),
		});
		expect(totals.map(({kind, rows: count}) => [kind, count])).toEqual([
			['prompt', 1],
			['tool', 1],
			['user', 1],
			['file', 1],
			['thought', 1],
			['call', 1],
			['result', 1],
			['assistant', 1],
		]);
		expect([bytes, tokens]).toEqual([
			totals.reduce((all, total) => all + total.bytes, 0),
			totals.reduce((all, total) => all + total.tokens, 0),
		]);
	});

	it('shows what a summary replaces and what is pinned, and shows dropped items in their place', () => {
		const {setup, file, turn, compaction, change, again} = drafts();
		const [one, two, knowledge, dropped] = [turn('one'), turn('two'), file('knowledge'), file('big')];
		const it = compaction(two[0]!.id);
		const {rows} = of(
			setup,
			...one,
			knowledge,
			...two,
			dropped,
			change('pin', knowledge.id),
			it,
			again(it, 'a.ts'),
			change('drop', dropped.id),
		);
		expect(
			rows.slice(2).map(({kind, label, pinned, dropped: out, summarised, bytes}) => ({
				kind,
				label,
				pinned,
				out,
				summarised,
				empty: bytes === 0,
			})),
		).toEqual([
			{kind: 'summary', label: 'Summary', summarised: 2, empty: false},
			{kind: 'system', label: 'knowledge', pinned: true, empty: false},
			{kind: 'system', label: 'a.ts', empty: false},
			{kind: 'user', label: 'two?', empty: false},
			{kind: 'assistant', label: 'two.', empty: false},
			{kind: 'system', label: 'big', out: true, empty: true},
		]);
	});

	it('contains the next setup when history has none', () => {
		const {setup} = drafts();
		const {id: _, at: _at, ...draft} = setup;
		expect(ledgerOf([], {estimate: estimateTokens, setup: draft})).toMatchObject({
			model: 'm',
			rows: [{kind: 'prompt'}, {kind: 'tool'}],
		});
		expect(of()).toEqual({model: '', rows: [], totals: [], bytes: 0, tokens: 0});
	});

	it('shows the states of its files', () => {
		const make = createItems();
		const [file, other] = [make.file('a.ts', 'a\n'), make.user('u')];
		const ledger = of(make.setup(), file, other);
		expect(shownFiles(ledger)).toEqual([file.id]);
		expect(withStates(ledger, [{id: file.id, state: 'changed'}]).rows.map(({state}) => state)).toEqual([
			undefined,
			undefined,
			'changed',
			undefined,
		]);
	});
});

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_202);

it(`the ledger adds up to the request for every history (seed ${seed})`, () => {
	fc.assert(
		fc.property(anyHistory, random => {
			const items = randomHistory(random);
			const {rows, totals, bytes} = of(...items);
			const sum = (some: ReadonlyArray<{readonly bytes: number}>) =>
				some.reduce((all, row) => all + row.bytes, 0);
			expect([sum(rows), sum(totals), bytes]).toEqual(Array.from({length: 3}, () => bytesOf(context(items))));
			const sent = rows.flatMap(({id, dropped, kind}) =>
				dropped !== true && kind !== 'prompt' && kind !== 'tool' && id !== undefined ? [id] : [],
			);
			expect(new Set(sent).size).toBe(sent.length);
		}),
		{numRuns: process.env['INKPOD_TEST'] === 'long' ? 10_000 : 400, seed, verbose: 1},
	);
});
