import type {FoundPrompt, Segment} from '../../../pod/protocol.ts';
import {chipLabel, isOpenSize} from '../../editor/chip.ts';
import {showChord, type ActionName} from '../../model/keys/keymap.ts';
import type {AppState} from '../../model/app-state.ts';
import {fieldRow, type FieldRow} from '../text-field/field-row.ts';
import {anyOf, aroundMatch, markMatches} from '../text-field/match-line.ts';
import {viewField} from '../../model/field-state.ts';
import {makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {isAnswered, type PromptHistoryState} from '../../model/prompt-history/prompt-history-state.ts';
import {noPrompts, promptCount, promptHistoryKeys, promptHistoryLabel, searching} from './texts.ts';

/** If the search in earlier prompts is open, returns the row with the query, the number of matches and the keys. */
export function promptHistoryField(state: AppState, columns: number): FieldRow | undefined {
	const {promptHistory} = state;
	if (promptHistory === undefined) return undefined;
	const {text} = viewField(promptHistory.query, roomOf(promptHistory, columns));
	const shown = cut(text, Math.max(0, columns - width(promptHistoryLabel)));
	const gap = shown === '' ? '' : '  ';
	const room = columns - width(promptHistoryLabel) - width(shown);
	const parts = [countOf(promptHistory), ...hintsOf(state, promptHistory)];
	while (parts.length > 1 && width(`${gap}${parts.join(' · ')}`) > room) parts.pop();
	const after = cut(`${gap}${parts.join(' · ')}`, room, '…');
	return fieldRow({text: promptHistoryLabel, style: 'accent'}, {text: shown}, {text: after, style: 'dim'});
}

/** Returns the number of cells before the cursor in the row of the query. */
export function promptHistoryCaret({promptHistory}: AppState, columns: number): number | undefined {
	if (promptHistory === undefined) return undefined;
	return width(promptHistoryLabel) + viewField(promptHistory.query, roomOf(promptHistory, columns)).caret;
}

/** Returns the rows of the found prompts, newest first. The marked prompt is always visible. */
export function promptHistoryRows({promptHistory}: AppState, columns: number, maxRows: number): readonly Row[] {
	if (promptHistory === undefined || maxRows < 1) return [];
	if (promptHistory.problem !== undefined && !isAnswered(promptHistory))
		return [textRow(cut(sanitizeLine(promptHistory.problem.sentence), columns, '…'), 'warn')];
	const {prompts = []} = promptHistory.answer ?? {};
	const room = Math.min(prompts.length, maxRows, maxShown);
	const from = Math.max(0, Math.min(promptHistory.selected - Math.floor(room / 2), prompts.length - room));
	const words = wordsOf(promptHistory);
	return prompts
		.slice(from, from + room)
		.map((prompt, index) => promptRow(prompt, {words, columns, isMarked: from + index === promptHistory.selected}));
}

function countOf(promptHistory: PromptHistoryState): string {
	const {answer, selected} = promptHistory;
	if (!isAnswered(promptHistory) || answer === undefined) return searching;
	return answer.total === 0 ? noPrompts : promptCount(selected + 1, answer.prompts.length, answer.total);
}

function hintsOf({setup: {keymap}}: AppState, {isEverywhere}: PromptHistoryState): readonly string[] {
	const hint = (name: ActionName, what: string) =>
		keymap
			.chords(name)
			.slice(0, 1)
			.map(chord => `${showChord(chord)} ${what}`);
	const scope = isEverywhere ? promptHistoryKeys.here : promptHistoryKeys.everywhere;
	return [
		...hint('submit', promptHistoryKeys.use),
		...hint('pick', scope),
		...hint('pause', promptHistoryKeys.close),
	];
}

/** Returns the number of cells for the query. The texts after the query are left out before the query is cut. */
function roomOf(promptHistory: PromptHistoryState, columns: number): number {
	return Math.max(4, columns - width(promptHistoryLabel) - width(countOf(promptHistory)) - 4);
}

type RowFacts = {readonly words: RegExp | undefined; readonly columns: number; readonly isMarked: boolean};

/** Returns the row of a prompt. It shows the text around the first match, and the project at the end. */
function promptRow({segments, project}: FoundPrompt, {words, columns, isMarked}: RowFacts): Row {
	const gutter = cut(isMarked ? '❯ ' : '  ', columns);
	const place = project === undefined || columns < wideFrom ? '' : `  ${placeOf(project)}`;
	const room = Math.max(0, columns - width(gutter) - width(place));
	const text = pad(cut(aroundMatch(labelOf(segments), words, room), room, '…'), isMarked || place !== '' ? room : 0);
	const style = isMarked ? 'selection' : undefined;
	const spans = [
		...markMatches(text, words, isMarked),
		{text: place, style: isMarked ? 'selection' : 'path'} as const,
	];
	return makeRow(spans, isMarked ? 'chosen' : 'choice', {text: gutter, style});
}

function placeOf(project: string): string {
	const name = sanitizeLine(project);
	return width(name) <= placeCells ? name : `…${name.slice(1 - placeCells).toWellFormed()}`;
}

/**
Returns the text of a prompt as in the composer, but sanitized and on one line. Only the beginning of the prompt is
read.
*/
function labelOf(segments: readonly Segment[]): string {
	let label = '';
	for (const segment of segments) {
		if (label.length > maxLabel) break;
		if (segment.type === 'text') label += segment.text;
		else if (segment.type === 'paste' && isOpenSize(segment.content)) label += segment.content;
		else label += chipLabel(segment);
	}
	return sanitizeLine(label.slice(0, maxLabel).toWellFormed());
}

/** Returns a pattern that matches the words of the query. It is used to mark these words. */
function wordsOf({answer}: PromptHistoryState): RegExp | undefined {
	return anyOf((answer?.query.text ?? '').split(/\s+/u));
}

const maxShown = 8;
const maxLabel = 4000;
const wideFrom = 80;
const placeCells = 28;
