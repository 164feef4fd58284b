import {draw, nextChange} from './draw.ts';
import type {Setup} from '../state/app-state.ts';
import {quit, tell, type App, type Services} from '../state/app.ts';
import {createApp} from '../state/create-app.ts';
import {connect} from '../state/pod-events.ts';
import {pasteText, pressKey, takeMouse} from '../state/keys/keys-in.ts';
import {awaitRest, hideCard, takeEscapeBack} from '../card/card-keys.ts';
import type {Item, PodClient, SessionInfo} from '../../pod/protocol.ts';
import {createPace, type Pace} from './pace.ts';
import {createCapabilities, type Capabilities} from '../terminal/capabilities.ts';
import type {ScreenStreams} from '../terminal/compositor/painter.ts';
import {createInput, type InputHandlers, type TerminalInput} from '../terminal/input/input.ts';
import {holdTerminal, type HeldTerminal} from '../terminal/terminal.ts';
import type {Theme} from '../text/theme.ts';
import type {CreateView, View} from './view.ts';
import type {TranscriptStore} from '../transcript/store.ts';

type OwnServices = 'onMouse' | 'onQuit' | 'onSuspend' | 'onRedraw' | 'onHandOver' | 'onTitle' | 'onBell' | 'terminal' | 'now';

export type ScreenOptions = Setup & Omit<Services, OwnServices> & ScreenStreams & {
	readonly view: CreateView;
	readonly theme: Theme;
	/** On the screen that is there, below what stands on it: one row is left to the terminal, so that no frame scrolls. */
	readonly inline?: boolean;
};

export type Screen = {
	/** Shows the end of a session while its pod is still being opened. Answers whether these items, its last ones, are enough for that. */
	showEnding(session: SessionInfo, items: readonly Item[]): Promise<boolean>;
	/** Shows a pod, and sends it a prompt where the person gave one with the command. */
	connect(client: PodClient, prompt: string): Promise<void>;
	/** Warns of something. */
	tell(warning: string): void;
	/** Leaves as if the person had quit: shuts the pod down first. */
	quit(): Promise<void>;
	/** Settles when the terminal has been given back. Rejects with what was thrown while a frame was drawn. */
	readonly closed: Promise<void>;
	/** Takes the terminal back at once, for an error that is told on the main screen. */
	close(): void;
	/** What the screen showed last, once there was a pod; also when it has been left. */
	transcript(): TranscriptStore | undefined;
};

/** Opens the full screen on a terminal, with its first frame. Keys are heard from now on, also before a pod is there. */
export function openScreen(options: ScreenOptions): Screen {
	const {stdin, stdout, inline = false} = options;
	const ended = Promise.withResolvers<void>();
	let left = false;
	let shownAt = 0;
	const size = () => ({columns: stdout.columns || 80, rows: Math.max(1, (stdout.rows || 24) - (inline ? 1 : 0))});
	const view = options.view({stdin, stdout, theme: options.theme, onError: fail});
	const show = guarded(() => {
		const layout = draw(app, size());
		shownAt = layout.at;
		view.show(layout);
	}, fail);
	const pace = createPace(show, () => nextChange(app.state, Date.now(), shownAt), stdout);
	const effects = {
		onQuit: () => close(),
		onSuspend: () => void handOver(app, terminal.suspend),
		onRedraw: () => redraw(),
		onHandOver: async (program: () => Promise<void>) => handOver(app, async () => terminal.lend(program)),
		...effectsOn(() => terminal),
	};
	const capabilities = createCapabilities();
	const app: App = createApp(setupOf(options), {...options, now: Date.now, terminal: () => capabilities.facts(), ...effects}, size(), when => pace.ask(when));
	const input = createInput(stdin, hearing(app, capabilities, redraw));
	const handOver = createHand(() => ({input, view, terminal}), () => left, redraw);
	// Before anything is shown: what is typed while the terminal still edits lines by itself has its Enter turned into a newline.
	input.start();
	const again = () => takeAgain(app, {input, terminal, redraw});
	const resized = () => {
		view.forget();
		pace.resized();
	};
	const terminal = holdTerminal(stdin, stdout, {onResize: resized, onContinue: again, onStop: effects.onSuspend, mouse: app.state.mouse, inline});
	terminal.enterScreen();
	view.start();
	show();
	terminal.askCapabilities();

	/** What the terminal shows is unknown. */
	function redraw(): void {
		view.forget();
		pace.ask('now');
	}

	/** A frame may fail while the screen is still being opened. */
	function fail(error: Error): void {
		queueMicrotask(() => {
			leave();
			ended.reject(error);
		});
	}

	function close(): void {
		const failure = leave();
		if (failure === undefined) ended.resolve();
		else ended.reject(failure);
	}

	function leave(): Error | undefined {
		if (left) return undefined;
		left = true;
		return giveBack(terminal.restore, endings({app, pace, input, view, terminal}));
	}

	return {
		async showEnding(session, items) {
			const {showEnding} = await import('../state/load-session.ts');
			return showEnding(app, {session, items});
		},
		async connect(client, prompt) {
			await connect(app, client);
			if (prompt !== '') app.dispatch({type: 'send prompt', segments: [{type: 'text', text: prompt}]});
		},
		tell: text => tell(app, {level: 'warn', text}),
		quit: async () => quit(app),
		closed: ended.promise,
		close,
		transcript: () => app.state.transcript,
	};
}

