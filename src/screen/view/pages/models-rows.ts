import type {Effort, ModelInfo} from '../../../pod/protocol.ts';
import {sessionOf, statusOf} from '../../model/selectors.ts';
import type {AppState} from '../../model/app-state.ts';
import {formatCost, formatCount, formatPrice} from '../../../text/formats.ts';
import {blankRow, chosenRow, makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {fieldText} from '../../model/field-state.ts';
import {filterRow, noMatchRow} from './filter-row.ts';
import {withinList} from '../../model/pages/list.ts';
import type {PageSize} from './page-size.ts';
import {modelTexts} from './models-texts.ts';
import {effortOn, entriesOn, type ModelsEntry, type ModelsPage} from '../../model/pages/models-state.ts';

/**
Returns the title, the search field, the visible models, the cost of a switch to the highlighted model, and the keys.
*/
export function modelsPageRows(page: ModelsPage, size: PageSize, state: AppState): readonly Row[] {
	const {columns, height} = size;
	const entries = entriesOn(page);
	const room = roomOf(size);
	const {at, top} = withinList(page.list, entries.length, room);
	const current = sessionOf(state);
	const rows = entries.slice(top, top + room).map((entry, index) => {
		const isChosen = top + index === at;
		if (entry.kind === 'rest') return listRow(modelTexts.rest(entry.count), {isChosen, isUsable: true}, columns);
		const {model} = entry;
		const effort = effortOn(page, model.name, {name: current.model, effort: current.effort});
		return modelRow({model, effort, isCurrent: model.name === current.model, isChosen}, columns);
	});
	const body = entries.length === 0 ? [noMatchRow(columns)] : rows;
	const blank = Array.from({length: Math.max(0, room - body.length)}, () => blankRow);
	const entry = entries[at];
	const chosen = entry?.kind === 'model' ? entry.model : undefined;
	const cost = chosen === undefined ? '' : switchCost(state, chosen);
	const facts = columns < wideFrom ? [textRow(cut(chosenFacts(page, chosen, current), columns, '…'), 'plain')] : [];
	const foot = hasFoot(height)
		? [...facts, textRow(cut(cost, columns, '…'), 'warn'), textRow(hintsThatFit(columns, entry), 'dim')]
		: [];
	return [titleRow(page, entries, columns), filterRow(page.query, columns), ...body, ...blank, ...foot].slice(
		0,
		height,
	);
}

/** Returns the number of models that fit on the page. */
export function roomOf({height, columns}: PageSize): number {
	const foot = columns < wideFrom ? 3 : 2;
	return Math.max(1, height - 2 - (hasFoot(height) ? foot : 0));
}

function hasFoot(height: number): boolean {
	return height >= 7;
}

function titleRow({models, query, isLooking}: ModelsPage, entries: readonly ModelsEntry[], columns: number): Row {
	const title = cut(modelTexts.title, columns, '…');
	const count = entries.filter(({kind}) => kind === 'model').length;
	const shown = modelTexts.countOf(count, fieldText(query) === '' ? count : models.length);
	const facts = isLooking ? [shown, modelTexts.looking] : [shown];
	return makeRow([
		{text: title, style: 'bold'},
		{text: cut(facts.map(fact => ` · ${fact}`).join(''), columns - width(title), '…'), style: 'dim'},
	]);
}

type Entry = {
	readonly model: ModelInfo;
	readonly effort: string | undefined;
	readonly isCurrent: boolean;
	readonly isChosen: boolean;
};

/**
Returns the row of a model with its name, provider, context window, price and effort. The row ends with the source of
the API key, or says what is missing. On a narrow screen, a row below the list shows the effort and the source instead.
*/
function modelRow({model, effort, isCurrent, isChosen}: Entry, columns: number): Row {
	const {name, provider, window, price, efforts, missing, isLocal} = model;
	const levels = efforts.length === 0 ? '' : (effort ?? modelTexts.ownEffort);
	const shownPrice = price === undefined || isLocal === true ? '' : formatPrice(price);
	const shownWindow = (window === undefined ? '' : formatCount(window)).padStart(5);
	const own = columns < wideFrom || provider === '' ? name : name.slice(provider.length + 1);
	const id = `${isCurrent ? '✓ ' : ''}${sanitizeLine(own)}`;
	const cells =
		columns < wideFrom
			? [fitted(id, columns - narrowRest), shownWindow, pad(shownPrice, 11)]
			: [
					fitted(id, columns - wideRest),
					fitted(sanitizeLine(provider), 12),
					shownWindow,
					pad(shownPrice, 11),
					pad(isChosen && efforts.length > 0 ? `‹ ${levels} ›` : `  ${levels}`, 12),
					sourceOf(model),
				];
	return listRow(cells.join('  '), {isChosen, isUsable: missing === undefined}, columns);
}

type Look = {readonly isChosen: boolean; readonly isUsable: boolean};

function listRow(whole: string, {isChosen, isUsable}: Look, columns: number): Row {
	const text = cut(whole, Math.max(0, columns - 2), '…');
	if (isChosen) return chosenRow(text, columns);
	return makeRow([{text: cut('  ', columns)}, {text, style: isUsable ? 'plain' : 'dim'}], 'choice');
}

function fitted(text: string, columns: number): string {
	const cells = Math.max(8, columns);
	return pad(cut(text, cells, '…'), cells);
}

function sourceOf({missing, keyVariable, keyPlace, isLocal}: ModelInfo): string {
	const stored = keyPlace === undefined ? undefined : modelTexts.keyPlaces[keyPlace];
	return sanitizeLine(missing ?? keyVariable ?? stored ?? (isLocal === true ? modelTexts.local : ''));
}

const wideFrom = 90;
/** The number of cells of a row without the name. */
const wideRest = 82;
const narrowRest = 24;

/** Returns the facts that the row of the highlighted model does not show on a narrow screen. */
function chosenFacts(
	page: ModelsPage,
	model: ModelInfo | undefined,
	current: {readonly model: string; readonly effort?: Effort | undefined},
): string {
	if (model === undefined) return '';
	const effort = effortOn(page, model.name, {name: current.model, effort: current.effort});
	const levels = model.efforts.length === 0 ? [] : [modelTexts.effort(effort ?? modelTexts.ownEffort)];
	return [...levels, sourceOf(model)].filter(Boolean).join(' · ');
}

/**
Returns a text about the cost of a switch, which loses the provider's cache. Returns an empty text if there is nothing
to lose.
*/
function switchCost(state: AppState, {name, price, isLocal}: ModelInfo): string {
	const {tokens = 0} = statusOf(state).context ?? {};
	const {store} = state.transcript;
	// This file is loaded before the first frame, so it must not import the code that turns items into blocks.
	const isAnswered = store?.transcript.folded.blocks.findLast(({kind}) => kind === 'assistant') !== undefined;
	const {model} = sessionOf(state);
	if (!isAnswered || tokens === 0 || name === model || model === 'offline') return '';
	const usd = price === undefined || isLocal === true ? undefined : (tokens * price.input) / 1_000_000;
	return modelTexts.cacheLost(formatCount(tokens), usd === undefined ? undefined : formatCost({usd, unknown: 0}));
}

function hintsThatFit(columns: number, entry: ModelsEntry | undefined): string {
	const ofModel = columns < wideFrom ? modelTexts.shortHints : modelTexts.hints;
	const hints = entry?.kind === 'rest' ? modelTexts.restHints : ofModel;
	const count = hints.findLastIndex((_, index) => width(hints.slice(0, index + 1).join(' · ')) <= columns);
	return hints.slice(0, count + 1).join(' · ');
}
