import type {FileRef, PasteForecast, RefForecast} from '../../../pod/protocol.ts';
import {chipLabel} from '../../editor/chip.ts';
import {pasteSize} from '../../editor/texts.ts';
import {
	labelWithin,
	chipsOf,
	firstWord,
	mayStand,
	pasteIdsOf,
	type Marks,
	refName,
} from '../../model/preflight/marks.ts';
import {makeRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {cut, width} from '../../../text/width.ts';
import type {Span, Style} from '../../../text/span.ts';
import {
	attachedCount,
	directoryExtent,
	fetchedWhenSent,
	readWhenSent,
	fileExtent,
	mediaExtent,
	missingRefs,
	moreRefs,
	noForecast,
	pasteNames,
	reading,
	readingCount,
	secretAndMissingRefs,
	secretDetail,
	secretRefs,
	tokenCount,
	totalTokens,
} from '../../model/preflight/texts.ts';
import {draftLine, type Draft} from '../../editor/draft.ts';
import {statusOf} from '../../model/selectors.ts';
import type {AppState} from '../../model/app-state.ts';

/** The facts about the file references and the pastes in the draft, or in the draft that is being sent. */
export type PreflightFacts = {
	readonly refs: readonly RefForecast[];
	/** The file references that have no forecast yet. */
	readonly reading: readonly FileRef[];
	readonly pastes: readonly PasteForecast[];
	/** The number of tokens of the whole message. */
	readonly tokens?: number;
	/** Whether the answer for the current draft has not arrived yet. */
	readonly stale: boolean;
	/** The reason why Enter would not send the draft. */
	readonly rejection?: string;
	/** The reason why there is no forecast. */
	readonly problem?: string;
	/** Tells whether the next Enter attaches this file although it looks like a secret. */
	readonly told: (ref: FileRef) => boolean;
};

/**
Returns one row for each file reference and one for all pastes if there is room. Otherwise returns one summary row, in
which secrets and failures come first.
*/
export function viewPreflight(facts: PreflightFacts, columns: number, maxRows: number): Row[] {
	if (maxRows < 1 || columns < 4) return [];
	const {rejection, problem} = facts;
	const alone = rejection ?? (problem === undefined ? undefined : noForecast(problem));
	if (alone !== undefined)
		return [indentedRow(`× ${sanitizeLine(alone)}`, columns, rejection === undefined ? 'dim' : 'error')];
	const lines = [...facts.refs.map(ref => lineOf(ref, facts)), ...facts.reading.map(readingLine)];
	const pasted = pastesLine(facts.pastes);
	const total = totalOf(facts);
	if (lines.length + pasted.length + total.length === 0) return [];
	if (maxRows < roomy) {
		const parts = [...pasted.map(({label, extent}) => `${label} ${extent}`), ...total];
		return [compactRow(lines, parts, columns)];
	}
	const shown = lines.slice(0, lines.length > maxRefs ? maxRefs : lines.length);
	const hidden = lines.slice(shown.length);
	return [
		...shown.map(line => lineRow(line, columns)),
		...(hidden.length > 0 ? [indentedRow(moreText(hidden), columns, 'dim')] : []),
		...pasted.map(line => lineRow(line, columns)),
		...total.map(text => indentedRow(text, columns, 'dim')),
	];
}

/** Returns at most `maxRows` rows about the file references of the draft. */
export function preflightRows(state: AppState, columns: number, maxRows: number): readonly Row[] {
	return viewPreflight(factsOf(state), columns, maxRows);
}

/** Each file reference gets its own row if at least this number of rows is available. */
const roomy = 10;

const maxRefs = 6;

const indent = '  ';

/** Returns the line of all pastes. If there are several, the sum comes first, because the single pastes may not fit. */
function pastesLine(pastes: readonly PasteForecast[]): ReadonlyArray<Line & {readonly extent: string}> {
	const [first] = pastes;
	if (first === undefined) return [];
	const extent = `≈ ${tokenCount(pasteTokens(pastes))}`;
	if (pastes.length === 1) {
		const detail = `${pasteSize(first.lines, first.chars)} · ${extent}`;
		return [{label: pasteNames.one(sanitizeLine(first.id)), detail, extent, look: 'paste'}];
	}
	const each = pastes.slice(0, maxRefs).map(({id, tokens}) => `#${sanitizeLine(id)} ${tokens.toLocaleString('en')}`);
	const more = pastes.length > maxRefs ? ['…'] : [];
	const detail = [extent, ...each, ...more].join(' · ');
	return [{label: pasteNames.many(pastes.length), detail, extent, look: 'paste'}];
}

function pasteTokens(pastes: readonly PasteForecast[]): number {
	return pastes.reduce((sum, {tokens}) => sum + tokens, 0);
}

/** Returns the text of the total, unless the row of the pastes already shows the same total. */
function totalOf({refs, reading: unread, pastes, tokens, stale}: PreflightFacts): readonly string[] {
	const isSame = refs.length + unread.length === 0 && pastes.length > 0 && tokens === pasteTokens(pastes) && !stale;
	return tokens === undefined || isSame ? [] : [totalTokens(tokens, stale)];
}

/** The label and the details of a row. */
type Line = {
	readonly label: string;
	readonly detail: string;
	readonly look: Look;
	/** The detail without its tokens. */ readonly extent?: string;
};

type Look = 'good' | 'cut' | 'secret' | 'failed' | 'waiting' | 'paste';

const looks: {readonly [Name in Look]: {readonly label: Style; readonly detail: Style}} = {
	good: {label: 'path', detail: 'dim'},
	cut: {label: 'path', detail: 'warn'},
	secret: {label: 'warn', detail: 'warn'},
	failed: {label: 'error', detail: 'error'},
	waiting: {label: 'path', detail: 'dim'},
	paste: {label: 'chip', detail: 'dim'},
};

function lineOf(forecast: RefForecast, {told}: PreflightFacts): Line {
	const {ref} = forecast;
	const label = chipLabel(ref);
	if (forecast.ok) {
		const extent = extentOf(forecast);
		return {
			label,
			extent,
			detail:
				forecast.kind === 'web' || forecast.kind === 'resource'
					? extent
					: `${extent} · ≈ ${tokenCount(forecast.tokens)}`,
			look: forecast.truncated ? 'cut' : 'good',
		};
	}
	if (forecast.reason === 'denied') return {label, detail: secretDetail(told(ref)), look: 'secret'};
	return {label, detail: `× ${sanitizeLine(reasonOf(forecast.sentence))}`, look: 'failed'};
}

function readingLine(ref: FileRef): Line {
	return {label: chipLabel(ref), detail: reading, look: 'waiting'};
}

function extentOf(forecast: Extract<RefForecast, {ok: true}>): string {
	const {kind, lines, truncated} = forecast;
	if (kind === 'image' || kind === 'document') return mediaExtent(forecast);
	if (kind === 'web') return fetchedWhenSent;
	if (kind === 'resource') return readWhenSent;
	return kind === 'dir' ? directoryExtent(lines, truncated) : fileExtent(forecast, truncated);
}

/**
Returns the reason from a sentence that begins with the file name. The name is left out, because the row already shows
it.
*/
function reasonOf(sentence: string): string {
	const at = sentence.lastIndexOf(notAttached);
	return at === -1 ? sentence : sentence.slice(at + notAttached.length).replace(/\.$/, '');
}

const notAttached = ' was not attached: ';

function moreText(hidden: readonly Line[]): string {
	const failed = hidden.filter(({look}) => look === 'failed').length;
	const secret = hidden.filter(({look}) => look === 'secret').length;
	return moreRefs(hidden.length, failed, secret);
}

function lineRow({label, detail, look}: Line, columns: number): Row {
	const room = columns - indent.length - gap.length;
	const labelRoom = Math.max(Math.min(width(label), Math.floor(room * 0.4)), room - width(detail));
	const name = labelWithin(label, labelRoom);
	return makeRow([
		{text: indent},
		{text: name, style: looks[look].label},
		{text: gap},
		{text: cut(detail, room - width(name), '…'), style: looks[look].detail},
	]);
}

const gap = '  ';

function indentedRow(text: string, columns: number, style: Style): Row {
	return makeRow([{text: indent}, {text: cut(text, columns - indent.length, '…'), style}]);
}

/**
Returns one row for all references. Secrets and failures come first, with their whole texts if possible. The totals
follow if there is room.
*/
function compactRow(lines: readonly Line[], total: readonly string[], columns: number): Row {
	const failed = [...lines.filter(({look}) => look === 'secret'), ...lines.filter(({look}) => look === 'failed')];
	const room = columns - indent.length;
	const rest = restOf(lines.filter(line => !failed.includes(line)));
	const [worst] = failed;
	if (worst === undefined) return indentedRow([...rest, ...total].join(' · '), columns, 'dim');
	const head = cut(failuresText(failed, room), room, '…');
	const rear = [[...rest, ...total], total]
		.map(parts => parts.map(part => ` · ${part}`).join(''))
		.find(text => width(head) + width(text) <= room);
	const first: Span = {text: head, style: looks[worst.look].detail};
	return makeRow([{text: indent}, first, {text: rear ?? '', style: 'dim'}]);
}

function failuresText(failed: readonly Line[], room: number): string {
	const [first, ...others] = failed;
	if (first !== undefined && others.length === 0)
		return `${labelWithin(first.label, Math.max(8, Math.floor(room * 0.4)))} ${first.detail}`;
	const of = (look: Look) => failed.filter(line => line.look === look).map(({label}) => labelWithin(label, 24));
	const [secret, missing] = [of('secret'), of('failed')];
	if (missing.length === 0) return secretRefs(secret);
	if (secret.length === 0) return missingRefs(missing);
	return secretAndMissingRefs(secret, missing);
}

function restOf(lines: readonly Line[]): string[] {
	const [only, ...others] = lines;
	if (only !== undefined && others.length === 0 && only.look !== 'waiting')
		return [`${labelWithin(only.label, 24)} ${only.extent ?? only.detail}`];
	const waiting = lines.filter(({look}) => look === 'waiting').length;
	const truncated = lines.filter(({look}) => look === 'cut').length;
	const attached = lines.length - waiting;
	return [
		...(attached > 0 ? [attachedCount(attached, truncated)] : []),
		...(waiting > 0 ? [readingCount(waiting)] : []),
	];
}

function factsOf(state: AppState): PreflightFacts {
	const {marks, answer, isQuiet, isAsking, isConfirming, sent, told} = state.preflight;
	const base = {
		refs: [],
		reading: [],
		pastes: [],
		stale: false,
		told: (ref: FileRef) => told?.refs.has(refName(ref)) === true,
	};
	const isSending = sent !== undefined && sent.length > 0;
	if (isSending && (isConfirming || statusOf(state).step === 'resolving')) return {...base, reading: sent};
	if (isQuiet) return base;
	const {forecast, problem} = answer ?? {};
	const fresh = answer?.draft === marks.draft;
	const refs = (forecast?.refs ?? []).filter(({ref}) => fresh || mayStand(ref, marks));
	const reading = fresh
		? []
		: unknownChips(
				marks,
				refs.map(({ref}) => ref.path),
			);
	const isKnown = fresh || sameStart(answer?.draft, marks.draft);
	const rejection = isKnown ? forecast?.rejection : undefined;
	if (rejection !== undefined && isCommandTyped(marks.draft)) return base;
	const ids = fresh ? undefined : pasteIdsOf(marks);
	const pastes = (forecast?.pastes ?? []).filter(({id}) => ids?.has(id) ?? true);
	const counts =
		refs.length + pastes.length > 0 || (fresh && forecast?.segments.some(({type}) => type === 'workflow') === true);
	return {
		...base,
		refs,
		reading,
		pastes,
		stale: !fresh || isAsking,
		...(counts && forecast !== undefined && {tokens: forecast.tokens}),
		rejection,
		...(fresh && problem !== undefined && {problem}),
	};
}

/**
Tells whether the draft begins with a slash and may be a command. inkpod reports no problem while you type a command,
because Enter reports an unknown name.
*/
function isCommandTyped(draft: Draft): boolean {
	return draft.length === 1 && firstWord(draftLine(draft, 0)).startsWith('/');
}

function unknownChips(marks: Marks, known: readonly string[]): FileRef[] {
	const chips = chipsOf(marks).filter(({path}) => !known.includes(path));
	return chips.filter((chip, index) => chips.findIndex(other => refName(other) === refName(chip)) === index);
}

function sameStart(one: Draft | undefined, other: Draft): boolean {
	return one !== undefined && firstWord(draftLine(one, 0)) === firstWord(draftLine(other, 0));
}
