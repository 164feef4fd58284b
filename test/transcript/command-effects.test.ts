import {describe, expect, it} from 'vitest';
import {narrowDetails, type Item} from '../../src/pod/protocol.ts';
import {plainText} from '../../src/screen/spans/row.ts';
import {effectWords} from '../../src/transcript/command-effects.ts';
import {labelOf} from '../../src/screen/rows/spoken/spoken-block.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {createItems} from '../helpers/items.ts';

const none = {added: 0, changed: 0, deleted: 0};

describe('what came of a command', () => {
	it.each([
		['nothing in an older session', {exitCode: 0, confined: 'none'}, []],
		['that it only looked', {effects: none, confined: 'none'}, ['no changes']],
		['the numbers of files', {effects: {added: 3, changed: 2, deleted: 1}}, ['+3 ~2 -1 files']],
		['only numbers that are not 0', {effects: {added: 0, changed: 1200, deleted: 0}}, ['~1200 files']],
		['a single file', {effects: {added: 0, changed: 0, deleted: 1}}, ['-1 file']],
		['that other things changed', {effects: {...none, others: true}}, ['changed']],
		['that its changes were discarded', {discarded: true, confined: 'none'}, ['discarded']],
		['that nothing was kept of them', {effects: none, discarded: true}, ['discarded']],
		['its network', {effects: none, confined: 'open'}, ['no changes', 'network']],
		['that it was not confined', {unconfined: true}, ['unconfined']],
		['nothing if the record is broken', {effects: {...none, added: '3'}, confined: 'open'}, []],
	])('is %s', (_name, command, words) => {
		expect(effectWords(narrowDetails({command: {bytes: 0, ...command}}))).toEqual(words);
	});

	it('is dim at the end of its row, also if the command failed', () => {
		const {row} = drawn({exitCode: 3, effects: {added: 1, changed: 0, deleted: 0}, confined: 'open'});
		expect(plainText(row)).toBe('× Run make · exit 3 · 2.0 s · +1 file · network');
		expect(row.spans.map(({text, style}) => [text, style]).slice(-3)).toEqual([
			[' · 2.0 s', 'error'],
			[' · +1 file', 'dim'],
			[' · network', 'dim'],
		]);
	});

	it('is said to a screen reader', () => {
		expect(drawn({exitCode: 0, effects: none}).label).toEqual({
			title: 'Tool bash, finished: make, exit 0, 2.0 s, no changes',
		});
	});
});

/** Returns the row of a command with these details, and what a screen reader reads of it. */
function drawn(command: Readonly<Record<string, unknown> & {exitCode: number}>) {
	const make = createItems();
	const {exitCode} = command;
	const result = make.result('a', `exit code ${exitCode}`, `[exit code ${exitCode}]`);
	const items: readonly Item[] = [
		make.call('a', 'bash', {command: 'make'}),
		{...result, ms: 2000, isError: exitCode !== 0, details: {command: {bytes: 0, ...command}}},
	];
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	const [row] = store.rows(0).filter(one => plainText(one).trim() !== '');
	return {row: row!, label: labelOf(store.block(0)!)};
}
