import type {Key} from '../../terminal/input/input.ts';
import {invalidChord, keptChord, type keyTexts, takenChord, unknownAction} from './texts.ts';

/** The names of all actions. Each action can have keys. */
export type ActionName = keyof typeof actions;

/** The area in which an action works. */
export type Area = 'session' | 'transcript' | 'composer';

type Action = {readonly area: Area; readonly chords: readonly string[]};

const action = (area: Area, chords: string): Action => ({area, chords: chords.split(' ')});

/**
Lists every action with its chords, in the order of the help. A chord is written as `ctrl+alt+shift+super+name`, in that
order. `texts.ts` describes the actions.
*/
export const actions = {
	submit: action('session', 'enter'),
	steer: action('session', 'ctrl+s'),
	'last queued first': action('session', 'alt+q'),
	pause: action('session', 'escape'),
	cancel: action('session', 'ctrl+c'),
	'erase right or quit': action('session', 'ctrl+d'),
	pick: action('session', 'tab'),
	'edit outside': action('session', 'ctrl+g'),
	'paste image': action('session', 'ctrl+v'),
	'search prompts': action('session', 'ctrl+r'),
	'approval mode': action('session', 'shift+tab'),
	'expand tasks': action('session', 'ctrl+t'),
	'next child': action('session', 'alt+n'),
	'next effort': action('session', 'alt+t'),
	'log in': action('session', 'alt+l'),
	'recent session 1': action('session', 'alt+1'),
	'recent session 2': action('session', 'alt+2'),
	'recent session 3': action('session', 'alt+3'),
	suspend: action('session', 'ctrl+z'),
	redraw: action('session', 'ctrl+l'),

	'page up': action('transcript', 'pageup'),
	'page down': action('transcript', 'pagedown'),
	'row up': action('transcript', 'shift+up ctrl+up'),
	'row down': action('transcript', 'shift+down ctrl+down'),
	top: action('transcript', 'ctrl+home'),
	bottom: action('transcript', 'ctrl+end'),
	'previous message': action('transcript', 'alt+up'),
	'next message': action('transcript', 'alt+down'),
	'switch view': action('transcript', 'ctrl+o'),
	expand: action('transcript', 'alt+o'),
	'split diff': action('transcript', 'alt+s'),
	search: action('transcript', 'f3'),
	'select text': action('transcript', 'alt+x'),
	mouse: action('transcript', 'alt+m'),

	'open in pager': action('transcript', 'alt+v'),
	'open in editor': action('transcript', 'alt+e'),
	'attach again': action('transcript', 'alt+a'),

	newline: action('composer', 'ctrl+j alt+enter shift+enter'),
	up: action('composer', 'up'),
	down: action('composer', 'down'),
	'previous draft': action('composer', 'ctrl+p'),
	'next draft': action('composer', 'ctrl+n'),
	left: action('composer', 'left ctrl+b'),
	right: action('composer', 'right ctrl+f'),
	'word left': action('composer', 'ctrl+left alt+left alt+b'),
	'word right': action('composer', 'ctrl+right alt+right alt+f'),
	'line start': action('composer', 'home ctrl+a'),
	'line end': action('composer', 'end ctrl+e'),
	'draft start': action('composer', 'alt+< alt+shift+,'),
	'draft end': action('composer', 'alt+> alt+shift+.'),
	'erase left': action('composer', 'backspace shift+backspace ctrl+h'),
	'erase right': action('composer', 'delete'),
	'kill word left': action('composer', 'ctrl+w alt+backspace ctrl+backspace'),
	'kill word right': action('composer', 'alt+d ctrl+delete alt+delete'),
	'kill to line start': action('composer', 'ctrl+u'),
	'kill to line end': action('composer', 'ctrl+k'),
	yank: action('composer', 'ctrl+y'),
	'yank earlier': action('composer', 'alt+y'),
	undo: action('composer', 'ctrl+_ ctrl+/ ctrl+- ctrl+shift+-'),
	redo: action('composer', 'alt+_ alt+/ alt+shift+- ctrl+shift+z'),
} as const satisfies Record<keyof typeof keyTexts, Action>;

export const actionNames = Object.keys(actions) as readonly ActionName[];

/** Maps chords to actions, and actions to chords. */
export type Keymap = {
	action(key: Key): ActionName | undefined;
	chords(action: ActionName): readonly string[];
};

/** The possible problems of a remapping. `problemSentence` returns a sentence for each problem. */
type KeymapProblem =
	| {readonly reason: 'unknown_action'; readonly action: string}
	| {readonly reason: 'bad_chord'; readonly action: string; readonly chord: string}
	| {readonly reason: 'taken'; readonly action: string; readonly chord: string; readonly by: ActionName}
	/** The action keeps its default chord, because without that chord no key would trigger the action. */
	| {readonly reason: 'kept'; readonly action: ActionName; readonly chord: string};

