import {EventEmitter} from 'node:events';
import type {Ask, Method} from '../../src/pod/protocol.ts';
import {draw, nextChange} from '../../src/screen/mount/open-screen.ts';
import {pasteText, pressKey} from '../../src/screen/control/keys/keys-in.ts';
import {awaitRest, takeEscapeBack} from '../../src/screen/control/card/card-keys.ts';
import {askHere} from '../../src/screen/control/card/ask-here.ts';
import {plainText, textOf} from '../../src/screen/spans/row.ts';
import {createInput} from '../../src/screen/terminal/input/input.ts';
import {fakeApp, idle, running, type FakeApp} from './fake-app.ts';
import {rowsAbove} from '../../src/screen/view/layout.ts';

/** Every kind of card, made like the real one. The first choice allows. */
export const cardKinds: Readonly<Record<string, Omit<Ask, 'id'>>> = {
	approval: {
		title: 'Run npm test?',
		detail: 'npm test',
		shows: 'command',
		choices: [
			{choice: 'allow', label: 'Yes, once'},
			{choice: 'session', label: 'Yes, in this session: exactly this command'},
			{
				choice: 'always',
				label: 'Yes, always in this project: exactly this command',
				rule: 'Allow bash, only for exactly:\nnpm test',
			},
			{choice: 'deny', label: 'No', refuses: true, reason: true},
		],
	},
	/** A card of a command with a pattern, as the pod makes it. */
	command: {
		callId: 'c',
		title: 'Run this command?',
		detail: 'npm test',
		shows: 'command',
		choices: [
			{choice: 'allow', label: 'Yes'},
			{choice: 'session_alike', label: 'Yes, and don\'t ask again for "npm test *"'},
			{choice: 'deny', label: 'No', refuses: true, reason: true},
			{choice: 'session', label: 'Yes, in this session: exactly this command', more: true},
			{
				choice: 'always',
				label: 'Yes, always in this project: exactly this command',
				rule: 'Allow bash, only for exactly:\nnpm test',
				more: true,
			},
		],
	},
	/** The card of a command that was tried. Its last choices lead to other cards. */
	changes: {
		callId: 'c',
		title: 'Take these changes?',
		detail: '$ make\nexit 0 after 1.0 s\n\n~ a.txt\n+ b.txt',
		shows: 'text',
		choices: [
			{choice: 'allow', label: 'Take them'},
			{choice: 'session', label: "Take them, and don't ask again for exactly this command"},
			{choice: 'deny', label: 'Discard', refuses: true, reason: true},
			{choice: 'some', label: 'Some files only …', more: true},
			{choice: 'unconfined', label: 'Run again without confinement …', more: true},
		],
	},
	secrets: yesNo('Read .env?', '.env', true),
	trust: {
		...yesNo('Trust inkpod.toml?', 'model = "x"'),
		choices: [
			{choice: 'trust', label: 'Yes, trust it'},
			{choice: 'deny', label: 'No', refuses: true},
		],
	},
	mcp: {
		...yesNo('Start MCP server "everything" from this project?', 'command: npx everything'),
		choices: [
			{choice: 'trust', label: 'Yes, trust it'},
			{choice: 'deny', label: 'No', refuses: true},
		],
	},
	moved: yesNo(
		'Continue this session in another folder?',
		'So far it worked in\n/a\nFrom now on it would work in\n/b',
	),
	repeat: yesNo('bash may have run already. Run it again?', 'make deploy', true),
	restore: yesNo('Restore 2 files too?', 'File: a.ts'),
	quit: yesNo('A command is running. Quit anyway?', 'npm run dev'),
};

/** These cards come from the screen itself. */
const ownKinds = new Set(['restore', 'quit']);

function yesNo(title: string, detail: string, reason = false): Omit<Ask, 'id'> {
	return {
		title,
		detail,
		choices: [
			{choice: 'allow', label: 'Yes'},
			{choice: 'deny', label: 'No', refuses: true, ...(reason && {reason})},
		],
	};
}

