import type {SessionInfo, Status} from '../../../pod/protocol.ts';
import {statusRows} from '../../model/composer/composer-view.ts';
import {showChord, type ActionName} from '../../model/keys/keymap.ts';
import type {Size} from '../../model/terminal-state.ts';
import type {AppState} from '../../model/app-state.ts';
import {sessionOf, statusOf, asksOf} from '../../model/selectors.ts';
import {shortPath} from '../status/status-line.ts';
import {blankRow, inertRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {Span} from '../../../text/span.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {
	maxRecent,
	recentActions,
	type FirstScreen,
	type FirstScreenState,
} from '../../model/first-screen/first-screen-state.ts';
import {firstTexts} from './texts.ts';

/**
Returns as many rows of the first screen as fit above an empty composer. The rows are cached, because key presses do not
change them. A popup covers the last rows and does not move the other rows.
*/
export function firstScreenRows(state: AppState, screen: FirstScreen): readonly Row[] {
	const {firstScreen} = state;
	const {size} = state.terminal;
	const session = sessionOf(state);
	const status = statusOf(state);
	const kept = cache.get(firstScreen);
	if (kept?.size === size && kept.session === session && kept.status === status) return kept.rows;
	const room = size.columns - gutter.length;
	const [lines, reserved] = linesOf({state, screen, session, room});
	const height = size.rows - emptyComposerRows - statusRows(size.rows);
	const shown = fitLines(lines, height, reserved);
	// The lines are vertically centred. The calculation includes the reserved lines, so that the other lines do not
	// move when the sessions appear.
	const above = Math.max(0, Math.floor((height - lines.length - reserved.length) / 2));
	const layout = {columns: size.columns, gutter: {text: gutter}};
	const rows = [
		...Array.from({length: above}, () => blankRow),
		...shown.map(({spans}) => (spans.length === 0 ? blankRow : inertRow(spans, layout))),
	];
	cache.set(firstScreen, {size, session, status, rows});
	return rows;
}

type Cached = {
	readonly size: Size;
	readonly session: SessionInfo;
	readonly status: Status;
	readonly rows: readonly Row[];
};

const cache = new WeakMap<FirstScreenState, Cached>();

const gutter = '  ';

const emptyComposerRows = 1;

type Line = WorthyLine & {readonly spans: readonly Span[]};

type Facts = {
	readonly state: AppState;
	readonly screen: FirstScreen;
	readonly session: SessionInfo;
	/** The number of cells of a line. */
	readonly room: number;
};

/** Returns the lines from top to bottom, and the reserved lines for the recent sessions that are not known yet. */
function linesOf(facts: Facts): readonly [readonly Line[], readonly WorthyLine[]] {
	const {screen, session, room} = facts;
	const recent = recentLines(facts);
	const isOffline = session.model === 'offline';
	const examples = isOffline ? firstTexts.offlineExamples : firstTexts.examples;
	const lines = [
		top(20, []),
		top(100, [
			{text: 'inkpod ', style: ['bold', 'accent']},
			{text: sanitizeLine(screen.version), style: 'dim'},
		]),
		top(30, [{text: fitting(firstTexts.tagline, room), style: 'dim'}]),
		top(38, []),
		...(isOffline ? offlineLines(facts) : modelLines(facts)),
		top(97, projectLine(facts)),
		...wideProjectLines(facts),
		top(37, approvalLine(facts)),
		top(40, []),
		...examples.map((text, at) =>
			below(
				[90, 60, 59][at] ?? 0,
				labelled(at === 0 ? firstTexts.labels.examples : '', [dim('“'), {text}, dim('”')]),
			),
		),
		...(recent.length === 0 ? [] : [below(blankWorth, []), ...recent]),
	];
	const reserved = [...(recent.length === 0 ? [blankWorth] : []), ...recentWorths.slice(recent.length)];
	return [lines, reserved.map(worth => ({worth}))];
}

/** The priority of the blank line above the recent sessions. */
const blankWorth = 39;

const recentWorths: readonly number[] = [80, 79, 78].slice(0, maxRecent);

function top(worth: number, spans: readonly Span[]): Line {
	return {worth, spans, isTop: true};
}

function below(worth: number, spans: readonly Span[]): Line {
	return {worth, spans};
}

/** The width of the column of labels. In Japanese, one label is wider than all English labels. */
const labelCells = Math.max(...Object.values(firstTexts.labels).map(width)) + 2;

function labelled(label: string, spans: readonly Span[]): readonly Span[] {
	return [{text: pad(label, labelCells), style: 'dim'}, ...spans];
}

/** Returns the first form that fits. If none fits, returns the last form. */
function fitting(forms: readonly string[], room: number): string {
	return forms.find(form => width(form) <= room) ?? forms.at(-1) ?? '';
}

/** Returns the model and the source of its API key, on one line if both fit. */
function modelLines({session: {model, access}, room}: Facts): readonly Line[] {
	const name = sanitizeLine(model);
	const cells = room - labelCells;
	const shown: Span = {text: fitting([name, name.slice(name.indexOf('/') + 1)], cells), style: 'bold'};
	const source = access === undefined ? '' : sanitizeLine(access);
	const fits = width(`${name} · ${source}`) <= cells;
	const beside = source !== '' && fits ? [dim(` · ${source}`)] : [];
	const first = top(99, labelled(firstTexts.labels.model, [shown, ...beside]));
	return source === '' || fits ? [first] : [first, top(98, labelled('', [dim(cut(source, cells, '…'))]))];
}

function offlineLines({state, screen, room}: Facts): readonly Line[] {
	const cells = room - labelCells;
	const [none, ...rest] = fitting(firstTexts.noModel, cells).split(/(?=[.:])/);
	const model: readonly Span[] = [{text: none ?? '', style: 'warn'}, {text: rest.join('')}];
	return [top(99, labelled(firstTexts.labels.model, model)), top(98, labelled('', offerSpans(state, screen, cells)))];
}

