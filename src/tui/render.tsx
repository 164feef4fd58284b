import {render, type Instance, type RenderOptions} from 'ink';
import type {ReactElement} from 'react';
import {createStore} from 'zustand/vanilla';
import {App} from './app.tsx';
import {ErrorBoundary} from './screen/error-boundary.tsx';
import type {Layout} from './layout.ts';
import {ShownFrameContext, type ShownFrame} from './hooks/use-frame.ts';
import {ThemeContext} from './hooks/use-theme.ts';
import type {Painter} from './terminal/compositor/painter.ts';
import {createFrameStream} from './terminal/frame-stream.ts';
import type {Mounted, View, ViewOptions} from './screen/view.ts';

export type MountOptions = ViewOptions & {readonly frame: Layout};

/** Draws through a painter: Ink gives it whole frames, and it writes what the frame before did not show. */
export function mountOn(painter: Painter, {stdin, theme, frame, onError}: MountOptions): Mounted {
	const shown = createStore<Layout>(() => frame);
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
	const ink = render(<Screen shown={shown} theme={theme} onError={onError} />, {...common, stdin, stdout, debug: true});
	return {
		show(next) {
			shown.setState(next, true);
			// React commits in a microtask that is planned already. What it has nothing to do for is the cursor alone.
			queueMicrotask(paint);
		},
		redraw: paint,
		unmount: () => unmount(ink),
	};
}

/** A view below what is on the screen already, and for screen readers: all of it is Ink's own writing. */
export function createInlineView(options: ViewOptions): View {
	let mounted: Mounted | undefined;
	let isOn = false;
	return {
		start() {
			isOn = true;
		},
		stop() {
			isOn = false;
			mounted?.unmount();
			mounted = undefined;
		},
		close() {},
		show(frame) {
			if (!isOn) return;
			if (mounted === undefined) mounted = mountInline({...options, frame});
			else mounted.show(frame);
		},
		forget: () => mounted?.redraw(),
	};
}

function mountInline({stdin, stdout, theme, frame, onError}: MountOptions): Mounted {
	const shown = createStore<Layout>(() => frame);
	const ink = render(<Screen shown={shown} theme={theme} onError={onError} />, {...common, stdin, stdout, incrementalRendering: true, maxFps: 1000});
	return {
		show: next => shown.setState(next, true),
		redraw: () => ink.clear(),
		unmount: () => unmount(ink),
	};
}

const common: RenderOptions = {alternateScreen: false, exitOnCtrlC: false, patchConsole: false, interactive: true};

type ScreenProps = {readonly shown: ShownFrame; readonly theme: ViewOptions['theme']; readonly onError: (error: Error) => void};

/** The app with what its components read. */
export function Screen({shown, theme, onError}: ScreenProps): ReactElement {
	return (
		<ErrorBoundary onError={onError}>
			<ThemeContext value={theme}>
				<ShownFrameContext value={shown}>
					<App />
				</ShownFrameContext>
			</ThemeContext>
		</ErrorBoundary>
	);
}

/** As many rows as the screen has. */
function pictureOf(rows: readonly string[], {size, cursor}: Layout) {
	const all = Array.from({length: size.rows}, (_, index) => rows[index] ?? '');
	return {columns: size.columns, rows: all, cursor: {x: cursor.x, y: Math.min(cursor.y, size.rows - 1)}};
}

function unmount(ink: Instance): void {
	ink.unmount();
	ink.cleanup();
}
