import type {Key} from './terminal/input/input.ts';

/** What a key can do here. The table is what dispatches, what the help shows and what can be remapped. */
export type ActionName = keyof typeof actions;

/** Where an action takes effect. */
export type Area = 'session' | 'transcript' | 'composer';

export type Action = {readonly area: Area; readonly chords: readonly string[]; readonly sentence: string};

const action = (area: Area, chords: string, sentence: string): Action => ({area, chords: chords.split(' '), sentence});

/**
Every action with its chords and what it does, in the order of the help. Chords: `ctrl+alt+shift+super+name`, in that
order.
*/
export const actions = {
	submit: action('session', 'enter', 'Send the draft; on an empty draft, resume a paused turn'),
	steer: action(
		'session',
		'ctrl+s',
		'While something runs: deliver the draft, or the first queued message, at the next request',
	),
	pause: action('session', 'escape', 'Pause what runs; on a card answer No; in a popup close it'),
	cancel: action('session', 'ctrl+c', 'Cancel what runs; when idle clear the draft; twice quits'),
	'erase right or quit': action('session', 'ctrl+d', 'Erase the character at the caret; on an empty draft quit'),
	pick: action('session', 'tab', 'In a popup: take the choice, and stay'),
	'edit outside': action('session', 'ctrl+g', 'Edit the draft in $VISUAL or $EDITOR'),
	'approval mode': action(
		'session',
		'shift+tab',
		'Approval: ask first, or accept edits; once more at the notice: auto, nothing asks',
	),
	suspend: action('session', 'ctrl+z', "Suspend inkpod; the shell's fg brings it back"),
	redraw: action('session', 'ctrl+l', 'Draw the whole screen again'),

	'page up': action('transcript', 'pageup', 'Scroll the transcript up by a page'),
	'page down': action('transcript', 'pagedown', 'Scroll the transcript down by a page'),
	'row up': action('transcript', 'shift+up ctrl+up', 'Scroll the transcript up by a row'),
	'row down': action('transcript', 'shift+down ctrl+down', 'Scroll the transcript down by a row'),
	top: action('transcript', 'ctrl+home', 'Go to the top of the transcript; on an empty draft so does Home'),
	bottom: action(
		'transcript',
		'ctrl+end',
		'Go to the end of the transcript and follow it; on an empty draft so does End',
	),
	'previous message': action('transcript', 'alt+up', 'Go to the message of yours above'),
	'next message': action('transcript', 'alt+down', 'Go to the message of yours below'),
	'switch view': action('transcript', 'ctrl+o', "Switch the transcript's view: normal, detail, overview"),
	expand: action(
		'transcript',
		'alt+o',
		'Open or close the block at the top of the view; so does a click on its `… more lines`',
	),
	search: action(
		'transcript',
		'ctrl+r f3',
		'Search the transcript: Enter, then n and N go through the matches, Esc ends',
	),
	mouse: action(
		'transcript',
		'alt+m',
		"Turn the mouse off and on. On: drag copies what is stored, Shift+drag is the terminal's own selection",
	),

	'open in pager': action('transcript', 'alt+v', 'Open what a block holds, as it is stored, in $PAGER'),
	'open in editor': action('transcript', 'alt+e', 'Open a copy of it in $VISUAL or $EDITOR'),
	'attach again': action('transcript', 'alt+a', 'Attach again a file on the screen that has changed on disk'),

	newline: action('composer', 'ctrl+j alt+enter shift+enter', 'Begin a new line; so does Enter behind a backslash'),
	up: action('composer', 'up', 'Up a row; from the first one, to the earlier submission'),
	down: action('composer', 'down', 'Down a row; from the last one, to the later submission'),
	'previous draft': action('composer', 'ctrl+p', 'The earlier submission'),
	'next draft': action('composer', 'ctrl+n', 'The later submission'),
	left: action('composer', 'left ctrl+b', 'Left by a character'),
	right: action('composer', 'right ctrl+f', 'Right by a character'),
	'word left': action('composer', 'ctrl+left alt+left alt+b', 'Left by a word'),
	'word right': action('composer', 'ctrl+right alt+right alt+f', 'Right by a word'),
	'line start': action('composer', 'home ctrl+a', 'To the start of the line'),
	'line end': action('composer', 'end ctrl+e', 'To the end of the line'),
	'draft start': action('composer', 'alt+< alt+shift+,', 'To the start of the draft'),
	'draft end': action('composer', 'alt+> alt+shift+.', 'To the end of the draft'),
	'erase left': action('composer', 'backspace shift+backspace ctrl+h', 'Erase the character before the caret'),
	'erase right': action('composer', 'delete', 'Erase the character at the caret'),
	'kill word left': action('composer', 'ctrl+w alt+backspace ctrl+backspace', 'Cut the word before the caret'),
	'kill word right': action('composer', 'alt+d ctrl+delete alt+delete', 'Cut the word behind the caret'),
	'kill to line start': action('composer', 'ctrl+u', 'Cut up to the start of the line'),
	'kill to line end': action('composer', 'ctrl+k', 'Cut up to the end of the line'),
	yank: action('composer', 'ctrl+y', 'Insert what was cut last'),
	'yank earlier': action('composer', 'alt+y', 'After an insert of what was cut: what was cut before it'),
	undo: action('composer', 'ctrl+_ ctrl+/ ctrl+- ctrl+shift+-', 'Undo'),
	redo: action('composer', 'alt+_ alt+/ alt+shift+- ctrl+shift+z', 'Redo'),
} as const satisfies Record<string, Action>;

