import type {Span} from '../../../text/span.ts';
import {pad, width} from '../../../text/width.ts';
import type {PageLine} from '../../model/pages/text-page.ts';

export const blankLine: PageLine = {spans: []};

/** Returns a section: a blank line, its title and its lines. */
export function sectionLines(title: string, lines: readonly PageLine[]): readonly PageLine[] {
	return [blankLine, {spans: [{text: title, style: 'heading'}]}, ...lines];
}

/** Returns the width of the first column. If a name is longer, only the text of that name moves to the right. */
export function columnOf(names: readonly string[]): number {
	return Math.min(maxColumn, Math.max(0, ...names.map(width))) + 2;
}

const maxColumn = 26;

/** Returns a line with a name in the first column and a text to its right. */
export function namedLine(name: string, column: number, spans: readonly Span[]): PageLine {
	return {lead: {text: `${pad(name, column)}  `, style: 'accent'}, spans};
}

/** Returns another line of text in the second column, without a name. */
export function besideLine(column: number, spans: readonly Span[]): PageLine {
	return {lead: {text: ' '.repeat(column + 2)}, spans};
}

/** Returns the lines of an example file. */
export function exampleLines(lines: readonly string[]): readonly PageLine[] {
	return lines.map(text => ({lead: {text: '  │ ', style: 'dim'}, spans: [{text, style: 'code'}]}));
}
