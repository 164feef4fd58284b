import type {Preflight, Segment} from '../../pod/protocol.ts';
import {repeatGap} from '../card/answering/answering.ts';

import {showAlert, type App} from '../state/app.ts';
import type {AppState} from '../state/app-state.ts';
import type {Effects} from '../state/tables.ts';
import {realTimers, type Timers} from '../state/timers.ts';
import {decide, isSameDraft} from './secrets.ts';

/** How long a draft that is being sent waits for a forecast, in milliseconds. */
const confirmMs = 2000;

export const confirmEffects: Effects = {
	'leave screen': app => confirming.get(app)?.abort(),
};

/**
Asks before a draft is sent or queued: refs that look like secrets go out only on a second Enter. Answers what goes out;
`undefined` when you were asked, or took the draft back. When the pod gives no forecast in time nothing is confirmed:
then the pod refuses such a ref and says so.
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
	// Without a draft there is nothing that a second Enter could confirm.
	const asked = draft === undefined || decided.told === undefined ? undefined : {...decided.told, of: draft};
	app.dispatch({type: 'secrets told', told: asked});
	if (decided.ask !== undefined) showAlert(app, {level: 'warn', text: decided.ask});
	return decided.send;
}

/** Ends the question about a held draft that was taken back. */
export function endConfirm(app: App, before: AppState): void {
	if (app.state.preflight.held === before.preflight.held) return;
	confirming.get(app)?.abort();
	confirming.delete(app);
}

/** Until the held draft is on its way; aborted when it is taken back. */
const confirming = new WeakMap<App, AbortController>();

/** Whether the Enter that confirms came alone and is not held down: a key that is comes again right away. */
async function wasPressedOnce(app: App): Promise<boolean> {
	const {lastPress} = app.state;
	if (lastPress === undefined || !lastPress.alone || lastPress.isHeld) return false;
	const {promise, resolve} = Promise.withResolvers<void>();
	timersOf(app).after(repeatGap, resolve);
	await promise;
	return app.state.lastPress === lastPress || app.state.lastPress?.chord !== lastPress.chord;
}

/** What is known already, or the pod's answer about exactly these segments; nothing when none comes in time. */
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
	// A draft that the pod cannot look at is sent anyway: the run reports what is wrong.
	const forecast = await Promise.race([client.preflight(segments, over.signal).catch(() => undefined), ended]);
	cancel();
	signal.removeEventListener('abort', end);
	return forecast;
}

function timersOf({options}: App): Timers {
	return options.timers ?? realTimers;
}
