import type {FileRef, Preflight, Segment} from '../../pod/protocol.ts';
import {statusOf, tell, type App, type Part} from '../state/app.ts';
import {repeatGap} from '../card/answering.ts';
import type {Draft} from '../composer/draft.ts';
import {toSegments} from '../composer/segments.ts';
import {chipsOf, firstWord, isCommand, marksOf, mayStand, noMarks, type Marks} from './marks.ts';
import {preflightRows, type PreflightFacts} from './preflight-view.ts';
import {decide, isSameDraft, mayHoldRef, refName, type Told} from './secrets.ts';

export type PreflightPart = Part & {
	/**
	To be asked before a draft is sent or queued: refs that look like secrets go out only on a second Enter. What goes out, or nothing where the
	person was told what Enter would attach, or took the draft back. Where the pod gives no forecast in time nothing is confirmed: then the
	pod refuses such a ref, and says so.
	*/
	readonly confirm: (app: App, segments: readonly Segment[]) => Promise<readonly Segment[] | undefined>;
};

export type PreflightPartOptions = {
	/** From the last edit to the question, in milliseconds. */
	readonly delayMs?: number;
	/** How long a draft that is being sent waits for a forecast, in milliseconds. */
	readonly confirmMs?: number;
	/** Calls back later, and returns its undo. */
	readonly later?: Later;
};

type Later = (callback: () => void, ms: number) => () => void;

/** Shows what each ref of the draft will become, and guards secrets. A draft without refs costs nothing. */
export function createPreflightPart({delayMs = 100, confirmMs = 2000, later = afterTime}: PreflightPartOptions = {}): PreflightPart {
	const state: State = {marks: noMarks, quiet: true};

	function askLater(app: App): void {
		stop(state);
		state.cancel = later(() => {
			state.cancel = undefined;
			void ask(app, state);
		}, delayMs);
	}

	function look(app: App): void {
		const {editor, held} = app.state.composer;
		followHeld(state, held?.draft);
		if (editor.draft !== state.toldOf && held?.draft !== state.toldOf) state.told = undefined;
		if (editor.draft !== state.marks.draft) {
			stop(state);
			state.marks = marksOf(editor.draft, state.marks);
			state.quiet = state.marks.lines.length === 0 || isCommand(editor.draft);
			if (!state.quiet && state.answer?.draft !== editor.draft) askLater(app);
		}
		if (state.quiet && held === undefined) state.answer = undefined;
	}

	return {
		edited: look,
		heard(app, event) {
			// A draft that the screen began with was no edit.
			if (event.type === 'snapshot') look(app);
			// A run may have changed the files.
			if (event.type === 'item' && event.item.type === 'run_end' && !state.quiet) askLater(app);
		},
		rows: (app, columns, most) => preflightRows(factsOf(app, state), columns, most),
		leave() {
			stop(state);
			state.confirming?.abort();
		},
		confirm: async (app, segments) => (mayHoldRef(segments) ? confirm(app, state, segments, {ms: confirmMs, later}) : segments),
	};
}

type Answer = {
	readonly draft: Draft;
	readonly segments: readonly Segment[];
	readonly forecast?: Preflight;
	/** Why there is none. */
	readonly problem?: string;
};

type State = {
	/** Of the draft that is being written. */
	marks: Marks;
	/** It can hold no ref. */
	quiet: boolean;
	/** The latest, of this draft or an earlier one. */
	answer?: Answer | undefined;
	/** A question that will be asked, or is. */
	cancel?: (() => void) | undefined;
	asking?: AbortController | undefined;
	/** What is being sent, and its refs as far as they are known. */
	held?: Draft | undefined;
	sent?: readonly FileRef[] | undefined;
	/** Until the held draft is on its way; aborted when it is taken back. */
	confirming?: AbortController | undefined;
	told?: Told | undefined;
	toldOf?: Draft | undefined;
};

function stop(state: State): void {
	state.cancel?.();
	state.cancel = undefined;
	state.asking?.abort();
	state.asking = undefined;
}

/** Asks about the draft as it is now. An answer that comes after an edit is nobody's. */
async function ask(app: App, state: State): Promise<void> {
	const asking = new AbortController();
	const {signal} = asking;
	const {draft} = state.marks;
	state.asking = asking;
	const client = await app.client.promise;
	if (signal.aborted) return;
	const segments = toSegments(draft);
	try {
		const forecast = await client.preflight(segments, signal);
		if (signal.aborted) return;
		remember(state, draft, segments, {forecast});
	} catch (error) {
		if (signal.aborted) return;
		remember(state, draft, segments, {problem: error instanceof Error ? error.message : String(error)});
	}
	state.asking = undefined;
	app.changed('now');
}

function remember(state: State, draft: Draft, segments: readonly Segment[], found: Pick<Answer, 'forecast' | 'problem'>): void {
	state.answer = {draft, segments, ...found};
	if (draft === state.held) state.sent = readRefs(found.forecast);
}

