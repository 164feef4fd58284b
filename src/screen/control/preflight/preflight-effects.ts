import type {Event, Preflight, Segment} from '../../../pod/protocol.ts';
import {toSegments} from '../../editor/segments.ts';
import {type App, showAlert} from '../app.ts';
import type {AppState} from '../../model/app-state.ts';
import {realTimers, type Timers} from '../timers.ts';
import {isRunEnd, type PreflightAnswer} from '../../model/preflight/preflight-state.ts';
import {repeatGap} from '../../model/card/answering.ts';
import {decide, isSameDraft} from '../../model/preflight/marks.ts';

/** The number of milliseconds between the last edit and the request for a forecast. */
const delayMs = 100;

/** Requests the forecast of the draft again after a run, because the run may have changed files. */
export function askAfterRun(app: App, event: Event): void {
	if (isRunEnd(event) && !app.state.preflight.isQuiet) askLater(app);
}

/** Cancels the request for a forecast when the screen closes. */
export function stopPreflight(app: App): void {
	questions.get(app)?.stop();
	questions.delete(app);
}

/** Requests the forecast of a changed draft if the draft may contain a file reference. */
export function askForDraft(app: App, before: AppState): void {
	const {preflight} = app.state;
	if (preflight.marks.draft === before.preflight.marks.draft) return;
	questions.get(app)?.stop();
	if (preflight.isAsking) askLater(app);
}

/**
Checks a draft before it is sent or queued. File references that look like secrets need a second Enter. Resolves with
the segments to send, or with `undefined` if inkpod asked you or you took the draft back. If the forecast does not
arrive in time, nothing is confirmed, so the pod refuses such references.
*/
export async function confirmDraft(app: App, segments: readonly Segment[]): Promise<readonly Segment[] | undefined> {
	const draft = app.state.composer.held?.draft;
	const controller = new AbortController();
	const {signal} = controller;
	confirming.set(app, controller);
	app.dispatch({type: 'confirm began'});
	const forecast = await forecastOf(app, segments, signal);
	if (signal.aborted) return undefined;
	confirming.delete(app);
	const isKnown = draft !== undefined && forecast !== undefined;
	app.dispatch({type: 'confirm answered', answer: isKnown ? {draft, segments, forecast} : undefined});
	if (forecast === undefined) return segments;
	const {told} = app.state.preflight;
	const decided = decide(segments, forecast, told, app.options.now());
	if (decided.confirms === true && !(await wasPressedOnce(app))) {
		const isAsked = draft !== undefined && told !== undefined;
		app.dispatch({type: 'secrets told', told: isAsked ? {...told, at: app.options.now()} : undefined});
		return undefined;
	}
	// If there is no draft, a second Enter could not confirm anything.
	const asked = draft === undefined || decided.told === undefined ? undefined : {...decided.told, of: draft};
	app.dispatch({type: 'secrets told', told: asked});
	if (decided.ask !== undefined) showAlert(app, {level: 'warn', text: decided.ask});
	return decided.send;
}

/** Aborts the check when the screen closes. */
export function abortConfirm(app: App): void {
	confirming.get(app)?.abort();
}

/** Aborts the check if the held draft has changed, for example because you took it back. */
export function endConfirm(app: App, before: AppState): void {
	if (app.state.preflight.held === before.preflight.held) return;
	confirming.get(app)?.abort();
	confirming.delete(app);
}

/** A request for a forecast that is planned or pending. */
type Question = {readonly stop: () => void};

const questions = new WeakMap<App, Question>();

function askLater(app: App): void {
	questions.get(app)?.stop();
	const asking = new AbortController();
	const cancel = (app.options.timers ?? realTimers).after(delayMs, () => void ask(app, asking.signal));
	questions.set(app, {
		stop() {
			cancel();
			asking.abort();
		},
	});
}

/** Requests the forecast of the current draft. An answer that arrives after an edit is discarded. */
async function ask(app: App, signal: AbortSignal): Promise<void> {
	const {draft} = app.state.preflight.marks;
	const client = await app.client.promise;
	if (signal.aborted) return;
	const segments = toSegments(draft);
	const answer = await client.preflight(segments, signal).then(
		(forecast): PreflightAnswer => ({draft, segments, forecast}),
		(error: unknown): PreflightAnswer => ({draft, segments, problem: messageOf(error)}),
	);
	if (signal.aborted) return;
	app.dispatch({type: 'preflight answered', answer});
	app.changed('now');
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The maximum number of milliseconds that a draft waits for a forecast before it is sent. */
const confirmMs = 2000;

/** The abort controllers of the running checks. */
const confirming = new WeakMap<App, AbortController>();

/** Tells whether Enter was pressed once and alone. A key that is held down would repeat within a short time. */
async function wasPressedOnce(app: App): Promise<boolean> {
	const {lastPress} = app.state.keys;
	if (lastPress === undefined || !lastPress.alone || lastPress.isHeld) return false;
	const {promise, resolve} = Promise.withResolvers<void>();
	timersOf(app).after(repeatGap, resolve);
	await promise;
	return app.state.keys.lastPress === lastPress || app.state.keys.lastPress?.chord !== lastPress.chord;
}

/**
Returns the forecast of these segments, which is known already or comes from the pod. Returns `undefined` if the answer
does not arrive in time.
*/
async function forecastOf(app: App, segments: readonly Segment[], signal: AbortSignal): Promise<Preflight | undefined> {
	const {answer} = app.state.preflight;
	if (answer?.forecast !== undefined && isSameDraft(answer.segments, segments)) return answer.forecast;
	const over = new AbortController();
	const end = () => over.abort();
	const ended = new Promise<undefined>(resolve => {
		over.signal.addEventListener('abort', () => resolve(undefined), {once: true});
	});
	signal.addEventListener('abort', end, {once: true});
	const client = await Promise.race([app.client.promise, ended]);
	if (client === undefined) return undefined;
	const cancel = timersOf(app).after(confirmMs, end);
	// If there is no forecast, the draft is sent anyway. In that case the run reports any problem.
	const forecast = await Promise.race([client.preflight(segments, over.signal).catch(() => undefined), ended]);
	cancel();
	signal.removeEventListener('abort', end);
	return forecast;
}

function timersOf({options}: App): Timers {
	return options.timers ?? realTimers;
}
