import {textOfAtom} from '../../../../src/screen/editor/graphemes.ts';
import {
	type CompletionQuery,
	type Completions,
	type Event,
	type Match,
	type PodClient,
	type Segment,
	type Status,
	flatten,
} from '../../../../src/pod/protocol.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {update, type App} from '../../../../src/screen/control/app.ts';
import {connect} from '../../../../src/screen/control/pod-events.ts';
import {actionOfKey, submit} from '../../../../src/screen/model/composer/composer-state.ts';
import {pressCompletion} from '../../../../src/screen/control/completion/completion-keys.ts';
import {createKeymap} from '../../../../src/screen/model/keys/keymap.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import type {Key} from '../../../../src/screen/terminal/input/input.ts';
import {makeKey} from '../../../../src/screen/terminal/input/keys/key-names.ts';
import {emptyAnswers} from '../../../helpers/empty-answers.ts';
import {testApp} from '../../../helpers/test-app.ts';

export type Question = {
	readonly query: CompletionQuery;
	answer(matches: readonly Match[], rest?: Partial<Completions>): Promise<void>;
	fail(error: Error): Promise<void>;
};

const session = {id: 'S', model: 'test/model', scope: {pwd: '/p', writable: true, readRoots: []}};
const size = {columns: 60, rows: 20};

/**
Creates a screen state with only the popup, and a pod whose answers the test controls. The test also runs the timers.
*/
export function createStage({
	remapped = {},
	connected = true,
}: {readonly remapped?: Readonly<Record<string, readonly string[]>>; readonly connected?: boolean} = {}) {
	const clock = fakeClock();
	const pod = stagePod();
	const options = {session, welcome: [], keymap: createKeymap(remapped).keymap, now: clock.now, timers: clock.timers};
	const app = testApp(options, size);
	if (connected) app.client.resolve(pod.client);
	const done: string[] = [];
	const press = (key: Key) => {
		if (!pressCompletion(app, key)) fallThrough(app, key, done);
	};
	const drawn = (): string[] => draw(app, size).above.completion.map(plainText);
	return {
		app,
		...pod,
		...clock,
		/** The effects of keys that the popup passed on: the submitted text with chips in brackets, or the action. */
		done,
		/** Presses keys by name, without drawing between them. */
		press: (...names: readonly string[]) => names.forEach(name => press(keyOf(name))),
		/** Types characters one by one. */
		type: (text: string) => Array.from(text).forEach(character => press(makeKey(character, {text: character}))),
		/** Draws a frame and returns the rows of the popup. */
		draw: drawn,
		/** Draws, sends the query, answers the latest one and draws again. */
		async answer(matches: readonly Match[], rest?: Partial<Completions>): Promise<string[]> {
			drawn();
			await clock.ask();
			await pod.questions.at(-1)!.answer(matches, rest);
			return drawn();
		},
		connect: async () => connect(app, pod.client),
		/** Returns the draft with chips in brackets and the caret as a bar. */
		shown: () => shownDraft(app),
	};
}

/** Handles a key that no part takes. */
function fallThrough(app: App, key: Key, done: string[]): void {
	const action = app.state.setup.keymap.action(key);
	const edit = actionOfKey(key, app.state.setup.keymap);
	if (edit !== undefined) update(app, edit);
	else if (action !== 'submit') done.push(String(action));
	else {
		const {state, segments = []} = submit(app.state.composer);
		app.dispatch({type: 'set composer', composer: state});
		update(app, {type: 'accepted'});
		if (segments.length > 0) done.push(`run ${inBrackets(segments)}`);
	}
}

function fakeClock() {
	const soon: Array<() => void> = [];
	const later = new Set<() => void>();
	let now = 0;
	const ask = async () => {
		for (const callback of soon.splice(0)) callback();
		await settle();
	};
	return {
		now: () => now,
		timers: {
			soon: (callback: () => void) => void soon.push(callback),
			after(_ms: number, callback: () => void) {
				later.add(callback);
				return () => later.delete(callback);
			},
		},
		/** Returns how many timers run. */
		waiting: () => later.size,
		/** Runs the callbacks that follow a frame. */
		ask,
		async wait(ms: number) {
			now += ms;
			for (const callback of later) callback();
			later.clear();
			await ask();
		},
	};
}

function stagePod() {
	const questions: Question[] = [];
	const listeners = new Set<(event: Event) => void>();
	const client: PodClient = {
		subscribe(listener) {
			listeners.add(listener);
			listener({type: 'snapshot', session, items: [], tail: [], status: {kind: 'idle', asks: [], queue: []}});
			return () => listeners.delete(listener);
		},
		send: async () => ({accepted: true}),
		...emptyAnswers,
		complete: async query => {
			const {promise, resolve, reject} = Promise.withResolvers<Completions>();
			questions.push({
				query,
				async answer(matches, rest) {
					resolve({query, matches, indexing: false, ...rest});
					await settle();
				},
				async fail(error) {
					reject(error);
					await settle();
				},
			});
			return promise;
		},
	};
	const status = (status: Status) => listeners.forEach(listener => listener({type: 'status', status}));
	return {client, questions, status};
}

function shownDraft({state: {composer}}: App): string {
	const {draft, cursor} = composer.editor;
	return draft
		.map((line, index) => {
			const atoms = line.map(atom =>
				typeof atom === 'object' && atom.type !== 'pasted' ? inBrackets([atom]) : textOfAtom(atom),
			);
			if (index === cursor.line) atoms.splice(cursor.column, 0, '|');
			return atoms.join('');
		})
		.join('\n');
}

function inBrackets(segments: readonly Segment[]): string {
	return segments.map(segment => (segment.type === 'text' ? segment.text : `[${flatten([segment])}]`)).join('');
}

export const file = (path: string): Match => ({
	type: 'path',
	path,
	directory: path.endsWith('/'),
	ignored: false,
	marks: [],
});
export const workflow = (slug: string): Match => ({type: 'workflow', slug, description: `Does ${slug}`, marks: []});

export async function settle(): Promise<void> {
	await new Promise(resolve => setImmediate(resolve));
}

function keyOf(name: string) {
	const parts = name.split('+');
	return makeKey(parts.at(-1)!, {ctrl: parts.includes('ctrl')});
}
