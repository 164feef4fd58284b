import type {ApprovalMode, ContextUse, SessionInfo, Status, StatusPartName} from '../../../pod/protocol.ts';
import {formatCost, formatCount} from '../../../text/formats.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, width} from '../../../text/width.ts';
import {makeRow, type Row} from '../../spans/row.ts';
import type {Span, Style} from '../../../text/span.ts';
import {shortModel, type Activity} from './activity-facts.ts';
import {
	approvalTexts,
	backgroundCount,
	backgroundShort,
	elapsedTime,
	childOf,
	autoUnconfined,
	autoWithoutCells,
	confinedText,
	contextTokens,
	unconfinedText,
	inSeconds,
	podCount,
	queuedCount,
	nextIs,
	nextShort,
	queuedShort,
	readOnlyShort,
	scopeMark,
	stateTexts,
	stepTexts,
	withoutCells,
} from './texts.ts';

export type StatusFacts = {
	readonly session: SessionInfo;
	readonly status: Status;
	/** What the run is doing. */
	readonly activity?: Activity;
	/** Whether the sign of a running turn stands still. */
	readonly isStill?: boolean;
	/** The user's home directory, shown as `~`. */
	readonly home?: string;
	/** The useful keys, most important first: `Esc to stop`. */
	readonly hints?: readonly string[];
	/** The mode of vim's keys. */
	readonly mode?: string;
	/** The parts to show, in this order. Absent: all parts in the usual order. */
	readonly parts?: readonly StatusPartName[] | undefined;
	/** Notes about the transcript: `↓ 12 new`, `detail`. */
	readonly notes?: readonly string[];
};

/**
Returns the status line, which is at most `columns` wide. The least important parts are left out first, and the status
and the model last.
*/
export function statusRow(facts: StatusFacts, columns: number, now: number): Row {
	const {session, status, home, activity, mode, hints = [], notes = [], parts} = facts;
	const times = [secondsLeft(status, now), secondsSince(status, now)];
	const words = [activity?.text, activity?.received, home, mode, hints.join('\n'), notes.join('\n'), parts?.join()];
	const about = [columns, ...times, ...words].join('\0');
	const known = made.get(status);
	if (known?.session === session && known.about === about) return known.row;
	const row = lineOf(facts, columns, now);
	made.set(status, {session, about, row});
	return row;
}

/** The last line for each status is cached, because it stays the same while an answer streams. */
const made = new WeakMap<Status, {readonly session: SessionInfo; readonly about: string; readonly row: Row}>();

function lineOf(facts: StatusFacts, columns: number, now: number): Row {
	const all = chosenParts(partsOf(facts, columns, now), facts.parts).filter(({text}) => text !== '');
	// On a wide screen a hint is left out rather than the gap, but not the keys that stop a turn.
	const isRunning = facts.status.kind === 'running';
	const hasGap = !isRunning && columns >= minForGap && all.findIndex(({isLasting}) => isLasting === true) > 0;
	const parts = fitted(all, hasGap ? columns - minGap + separator.length : columns);
	const gap = gapOf(parts, columns);
	let left = columns;
	return makeRow(
		parts.flatMap((part, index): Span[] => {
			const before = index === 0 ? '' : part === gap?.before ? ' '.repeat(gap.cells) : separator;
			const fitting = cut(part.text, Math.max(0, left - before.length), '…');
			left -= before.length + width(fitting);
			const shown: Span = {text: fitting, style: part.style};
			return index === 0 ? [shown] : [{text: before, style: 'dim'}, shown];
		}),
	);
}

type Gap = {readonly before: Part; readonly cells: number};

/**
Returns the gap before the first fact about the session, so that the line ends at the right edge. Without enough room
there is none.
*/
function gapOf(parts: readonly Part[], columns: number): Gap | undefined {
	const index = parts.findIndex(({isLasting}) => isLasting === true);
	const before = parts[index];
	const cells = columns - widthOf(parts) + separator.length;
	return before === undefined || index === 0 || cells < minGap ? undefined : {before, cells};
}

const minGap = 6;
const minForGap = 80;

