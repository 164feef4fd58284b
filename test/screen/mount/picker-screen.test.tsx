import fc from 'fast-check';
import {render} from 'ink';
import {describe, expect, it} from 'vitest';
import {createStore} from 'zustand/vanilla';
import type {PickerEntry, PreviewPart} from '../../../src/screen/model/picker/text-search.ts';
import {PickerScreen} from '../../../src/screen/mount/picker-screen.tsx';
import {createPicker, pick, type PickerAction} from '../../../src/screen/model/picker/picker-state.ts';
import {
	pickerRows,
	share,
	viewPicker,
	type PickerView,
	type Size,
} from '../../../src/screen/view/picker/picker-view.ts';
import {pictureOfRows} from '../../../src/screen/mount/view.ts';
import {createFrameStream} from '../../../src/screen/terminal/ink-stdout.ts';
import {createTheme} from '../../../src/screen/spans/theme.ts';
import {difference} from '../../helpers/same-screen.ts';
import {createScreen} from '../../helpers/screen.ts';

const theme = createTheme(3);
const words = [
	'explain @src/a.ts',
	'日本語で検索を説明して',
	'👨‍👩‍👧 👍🏽 ❤️',
	'ส้ำ'.repeat(9),
	'\u001b[2J\u202etxt',
	'x'.repeat(200),
];
const parts: readonly PreviewPart[] = [
	{speaker: 'user', text: words.join('\n')},
	{speaker: 'model', text: words.toReversed().join(' ')},
];
const entries = words.map((text, index): PickerEntry => ({
	id: `ID${index}`,
	dir: `/s/${index}`,
	changed: '2026-01-01T00:00:00.000Z',
	bytes: 10 ** index,
	words: text,
	cwd: '/home/ann/日本/語',
	...(index === 1 && {forkOf: 'ID0'}),
	...(index === 5 && {problem: 'This is no history.'}),
}));

function forked(original: PickerEntry): PickerAction {
	const entry = {...original, dir: `${original.dir}-fork`, forkOf: original.id};
	return {type: 'forked', original, entry, warnings: []};
}

const action: fc.Arbitrary<PickerAction> = fc.oneof(
	fc.constantFrom(...words, 'a', '語').map((text): PickerAction => ({type: 'edit', edit: {type: 'insert', text}})),
	fc.constantFrom('up', 'down', 'last', 'first').map((to): PickerAction => ({type: 'move', to})),
	fc.constant<PickerAction>({type: 'switch'}),
	fc.constant<PickerAction>({type: 'listed', scope: 'all', entries}),
	fc.nat(5).map((index): PickerAction => ({type: 'previewed', dir: `/s/${index}`, parts})),
	fc.constantFrom(...words).map((sentence): PickerAction => ({type: 'told', sentence})),
	fc.constantFrom(...words).map((sentence): PickerAction => ({type: 'exported', sentence: sentence.repeat(9)})),
	fc.constantFrom(...entries).map((entry): PickerAction => ({type: 'exporting', entry})),
	fc.constantFrom(...entries).map((entry): PickerAction => forked(entry)),
);
const size = fc.record({columns: fc.integer({min: 24, max: 110}), rows: fc.integer({min: 6, max: 32})});

describe('the picker', () => {
	it('looks the same whether drawn by Ink or painted row by row', async () => {
		const runs = process.env['INKPOD_TEST'] === 'long' ? 500 : 30;
		const property = fc.asyncProperty(size, fc.array(action, {maxLength: 6}), async (at, actions) => {
			expect(await isShownAlike(viewOf(at, actions))).toBeUndefined();
		});
		await fc.assert(property, {seed: 20_261_123, numRuns: runs});
	});
});

function viewOf(at: Size, actions: readonly PickerAction[]): PickerView {
	const state = actions.reduce(pick, createPicker({here: entries}, share(at).list));
	return viewPicker(state, at, {now: Date.UTC(2026, 0, 2), home: '/home/ann'});
}

/** Compares the screen drawn by Ink with the painted rows. */
async function isShownAlike(frame: PickerView): Promise<unknown> {
	const {columns, rows} = frame.size;
	const [inked, painted] = [createScreen(columns, rows), createScreen(columns, rows)];
	await inked.write(`\x1b[?7l${byInk(frame).join('\r\n')}\x1b[H`);
	await painted.write(`\x1b[?7l${pictureOfRows(pickerRows(frame), frame, theme).rows.join('\r\n')}\x1b[H`);
	const different = difference(inked, painted);
	for (const screen of [inked, painted]) screen.dispose();
	return different;
}

function byInk(frame: PickerView): readonly string[] {
	const {columns, rows} = frame.size;
	let written: readonly string[] = [];
	const onFrame = (next: readonly string[]) => {
		written = next;
	};
	const onError = (error: Error) => {
		throw error;
	};
	const stdout = createFrameStream({columns: () => columns, rows: () => rows, onFrame});
	const screen = <PickerScreen shown={createStore(() => frame)} theme={theme} onError={onError} />;
	const ink = render(screen, {stdout, debug: true, interactive: true, patchConsole: false});
	ink.unmount();
	ink.cleanup();
	return written;
}