async function confirm(app: App, state: State, segments: readonly Segment[], {ms, later}: {readonly ms: number; readonly later: Later}): Promise<readonly Segment[] | undefined> {
	const draft = app.state.composer.held?.draft;
	const confirming = new AbortController();
	state.confirming = confirming;
	const forecast = await forecastOf(app, state, segments, confirming.signal, ms);
	if (confirming.signal.aborted) return undefined;
	state.confirming = undefined;
	if (forecast === undefined) return segments;
	if (draft !== undefined) remember(state, draft, segments, {forecast});
	const decided = decide(segments, forecast, state.told, app.options.now());
	if (decided.confirms === true && !(await wasPressedOnce(app, later))) {
		if (confirming.signal.aborted) return undefined;
		state.told = draft === undefined ? undefined : {...state.told!, at: app.options.now()};
		return undefined;
	}
	if (confirming.signal.aborted) return undefined;
	// What no draft can follow, no second Enter can confirm.
	state.told = draft === undefined ? undefined : decided.told;
	state.toldOf = draft;
	if (decided.ask !== undefined) tell(app, {level: 'warn', text: decided.ask});
	return decided.send;
}

/** Whether the Enter that confirms came alone and is not held down: a key that is comes again right away. */
async function wasPressedOnce(app: App, later: Later): Promise<boolean> {
	const {lastPress} = app.state;
	if (lastPress === undefined || !lastPress.alone || lastPress.isHeld) return false;
	const {promise, resolve} = Promise.withResolvers<void>();
	later(resolve, repeatGap);
	await promise;
	return app.state.lastPress === lastPress || app.state.lastPress?.chord !== lastPress.chord;
}

/** What is known already, or the answer to a question of exactly these segments; nothing where it does not come. */
async function forecastOf(app: App, state: State, segments: readonly Segment[], signal: AbortSignal, ms: number): Promise<Preflight | undefined> {
	const {answer} = state;
	if (answer?.forecast !== undefined && isSameDraft(answer.segments, segments)) return answer.forecast;
	const stopped = Promise.withResolvers<undefined>();
	const give = () => stopped.resolve(undefined);
	signal.addEventListener('abort', give, {once: true});
	if (signal.aborted) give();
	const client = await Promise.race([app.client.promise, stopped.promise]);
	if (client === undefined) return undefined;
	const within = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
	within.addEventListener('abort', give, {once: true});
	// A draft that the pod cannot look at is sent all the same: the run tells what is wrong.
	const forecast = await Promise.race([client.preflight(segments, within).catch(() => undefined), stopped.promise]);
	signal.removeEventListener('abort', give);
	within.removeEventListener('abort', give);
	return forecast;
}

/** When the draft is sent, what is known of its refs stays until its receipt. */
function followHeld(state: State, held: Draft | undefined): void {
	if (held === state.held) return;
	state.held = held;
	state.confirming?.abort();
	state.confirming = undefined;
	const known = state.answer?.draft === held ? readRefs(state.answer?.forecast) : undefined;
	state.sent = held === undefined ? undefined : known ?? chipsOf(marksOf(held, state.marks));
}

/** Those that the pod will read. */
function readRefs(forecast: Preflight | undefined): FileRef[] | undefined {
	return forecast?.refs.filter(({ok}) => ok).map(({ref}) => ref);
}

function factsOf(app: App, state: State): PreflightFacts {
	const {marks, answer, quiet, sent, told} = state;
	const base = {refs: [], reading: [], stale: false, told: (ref: FileRef) => told?.refs.has(refName(ref)) === true};
	if (sent !== undefined && sent.length > 0 && (state.confirming !== undefined || statusOf(app.state).step === 'resolving')) return {...base, reading: sent};
	if (quiet) return base;
	const {forecast, problem} = answer ?? {};
	const fresh = answer?.draft === marks.draft;
	const stale = !fresh || state.asking !== undefined || state.cancel !== undefined;
	const refs = (forecast?.refs ?? []).filter(({ref}) => fresh || mayStand(ref, marks));
	const reading = fresh ? [] : unknownChips(marks, refs.map(({ref}) => ref.path));
	const rejection = fresh || sameStart(answer?.draft, marks.draft) ? forecast?.rejection : undefined;
	const counts = refs.length > 0 || (fresh && forecast?.segments.some(({type}) => type === 'workflow') === true);
	return {
		...base,
		refs,
		reading,
		stale,
		...(counts && forecast !== undefined && {tokens: forecast.tokens}),
		...(rejection !== undefined && {rejection}),
		...(fresh && problem !== undefined && {problem}),
	};
}

function unknownChips(marks: Marks, known: readonly string[]): FileRef[] {
	const chips = chipsOf(marks).filter(({path}) => !known.includes(path));
	return chips.filter((chip, index) => chips.findIndex(other => refName(other) === refName(chip)) === index);
}

function sameStart(one: Draft | undefined, other: Draft): boolean {
	return one !== undefined && firstWord(one[0]!) === firstWord(other[0]!);
}

function afterTime(callback: () => void, ms: number): () => void {
	const timer = setTimeout(callback, ms);
	return () => clearTimeout(timer);
}