/**
Shortens a path: the home directory becomes `~`, and leading parts are cut. The end of a path is kept because it
identifies the file or folder.
*/
export function shortPath(path: string, home: string | undefined, columns: number): string {
	const within = home !== undefined && home !== '/' && (path === home || path.startsWith(`${home}/`));
	const shown = sanitizeLine(within ? `~${path.slice(home.length)}` : path);
	if (width(shown) <= columns) return shown;
	const parts = shown.split('/');
	for (let from = 1; from < parts.length; from++) {
		const rest = `…/${parts.slice(from).join('/')}`;
		if (width(rest) <= columns) return rest;
	}
	return cut(parts.at(-1) ?? '', columns, '…');
}

/**
`short` is tried in place of `text` before the part is left out. A `kept` part is never left out. `textWorth` is the
importance of the whole text if it is less than that of the short text. `name` is the part's name in the configuration.
*/
type Part = {
	readonly name: StatusPartName;
	readonly worth: number;
	readonly text: string;
	readonly style: Style;
	readonly short?: string;
	readonly kept?: boolean;
	readonly textWorth?: number;
	/** Whether it is a fact about the session, not about what happens now. */
	readonly isLasting?: boolean;
};

const separator = ' · ';

/**
Shortens and drops the least important parts until the rest fits. Then it restores parts that fit after all, most
important first.
*/
function fitted(parts: readonly Part[], columns: number): readonly Part[] {
	const forms = new Map(parts.map(part => [part, [part]]));
	const current = () => parts.flatMap(part => forms.get(part) ?? []);
	const fits = () => widthOf(current()) <= columns;
	for (const {part, isWhole} of ascendingForms(parts)) {
		if (fits()) break;
		forms.set(part, shortForm(part));
		if (!isWhole && part.kept !== true && !fits()) forms.set(part, []);
	}
	const descending = parts.toSorted((one, other) => wholeWorth(other) - wholeWorth(one));
	for (const widen of [shortForm, (part: Part) => [part]]) {
		for (const part of descending) {
			const before = forms.get(part) ?? [];
			forms.set(part, before.includes(part) ? before : widen(part));
			if (!fits()) forms.set(part, before);
		}
	}
	return current();
}

/** Returns each part, and its whole text as a separate entry if that is less important. */
function ascendingForms(parts: readonly Part[]): ReadonlyArray<{readonly part: Part; readonly isWhole: boolean}> {
	const whole = parts.filter(({textWorth}) => textWorth !== undefined);
	return [
		...parts.map(part => ({part, isWhole: false, worth: part.worth})),
		...whole.map(part => ({part, isWhole: true, worth: wholeWorth(part)})),
	].toSorted((one, other) => one.worth - other.worth);
}

function wholeWorth({textWorth, worth}: Part): number {
	return textWorth ?? worth;
}

function shortForm(part: Part): Part[] {
	return [part.short === undefined || part.short === '' ? part : {...part, text: part.short}];
}

/**
Returns the parts that the user chose, in the user's order. The state is always shown, and so is the mode in which
nothing asks.
*/
function chosenParts(parts: readonly Part[], names: StatusFacts['parts']): readonly Part[] {
	if (names === undefined) return parts;
	const chosen = names.flatMap(name => parts.filter(part => part.name === name));
	const missing = parts.filter(part => !chosen.includes(part));
	const state = missing.filter(({name}) => name === 'state');
	return [...state, ...chosen, ...missing.filter(({name, kept}) => name === 'approval' && kept === true)];
}

