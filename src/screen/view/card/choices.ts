import type {Ask, AskChoice} from '../../../pod/protocol.ts';
import {makeRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, width} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import type {Span, Style} from '../../../text/span.ts';
import {refusalOf} from '../../model/card/card.ts';
import {selectedMark, withEscape} from '../../model/card/texts.ts';

export type ChoiceFacts = {
	/** The index of the choice at the marker. */
	readonly marked: number;
	/** The choice that takes effect in a moment. */
	readonly lit?: number | undefined;
	/** Whether a word marks the choice in a row of several, instead of a sign. */
	readonly isSpoken?: boolean;
	/** Tells whether you can take a choice now. Other choices are dim. */
	readonly isOpen: (choice: AskChoice) => boolean;
};

/** Returns the choices as a list with a marker, each at most `columns` wide. */
export function listedChoices(ask: Ask, columns: number, facts: ChoiceFacts): readonly Row[] {
	const refusal = refusalOf(ask);
	return ask.choices.flatMap((choice, index) => {
		const mark = markOf(index, facts);
		const number = `${index + 1}. `;
		const style = styleOf(choice, index, facts);
		const lead = width(mark) + 1 + width(number);
		const rows = wordsOf(choice, index === refusal).flatMap(line => wrap(line, Math.max(1, columns - lead)));
		const role = isMarked(index, facts) ? 'chosen' : 'choice';
		return rows.map((row, part) =>
			part === 0
				? makeRow(
						[
							{text: number, style: style === 'plain' ? 'accent' : style},
							{text: row, style},
						],
						role,
						{
							text: `${mark} `,
							style,
						},
					)
				: makeRow([{text: row, style}], 'text', {text: ' '.repeat(lead), style}),
		);
	});
}

/** Returns the choices in one row. `rest` has all words of the choices that are cut there. */
export function foldedChoices(
	ask: Ask,
	columns: number,
	facts: ChoiceFacts,
): {readonly row: Row; readonly rest: readonly string[]} {
	const refusal = refusalOf(ask);
	const words = ask.choices.map((choice, index) => wordsOf(choice, index === refusal).join(' '));
	const texts = words.map((text, index) => `${wordOf(index, facts)}${index + 1} ${text}`);
	const rooms = share(texts.map(width), Math.max(0, columns - (texts.length - 1)), facts.marked);
	const cells: Span[] = [];
	const rest: string[] = [];
	for (const [index, choice] of ask.choices.entries()) {
		const [text = '', room = 0] = [texts[index], rooms[index]];
		if (index > 0) cells.push({text: ' '});
		cells.push({text: cut(text, room, '…'), style: styleOf(choice, index, facts)});
		if (width(text) > room) rest.push(`${index + 1}. ${words[index]}`);
	}
	return {row: makeRow(cells), rest};
}

function wordsOf(choice: AskChoice, isRefusal: boolean): readonly string[] {
	const lines = choice.label.split('\n').map(sanitizeLine);
	return lines.map((line, index) => (isRefusal && index === 0 ? withEscape(line) : line));
}

function markOf(index: number, facts: ChoiceFacts): string {
	return isMarked(index, facts) ? '❯' : ' ';
}

/** A screen reader leaves out signs, and knows only whole rows as chosen. */
function wordOf(index: number, facts: ChoiceFacts): string {
	if (facts.isSpoken !== true) return markOf(index, facts);
	return isMarked(index, facts) ? selectedMark : '';
}

function isMarked(index: number, {marked, lit}: ChoiceFacts): boolean {
	return (lit ?? marked) === index;
}

function styleOf(choice: AskChoice, index: number, {marked, lit, isOpen}: ChoiceFacts): Style {
	if (lit === index) return 'selection';
	if (!isOpen(choice)) return 'dim';
	return marked === index ? 'accent' : 'plain';
}

/**
Distributes the columns among the choices. The marked choice gets the columns that it needs, the others get equal
shares, and the rest is given out from left to right.
*/
function share(needs: readonly number[], columns: number, marked: number): readonly number[] {
	const others = needs.length - 1;
	const equal = Math.floor(columns / needs.length);
	const first = Math.min(needs[marked] ?? 0, Math.max(equal, columns - others * minCells));
	const equalShare = others === 0 ? 0 : Math.floor((columns - first) / others);
	const rooms = needs.map((need, index) => ({need, room: index === marked ? first : Math.min(need, equalShare)}));
	let left = columns - rooms.reduce((sum, {room}) => sum + room, 0);
	return rooms.map(({need, room}) => {
		const more = Math.min(left, need - room);
		left -= more;
		return room + more;
	});
}

/** The marker, the number and the first letters of a choice need this many cells. */
const minCells = 6;
