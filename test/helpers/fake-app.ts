import type {Event, Item, Method, PodClient, QueueMessage, Receipt, Segment, Status} from '../../src/pod/protocol.ts';
import {connect} from '../../src/screen/control/pod-events.ts';
import {pressKey} from '../../src/screen/control/keys/keys-in.ts';
import {draw} from '../../src/screen/mount/open-screen.ts';
import type {App} from '../../src/screen/control/app.ts';
import {toSegments} from '../../src/screen/editor/segments.ts';
import {plainText} from '../../src/screen/spans/row.ts';
import type {Key} from '../../src/screen/terminal/input/input.ts';

import {statusOf} from '../../src/screen/model/selectors.ts';
export {session} from './test-app.ts';
import {emptyAnswers} from './empty-answers.ts';
import {session, testApp, type TestOptions} from './test-app.ts';
import {rowsBetween} from '../../src/screen/view/layout.ts';
export const idle: Status = {kind: 'idle', asks: [], queue: []};
export const running: Status = {kind: 'running', step: 'streaming', asks: [], queue: []};
export const paused: Status = {kind: 'paused', asks: [], queue: []};

export type FakePod = PodClient & {
	/** The methods without the ids of their messages. */
	readonly said: Method[];
	readonly sent: Method[];
	/** The queued messages. The default answers change them and report them as rows. */
	readonly queue: QueueMessage[];
	emit(event: Event): void;
	/** Returns the receipt of a method, at once or when the test resolves it. */
	answer: (method: Method) => Promise<Receipt>;
};

/** Creates a pod that records its methods, emits the events of the test, and has a queue that it never sends. */
export function fakePod(status: Status = idle, items: readonly Item[] = []): FakePod {
	const listeners = new Set<(event: Event) => void>();
	const said: Method[] = [];
	const sent: Method[] = [];
	const queue: QueueMessage[] = [];
	let current = status;
	const rows = (): Status['queue'] =>
		queue.map(({id, segments, command}) => ({
			id,
			state: 'queued',
			preview: segments,
			...(command !== undefined && {isCommand: true}),
		}));
	const emit = (event: Event) => {
		if (event.type === 'status') current = event.status;
		listeners.forEach(listener => listener(event));
	};
	return {
		said,
		sent,
		queue,
		async answer(method) {
			const receipt = change(queue, method);
			if (receipt === undefined) return {accepted: true};
			emit({type: 'status', status: {...current, queue: rows()}});
			return receipt;
		},
		emit,
		subscribe(listener) {
			listeners.add(listener);
			listener({type: 'snapshot', session, items, tail: [], status});
			return () => listeners.delete(listener);
		},
		async send(method) {
			said.push(withoutId(method));
			sent.push(method);
			return this.answer(method);
		},
		...emptyAnswers,
	};
}

/** Returns a method without the random id of its message. */
export function withoutId(method: Method): Method {
	const copy = {...method};
	Reflect.deleteProperty(copy, 'message');
	return copy;
}

/** Changes a queue by a method. Returns `undefined` for a method that does not change it. */
function change(queue: QueueMessage[], method: Method): Receipt | undefined {
	if (method.method === 'queue') queue.push({...method, id: method.message});
	else if (method.method === 'take_queued' || (method.method === 'cancel' && method.take === true)) {
		const ids = method.method === 'take_queued' ? method.messages : undefined;
		const returned = queue.filter(({id}) => ids?.includes(id) ?? true);
		queue.splice(0, queue.length, ...queue.filter(message => !returned.includes(message)));
		return {accepted: true, returned: returned.map(({id, segments}) => ({id, segments: [...segments]}))};
	} else return undefined;
	return {accepted: true};
}

export type FakeApp = {
	readonly app: App;
	readonly pod: FakePod;
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
export async function fakeApp(pod: FakePod = fakePod(), options: Partial<TestOptions> = {}): Promise<FakeApp> {
	const size = {columns: 60, rows: 20};
	let items = 0;
	const app = testApp(options, size);
	await connect(app, pod);
	const press: FakeApp['press'] = (name, modifiers = {}) =>
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
		turn: status =>
			pod.emit({
				type: 'status',
				status: pod.queue.length > 0 ? {...status, queue: statusOf(app.state).queue} : status,
			}),
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
