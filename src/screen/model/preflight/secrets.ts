import {rangeSuffix, type FileRef, type Preflight, type Segment} from '../../../pod/protocol.ts';
import {shortName} from './labels.ts';
import {confirmSecrets} from './texts.ts';
import {isSameList} from '../../../text/same-list.ts';

/** The decision about a draft: to send it, or to return it with a sentence. */
type Decided = {
	readonly send?: readonly Segment[];
	readonly ask?: string;
	readonly told?: Told;
	/** Whether the draft is sent because you confirmed it. */
	readonly confirms?: true;
};

/** The refs of a draft about which you were asked, because they look like secrets. */
export type Told = {readonly segments: readonly Segment[]; readonly refs: Secrets; readonly at: number};

/** Maps the name of each ref to the real path of its file. */
type Secrets = ReadonlyMap<string, string>;

/**
A second Enter within this number of milliseconds confirms nothing, because you pressed it too fast or held it down.
*/
const readingTime = 400;

/** Tells whether segments may contain a file ref. */
export function mayHoldRef(segments: readonly Segment[]): boolean {
	return segments.some(
		segment => segment.type === 'file_ref' || (segment.type === 'text' && /[@＠]/.test(segment.text)),
	);
}

/**
Decides about a draft with its forecast. You are asked about refs that look like secrets. If you send the same draft
again after you could read the question, these refs are confirmed. Each is confirmed only for the same file.
*/
export function decide(
	segments: readonly Segment[],
	forecast: Preflight,
	told: Told | undefined,
	now: number,
): Decided {
	const denied = forecast.refs.flatMap(each => (!each.ok && each.reason === 'denied' ? [each] : []));
	if (denied.length === 0 || forecast.rejection !== undefined) return {send: segments};
	const refs: Secrets = new Map(denied.map(({ref, real = ''}) => [refName(ref), real]));
	const sameRefs = told !== undefined && [...refs].every(([ref, real]) => told.refs.get(ref) === real);
	const same = sameRefs && isSameDraft(told.segments, segments);
	const isConfirmed = same && now - told.at >= readingTime;
	if (isConfirmed) return {send: forecast.segments.map(segment => confirm(segment, refs)), confirms: true};
	return {ask: question(denied.map(({ref}) => ref)), told: {segments, refs, at: now}};
}

/**
Returns a key for a ref that is unique in a draft. The key distinguishes a range from a file that is called `x:10`.
*/
export function refName({path, range}: FileRef): string {
	return `${path}\0${rangeSuffix(range)}`;
}

/** Tells whether two drafts are equal. Pastes are equal if their content is. */
export function isSameDraft(one: readonly Segment[], other: readonly Segment[]): boolean {
	return isSameList(one, other, (left, right) => left === right || isSame(left, right));
}

function isSame(one: Segment, other: Segment): boolean {
	if (one.type === 'text') return other.type === 'text' && one.text === other.text;
	if (one.type === 'paste') return other.type === 'paste' && one.content === other.content;
	if (one.type === 'file_ref')
		return other.type === 'file_ref' && refName(one) === refName(other) && one.confirmed === other.confirmed;
	return other.type === 'workflow' && one.slug === other.slug && one.arguments === other.arguments;
}

function confirm(segment: Segment, refs: Secrets): Segment {
	const real = segment.type === 'file_ref' ? refs.get(refName(segment)) : undefined;
	return segment.type === 'file_ref' && real !== undefined ? {...segment, confirmed: real} : segment;
}

function question(denied: readonly FileRef[]): string {
	return confirmSecrets(denied.slice(0, 3).map(shortName), denied.length);
}