export type CardStage = FakeApp & {
	/** Writes bytes as one read. */
	readonly read: (bytes: string) => void;
	/** Advances the clock and runs the timers that are due. */
	readonly pass: (ms: number) => Promise<void>;
	/** The answers so far, in order. */
	readonly answers: () => ReadonlyArray<{readonly choice: string; readonly reason?: string}>;
	/** Returns the rows of the card and the row above the composer, without colours. */
	readonly card: () => string[];
	readonly hint: () => string;
	readonly text: () => string;
	readonly show: (...asks: readonly Ask[]) => void;
};

export type CardStageOptions = {
	readonly before?: string;
	readonly size?: {readonly columns: number; readonly rows: number};
	readonly kind?: string;
	readonly isSpoken?: boolean;
};

/** Shows a card on a screen. The test controls its bytes and its time, and it stays for as long as `pass` says. */
export async function cardStage(
	question: Omit<Ask, 'id'>,
	{before = '', size = {columns: 60, rows: 20}, kind = '', isSpoken = false}: CardStageOptions = {},
): Promise<CardStage> {
	const clock = handClock();
	const timers = {
		soon: (callback: () => void) => void setImmediate(callback),
		after: (ms: number, callback: () => void) => clock.after(ms, callback),
	};
	const made = await fakeApp(undefined, {now: clock.now, isSpoken, timers});
	const {app, pod} = made;
	const own: string[] = [];
	let drawn = app.state;
	const stream = Object.assign(new EventEmitter(), {isTTY: false, resume() {}, pause() {}});
	createInput(
		stream,
		{
			onKey: (key, arrival) => pressKey(app, key, arrival),
			onLate: () => takeEscapeBack(app),
			onPart: () => awaitRest(app),
			onPaste: (text, cut) => pasteText(app, text, cut),
		},
		clock,
	).start();
	made.type(before);
	const show = (...asks: readonly Ask[]) => {
		made.turn({...running, asks});
		draw(app, size);
	};
	if (ownKinds.has(kind)) {
		made.turn(idle);
		void askHere(app, question).then(choice => own.push(choice));
		draw(app, size);
	} else show({...question, id: 'q'});
	return {
		...made,
		show,
		read: bytes => void stream.emit('data', Buffer.from(bytes, 'latin1')),
		async pass(ms) {
			const end = clock.now() + ms;
			for (;;) {
				const change = nextChange(app.state, clock.now(), app.state.now) ?? Number.POSITIVE_INFINITY;
				clock.to(Math.max(clock.now(), Math.min(end, clock.next(), change)));
				// As the screen does: it draws after an action, and when the time alone changes a row.
				if (app.state !== drawn || clock.now() >= change) {
					draw(app, size);
					drawn = app.state;
				}
				await new Promise(resolve => setImmediate(resolve));
				if (clock.now() >= end) break;
			}
			await new Promise(resolve => setImmediate(resolve));
		},
		answers: () => [...own.map(choice => ({choice})), ...pod.said.flatMap(answerOf)],
		card: () => (draw(app, size).card?.rows ?? []).map(plainText),
		hint: () => rowsAbove(draw(app, size)).slice(0, 1).map(textOf).join(''),
		text: () =>
			made
				.draft()
				.map(segment => (segment.type === 'text' ? segment.text : `[${segment.type}]`))
				.join(''),
	};
}

function answerOf(method: Method): ReadonlyArray<{readonly choice: string; readonly reason?: string}> {
	if (method.method !== 'answer') return [];
	return [{choice: method.choice, ...(method.reason !== undefined && {reason: method.reason})}];
}

/** Creates a clock in milliseconds that the test advances. */
function handClock() {
	let now = 0;
	let timers: Array<{readonly at: number; readonly callback: () => void}> = [];
	return {
		now: () => now,
		next: () => Math.min(Number.POSITIVE_INFINITY, ...timers.map(({at}) => at)),
		after(ms: number, callback: () => void) {
			const timer = {at: now + ms, callback};
			timers.push(timer);
			return () => {
				timers = timers.filter(other => other !== timer);
			};
		},
		to(time: number) {
			now = time;
			const due = timers.filter(({at}) => at <= now);
			timers = timers.filter(({at}) => at > now);
			for (const {callback} of due) callback();
		},
	};
}
