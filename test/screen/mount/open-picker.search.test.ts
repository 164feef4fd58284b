import {describe, expect, it} from 'vitest';
import type {PickerOptions} from '../../../src/screen/mount/open-picker.ts';
import {openedPicker as opened, pickerEntries as entries, pickerEntry as entry} from '../../helpers/opened-picker.ts';

describe('the search of the picker', () => {
	const findText: PickerOptions['findText'] = async ({id}, text) =>
		id === 'CHERRY' ? {before: 'a red ', match: text, after: ' one', place: 'answer', item: 'i1'} : undefined;

	it('shows titles and then texts while you type, and Enter opens the session at the match', async () => {
		const picker = opened({findText});
		await picker.shows('banana');
		picker.press('Pear');
		await picker.shows(/❯ Pear *\n❯ .*cherry · answer: a red Pear one/);
		await picker.shows(/this directory · 1 of 3\s/);
		picker.press('\r');
		expect(await picker.result).toEqual({
			picked: expect.objectContaining({id: 'CHERRY'}) as unknown,
			found: {text: 'pear', item: 'i1'},
		});
	});

	it('opens a session with a matching title at its end', async () => {
		const picker = opened({findText});
		picker.press('che');
		await picker.shows(/❯ che *\n❯ .*cherry/);
		picker.press('\r');
		expect(await picker.result).toEqual({picked: entries[2]});
	});

	it('includes all directories after Tab', async () => {
		const all = [...entries, entry('zucchini', {cwd: '/q'})];
		const picker = opened({
			listAll: async () => ({ok: true, entries: all}),
			findText: async ({id}, text) =>
				id === 'ZUCCHINI' ? {before: '', match: text, after: '', place: 'prompt'} : undefined,
		});
		picker.press('pear');
		await picker.shows('No matching sessions here. Press Tab for all directories.');
		picker.press('\t');
		await picker.shows(/all directories · 1 of 4[^]*zucchini · you: pear/);
		picker.press('\t');
		await picker.shows('No matching sessions here.');
		picker.press('\x1b');
		await picker.result;
	});

	it('stops at the next key', async () => {
		const signals: AbortSignal[] = [];
		const picker = opened({findText: async (_, __, signal) => new Promise(() => signals.push(signal))});
		picker.press('p');
		await picker.shows('searching');
		picker.press('x');
		await expect.poll(() => signals).toHaveLength(1);
		picker.press('y');
		await expect.poll(() => signals.map(({aborted}) => aborted)).toEqual([true, false]);
		picker.press('\x1b');
		await picker.result;
		expect(signals.map(({aborted}) => aborted)).toEqual([true, true]);
	});
});
