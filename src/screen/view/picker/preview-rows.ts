import {shortPath} from '../status/status-line.ts';
import {makeRow, textOf, textRow, type Row} from '../../spans/row.ts';
import {sanitize, sanitizeLine} from '../../../text/sanitize.ts';
import type {Style} from '../../../text/span.ts';
import {cut, width} from '../../../text/width.ts';
import {wrap} from '../../../text/wrap.ts';
import {loadedMarkdown, type MakeMarkdown} from '../../markdown/markdown-maker.ts';
import type {PickerEntry, PreviewPart} from '../../model/picker/entry.ts';
import {selectedEntry, type PickerState} from '../../model/picker/picker-state.ts';
import {forkOfSession, speakerNames, spokenSession} from '../../model/picker/texts.ts';

type PreviewFacts = {readonly home?: string | undefined; readonly isSpoken?: boolean};

/** Returns facts about the selected session, and the beginnings of its last message and its last answer. */
export function previewRows(state: PickerState, columns: number, rows: number, facts: PreviewFacts): readonly Row[] {
	const entry = selectedEntry(state);
	if (entry === undefined) return [];
	const known = state.previews.get(entry.dir) ?? [];
	const parts = entry.problem === undefined ? known : [{speaker: 'notice', text: entry.problem} as const];
	return [headline(entry, columns, facts), ...partRows(parts, columns, rows - 1, facts)].slice(0, rows);
}

function headline({id, cwd, forkOf}: PickerEntry, columns: number, {home, isSpoken}: PreviewFacts): Row {
	const fork = forkOf === undefined ? '' : ` · ${forkOfSession(sanitizeLine(forkOf))}`;
	const room = Math.max(8, columns - id.length - 9 - (forkOf === undefined ? 0 : forkOf.length + 11));
	const place = cwd === undefined ? '' : ` · ${shortPath(cwd, home, room)}`;
	const words = sanitizeLine(id) + fork + place;
	if (isSpoken) return textRow(cut(spokenSession(words), columns, '…'), 'dim');
	const gutter = cut('── ', columns);
	const text = cut(words, columns - gutter.length);
	const end = cut(` ${'─'.repeat(columns)}`, columns - gutter.length - width(text));
	return {...makeRow([{text, style: 'dim'}], 'text', {text: gutter, style: 'dim'}), end: {text: end, style: 'dim'}};
}

/** Gives each part the same share of the rows. The last part also gets the unused rows. */
function partRows(parts: readonly PreviewPart[], columns: number, rows: number, facts: PreviewFacts): readonly Row[] {
	const shown: Row[] = [];
	for (const [index, part] of parts.entries()) {
		const maxRows = Math.max(1, Math.floor((rows - shown.length) / (parts.length - index)));
		shown.push(...rowsOfPart(part, columns, maxRows, facts));
	}
	return shown;
}

function rowsOfPart(part: PreviewPart, columns: number, maxRows: number, facts: PreviewFacts): readonly Row[] {
	const markdown = loadedMarkdown();
	return part.speaker === 'model' && facts.isSpoken !== true && markdown !== undefined
		? answerRows(part.text, markdown, columns, maxRows)
		: plainRows(part, columns, maxRows, facts);
}

/** Returns the rows of an answer as the transcript shows them, without blank rows. One column is free for the `…`. */
function answerRows(text: string, markdown: MakeMarkdown, columns: number, maxRows: number): readonly Row[] {
	const {sign, style} = speakers.model;
	const layout = {columns: Math.max(signCells + 2, columns - 1), gutter: {text: '  '}, rest: {text: '  '}};
	const all = markdown(text, layout).filter(row => textOf(row).trim() !== '');
	return all.slice(0, maxRows).map((row, index) => ({
		...row,
		...(index === 0 && {gutter: {text: `${sign} `, style}}),
		...(index === maxRows - 1 && all.length > maxRows && {end: {text: '…'}}),
	}));
}

function plainRows(
	{speaker, text}: PreviewPart,
	columns: number,
	maxRows: number,
	{isSpoken}: PreviewFacts,
): readonly Row[] {
	const {sign, style} = speakers[speaker];
	const label = speakerNames[speaker];
	const folded = sanitize(text)
		.split('\n')
		.filter(line => line.trim() !== '')
		.join('\n');
	const wrapped = wrap(isSpoken ? `${label}: ${folded}` : folded, Math.max(2, columns - signCells - 1));
	const isCut = wrapped.length > maxRows;
	return wrapped.slice(0, maxRows).map((line, index) => {
		const shown = isCut && index === maxRows - 1 ? `${cut(line, columns - signCells - 2)}…` : line;
		const gutter = {text: index === 0 ? `${sign} ` : '  ', style};
		return makeRow(
			[{text: shown, style: style === 'user' ? style : 'plain'}],
			'text',
			isSpoken ? undefined : gutter,
		);
	});
}

type Speaker = {readonly sign: string; readonly style: Style};

const speakers: {readonly [Name in PreviewPart['speaker']]: Speaker} = {
	user: {sign: '▌', style: 'user'},
	model: {sign: '●', style: 'accent'},
	notice: {sign: '×', style: 'warn'},
};

const signCells = 2;
