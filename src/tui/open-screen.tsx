import {render, useApp} from 'ink';
import {useEffect, type ReactElement} from 'react';
import {connect, createApp, draw, nextChange, sendPrompt, tell, type App, type AppOptions} from './app-state.ts';
import {pasteText, pressKey, quit} from './app-keys.ts';
import {AppScreen, Boundary, type FrameSource} from './app.tsx';
import type {PodClient} from '../pod/protocol.ts';
import {createPace} from './pace.ts';
import {createInput} from './screen/stdin.ts';
import {holdTerminal} from './screen/terminal.ts';

export type ScreenOptions = Omit<AppOptions, 'onQuit' | 'onSuspend' | 'onRedraw' | 'now'> & {
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
};

/** Opens the full screen on a terminal. Keys are heard from now on, also before a pod is there. */
export function openScreen(options: ScreenOptions): Screen {
	const {stdin, stdout} = options;
	const ended = Promise.withResolvers<void>();
	let suspendInk: Suspend | undefined;
	let suspended = false;
	let left = false;
	const size = () => ({columns: stdout.columns || 80, rows: stdout.rows || 24});
	const pace = createPace(() => draw(app, size()), () => nextChange(app));
	const app: App = createApp({...options, now: Date.now, onQuit: () => close(), onSuspend: () => void suspend(), onRedraw: () => redraw()}, size(), when => pace.ask(when));
	const input = createInput(stdin, {onKey: key => pressKey(app, key), onPaste: (text, cut) => pasteText(app, text, cut)});
	// Before anything is shown: what is typed while the terminal still edits lines by itself has its Enter turned into a newline.
	input.start();
	const terminal = holdTerminal(stdin, stdout, {onResize: () => pace.ask('now'), onContinue: () => redraw()});
	const source: FrameSource = {subscribe: pace.subscribe, frame: () => app.frame};
	const ink = render(
		<Boundary onError={fail}>
			<AppScreen app={app} source={source} />
			<Suspender onReady={to => { suspendInk = to; }} />
		</Boundary>,
		{stdin, stdout, alternateScreen: true, incrementalRendering: true, maxFps: 1000, exitOnCtrlC: false, patchConsole: false, interactive: true},
	);

	function redraw(): void {
		ink.clear();
		app.frame = {...draw(app, size())};
		pace.ask('now');
	}

	async function suspend(): Promise<void> {
		if (suspended) return;
		suspended = true;
		input.stop();
		await suspendInk?.(terminal.suspend);
		suspended = false;
		input.start();
		redraw();
	}

	/** A component may throw while `render` is still under way. */
	function fail(error: Error): void {
		queueMicrotask(() => {
			leave();
			ended.reject(error);
		});
	}

	function close(): void {
		leave();
		ended.resolve();
	}

	function leave(): void {
		if (left) return;
		left = true;
		pace.stop();
		input.stop();
		ink.unmount();
		terminal.release();
		app.store?.dispose();
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
		shown: ink.waitUntilRenderFlush(),
	};
}

type Suspend = (callback: () => Promise<void>) => Promise<void>;

/** Ink hands the terminal over only from inside its tree. */
function Suspender({onReady}: {readonly onReady: (suspend: Suspend) => void}): ReactElement | null {
	const {suspendTerminal} = useApp();
	useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal]);
	return null;
}
