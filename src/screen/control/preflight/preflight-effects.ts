import {toSegments} from '../../editor/segments.ts';
import type {App} from '../app.ts';
import type {AppState} from '../../model/app-state.ts';
import type {Effects} from '../effect-types.ts';
import {realTimers} from '../timers.ts';
import {isRunEnd} from '../../model/preflight/preflight-reducers.ts';
import type {PreflightAnswer} from '../../model/preflight/preflight-state.ts';

/** The number of milliseconds between the last edit and the query. */
const delayMs = 100;

export const preflightEffects: Effects = {
	'pod event'(app, {event}) {
		if (isRunEnd(event) && !app.state.preflight.isQuiet) askLater(app);
	},
	'leave screen'(app) {
		questions.get(app)?.stop();
		questions.delete(app);
	},
};

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
