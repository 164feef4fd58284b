import type {FileRef, Preflight, Segment} from '../../pod/protocol.ts';
import type {ComposerState} from '../composer/composer-state.ts';
import type {Draft} from '../composer/editor/draft.ts';
import {chipsOf, isCommand, marksOf, noMarks, type Marks} from './marks.ts';
import type {Told} from './secrets.ts';

/** What each ref of the draft will become, as far as the pod has said. */
export type PreflightState = {
	/** Of the draft that is being written. */
	readonly marks: Marks;
	/** The draft can contain no ref. */
	readonly isQuiet: boolean;
	/** The latest, about this draft or an earlier one. */
	readonly answer: PreflightAnswer | undefined;
	/** A question about the draft will be asked, or is under way. */
	readonly isAsking: boolean;
	/** The draft that is being sent, and its refs as far as they are known. */
	readonly held: Draft | undefined;
	readonly sent: readonly FileRef[] | undefined;
	/** The held draft waits for a forecast before it goes out. */
	readonly isConfirming: boolean;
	readonly told: ToldDraft | undefined;
};

export type PreflightAnswer = {
	readonly draft: Draft;
	readonly segments: readonly Segment[];
	readonly forecast?: Preflight;
	/** Why there is none. */
	readonly problem?: string;
};

/** Which secrets of which draft you were asked about. An edit ends that. */
export type ToldDraft = Told & {readonly of: Draft};

export const noPreflight: PreflightState = {
	marks: noMarks,
	isQuiet: true,
	answer: undefined,
	isAsking: false,
	held: undefined,
	sent: undefined,
	isConfirming: false,
	told: undefined,
};

/** The draft changed, or what is being sent. */
export function afterEdit(preflight: PreflightState, composer: ComposerState): PreflightState {
	const {
		editor: {draft},
		held,
	} = composer;
	const next = withMarks(withTold(withHeld(preflight, held?.draft), draft), draft);
	return next.isQuiet && held === undefined && next.answer !== undefined ? {...next, answer: undefined} : next;
}

/** The pod answered the question about the draft. */
export function afterPreflight(preflight: PreflightState, answer: PreflightAnswer): PreflightState {
	return {...remember(preflight, answer), isAsking: false};
}

/** A run has ended, which may have changed files: the draft is asked about again. */
export function afterRun(preflight: PreflightState): PreflightState {
	return preflight.isQuiet || preflight.isAsking ? preflight : {...preflight, isAsking: true};
}

/** The held draft has its forecast, or goes out without one. */
export function afterConfirm(preflight: PreflightState, answer: PreflightAnswer | undefined): PreflightState {
	const next = answer === undefined ? preflight : remember(preflight, answer);
	return {...next, isConfirming: false};
}

function remember(preflight: PreflightState, answer: PreflightAnswer): PreflightState {
	return {...preflight, answer, ...(answer.draft === preflight.held && {sent: readRefs(answer.forecast)})};
}

/** When the draft is sent, what is known of its refs stays until its receipt. */
function withHeld(preflight: PreflightState, held: Draft | undefined): PreflightState {
	if (held === preflight.held) return preflight;
	const {answer, marks} = preflight;
	const known = answer?.draft === held ? readRefs(answer?.forecast) : undefined;
	const sent = held === undefined ? undefined : (known ?? chipsOf(marksOf(held, marks)));
	return {...preflight, held, sent, isConfirming: false};
}

function withTold(preflight: PreflightState, draft: Draft): PreflightState {
	const {told, held} = preflight;
	return told === undefined || told.of === draft || told.of === held ? preflight : {...preflight, told: undefined};
}

function withMarks(preflight: PreflightState, draft: Draft): PreflightState {
	if (draft === preflight.marks.draft) return preflight;
	const marks = marksOf(draft, preflight.marks);
	const isQuiet = marks.lines.length === 0 || isCommand(draft);
	return {...preflight, marks, isQuiet, isAsking: !isQuiet && preflight.answer?.draft !== draft};
}

/** Those that the pod will read. */
function readRefs(forecast: Preflight | undefined): FileRef[] | undefined {
	return forecast?.refs.filter(({ok}) => ok).map(({ref}) => ref);
}