function setupOf({session, home, welcome, keymap, isSpoken = false, mouse, attention, draft}: ScreenOptions): Setup {
	return {
		session,
		home,
		welcome,
		keymap,
		isSpoken,
		...(mouse !== undefined && {mouse}),
		...(attention !== undefined && {attention}),
		...(draft !== undefined && {draft}),
	};
}

/** A function that tells of what it throws. */
function guarded(run: () => void, onError: (error: Error) => void): () => void {
	return () => {
		try {
			run();
		} catch (error) {
			onError(asError(error));
		}
	};
}

function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function effectsOn(terminal: () => HeldTerminal): Pick<Services, 'onTitle' | 'onBell' | 'onMouse'> {
	return {onTitle: text => terminal().setTitle(text), onBell: () => terminal().ring(), onMouse: on => terminal().setMouse(on)};
}

/** A shell had the terminal meanwhile, unasked, and has set its modes its own way. */
function takeAgain(app: App, {input, terminal, redraw}: Pick<Held, 'input' | 'terminal'> & {readonly redraw: () => void}): void {
	hideCard(app);
	input.renew();
	terminal.enter();
	redraw();
}

/** Gives the terminal back step by step, whatever fails on the way. Answers what failed first. */
function giveBack(restore: () => unknown, steps: ReadonlyArray<() => unknown>): Error | undefined {
	let failure: Error | undefined;
	for (const step of steps) {
		try {
			step();
		} catch (error) {
			failure ??= asError(error);
		}
	}
	if (failure !== undefined) restore();
	return failure;
}

/** What becomes of what the terminal sends. */
function hearing(app: App, capabilities: Capabilities, redraw: () => void): InputHandlers {
	return {
		onKey(key, arrival) {
			capabilities.hearKey(key);
			pressKey(app, key, arrival);
		},
		onLate: () => takeEscapeBack(app),
		onPart: () => awaitRest(app),
		onMouse: mouse => takeMouse(app, mouse),
		onPaste: (text, cut) => pasteText(app, text, cut),
		onFocus(focused) {
			app.dispatch({type: 'focus', focused});
			// A multiplexer that was attached elsewhere may show what another terminal had room for.
			if (focused) redraw();
		},
		onReply: reply => capabilities.hearReply(reply),
	};
}

/** What a screen is made of, and gives up while another has the terminal. */
type Held = {readonly input: TerminalInput; readonly view: View; readonly terminal: HeldTerminal};

/** What is done to leave the screen, in this order. */
function endings({app, pace, input, view, terminal}: Held & {readonly app: App; readonly pace: Pace}): ReadonlyArray<() => void> {
	return [
		() => app.dispatch({type: 'leave screen'}),
		() => pace.stop(),
		() => input.stop(),
		() => view.stop(),
		() => view.close(),
		() => terminal.leaveScreen(),
		() => terminal.release(),
		() => app.state.transcript?.dispose(),
	];
}

type HandOver = (app: App, during: () => Promise<void>) => Promise<boolean>;

/** Hands the terminal over to others, one at a time: while one has it no key is heard and nothing is drawn. False, and nothing done, when another has it. */
function createHand(held: () => Held, isLeft: () => boolean, redraw: () => void): HandOver {
	let isOver = false;

	function takeBack(app: App): void {
		const {input, view, terminal} = held();
		isOver = false;
		app.dispatch({type: 'lend terminal', isAway: false});
		if (isLeft()) return;
		terminal.enterScreen();
		input.start();
		view.start();
		redraw();
	}

	return async (app, during) => {
		if (isOver) return false;
		const {input, view, terminal} = held();
		isOver = true;
		app.dispatch({type: 'lend terminal', isAway: true});
		hideCard(app);
		input.stop();
		view.stop();
		terminal.leaveScreen();
		try {
			await during();
		} finally {
			takeBack(app);
		}
		return true;
	};
}
