import {submit} from '../../../../src/screen/control/submit/submit.ts';
import type {Event, Method, PodClient, Preflight, RefForecast, Segment, Status} from '../../../../src/pod/protocol.ts';
import {update, type App} from '../../../../src/screen/control/app.ts';
import {connect} from '../../../../src/screen/control/pod-events.ts';
import {pressedOnce} from '../../../../src/screen/model/keys/keys-state.ts';
import {preflightRows} from '../../../../src/screen/view/preflight/preflight-view.ts';
import type {Timers} from '../../../../src/screen/control/timers.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {emptyAnswers} from '../../../helpers/empty-answers.ts';
import {testApp} from '../../../helpers/test-app.ts';
import {withoutId} from '../../../helpers/fake-app.ts';

export const session = {id: 'S', model: 'test/model', scope: {pwd: '/p', writable: true, readRoots: []}};
export const idle: Status = {kind: 'idle', asks: [], queue: []};
export const size = {columns: 80, rows: 30};

type Question = {
	readonly segments: readonly Segment[];
	readonly signal: AbortSignal;
	answer(forecast: Partial<Preflight>): Promise<void>;
	fail(error: Error): Promise<void>;
};

/** Creates a screen state with only the preflight, a pod whose answers the test controls, and a manual timer. */
export async function bench(options: {readonly connected?: boolean; readonly draft?: readonly Segment[]} = {}) {
	const timers = new Set<() => void>();
	const questions: Question[] = [];
	let listener: (event: Event) => void = () => {};
	let now = 1000;
	let changes = 0;
	const said: Method[] = [];
	const clock: Timers = {
		// The popup sends no query here.
		soon() {},
		after(_ms, callback) {
			timers.add(callback);
			return () => timers.delete(callback);
		},
	};
	const {draft} = options;
	const setup = {session, ...(draft !== undefined && {draft}), now: () => now, timers: clock};
	const app = testApp(setup, size, () => changes++);
	const client: PodClient = {
		subscribe(hear) {
			listener = hear;
			hear({type: 'snapshot', session, items: [], tail: [], status: idle});
			return () => {};
		},
		async send(method) {
			said.push(withoutId(method));
			return {accepted: true};
		},
		...emptyAnswers,
		async preflight(segments, signal = new AbortController().signal) {
			const {promise, resolve, reject} = Promise.withResolvers<Preflight>();
			questions.push({
				segments,
				signal,
				async answer(forecast) {
					resolve({segments, refs: [], tokens: 0, ...forecast});
					await turns();
				},
				async fail(error) {
					reject(error);
					await turns();
				},
			});
			return promise;
		},
	};
	if (options.connected !== false) await connect(app, client);
	return {
		app,
		questions,
		timers,
		said,
		told: () => app.state.alerts.map(({alert}) => alert.text),
		connect: async () => connect(app, client),
		emit: (event: Event) => listener(event),
		pass: (ms: number) => {
			now += ms;
		},
		changes: () => changes,
		type: (text: string) => update(app, {type: 'insert', text}),
		wait: async () => {
			for (const timer of [...timers]) {
				timers.delete(timer);
				timer();
			}
			await turns();
		},
		rows: (max = 12) => preflightRows(app.state, 80, max).map(plainText),
	};
}

export async function turns(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

export function file(path: string): RefForecast {
	return {
		ref: {type: 'file_ref', path},
		ok: true,
		kind: 'file',
		bytes: 10,
		totalBytes: 10,
		lines: 1,
		truncated: false,
		tokens: 5,
	};
}

export function denied(path: string): RefForecast {
	return {
		ref: {type: 'file_ref', path},
		ok: false,
		reason: 'denied',
		sentence: `${path} was not attached: it looks like a secret and was not confirmed.`,
		real: `/p/${path}`,
	};
}

/** Presses Enter as the screen receives it. */
export async function enter(app: App, press = pressedOnce): Promise<void> {
	app.dispatch({type: 'press', press: {...press, chord: 'enter', at: app.options.now()}});
	submit(app, 'send');
	await turns();
}
