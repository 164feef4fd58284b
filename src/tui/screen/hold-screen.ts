import {createInput, type InputHandlers, type TerminalInput} from '../terminal/input/input.ts';
import {holdTerminal, type HeldTerminal} from '../terminal/terminal.ts';
import type {ScreenStreams} from '../terminal/compositor/painter.ts';
import type {Size} from '../size.ts';
import type {Theme} from '../text/theme.ts';
import {createPace} from './pace.ts';
import type {CreateView, Frame, View} from './view.ts';
import {required} from '../text/checks/required.ts';

export type HoldScreenOptions<Of extends Frame> = ScreenStreams & {
	readonly view: CreateView<Of>;
	readonly theme: Theme;
	/** Renders inline, below the contents of the terminal. One row is left to the terminal, so that no frame scrolls. */
	readonly inline?: boolean;
	/** The frame of this moment. */
	readonly draw: (size: Size) => Of;
	/** When the screen changes by itself. */
	readonly nextChange?: () => number | undefined;
	/** Another program has the terminal from now on, or no longer. */
	readonly onAway?: (isAway: boolean) => void;
	/** A shell had the terminal meanwhile, unasked. */
	readonly onRegain?: () => void;
	/** The screen is about to be left, and has been left. */
	readonly onLeave?: () => void;
	readonly onGone?: () => void;
};

/** A screen on a terminal that is ours until it is closed. */
export type HeldScreen = {
	readonly size: () => Size;
	/** Takes the terminal and shows the first frame. From now on keys are heard. */
	readonly open: (handlers: InputHandlers, mouse?: boolean) => void;
	/** Asks for a frame: `now` for what the user did, `soon` for what streams in. */
	readonly ask: (when: 'now' | 'soon') => void;
	/** Draws everything anew: what the terminal shows is unknown. */
	readonly redraw: () => void;
	/** Stops the process group, and shows the screen again when it continues. */
	readonly suspend: () => void;
	/** Gives the terminal to a program until it has ended. False, and nothing done, when another has it. */
	readonly lend: (program: () => Promise<void>) => Promise<boolean>;
	readonly terminal: () => HeldTerminal;
	/** Gives the terminal back. */
	readonly close: () => void;
	/** Settles when the terminal has been given back. Rejects with what was thrown while a frame was drawn. */
	readonly closed: Promise<void>;
};

/** The one way from a terminal to a screen and back: modes, sizes, signals that stop the process, and the pace. */
export function holdScreen<Of extends Frame>(options: HoldScreenOptions<Of>): HeldScreen {
	const {stdin, stdout, inline = false} = options;
	const ended = Promise.withResolvers<void>();
	const size = () => ({columns: stdout.columns || 80, rows: Math.max(1, (stdout.rows || 24) - (inline ? 1 : 0))});
	const view = options.view({stdin, stdout, theme: options.theme, onError: fail});
	const show = guarded(() => view.show(options.draw(size())), fail);
	const pace = createPace(show, () => options.nextChange?.(), stdout);
	let held: Held<Of> | undefined;
	let isLeft = false;
	const handOver = createHand(opened, () => isLeft, {redraw, onAway: options.onAway});
	const suspend = () => void handOver(async () => opened().terminal.suspend());

	function open(handlers: InputHandlers, mouse = false): void {
		const input = createInput(stdin, handlers);
		// Before anything is shown: a terminal that still edits lines by itself turns Enter into a newline.
		input.start();
		const news = {onResize: resized, onContinue: regain, onStop: suspend};
		const terminal = holdTerminal(stdin, stdout, {...news, mouse, inline});
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

	/** A shell has set the terminal's modes its own way. */
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
		if (isLeft) return undefined;
		isLeft = true;
		const steps = [options.onLeave, () => pace.stop(), ...leaveSteps(view, held), options.onGone];
		return giveBack(() => held?.terminal.restore(), steps);
	}

	return {
		size,
		open,
		ask: when => pace.ask(when),
		redraw,
		suspend,
		lend: async program => handOver(async () => opened().terminal.lend(program)),
		terminal: () => opened().terminal,
		close,
		closed: ended.promise,
	};
}

/** What a screen is made of, and gives up while another program has the terminal. */
type Held<Of extends Frame> = {
	readonly input: TerminalInput;
	readonly view: View<Of>;
	readonly terminal: HeldTerminal;
};

type Step = (() => unknown) | undefined;

function leaveSteps<Of extends Frame>(view: View<Of>, held: Held<Of> | undefined): readonly Step[] {
	const {input, terminal} = held ?? {};
	return [() => input?.stop(), view.stop, view.close, terminal?.leaveScreen, () => terminal?.release()];
}

/** A function that reports what it throws. */
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

/** Gives the terminal back step by step, whatever fails on the way. Answers what failed first. */
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

type HandOver = (during: () => Promise<void>) => Promise<boolean>;

type HandOptions = {readonly redraw: () => void; readonly onAway: ((isAway: boolean) => void) | undefined};

/**
Hands the terminal over to others, one at a time: while one has it no key is heard and nothing is drawn. False, and
nothing done, when another has it.
*/
function createHand<Of extends Frame>(
	held: () => Held<Of>,
	isLeft: () => boolean,
	{redraw, onAway}: HandOptions,
): HandOver {
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