function partsOf(facts: StatusFacts, columns: number, now: number): Part[] {
	const {session, status, home, hints = [], notes = []} = facts;
	const model = shortModel(session.model);
	const turn = turnParts(facts, now);
	// What stops a running turn is worth more than its numbers.
	const first = turn.length > 0 ? 82 : 50;
	const keys = hints.map((text, index): Part => ({
		name: 'keys',
		worth: (index === 0 ? first : 30) - index,
		text,
		style: 'dim',
	}));
	const effort = session.effort === undefined ? '' : ` ${session.effort}`;
	return [
		...(facts.mode === undefined
			? []
			: [
					{
						name: 'state' as const,
						worth: 97,
						kept: true,
						text: sanitizeLine(facts.mode),
						style: 'bold' as const,
					},
				]),
		{name: 'state', worth: 100, kept: true, ...statusPart(facts, columns, now)},
		...turn,
		...keys,
		...queuePart(status),
		...backgroundPart(status),
		...childrenPart(status),
		...notes.map((text): Part => ({name: 'notes', worth: 70, text: sanitizeLine(text), style: 'accent'})),
		...childPart(session),
		{name: 'model', worth: 90, text: model + effort, short: model, style: 'plain', kept: true, isLasting: true},
		...nextPart(status),
		...(status.context === undefined ? [] : contextParts(status.context)),
		{name: 'directory', worth: 40, ...scopePart(session.scope, home, columns)},
		approvalPart(status),
		...confinedPart(status),
	];
}

function childPart({child}: SessionInfo): Part[] {
	if (child === undefined) return [];
	const text = childOf(sanitizeLine(child.title));
	return [{name: 'model', worth: 93, text, style: 'accent', kept: true, isLasting: true}];
}

function queuePart({queue}: Status): Part[] {
	if (queue.length === 0) return [];
	const short = queuedShort(queue.length);
	return [{name: 'queue', worth: 80, text: queuedCount(queue.length), short, style: 'accent'}];
}

function backgroundPart({background}: Status): Part[] {
	if (background === undefined) return [];
	const text = backgroundCount(background.length);
	const short = backgroundShort(background.length);
	return [{name: 'background', worth: 92, kept: true, text, short, style: 'accent'}];
}

/** Returns the time and the tokens of a running turn. */
function turnParts({status, activity}: StatusFacts, now: number): Part[] {
	const seconds = secondsSince(status, now);
	if (activity === undefined || seconds === undefined || seconds < 1) return [];
	return [
		{name: 'time', worth: 85, text: elapsedTime(seconds), style: 'plain'},
		...(activity.received === undefined
			? []
			: [{name: 'tokens' as const, worth: 45, text: activity.received, style: 'dim' as const}]),
	];
}

/** Returns the approval mode. In `auto` it says whether commands are confined, and whether they work on a layer. */
export function approvalPart({approval = 'ask', confined, noCells}: Status): Part {
	const part = approvalParts[approval];
	if (approval !== 'auto') return part;
	if (confined !== true) return {...part, text: autoUnconfined};
	return {...part, style: 'accent', ...(noCells !== undefined && {text: autoWithoutCells})};
}

/** Returns whether commands are confined, and why not. */
function confinedPart({confined, noCells, approval}: Status): Part[] {
	if (confined === undefined || approval === 'auto') return [];
	if (confined === true && noCells !== undefined)
		return [{name: 'confined', worth: 15, text: withoutCells, short: confinedText, style: 'dim'}];
	if (confined === true) return [{name: 'confined', worth: 15, text: confinedText, style: 'dim'}];
	return [{name: 'confined', worth: 35, ...unconfinedText(sanitizeLine(confined)), style: 'dim', textWorth: 18}];
}

/** Returns the number of child sessions, and how many of them wait for you. */
function childrenPart({children = []}: Status): Part[] {
	if (children.length === 0) return [];
	const needs = children.filter(({asks}) => asks > 0).length;
	const text = podCount(children.length, needs);
	const style = needs > 0 ? 'warn' : 'accent';
	return [{name: 'children', worth: 92, kept: true, text, short: podCount(children.length, 0), style}];
}

/** Returns the model that is used from the end of the run on, if the user has chosen another one. */
function nextPart({nextModel, nextEffort}: Status): Part[] {
	if (nextModel === undefined) return [];
	const name = shortModel(nextModel);
	const effort = nextEffort === undefined ? '' : ` ${nextEffort}`;
	const short = nextShort(name);
	return [{name: 'model', worth: 91, text: nextIs(name + effort), short, style: 'accent', kept: true}];
}

