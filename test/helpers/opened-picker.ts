import {PassThrough, Writable} from 'node:stream';
import {expect, onTestFinished} from 'vitest';
import {createKeymap} from '../../src/screen/model/keys/keymap.ts';
import type {PickerEntry, PreviewPart} from '../../src/screen/model/picker/text-search.ts';
import {openPicker, type PickerOptions, type PickerResult, pickerViews} from '../../src/screen/mount/open-picker.ts';
import {createPainter} from '../../src/screen/terminal/compositor/compositor.ts';
import {createTheme} from '../../src/screen/spans/theme.ts';
import {createScreen} from './screen.ts';

export const pickerEntry = (name: string, more: Partial<PickerEntry> = {}): PickerEntry => ({
	id: name.toUpperCase(),
	dir: `/s/${name}`,
	changed: '2026-01-01T00:00:00.000Z',
	bytes: 1,
	words: name,
	cwd: '/p',
	...more,
});
export const pickerEntries = ['apple', 'banana', 'cherry'].map(name => pickerEntry(name));

/** Returns a terminal of streams with a picker on it. */
export function openedPicker(
	options: Partial<PickerOptions> = {},
	[columns, rows]: readonly [number, number] = [80, 24],
) {
	const screen = createScreen(columns, rows);
	// A terminal driver converts newlines like this.
	screen.terminal.options.convertEol = true;
	onTestFinished(() => screen.dispose());
	const stdin = Object.assign(new PassThrough(), {
		isTTY: true,
		raw: false,
		setRawMode(raw: boolean) {
			stdin.raw = raw;
		},
	});
	const stdout = Object.assign(
		new Writable({write: (chunk: Buffer, _, done) => void screen.write(chunk).then(() => done())}),
		{isTTY: true, columns, rows},
	);
	const looked: Array<{
		readonly dir: string;
		readonly signal: AbortSignal;
		readonly answer: (parts: readonly PreviewPart[]) => void;
	}> = [];
	const result: Promise<PickerResult> = openPicker({
		stdin: stdin as unknown as NodeJS.ReadStream,
		stdout: stdout as unknown as NodeJS.WriteStream,
		view: shown => pickerViews.full(createPainter(shown.stdout, {scrollRegions: true}), shown),
		keymap: createKeymap().keymap,
		theme: createTheme(3),
		lists: {here: pickerEntries},
		listAll: async () => ({ok: true, entries: pickerEntries}),
		readLive: async () => new Map(),
		readFacts: async () => ({}),
		preview: async ({dir}, signal) => new Promise(answer => looked.push({dir, signal, answer})),
		remove: async ({dir}) => ({ok: true, dir: `trash${dir}`}),
		pin: async () => undefined,
		fork: async () => ({ok: false, sentence: 'There is nothing to fork yet.'}),
		exportTo: async () => ({ok: false, sentence: 'Nothing is exported here.'}),
		findText: async () => undefined,
		restore: async dir => ({ok: true, dir: dir.slice('trash'.length)}),
		...options,
	});
	const shows = async (text: string | RegExp) => {
		await expect.poll(() => screen.text()).toMatch(text);
	};
	return {screen, stdin, stdout, looked, result, shows, press: (keys: string) => stdin.write(keys)};
}
