import type {Ask} from '../../pod/protocol.ts';
import {sanitizeLine} from '../screen/sanitize.ts';
import type {Key} from '../screen/stdin.ts';
import {cut, width} from '../screen/width.ts';
import {wrap} from '../screen/wrap.ts';
import {paint} from '../theme.ts';

export type Choice = Ask['choices'][number];

/** The choice that a key means: its number, its letter, and for Esc the one that says no. */
export function choiceOf(ask: Ask, key: Key): Choice | undefined {
	if (key.name === 'escape' && !key.ctrl && !key.alt) return refusal(ask);
	if (key.text === undefined) return undefined;
	const pressed = key.text.toLowerCase();
	return (/^[1-9]$/.test(pressed) ? ask.choices[Number(pressed) - 1] : undefined) ?? ask.choices.find((_, index) => letterOf(ask, index) === pressed);
}

/** Whether a choice lets nothing happen: it is known by its name, or takes the reason along. */
export function saysNo({choice, reason}: Choice): boolean {
	return reason === true || /^(?:no|deny)(?![a-z])/.test(choice);
}

/** Whether a choice can be taken now; the others are drawn dim. */
export type IsOpen = (choice: Choice) => boolean;

/**
The choices with their keys, painted: in one row where that holds them all, else each on rows of its own, else side by side. Where all of that
needs more rows than there are for them they are cut, and `rest` has all words of those that lost some, as lines.
*/
export function choiceRows(ask: Ask, columns: number, most: {readonly whole: number; readonly cut: number}, isOpen: IsOpen): {readonly rows: readonly string[]; readonly rest: readonly string[]} {
	const shown = ask.choices.map((choice, index) => ({keys: `[${keysOf(ask, index)}]`, lines: choice.label.split('\n').map(sanitizeLine), style: isOpen(choice) ? 'accent' as const : 'dim' as const}));
	const flat = shown.map(({keys, lines, style}) => ({text: `${keys} ${lines.join(' ')}`, style}));
	const beside = flow(flat, columns);
	if (beside.length === 1) return {rows: beside, rest: []};
	const below = shown.flatMap(({keys, lines, style}) => lines.flatMap((line, index) => wrap(line, columns - width(keys) - 1)
		.map((row, part) => paint(style, `${index + part === 0 ? keys : ' '.repeat(width(keys))} ${row}`))));
	for (const rows of [below, beside]) if (rows.length <= most.whole) return {rows, rest: []};
	for (let room = columns; ; room -= 4) {
		const rows = flow(flat.map(({text, style}) => ({text: cut(text, room, '…'), style})), columns);
		if (rows.length <= most.cut || room <= leastRoom) return {rows, rest: flat.filter(({text}) => width(text) > room).map(({text}) => text)};
	}
}

/** Cells for a choice's keys and the beginning of its words. */
const leastRoom = 12;

type Shown = {readonly text: string; readonly style: 'accent' | 'dim'};

/** As many on a row as fit; one that is longer than a row goes on on the next ones. */
function flow(shown: readonly Shown[], columns: number): string[] {
	const rows: string[] = [];
	let room = 0;
	for (const {text, style} of shown) {
		const cells = width(text);
		if (rows.length > 0 && cells + 2 <= room) {
			rows.push(`${rows.pop()!}  ${paint(style, text)}`);
			room -= cells + 2;
			continue;
		}
		const parts = wrap(text, columns);
		rows.push(...parts.map(part => paint(style, part)));
		room = columns - width(parts.at(-1)!);
	}
	return rows;
}

function keysOf(ask: Ask, index: number): string {
	return [String(index + 1), letterOf(ask, index), ask.choices[index] === refusal(ask) ? 'Esc' : undefined].filter(key => key !== undefined).join(', ');
}

function refusal({choices}: Ask): Choice | undefined {
	return choices.find(({choice}) => choice === 'deny' || choice === 'no') ?? choices.find(choice => saysNo(choice) && choice.reason !== true) ?? choices.at(-1);
}

/** The first letter is the first one's that begins with it: what is offered first allows least. */
function letterOf({choices}: Ask, index: number): string | undefined {
	const letters = choices.map(({label}) => label.charAt(0).toLowerCase());
	const letter = letters[index]!;
	return /^[a-z]$/.test(letter) && letters.indexOf(letter) === index ? letter : undefined;
}
