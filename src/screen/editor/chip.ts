import {flatten, quoted, rangeSuffix, type FileRef, type SegmentOf} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {pasteChip} from './texts.ts';

/** A chip. The cursor and the delete key treat it as one character. */
export type Chip = SegmentOf<'paste'> | FileRef | SegmentOf<'workflow'>;

/**
Returns the text of a chip on the screen, such as `[paste #1: 120 lines]`, `@src/a.ts:10-20` or `/review`. The text is
sanitized and has no newline.
*/
export function chipLabel<Type extends Chip['type']>(chip: ChipOf<Type>): string {
	const type: Type = chip.type;
	return labels[type](chip);
}

type ChipOf<Type extends Chip['type']> = {
	readonly [Each in Type]: Extract<Chip, {readonly type: Each}> & {readonly type: Each};
}[Type];

const labels: {readonly [Type in Chip['type']]: (chip: ChipOf<Type>) => string} = {
	paste: pasteLabel,
	file_ref: ({path, range}) => `@${sanitizeLine(quoted(path) + rangeSuffix(range))}`,
	workflow: chip => sanitizeLine(flatten([chip])),
};

function pasteLabel({id, lines, chars}: SegmentOf<'paste'>): string {
	return pasteChip(sanitizeLine(id), lines, chars);
}

/** Turns a pasted text into a chip. A final newline does not count as a line, as in editors. */
export function makePaste(id: string, content: string): SegmentOf<'paste'> {
	return {type: 'paste', id, chars: countCharacters(content), lines: countLines(content), content};
}

/** Tells whether a pasted text goes into the draft as plain text. Only a single line of at most 200 characters does. */
export function isShort(content: string): boolean {
	return content.length <= 400 && countLines(content) <= 1 && countCharacters(content) <= 200;
}

/** Tells whether a paste is shown expanded. Only a paste of at most 10 lines and 1,000 characters is. */
export function isOpenSize(content: string): boolean {
	return (
		content.length <= 2 * maxOpenCharacters &&
		countLines(content) <= 10 &&
		countCharacters(content) <= maxOpenCharacters
	);
}

const maxOpenCharacters = 1000;

/**
Returns a text with LF as the newline, which drafts always use. Terminals paste newlines as CR, and other sources paste
them as CRLF.
*/
export function withNewlines(text: string): string {
	const formed = text.toWellFormed();
	return formed.includes('\r') ? formed.replaceAll(/\r\n?/g, '\n') : formed;
}

function countLines(text: string): number {
	let lines = text.endsWith('\n') ? 0 : 1;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
	return lines;
}

function countCharacters(text: string): number {
	let count = text.length;
	const first = text.search(/[\uDC00-\uDFFF]/);
	for (let at = first; at !== -1 && at < text.length; at++) {
		if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count--;
	}
	return count;
}
