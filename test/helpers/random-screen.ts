import * as fc from 'fast-check';
import type {Item, ItemOf} from '../../src/pod/protocol.ts';
import {firstPicture} from '../../src/screen/mount/view.ts';
import {draw} from '../../src/screen/mount/open-screen.ts';
import {pasteText, takeMouse} from '../../src/screen/control/keys/keys-in.ts';
import type {App} from '../../src/screen/control/app.ts';
import type {Picture} from '../../src/screen/terminal/compositor/compositor.ts';
import {createTheme} from '../../src/screen/spans/theme.ts';
import {fakeApp, fakePod, idle, running} from './fake-app.ts';
import {createItems} from './items.ts';

/** An event on a screen. */
export type ScreenAct = typeof screenAct extends fc.Arbitrary<infer Of> ? Of : never;

const words = [
	'word ',
	'Hello there. ',
	'# Title\n\n',
	'- one\n- two\n',
	'```ts\nconst a = `語`;\n',
	'```\n',
	'\n\n',
	'| a | 日本 |\n|---|---|\n| 1 | 👍🏽 |\n',
	'日本語の文。',
	'👨‍👩‍👧 ',
	'❤️',
	'🇯🇵',
	'e\u0301\u0323',
	'ส้ำ',
	'\u001b[31m',
	'**bold** `code` ',
	'\t',
	'x'.repeat(50),
];
const typed = ['a', 'word ', '語', '👍🏽', '👨‍👩‍👧', '❤️', 'é', '\\', '@a.md '];
const chords = [
	'enter',
	'enter',
	'backspace',
	'left',
	'up',
	'down',
	'pageup',
	'pageup',
	'pagedown',
	'home',
	'end',
	'ctrl+home',
	'ctrl+end',
	'shift+up',
	'shift+down',
	'alt+up',
	'alt+down',
	'ctrl+o',
	'alt+o',
	'ctrl+r',
	'escape',
	'ctrl+j',
	'ctrl+u',
	'alt+m',
	'alt+x',
];
const textOf = (list: readonly string[], maxLength: number) =>
	fc.array(fc.constantFrom(...list), {minLength: 1, maxLength}).map(parts => parts.join(''));

export const screenAct = fc.oneof(
	{weight: 6, arbitrary: fc.record({kind: fc.constant('stream' as const), text: textOf(words, 4)})},
	{weight: 2, arbitrary: fc.record({kind: fc.constant('settle' as const)})},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('commit' as const),
			what: fc.constantFrom('user', 'assistant', 'reasoning', 'file', 'call'),
			text: textOf(words, 8),
		}),
	},
	{weight: 3, arbitrary: fc.record({kind: fc.constant('type' as const), text: textOf(typed, 4)})},
	{weight: 5, arbitrary: fc.record({kind: fc.constant('press' as const), chord: fc.constantFrom(...chords)})},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('wheel' as const),
			button: fc.constantFrom('up' as const, 'up' as const, 'down' as const),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({kind: fc.constant('drag' as const), from: fc.nat(15), to: fc.nat(15), x: fc.nat(40)}),
	},
	{weight: 1, arbitrary: fc.record({kind: fc.constant('paste' as const), text: textOf(words, 12)})},
	{
		weight: 2,
		arbitrary: fc.record({kind: fc.constant('popup' as const), rows: fc.array(textOf(typed, 6), {maxLength: 6})}),
	},
	{
		weight: 1,
		arbitrary: fc.record({kind: fc.constant('page' as const), lines: fc.array(textOf(typed, 6), {maxLength: 30})}),
	},
	{weight: 1, arbitrary: fc.record({kind: fc.constant('alert' as const), text: textOf(words, 5)})},
	{weight: 1, arbitrary: fc.record({kind: fc.constant('ask' as const), detail: textOf(words, 6)})},
	{weight: 1, arbitrary: fc.record({kind: fc.constant('wait' as const), ms: fc.constantFrom(500, 3000, 20_000)})},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('resize' as const),
			columns: fc.integer({min: 40, max: 64}),
			rows: fc.integer({min: 10, max: 20}),
		}),
	},
);

