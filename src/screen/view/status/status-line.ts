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
	childCount,
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
	/** Whether the spinner of a running turn is not animated. */
	readonly isStill?: boolean;
	/** The user's home directory, shown as `~`. */
	readonly home?: string;
	/** Hints about the useful keys, most important first, such as `Esc to stop`. */
	readonly hints?: readonly string[];
	/** The vim mode. */
	readonly mode?: string;
	/** The parts to show, in this order. If absent, all parts are shown in the default order. */
	readonly parts?: readonly StatusPartName[] | undefined;
	/** Notes about the transcript, such as `↓ 12 new` or `detail`. */
	readonly notes?: readonly string[];
};

/**
Returns the status line, which is at most `columns` wide. If there is not enough room, the least important parts are
left out first.
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

/** The cached line of each status. The cache helps while an answer streams, because the line then rarely changes. */
const made = new WeakMap<Status, {readonly session: SessionInfo; readonly about: string; readonly row: Row}>();

function lineOf(facts: StatusFacts, columns: number, now: number): Row {
	const all = chosenParts(partsOf(facts, columns, now), facts.parts).filter(({text}) => text !== '');
	// On a wide screen, the gap has priority over the key hints, except while a turn is running.
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
Returns the gap before the first fact about the session. The gap moves these facts to the right edge. Returns
`undefined` if there is not enough room.
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
Shortens a path. The home directory becomes `~`, and leading parts are cut off. The end stays, because it identifies the
file or folder.
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
A part of the status line. `worth` is its priority. Before a part is left out, `short` replaces `text`. A `kept` part is
never left out. `textWorth` is the priority of the whole text, if it is lower than the priority of the short text.
`name` is the part's name in the configuration.
*/
type Part = {
	readonly name: StatusPartName;
	readonly worth: number;
	readonly text: string;
	readonly style: Style;
	readonly short?: string;
	readonly kept?: boolean;
	readonly textWorth?: number;
	/** Whether the part is a lasting fact about the session, and not about the current activity. */
	readonly isLasting?: boolean;
};

const separator = ' · ';

/**
Shortens and removes the least important parts until the others fit. Then restores the parts for which there is still
room, most important first.
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

/** Returns the parts in ascending order of priority. A part with `textWorth` has a second entry for its whole text. */
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
Returns the parts that the user chose, in the user's order. The part `state` is always added, and so is the approval
mode `auto`.
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
	// The key that stops a running turn has priority over the token count.
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

/**
Returns the approval mode. For `auto`, the text also says whether commands are confined, and whether they change the
project directly.
*/
export function approvalPart({approval = 'ask', confined, noCells}: Status): Part {
	const part = approvalParts[approval];
	if (approval !== 'auto') return part;
	if (confined !== true) return {...part, text: autoUnconfined};
	return {...part, style: 'accent', ...(noCells !== undefined && {text: autoWithoutCells})};
}

/** Returns the part that says whether commands are confined, and the reason if they are not. */
function confinedPart({confined, noCells, approval}: Status): Part[] {
	if (confined === undefined || approval === 'auto') return [];
	if (confined === true && noCells !== undefined)
		return [{name: 'confined', worth: 87, text: withoutCells, short: confinedText, style: 'dim', textWorth: 18}];
	if (confined === true) return [{name: 'confined', worth: 87, text: confinedText, style: 'dim'}];
	return [{name: 'confined', worth: 87, ...unconfinedText(sanitizeLine(confined)), style: 'dim', textWorth: 18}];
}

/** Returns the number of child sessions, and how many of them wait for you. */
function childrenPart({children = []}: Status): Part[] {
	if (children.length === 0) return [];
	const needs = children.filter(({asks}) => asks > 0).length;
	const text = childCount(children.length, needs);
	const style = needs > 0 ? 'warn' : 'accent';
	return [{name: 'children', worth: 92, kept: true, text, short: childCount(children.length, 0), style}];
}

/** Returns the part with the model for the next run, if the user has chosen another model during the current run. */
function nextPart({nextModel, nextEffort}: Status): Part[] {
	if (nextModel === undefined) return [];
	const name = shortModel(nextModel);
	const effort = nextEffort === undefined ? '' : ` ${nextEffort}`;
	const short = nextShort(name);
	return [{name: 'model', worth: 91, text: nextIs(name + effort), short, style: 'accent', kept: true}];
}

const approvalParts: {readonly [Mode in ApprovalMode]: Part} = {
	ask: {name: 'approval', worth: 88, ...approvalTexts.ask, style: 'dim'},
	'accept-edits': {name: 'approval', worth: 88, ...approvalTexts['accept-edits'], style: 'accent'},
	plan: {name: 'approval', worth: 88, ...approvalTexts.plan, style: 'accent'},
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
Returns the tokens of the next request, its share of the context window, and the cost of the session. The cached share
is not here, because the footer of each turn shows it.
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

/** Returns the state. A long activity is cut so that there is room for the time and for the key that stops the turn. */
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

/** Returns the number of whole seconds since the run began. Returns `undefined` while the run waits for you. */
function secondsSince({kind, asks, since}: Status, now: number): number | undefined {
	return kind === 'running' && asks.length === 0 && since !== undefined
		? Math.max(0, Math.floor((now - since) / 1000))
		: undefined;
}

/** The frames of the spinner of a running turn. Each frame is shown for a second. */
const spinner = ['▖', '▘', '▝', '▗'];

function widthOf(parts: readonly Part[]): number {
	return parts.reduce((sum, {text}) => sum + width(text), (parts.length - 1) * separator.length);
}

function askState([first]: Status['asks']): 'asking' | 'question' {
	return first?.questions !== undefined || first?.shows === 'markdown' ? 'question' : 'asking';
}