/** The actions that always have a key. Without `submit` and `cancel`, the user could not send, stop or quit. */
const essential = ['submit', 'cancel'] as const satisfies readonly ActionName[];

/**
Returns the default keymap with some actions remapped. A chord with a problem is skipped and reported. If a remapped
chord is the default of another action, the remapped action gets it.
*/
export function createKeymap(remapped: Readonly<Record<string, readonly string[]>> = {}): {
	readonly keymap: Keymap;
	readonly problems: readonly KeymapProblem[];
} {
	const problems: KeymapProblem[] = [];
	const byChord = new Map<string, ActionName>();
	for (const [name, chords] of Object.entries(remapped)) {
		if (!isAction(name)) problems.push({reason: 'unknown_action', action: name});
		else
			for (const chord of chords) {
				const normal = normalChord(chord);
				const by = byChord.get(normal ?? '');
				if (normal === undefined) problems.push({reason: 'bad_chord', action: name, chord});
				else if (by !== undefined) problems.push({reason: 'taken', action: name, chord, by});
				else byChord.set(normal, name);
			}
	}
	for (const name of actionNames) {
		if (!Object.hasOwn(remapped, name))
			for (const chord of actions[name].chords) if (!byChord.has(chord)) byChord.set(chord, name);
	}
	const used = new Set(byChord.values());
	for (const name of essential.filter(name => !used.has(name))) {
		const [chord] = actions[name].chords as readonly [string, ...string[]];
		byChord.set(chord, name);
		problems.push({reason: 'kept', action: name, chord});
	}
	const chordsOf = new Map<ActionName, string[]>();
	for (const [chord, name] of byChord) chordsOf.set(name, [...(chordsOf.get(name) ?? []), chord]);
	return {keymap: {action: key => byChord.get(chordOf(key)), chords: name => chordsOf.get(name) ?? []}, problems};
}

export function problemSentence(problem: KeymapProblem): string {
	if (problem.reason === 'unknown_action') return unknownAction(problem.action);
	if (problem.reason === 'bad_chord') return invalidChord(problem.chord, problem.action);
	if (problem.reason === 'kept') return keptChord(problem.chord, problem.action);
	return takenChord(problem.chord, problem.action, problem.by);
}

/** Returns the chord of a key. If the key types text, that text is the chord, without modifiers. */
export function chordOf({name, text, ctrl, alt, shift, super: held}: Key): string {
	if (text !== undefined) return text === ' ' ? 'space' : text;
	return [ctrl && 'ctrl', alt && 'alt', shift && 'shift', held && 'super', name].filter(Boolean).join('+');
}

/** Returns a chord as the help shows it: `Ctrl+J`, `PgUp`. */
export function showChord(chord: string): string {
	return partsOf(chord)
		.map(part => labels[part] ?? part.charAt(0).toUpperCase() + part.slice(1))
		.join('+');
}

const labels: Readonly<Record<string, string>> = {
	pageup: 'PgUp',
	pagedown: 'PgDn',
	escape: 'Esc',
	delete: 'Del',
	up: '↑',
	down: '↓',
	left: '←',
	right: '→',
};
const modifiers = ['ctrl', 'alt', 'shift', 'super'];
const names = new Set([
	'enter',
	'escape',
	'tab',
	'backspace',
	'delete',
	'insert',
	'space',
	'up',
	'down',
	'left',
	'right',
	'home',
	'end',
	'pageup',
	'pagedown',
	'clear',
	...Array.from({length: 24}, (_, index) => `f${index + 1}`),
]);

function isAction(name: string): name is ActionName {
	return Object.hasOwn(actions, name);
}

/**
Returns the chord with its modifiers in the standard order. Returns `undefined` for an unknown key, or for a key that
types text.
*/
function normalChord(chord: string): string | undefined {
	const parts = partsOf(chord.toLowerCase());
	const name = parts.at(-1) ?? '';
	const held = parts.slice(0, -1);
	if (held.some(part => !modifiers.includes(part)) || new Set(held).size < held.length) return undefined;
	if (!names.has(name) && !(Array.from(name).length === 1 && held.some(part => part !== 'shift'))) return undefined;
	return [...modifiers.filter(part => held.includes(part)), name].join('+');
}

/** Splits a chord into its keys. The plus sign itself may be the last key: `ctrl++`. */
function partsOf(chord: string): string[] {
	return chord.endsWith('+')
		? [
				...chord
					.slice(0, -1)
					.split('+')
					.filter(part => part !== ''),
				'+',
			]
		: chord.split('+');
}