export type RandomScreen = {
	readonly app: App;
	/** Performs an event and returns the screen after it. */
	after(act: ScreenAct): Picture;
};

/** Opens a whole screen at 60x16 that the test controls. */
export async function randomScreen(): Promise<RandomScreen> {
	const make = createItems();
	const pod = fakePod();
	const theme = createTheme(3);
	let size = {columns: 60, rows: 16};
	let now = 0;
	let open: Item | undefined;
	const {app, press, type} = await fakeApp(pod, {
		mouse: true,
		now: () => now,
		welcome: [
			[{text: 'inkpod 日本語', style: 'bold'}],
			[{text: 'welcome'}],
			...Array.from({length: 12}, (_, line) => [
				{text: `line ${line} of a welcome that is longer than small screens`},
			]),
		],
	});
	const mouse = {x: 0, y: 0, button: 'left' as const, ctrl: false, alt: false, shift: false};
	const commits: {readonly [What in string]: (text: string) => Item} = {
		user: text => make.user(text),
		assistant: text => make.assistant(text),
		reasoning: text => make.reasoning(text),
		file: text => make.file('src/日本 語.ts', text),
		call: text => make.call('c', 'read_file', {path: text}),
	};
	const acts: {readonly [Kind in ScreenAct['kind']]: (act: Extract<ScreenAct, {kind: Kind}>) => void} = {
		stream({text}) {
			if (open === undefined) {
				pod.emit({type: 'status', status: running});
				const begin = make.assistant('');
				open = begin;
				pod.emit({type: 'delta', id: begin.id, text, begin});
			} else pod.emit({type: 'delta', id: open.id, text});
			open = {...open, text: (open as ItemOf<'message'>).text + text} as Item;
		},
		settle() {
			if (open === undefined) return;
			pod.emit({type: 'item', item: open});
			pod.emit({type: 'item', item: make.request()});
			pod.emit({type: 'item', item: make.end()});
			pod.emit({type: 'status', status: idle});
			open = undefined;
		},
		commit: ({what, text}) => pod.emit({type: 'item', item: commits[what]!(text)}),
		type: ({text}) => type(text),
		press({chord}) {
			const keys = chord.split('+');
			press(keys.at(-1)!, {
				ctrl: keys.includes('ctrl'),
				alt: keys.includes('alt'),
				shift: keys.includes('shift'),
			});
		},
		wheel: ({button}) => takeMouse(app, {...mouse, kind: 'wheel', button}),
		drag({from, to, x}) {
			takeMouse(app, {...mouse, kind: 'press', x: 2, y: from});
			takeMouse(app, {...mouse, kind: 'drag', x, y: to});
		},
		paste: ({text}) => pasteText(app, text, false),
		popup({rows}) {
			const parts = rows.map(name => ({id: name, name, text: name, extension: 'txt' as const}));
			app.dispatch(
				parts.length === 0
					? {type: 'close offer'}
					: {type: 'offer stored', choice: {parts, way: 'pager', at: 0}},
			);
		},
		page({lines}) {
			const page = {kind: 'text', title: 'page', lines: lines.map(text => ({spans: [{text}]})), top: 0} as const;
			app.dispatch(lines.length === 0 ? {type: 'close page'} : {type: 'open page', page});
		},
		alert: ({text}) => pod.emit({type: 'alert', alert: {level: 'warn', text}}),
		ask: ({detail}) =>
			pod.emit({
				type: 'status',
				status: {
					...running,
					asks: [
						{
							id: 'a',
							title: 'Run a command?',
							detail,
							choices: [
								{choice: 'allow', label: 'Yes'},
								{choice: 'deny', label: 'No'},
							],
						},
					],
				},
			}),
		wait({ms}) {
			now += ms;
		},
		resize({columns, rows}) {
			size = {columns, rows};
		},
	};
	return {
		app,
		after(act) {
			acts[act.kind](act as never);
			return firstPicture(draw(app, size), theme);
		},
	};
}
