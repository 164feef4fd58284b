import {createInput, type InputHandlers, type TerminalInput} from '../terminal/input/input.ts';
import {holdTerminal, type HeldTerminal} from '../terminal/terminal.ts';
import type {ScreenStreams} from '../terminal/compositor/compositor.ts';
import type {Size} from '../model/terminal-state.ts';
import type {Theme} from '../spans/theme.ts';
import {createPace} from './full-screen.ts';
import type {CreateView, Frame, View} from './view.ts';
import {required} from '../../text/lines.ts';

type HoldScreenOptions<Of extends Frame> = ScreenStreams & {
	readonly view: CreateView<Of>;
	readonly theme: Theme;
	/**
	Whether the screen is rendered inline, below the contents of the terminal. One row stays free, so that no frame
	makes the terminal scroll.
	*/
	readonly inline?: boolean;
	/** Whether the terminal is known to show progress. */
	readonly hasProgress?: boolean;
	/** Returns the current frame. */
	readonly draw: (size: Size) => Of;
	/** Returns the next time at which the screen changes without a key press. */
	readonly nextChange?: () => number | undefined;
	/** Called when another program begins or stops using the terminal. */
	readonly onAway?: (isAway: boolean) => void;
	/** Called after a shell has used the terminal in the meantime. */
	readonly onRegain?: () => void;
	/** `onLeave` is called before the screen closes, and `onGone` after it has closed. */
	readonly onLeave?: () => void;
	readonly onGone?: () => void;
};

/** A screen that uses the terminal until it is closed. */
export type HeldScreen = {
	readonly size: () => Size;
	/** Sets up the terminal, shows the first frame and starts reading keys. */
	readonly open: (handlers: InputHandlers, mouse?: boolean) => void;
	/** Requests a frame: `now` after user input, `soon` for streamed text, `later` for changes that can wait. */
	readonly ask: (when: 'now' | 'soon' | 'later') => void;
	/** Draws the whole screen again. Called when the contents of the terminal are unknown. */
	readonly redraw: () => void;
	/** Stops the process group, and shows the screen again when it continues. */
	readonly suspend: () => void;
	/**
	Lends the terminal to a program until that program ends. If another program already uses the terminal, does nothing
	and resolves with false.
	*/
	readonly lend: (program: () => Promise<void>) => Promise<boolean>;
	readonly terminal: () => HeldTerminal;
	/**
	Closes the screen and restores the terminal. `isFollowed`: another screen will use the terminal immediately
	afterwards.
	*/
	readonly close: (isFollowed?: boolean) => void;
	/** Settles when the terminal has been restored. Rejects with the error if a frame could not be drawn. */
	readonly closed: Promise<void>;
};

/** Opens a screen on a terminal. It handles modes, sizes, stop signals and the pace of frames. */
export function holdScreen<Of extends Frame>(options: HoldScreenOptions<Of>): HeldScreen {
	const {stdin, stdout, inline = false, hasProgress = false} = options;
	const ended = Promise.withResolvers<void>();
	const size = () => ({columns: stdout.columns || 80, rows: Math.max(1, (stdout.rows || 24) - (inline ? 1 : 0))});
	const view = options.view({stdin, stdout, theme: options.theme, onError: fail});
	const show = guarded(() => view.show(options.draw(size())), fail);
	const pace = createPace(show, () => options.nextChange?.(), stdout);
	let held: Held<Of> | undefined;
	let isLeft = false;
	const lend = createHand(opened, () => isLeft, {redraw, onAway: options.onAway});
	const suspend = () => void lend(async () => opened().terminal.suspend());

	function open(handlers: InputHandlers, mouse = false): void {
		const input = createInput(stdin, handlers);
		// Input must start before the first frame. Otherwise the terminal would still be in line mode and turn Enter
		// into a newline.
		input.start();
		const news = {onResize: resized, onContinue: regain, onStop: suspend};
		const terminal = holdTerminal(stdin, stdout, {...news, mouse, inline, hasProgress});
		held = {input, view, terminal};
		terminal.enterScreen();
		view.start();
		show();
	}

	function opened(): Held<Of> {
		return required(held, 'open screen');
	}

	function resized(): void {
		view.forget();
		pace.resized();
	}

	/** Sets the modes of the terminal again after a shell has changed them, and draws the screen again. */
	function regain(): void {
		options.onRegain?.();
		opened().input.renew();
		opened().terminal.enter();
		redraw();
	}

	function redraw(): void {
		view.forget();
		pace.ask('now');
	}

	/** Closes the screen after a frame could not be drawn. This may happen while the screen is still opening. */
	function fail(error: Error): void {
		queueMicrotask(() => {
			leave();
			ended.reject(error);
		});
	}

	function close(isFollowed = false): void {
		const failure = leave(isFollowed);
		if (failure === undefined) ended.resolve();
		else ended.reject(failure);
	}

	function leave(isFollowed = false): Error | undefined {
		if (isLeft) return undefined;
		isLeft = true;
		const steps = [options.onLeave, () => pace.stop(), ...leaveSteps(view, held, isFollowed), options.onGone];
		return giveBack(() => held?.terminal.restore(), steps);
	}

	return {
		size,
		open,
		ask: when => pace.ask(when),
		redraw,
		suspend,
		lend: async program => lend(async () => opened().terminal.lend(program)),
		terminal: () => opened().terminal,
		close,
		closed: ended.promise,
	};
}

/** The parts of an open screen. They are stopped while another program uses the terminal. */
type Held<Of extends Frame> = {
	readonly input: TerminalInput;
	readonly view: View<Of>;
	readonly terminal: HeldTerminal;
};

type Step = (() => unknown) | undefined;

function leaveSteps<Of extends Frame>(
	view: View<Of>,
	held: Held<Of> | undefined,
	isFollowed: boolean,
): readonly Step[] {
	const {input, terminal} = held ?? {};
	return [() => input?.stop(isFollowed), view.stop, view.close, terminal?.leaveScreen, () => terminal?.release()];
}

/** Returns a function that calls `run` and passes its errors to `onError`. */
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

/** Runs the steps that restore the terminal. If a step fails, the other steps still run. Returns the first error. */
function giveBack(restore: () => unknown, steps: readonly Step[]): Error | undefined {
	let failure: Error | undefined;
	for (const step of steps) {
		try {
			step?.();
		} catch (error) {
			failure ??= asError(error);
		}
	}
	if (failure !== undefined) restore();
	return failure;
}

type Lend = (during: () => Promise<void>) => Promise<boolean>;

type HandOptions = {readonly redraw: () => void; readonly onAway: ((isAway: boolean) => void) | undefined};

/**
Returns a function that lends the terminal to one program at a time. During this time the screen reads no keys and draws
nothing. If another program already uses the terminal, the function does nothing and resolves with false.
*/
function createHand<Of extends Frame>(
	held: () => Held<Of>,
	isLeft: () => boolean,
	{redraw, onAway}: HandOptions,
): Lend {
	let isAway = false;

	function takeBack(): void {
		const {input, view, terminal} = held();
		isAway = false;
		onAway?.(false);
		if (isLeft()) return;
		terminal.enterScreen();
		input.start();
		view.start();
		redraw();
	}

	return async during => {
		if (isAway) return false;
		const {input, view, terminal} = held();
		isAway = true;
		onAway?.(true);
		input.stop();
		view.stop();
		terminal.leaveScreen();
		try {
			await during();
		} finally {
			takeBack();
		}
		return true;
	};
}