const approvalParts: {readonly [Mode in ApprovalMode]: Part} = {
	ask: {name: 'approval', worth: 20, ...approvalTexts.ask, style: 'dim'},
	'accept-edits': {name: 'approval', worth: 65, ...approvalTexts['accept-edits'], style: 'accent'},
	plan: {name: 'approval', worth: 65, ...approvalTexts.plan, style: 'accent'},
	auto: {name: 'approval', worth: 95, ...approvalTexts.auto, style: 'warn', kept: true, textWorth: 45},
};

function scopePart(
	{pwd, writable, readRoots}: SessionInfo['scope'],
	home: string | undefined,
	columns: number,
): Pick<Part, 'text' | 'short' | 'style'> {
	const mark = scopeMark(readRoots.length, writable);
	return {
		text: shortPath(pwd, home, Math.max(12, Math.floor(columns / 3))) + mark,
		short: shortPath(pwd, home, 12) + (writable ? '' : readOnlyShort),
		style: 'path',
	};
}

/**
Returns the tokens of the next request, its share of the window, and the cost of the session. The footer of each turn
shows the cached share.
*/
function contextParts({tokens, exact, window, cost}: ContextUse): Part[] {
	const count = `${exact ? '' : '≈'}${formatCount(tokens)}`;
	const percent = window === undefined || window <= 0 ? 0 : Math.round((tokens / window) * 100);
	const share = percent === 0 ? '' : ` (${percent}%)`;
	return [
		{name: 'context', worth: 60, text: contextTokens(count) + share, short: count, style: 'dim'},
		{name: 'cost', worth: 55, text: cost === undefined || cost.usd === 0 ? '' : formatCost(cost), style: 'dim'},
	];
}

/** The activity leaves room for the time and for the key that stops it. */
function statusPart(facts: StatusFacts, columns: number, now: number): Pick<Part, 'text' | 'short' | 'style'> {
	const {status, activity, isStill} = facts;
	const left = status.asks.length > 0 ? undefined : secondsLeft(status, now);
	const {sign, text, short, style} = stateOf(status);
	if (activity !== undefined && left === undefined) {
		const moving = spinner[(secondsSince(status, now) ?? 0) % spinner.length] ?? sign;
		const shown = isStill === true ? sign : moving;
		const words = cut(activity.text, Math.max(16, columns - 48), '…');
		return {text: `${shown} ${words}`, short: `${shown} ${activity.short}`, style};
	}
	const words = left !== undefined && left > 0 ? inSeconds(text, left) : text;
	return {text: `${sign} ${words}`, short: `${sign} ${left === undefined ? short : `${left} s`}`, style};
}

type State = {readonly sign: string; readonly text: string; readonly short: string; readonly style: Style};

export function stateOf(status: Status): State {
	const {kind, asks, step, retryAt} = status;
	if (asks.length > 0) return {sign: '?', ...stateTexts[askState(asks)], style: 'warn'};
	if (kind === 'running' && retryAt !== undefined) return {sign: '◔', ...stateTexts.retrying, style: 'warn'};
	if (kind === 'paused') return {sign: '■', ...stateTexts.paused, style: 'warn'};
	if (kind === 'idle') return {sign: '◦', ...stateTexts.idle, style: 'dim'};
	return {sign: '●', ...(step === undefined ? stateTexts.running : stepTexts[step]), style: 'ok'};
}

function secondsLeft({kind, retryAt}: Status, now: number): number | undefined {
	return kind === 'running' && retryAt !== undefined ? Math.max(0, Math.ceil((retryAt - now) / 1000)) : undefined;
}

/** Returns the whole seconds since the run began, while it does not wait for you. */
function secondsSince({kind, asks, since}: Status, now: number): number | undefined {
	return kind === 'running' && asks.length === 0 && since !== undefined
		? Math.max(0, Math.floor((now - since) / 1000))
		: undefined;
}

/** The signs of a running turn. Each is shown for a second. */
const spinner = ['▖', '▘', '▝', '▗'];

function widthOf(parts: readonly Part[]): number {
	return parts.reduce((sum, {text}) => sum + width(text), (parts.length - 1) * separator.length);
}

function askState([first]: Status['asks']): 'asking' | 'question' {
	return first?.questions !== undefined || first?.shows === 'markdown' ? 'question' : 'asking';
}
