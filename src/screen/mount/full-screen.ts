import {steadyNow} from '../../pod/protocol.ts';
import {loadInk} from './load-ink.ts';
import {nextTurn} from './start-chunks.ts';
import {firstPicture} from './view.ts';
import type {Picture} from '../terminal/compositor/compositor.ts';
import type {Painter} from '../terminal/compositor/compositor.ts';
import type {Theme} from '../spans/theme.ts';
import type {Frame, Mounted, MountOptions, View, ViewOptions} from './view.ts';

/**
The minimum number of milliseconds between two frames of streamed text. At about twenty frames per second, streamed text
already seems to grow steadily.
*/
const streamPace = 48;

/**
The minimum number of milliseconds between two frames of different sizes. There is a limit because the size changes many
times while the user drags the edge of a window.
*/
const resizePace = 160;

type Pace = {
	ask(when: 'now' | 'soon' | 'later'): void;
	/** Reports a new size of the screen. The next frame is drawn for this size. */
	resized(): void;
	stop(): void;
};

/**
The output for frames. `writableLength` is the number of bytes that are still waiting for a slow terminal. A frame that
is drawn while bytes are waiting would be outdated when it appears.
*/
type Outlet = {readonly writableLength: number; write(text: '', done: () => void): unknown};

/**
Draws frames at a limited pace. After input, one frame is drawn immediately for each read. Streamed text is drawn every
`streamPace` milliseconds. Changes that can wait are drawn `streamPace` milliseconds later. Nothing is drawn before the
terminal has received the last frame. No timer runs while nothing changes.
*/
export function createPace(drawFrame: () => void, nextTime: () => number | undefined, outlet: Outlet): Pace {
	let soon: NodeJS.Timeout | undefined;
	let later: NodeJS.Timeout | undefined;
	let resize: NodeJS.Timeout | undefined;
	let resizedAt = Number.NEGATIVE_INFINITY;
	let streamedAt = Number.NEGATIVE_INFINITY;
	let asked = false;
	let stopped = false;
	let waiting = false;

	function drawNow(): void {
		asked = false;
		// A frame for a key also shows the streamed text, so the next frame of streamed text is due `streamPace`
		// milliseconds later.
		if (soon !== undefined) streamedAt = steadyNow();
		clearTimeout(soon);
		soon = undefined;
		if (stopped || waiting || resize !== undefined) return;
		if (outlet.writableLength > 0) {
			waiting = true;
			outlet.write('', () => {
				waiting = false;
				drawNow();
			});
			return;
		}
		drawFrame();
		clearTimeout(later);
		const time = nextTime();
		later = time === undefined ? undefined : setTimeout(drawNow, Math.max(0, time - steadyNow()));
	}

	function drawResized(): void {
		resize = undefined;
		resizedAt = steadyNow();
		drawNow();
	}

	return {
		ask(when) {
			if (stopped || asked) return;
			if (when !== 'now') {
				const since = when === 'later' ? steadyNow() : streamedAt;
				soon ??= setTimeout(drawNow, Math.max(0, since + streamPace - steadyNow()));
				return;
			}
			asked = true;
			queueMicrotask(drawNow);
		},
		resized() {
			if (stopped) return;
			resize ??= setTimeout(drawResized, Math.max(0, resizedAt + resizePace - steadyNow()));
		},
		stop() {
			stopped = true;
			for (const timer of [soon, later, resize]) clearTimeout(timer);
		},
	};
}

/** Shows the chat on the full screen. */
export function createFullScreen(painter: Painter, options: ViewOptions): View {
	return createFullScreenOf(painter, options, {
		picture: firstPicture,
		load: async () => (await import('./show-chat.ts')).mountChat,
	});
}

/** Creates a full screen. The first frames are painted without Ink, because Ink is loaded after the first frame. */
export function createFullScreenOf<Of extends Frame>(
	painter: Painter,
	options: ViewOptions,
	{picture, load}: FullScreenParts<Of>,
): View<Of> {
	let mounted: Mounted<Of> | undefined;
	let latest: Of | undefined;
	let isClosed = false;

	async function mount(): Promise<void> {
		await loadInk(options);
		const mountOn = await load();
		await nextTurn();
		if (!isClosed && latest !== undefined) mounted = mountOn(painter, {...options, frame: latest});
	}

	return {
		start: () => painter.start(),
		stop: () => painter.stop(),
		close() {
			isClosed = true;
			mounted?.unmount();
		},
		show(frame) {
			const isFirst = latest === undefined;
			latest = frame;
			if (mounted === undefined) painter.paint(picture(frame, options.theme));
			else mounted.show(frame);
			if (isFirst) mount().catch(options.onError);
		},
		forget: () => painter.forget(),
	};
}

/** The parts that a full screen needs. */
type FullScreenParts<Of extends Frame> = {
	/** Paints the rows of a frame until the components are loaded. The components then show the same rows. */
	readonly picture: (frame: Of, theme: Theme) => Picture;
	readonly load: () => Promise<(painter: Painter, options: MountOptions<Of>) => Mounted<Of>>;
};
