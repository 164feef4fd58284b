import {render, type RenderOptions} from 'ink';
import type {ComponentType} from 'react';
import {createStore} from 'zustand/vanilla';
import type {Picture} from '../terminal/compositor/compositor.ts';
import type {Painter} from '../terminal/compositor/painter.ts';
import {createFrameStream} from '../terminal/frame-stream.ts';
import type {SpokenStream} from '../terminal/spoken-stream.ts';
import type {Frame, Mounted, MountOptions, ScreenProps, View, ViewOptions} from './view.ts';

type ScreenComponent<Of extends Frame> = ComponentType<ScreenProps<Of>>;

/** Renders through a painter. Ink returns whole frames, and the painter writes only the differences. */
export function mountOnPainter<Of extends Frame>(
	Component: ScreenComponent<Of>,
	painter: Painter,
	{stdin, frame, ...options}: MountOptions<Of>,
): Mounted<Of> {
	const shown = createStore<Of>(() => frame);
	let rows: readonly string[] = [];
	const paint = () => {
		if (rows.length > 0) painter.paint(pictureOf(rows, shown.getState()));
	};
	const stdout = createFrameStream({
		columns: () => shown.getState().size.columns,
		rows: () => shown.getState().size.rows,
		onFrame(next) {
			rows = next;
			paint();
		},
	});
	const ink = render(<Component shown={shown} {...options} />, {...common, stdin, stdout, debug: true});
	return {
		show(next) {
			shown.setState(next, true);
			// React commits in a scheduled microtask, so the paint must follow it. If only the cursor has changed,
			// React does nothing, so the picture is painted here.
			queueMicrotask(paint);
		},
		redraw: paint,
		unmount() {
			ink.unmount();
			ink.cleanup();
		},
	};
}

type InlineOptions = {
	/** Whether the terminal is cleared when the view stops. */
	readonly isCleared?: boolean;
};

/** Creates a view below the current contents of the screen. */
export function createInlineViewOf<Of extends Frame>(
	component: ScreenComponent<Of>,
	options: ViewOptions,
	{isCleared = false}: InlineOptions = {},
): View<Of> {
	let mounted: Mounted<Of> | undefined;
	let isOn = false;
	return {
		start() {
			isOn = true;
		},
		stop() {
			isOn = false;
			mounted?.unmount(isCleared);
			mounted = undefined;
		},
		close() {},
		show(frame) {
			if (!isOn) return;
			if (mounted === undefined) mounted = mountInline(component, {...options, frame});
			else mounted.show(frame);
		},
		forget: () => mounted?.redraw(),
	};
}

/** Renders in Ink's screen reader mode. `extra` contains other props of the components. */
export function mountSpoken<Of extends Frame, Extra extends object>(
	Component: ComponentType<ScreenProps<Of> & Extra>,
	stream: SpokenStream,
	{stdin, theme, onError, frame, extra}: Omit<MountOptions<Of>, 'stdout'> & {readonly extra: Extra},
): Mounted<Of> {
	const shown = createStore<Of>(() => frame);
	const own = {stdin, stdout: stream.stdout, isScreenReaderEnabled: true};
	const ink = render(<Component {...{shown, theme, onError, ...extra}} />, {...common, ...own});
	return {
		show: next => shown.setState(next, true),
		redraw: () => stream.forget(),
		unmount() {
			ink.unmount();
			ink.cleanup();
		},
	};
}

/** Renders below the current contents of the terminal. In this mode Ink itself writes everything. */
function mountInline<Of extends Frame>(
	Component: ScreenComponent<Of>,
	{stdin, stdout, frame, ...options}: MountOptions<Of>,
): Mounted<Of> {
	const shown = createStore<Of>(() => frame);
	const own = {stdin, stdout, incrementalRendering: true, maxFps: 1000};
	const ink = render(<Component shown={shown} {...options} />, {...common, ...own});
	return {
		show: next => shown.setState(next, true),
		redraw: () => ink.clear(),
		unmount(isCleared = false) {
			if (isCleared) ink.clear();
			ink.unmount();
			ink.cleanup();
		},
	};
}

const common: RenderOptions = {alternateScreen: false, exitOnCtrlC: false, patchConsole: false, interactive: true};

/** Returns a picture with as many rows as the screen. */
function pictureOf(rows: readonly string[], {size, cursor}: Frame): Picture {
	const all = Array.from({length: size.rows}, (_, index) => rows[index] ?? '');
	return {columns: size.columns, rows: all, cursor: {x: cursor.x, y: Math.min(cursor.y, size.rows - 1)}};
}
