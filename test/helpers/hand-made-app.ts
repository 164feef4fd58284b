import type {Event, Item, Method, PodClient, Receipt, Segment, Status} from '../../src/pod/protocol.ts';
import {connect} from '../../src/tui/state/pod-events.ts';
import {pressKey} from '../../src/tui/state/keys/keys-in.ts';
import {draw} from '../../src/tui/screen/draw.ts';
import type {App} from '../../src/tui/state/app.ts';
import {toSegments} from '../../src/tui/composer/editor/segments.ts';
import {plainText} from '../../src/tui/text/row.ts';
import type {Key} from '../../src/tui/terminal/input/input.ts';

export {session} from './test-app.ts';
import {emptyAnswers} from './empty-answers.ts';
import {session, testApp, type TestOptions} from './test-app.ts';
import {rowsBetween} from '../../src/tui/layout.ts';
export const idle: Status = {kind: 'idle', asks: [], queue: []};
export const running: Status = {kind: 'running', step: 'streaming', asks: [], queue: []};
export const paused: Status = {kind: 'paused', asks: [], queue: []};

export type HandMadePod = PodClient & {
	readonly said: Method[];
	emit(event: Event): void;
	/** Returns the receipt of a method, at once or when the test resolves it. */
	answer: (method: Method) => Promise<Receipt>;
};

/** Creates a pod that records its methods and emits the events of the test. */
export function handMadePod(status: Status = idle, items: readonly Item[] = []): HandMadePod {
	const listeners = new Set<(event: Event) => void>();
	const said: Method[] = [];
	return {
		said,
		answer: async () => ({accepted: true}),
		emit: event => listeners.forEach(listener => listener(event)),
		subscribe(listener) {
			listeners.add(listener);
			listener({type: 'snapshot', session, items, tail: [], status});
			return () => listeners.delete(listener);
		},
		async send(method) {
			said.push(method);
			return this.answer(method);
		},
		...emptyAnswers,
	};
}

export type HandMadeApp = {
	readonly app: App;
	readonly pod: HandMadePod;
	readonly type: (text: string) => void;
	readonly press: (name: string, modifiers?: Partial<Key>) => void;
	/** Returns the draft in the composer, as segments. */
	readonly draft: () => readonly Segment[];
	/** Returns the texts of the alerts. */
	readonly told: () => string[];
	/** Returns the rows between transcript and status line, and the rows in the transcript's place, without colours. */
	readonly rows: (columns?: number, rows?: number) => readonly string[];
	/** Commits an item. */
	readonly commit: (item: Partial<Item> & {readonly type: Item['type']}) => void;
	readonly turn: (status: Status) => void;
};

/** Creates the screen's state with a pod that the test controls, without a terminal. */
export async function handMadeApp(
	pod: HandMadePod = handMadePod(),
	options: Partial<TestOptions> = {},
): Promise<HandMadeApp> {
	const size = {columns: 60, rows: 20};
	let items = 0;
	const app = testApp(options, size);
	await connect(app, pod);
	const press: HandMadeApp['press'] = (name, modifiers = {}) =>
		pressKey(app, {name, ctrl: false, alt: false, shift: false, super: false, ...modifiers});
	return {
		app,
		pod,
		press,
		type(text) {
			for (const character of text) press(character, {text: character});
		},
		draft: () => toSegments(app.state.composer.editor.draft),
		told: () => app.state.alerts.map(({alert}) => alert.text),
		rows(columns = 60, rows = 20) {
			const frame = draw(app, {columns, rows});
			return [...(frame.page ?? []), ...rowsBetween(frame)].map(plainText);
		},
		commit: item =>
			pod.emit({type: 'item', item: {id: `i${items++}`, at: '2026-01-01T00:00:00.000Z', ...item} as Item}),
		turn: status => pod.emit({type: 'status', status}),
	};
}

/** Waits until pending promises have settled. */
export async function settled(): Promise<void> {
	for (let round = 0; round < 5; round++) await new Promise(resolve => setImmediate(resolve));
}

export async function until(condition: () => boolean): Promise<void> {
	const end = Date.now() + 10_000;
	while (!condition()) {
		if (Date.now() > end) throw new Error('It did not come about.');
		await settled();
	}
}
