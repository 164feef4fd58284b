import type {Event} from '../../../pod/protocol.ts';
import {toSegments} from '../../editor/segments.ts';
import type {App} from '../app.ts';
import type {AppState} from '../../model/app-state.ts';
import {realTimers} from '../timers.ts';
import {isRunEnd, type PreflightAnswer} from '../../model/preflight/preflight-state.ts';

/** The number of milliseconds between the last edit and the query. */
const delayMs = 100;

/** Asks about the draft again after a run, because the run may have changed files. */
export function askAfterRun(app: App, event: Event): void {
	if (isRunEnd(event) && !app.state.preflight.isQuiet) askLater(app);
}

/** Ends a question when the screen closes. */
export function stopPreflight(app: App): void {
	questions.get(app)?.stop();
	questions.delete(app);
}

/** Sends every new draft that may contain a ref to the pod. A draft without refs costs nothing. */
export function askForDraft(app: App, before: AppState): void {
	const {preflight} = app.state;
	if (preflight.marks.draft === before.preflight.marks.draft) return;
	questions.get(app)?.stop();
	if (preflight.isAsking) askLater(app);
}

/** A question that is planned or pending. */
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

/** Asks about the current draft. An answer that comes after an edit is dropped. */
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
