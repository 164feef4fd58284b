import {render, type RenderOptions} from 'ink';
import {type ComponentType, type ReactElement, Component, type ReactNode} from 'react';
import {createStore} from 'zustand/vanilla';
import type {Picture} from '../terminal/compositor/compositor.ts';
import type {Painter} from '../terminal/compositor/compositor.ts';
import {createFrameStream} from '../terminal/ink-stdout.ts';
import type {SpokenStream} from '../terminal/spoken-stream.ts';
import type {Frame, Mounted, MountOptions, ScreenProps, View, ViewOptions} from './view.ts';
import {App} from '../view/app.tsx';
import {ShownFrameContext, useFrame} from '../view/hooks/use-frame.ts';
import {ThemeContext} from '../view/hooks/use-frame.ts';
import type {Theme} from '../spans/theme.ts';
import {SpokenLogContext, type SpokenLog} from '../view/spoken/spoken-transcript.tsx';

type ScreenComponent<Of extends Frame> = ComponentType<ScreenProps<Of>>;

/** Renders a component through a painter. Ink creates whole frames, and the painter writes only the differences. */
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
			// This microtask runs after React's scheduled commit. It is needed because React does nothing if only the
			// cursor has changed.
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

/** Renders a component in Ink's screen reader mode. `extra` contains more props of the component. */
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

/** Renders the chat with its contexts. `log` contains the texts for a screen reader. */
export function Screen({shown, theme, onError, log}: ScreenProps & {readonly log?: SpokenLog}): ReactElement {
	return (
		<ErrorBoundary onError={onError}>
			<SpokenLogContext value={log}>
				<ShownFrameContext value={shown}>
					<Themed theme={theme} />
				</ShownFrameContext>
			</SpokenLogContext>
		</ErrorBoundary>
	);
}

/**
Catches errors of components. Without this boundary, Ink would show the error and the process would exit successfully.
*/
export class ErrorBoundary extends Component<Props, {readonly failed: boolean}> {
	override state = {failed: false};

	static getDerivedStateFromError(): {failed: boolean} {
		return {failed: true};
	}

	override componentDidCatch(error: Error): void {
		this.props.onError(error);
	}

	override render(): ReactNode {
		return this.state.failed ? null : this.props.children;
	}
}

/** Renders a component below the current contents of the terminal. In this mode Ink itself writes to the terminal. */
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

/** Returns a picture that has as many rows as the screen. */
function pictureOf(rows: readonly string[], {size, cursor}: Frame): Picture {
	const all = Array.from({length: size.rows}, (_, index) => rows[index] ?? '');
	return {columns: size.columns, rows: all, cursor: {x: cursor.x, y: Math.min(cursor.y, size.rows - 1)}};
}

/** Renders the chat in the chosen theme, adapted to the background of the terminal. */
function Themed({theme}: {readonly theme: Theme}): ReactElement {
	return (
		<ThemeContext
			value={theme.on(
				useFrame(({state}) => state.terminal.ground),
				useFrame(({state}) => state.display.theme),
			)}
		>
			<App />
		</ThemeContext>
	);
}

type Props = {readonly onError: (error: Error) => void; readonly children: ReactNode};
