import {render, useApp, type Instance} from 'ink';
import {useEffect, type ReactElement} from 'react';
import {draw, nextChange} from './app-frame.ts';
import {createApp, quit, tell, type App, type AppOptions} from './app-state.ts';
import {connect} from './app-hear.ts';
import {sendPrompt} from './app-send.ts';
import {pasteText, pressKey, takeMouse} from './app-keys.ts';
import {AppScreen, Boundary, type FrameSource} from './app.tsx';
import type {PodClient} from '../pod/protocol.ts';
import {createPace} from './pace.ts';
import {capabilityQuery, createCapabilities, type Capabilities} from './screen/capabilities.ts';
import {createInput, type InputHandlers, type TerminalInput} from './screen/stdin.ts';
import {holdTerminal, restoreAll, type HeldTerminal} from './screen/terminal.ts';
import type {TranscriptStore} from './transcript/store.ts';

export type ScreenOptions = Omit<AppOptions, 'onMouse' | 'onQuit' | 'onSuspend' | 'onRedraw' | 'onHandOver' | 'onTitle' | 'onBell' | 'terminal' | 'now'> & {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
};

export type Screen = {
	/** Shows a pod, and sends it a prompt where the person gave one with the command. */
	connect(client: PodClient, prompt: string): Promise<void>;
	/** Warns of something. */
	tell(warning: string): void;
	/** Leaves as if the person had quit: shuts the pod down first. */
	quit(): Promise<void>;
	/** Settles when the terminal has been given back. Rejects with what a component threw. */
	readonly closed: Promise<void>;
	/** Takes the terminal back at once, for an error that is told on the main screen. */
	close(): void;
	/** Settles when the first frame is on the screen. */
	readonly shown: Promise<void>;
	/** What the screen showed last, once there was a pod; also when it has been left. */
	transcript(): TranscriptStore | undefined;
};

/** Opens the full screen on a terminal. Keys are heard from now on, also before a pod is there. */
export function openScreen(options: ScreenOptions): Screen {
	const {stdin, stdout} = options;
	const ended = Promise.withResolvers<void>();
	let left = false;
	const size = () => ({columns: stdout.columns || 80, rows: stdout.rows || 24});
	const pace = createPace(() => draw(app, size()), () => nextChange(app), stdout);
	const effects = {
		onQuit: () => close(),
		onSuspend: () => void hand.over(terminal.suspend),
		onRedraw: () => redraw(),
		onHandOver: async (program: () => Promise<void>) => hand.over(async () => terminal.lend(program)),
		...effectsOn(() => terminal),
	};
	const capabilities = createCapabilities();
	const app: App = createApp({...options, now: Date.now, terminal: () => capabilities.facts(), ...effects}, size(), when => pace.ask(when));
	const input = createInput(stdin, hearing(app, capabilities));
	const hand = createHand({
		before() {
			input.stop();
			terminal.leaveScreen();
		},
		after() {
			if (left) return;
			terminal.enterScreen();
			input.start();
			redraw();
		},
	});
	// Before anything is shown: what is typed while the terminal still edits lines by itself has its Enter turned into a newline.
	input.start();
	const again = () => takeAgain(input, terminal, redraw);
	const terminal = holdTerminal(stdin, stdout, {onResize: () => pace.ask('now'), onContinue: again, onStop: effects.onSuspend, mouse: app.mouse});
	const ink = showApp(app, {subscribe: pace.subscribe, frame: () => app.frame}, fail, hand.setInk, options);
	terminal.enterScreen();
	const shown = ink.waitUntilRenderFlush();
	void shown.then(() => left || stdout.write(capabilityQuery));

	function redraw(): void {
		ink.clear();
		app.frame = {...draw(app, size())};
		pace.ask('now');
	}

	/** A component may throw while `render` is still under way. */
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
		const parts = options.parts.map(part => () => part.leave?.(app));
		return giveBack(stdout, [...parts, () => pace.stop(), () => input.stop(), terminal.leaveScreen, () => ink.unmount(), () => terminal.release(), () => app.store?.dispose()]);
	}

	return {
		async connect(client, prompt) {
			await connect(app, client);
			if (prompt !== '') void sendPrompt(app, prompt);
		},
		tell: text => tell(app, {level: 'warn', text}),
		quit: async () => quit(app),
		closed: ended.promise,
		close,
		shown,
		transcript: () => app.store,
	};
}

function effectsOn(terminal: () => HeldTerminal): Pick<AppOptions, 'onTitle' | 'onBell' | 'onMouse'> {
	return {onTitle: text => terminal().setTitle(text), onBell: () => terminal().ring(), onMouse: on => terminal().setMouse(on)};
}

/** A shell had the terminal meanwhile, unasked, and has set its modes its own way. */
function takeAgain(input: TerminalInput, terminal: HeldTerminal, redraw: () => void): void {
	input.stop();
	input.start();
	terminal.enter();
	redraw();
}

/** Gives the terminal back step by step, whatever fails on the way. Answers what failed first. */
function giveBack(stdout: ScreenOptions['stdout'], steps: ReadonlyArray<() => unknown>): Error | undefined {
	let failure: Error | undefined;
	for (const step of steps) {
		try {
			step();
		} catch (error) {
			failure ??= error instanceof Error ? error : new Error(String(error));
		}
	}
	if (failure !== undefined) stdout.write(restoreAll);
	return failure;
}

function showApp(app: App, source: FrameSource, onError: (error: Error) => void, onReady: (suspend: Suspend) => void, {stdin, stdout}: ScreenOptions): Instance {
	return render(
		<Boundary onError={onError}>
			<AppScreen app={app} source={source} />
			<Suspender onReady={onReady} />
		</Boundary>,
		{stdin, stdout, alternateScreen: true, incrementalRendering: true, maxFps: 1000, exitOnCtrlC: false, patchConsole: false, interactive: true},
	);
}

/** What becomes of what the terminal sends. */
function hearing(app: App, capabilities: Capabilities): InputHandlers {
	return {
		onKey(key) {
			capabilities.hearKey(key);
			pressKey(app, key);
		},
		onMouse: mouse => takeMouse(app, mouse),
		onPaste: (text, cut) => pasteText(app, text, cut),
		onFocus(focused) {
			app.focused = focused;
			if (focused) app.changed('soon');
		},
		onReply: reply => capabilities.hearReply(reply),
	};
}

/** Hands the terminal over to others, one at a time: while one has it no key is heard and nothing is drawn. */
function createHand({before, after}: {readonly before: () => void; readonly after: () => void}) {
	let suspendInk: Suspend | undefined;
	let isOver = false;
	return {
		setInk: (to: Suspend): void => {
			suspendInk = to;
		},
		/** False, and nothing done, when another has the terminal. */
		async over(during: () => Promise<void>): Promise<boolean> {
			if (isOver || suspendInk === undefined) return false;
			isOver = true;
			before();
			try {
				await suspendInk(during);
			} finally {
				isOver = false;
				after();
			}
			return true;
		},
	};
}

type Suspend = (callback: () => Promise<void>) => Promise<void>;

/** Ink hands the terminal over only from inside its tree. */
function Suspender({onReady}: {readonly onReady: (suspend: Suspend) => void}): ReactElement | null {
	const {suspendTerminal} = useApp();
	useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal]);
	return null;
}