/** Returns the text that says how to get a model: use a model on this machine, or connect one. */
function offerSpans(state: AppState, {looksForModel}: FirstScreen, cells: number): readonly Span[] {
	const {localModels} = state.firstScreen.news;
	const offered = offeredModel(state);
	if (looksForModel && localModels === undefined) return [dim(fitting(firstTexts.looking, cells))];
	if (offered === undefined) return [{text: fitting(firstTexts.howToConnect, cells)}];
	const key = chordOf(state, 'submit') ?? '';
	const forms = firstTexts.uses(sanitizeLine(offered), localModels?.length ?? 0);
	return [{text: key, style: ['bold', 'accent']}, {text: fitting(forms, cells - width(key))}];
}

/** Returns the folder, its branch, and a mark if the folder is read-only. A long branch name is cut off at the end. */
function projectLine({state, session: {scope}, room}: Facts): readonly Span[] {
	const {head} = state.firstScreen.news;
	const cells = room - labelCells;
	const mark = scope.writable ? '' : firstTexts.readOnly;
	const branch =
		head === undefined ? '' : 'branch' in head ? firstTexts.branch(head.branch) : firstTexts.detached(head.commit);
	const shownBranch = cut(sanitizeLine(branch), Math.floor((cells - width(mark)) / 2), '…');
	const folder = shortPath(scope.pwd, state.setup.home, cells - width(shownBranch) - width(mark));
	return labelled(firstTexts.labels.project, [{text: folder, style: 'path'}, {text: shownBranch}, {text: mark}]);
}

/** Returns a hint if the project is the whole home folder or machine, as after a start in the wrong folder. */
function wideProjectLines({state, session: {scope}, room}: Facts): readonly Line[] {
	const place = scope.pwd === '/' ? 'root' : scope.pwd === state.setup.home ? 'home' : undefined;
	if (place === undefined) return [];
	const text = fitting(firstTexts.wideProject[place], room - labelCells);
	return [top(96, labelled('', [{text, style: 'warn'}]))];
}

/** Returns a text that says what runs without asking, and whether commands are confined. */
function approvalLine({state, room}: Facts): readonly Span[] {
	const {approval = 'ask', confined} = statusOf(state);
	const mark = confined === true ? firstTexts.confined : '';
	const cells = room - labelCells;
	const forms = firstTexts.approval[approval];
	const text = fitting([...forms.map(form => form + mark), ...forms], cells);
	return labelled(firstTexts.labels.approval, [
		{text: cut(text, cells, '…'), ...(approval === 'auto' && {style: 'warn'})},
	]);
}

/** Returns the most recent sessions, each with its key, its first words and its age. */
function recentLines({state, room}: Facts): readonly Line[] {
	return (state.firstScreen.news.recent ?? []).slice(0, maxRecent).map(({words, age}, at) => {
		const action = recentActions[at];
		const key = action === undefined ? undefined : chordOf(state, action);
		const shownKey = key === undefined ? '' : `${key}  `;
		const shownAge = ` · ${age}`;
		const text = sanitizeLine(words.trim() === '' ? firstTexts.noPrompt : words);
		const cells = room - labelCells - width(shownKey) - width(shownAge);
		return below(
			recentWorths[at] ?? 0,
			labelled(at === 0 ? firstTexts.labels.recent : '', [
				{text: shownKey, style: ['bold', 'accent']},
				{text: cut(text, cells, '…')},
				dim(shownAge),
			]),
		);
	});
}

function chordOf({setup: {keymap}}: AppState, action: ActionName): string | undefined {
	const [chord] = keymap.chords(action);
	return chord === undefined ? undefined : showChord(chord);
}

function dim(text: string): Span {
	return {text, style: 'dim'};
}

/**
A line of the first screen. `worth` is its priority: the lines with the lowest priority are left out first. `isTop`: the
line is above the lines that may appear later, so it must not move when they appear.
*/
type WorthyLine = {readonly worth: number; readonly isTop?: true};

/**
Returns the lines that fit into a height, in order. `reserved` are the lines that may still be added below. The top
lines leave room for the reserved lines, so the top lines do not change when the reserved lines appear.
*/
export function fitLines<Line extends WorthyLine>(
	lines: readonly Line[],
	height: number,
	reserved: readonly WorthyLine[] = [],
): readonly Line[] {
	const kept = new Set<WorthyLine>(mostWorthy([...lines, ...reserved], height));
	const top = lines.filter(line => line.isTop === true && kept.has(line));
	const below = lines.filter(line => line.isTop !== true);
	const keptBelow = new Set(mostWorthy(below, height - top.length));
	return [...top, ...below.filter(line => keptBelow.has(line))];
}

/**
Tells whether the first screen is visible and gets its keys. No page or card may be open, and the session must be empty.
*/
export function isFirstScreenShown(state: AppState): boolean {
	const {page, setup} = state;
	const {store: transcript} = state.transcript;
	if (setup.firstScreen === undefined || page !== undefined || asksOf(state).length > 0) return false;
	return transcript === undefined || transcript.count() === 0;
}

/**
Returns the model on this machine that the first screen offers. Returns `undefined` if there is none, or if another
model is connected.
*/
export function offeredModel(state: AppState): string | undefined {
	return sessionOf(state).model === 'offline' ? state.firstScreen.news.localModels?.[0] : undefined;
}

function mostWorthy<Line extends WorthyLine>(lines: readonly Line[], count: number): readonly Line[] {
	return lines.toSorted((one, other) => other.worth - one.worth).slice(0, Math.max(0, count));
}