export const actionNames = Object.keys(actions) as readonly ActionName[];

/** Which chord does what. */
export type Keymap = {
	action(key: Key): ActionName | undefined;
	chords(action: ActionName): readonly string[];
};

/** What is wrong with a remapping: the sentence for each is in `problemSentence`. */
export type KeymapProblem =
	| {readonly reason: 'unknown_action'; readonly action: string}
	| {readonly reason: 'bad_chord'; readonly action: string; readonly chord: string}
	| {readonly reason: 'taken'; readonly action: string; readonly chord: string; readonly by: ActionName}
	/** The action would have no key otherwise. */
	| {readonly reason: 'kept'; readonly action: ActionName; readonly chord: string};

/** Actions that always have a key: without them nothing can be sent, and nothing can be stopped or left. */
const essential = ['submit', 'cancel'] as const satisfies readonly ActionName[];

/**
The default keys with some actions remapped. What is wrong is left out and told; a chord goes to the action that was
remapped.
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
	const chordsOf = Map.groupBy(byChord.keys(), chord => byChord.get(chord)!);
	return {keymap: {action: key => byChord.get(chordOf(key)), chords: name => chordsOf.get(name) ?? []}, problems};
}

export function problemSentence(problem: KeymapProblem): string {
	if (problem.reason === 'unknown_action') return `There is no action "${problem.action}" to give a key to.`;
	if (problem.reason === 'bad_chord') return `"${problem.chord}" is no key that can be given to "${problem.action}".`;
	if (problem.reason === 'kept')
		return `"${problem.chord}" stays with "${problem.action}", which would have no key otherwise.`;
	return `"${problem.chord}" is given to "${problem.by}" already, so not to "${problem.action}".`;
}

/** A key's chord. Shift is named only when the character does not say it. */
export function chordOf({name, text, ctrl, alt, shift, super: held}: Key): string {
	if (text !== undefined) return text === ' ' ? 'space' : text;
	return [ctrl && 'ctrl', alt && 'alt', shift && 'shift', held && 'super', name].filter(Boolean).join('+');
}

/** A chord as the help shows it: `Ctrl+J`, `PgUp`. */
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

/** The chord with its modifiers in order, or nothing for a key that does not exist or that types. */
function normalChord(chord: string): string | undefined {
	const parts = partsOf(chord.toLowerCase());
	const name = parts.at(-1) ?? '';
	const held = parts.slice(0, -1);
	if (held.some(part => !modifiers.includes(part)) || new Set(held).size < held.length) return undefined;
	if (!names.has(name) && !(Array.from(name).length === 1 && held.some(part => part !== 'shift'))) return undefined;
	return [...modifiers.filter(part => held.includes(part)), name].join('+');
}

/** A plus is also a key: `ctrl++`. */
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
