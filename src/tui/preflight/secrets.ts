import {rangeSuffix, type FileRef, type Preflight, type Segment} from '../../pod/protocol.ts';
import {shortName} from './preflight-view.ts';
import {confirmSecrets} from './texts.ts';
import {isSameList} from '../text/checks/same-list.ts';

/** What becomes of a draft that is about to leave the screen: it goes out, or back with a sentence. */
export type Decided = {
	readonly send?: readonly Segment[];
	readonly ask?: string;
	readonly told?: Told;
	/** It goes out only since it was confirmed. */
	readonly confirms?: true;
};

/** You were told which refs of which draft look like secrets. */
export type Told = {readonly segments: readonly Segment[]; readonly refs: Secrets; readonly at: number};

/** By the name of the ref, the real path of the file that it leads to. */
type Secrets = ReadonlyMap<string, string>;

/** Enter pressed twice in a hurry, or held down, has confirmed nothing. In milliseconds since the last time. */
const readingTime = 400;

/** Whether segments can hold a file ref at all. */
export function mayHoldRef(segments: readonly Segment[]): boolean {
	return segments.some(
		segment => segment.type === 'file_ref' || (segment.type === 'text' && /[@＠]/.test(segment.text)),
	);
}

/**
Decides on a draft with its forecast. You are asked about refs that look like secrets. The same draft again, once you
could read the question, goes out with just these refs confirmed, each for the file that it led to both times.
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

/** A ref as one word, for telling it from others of a draft: a file may be called `x:10`. */
export function refName({path, range}: FileRef): string {
	return `${path}\0${rangeSuffix(range)}`;
}

/** Whether two drafts say the same. A paste is the same one, or has the same content. */
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
