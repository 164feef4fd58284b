import {Box, render, Text, useCursor, type Instance} from 'ink';
import {Component, memo, useSyncExternalStore, type ReactElement, type ReactNode} from 'react';
import type {Picture} from './screen/compositor.ts';
import type {Painter, ScreenStreams} from './screen/painter.ts';

/** The painter through Ink, for screens that are not ours alone, and for screen readers: Ink says to them what is on the screen, line by line. It shows the same pictures. */
export function createInkPainter({stdin, stdout}: ScreenStreams, onError: (error: Error) => void): Painter {
	const listeners = new Set<() => void>();
	let picture: Picture | undefined;
	let ink: Instance | undefined;
	const subscribe = (listener: () => void) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
	const screen = <Boundary onError={onError}><PictureView subscribe={subscribe} picture={() => picture} /></Boundary>;
	return {
		start() {
			ink = render(screen, {stdin, stdout, alternateScreen: false, incrementalRendering: true, maxFps: 1000, exitOnCtrlC: false, patchConsole: false, interactive: true});
		},
		stop() {
			ink?.unmount();
			ink = undefined;
		},
		paint(next) {
			picture = next;
			for (const listener of listeners) listener();
		},
		forget: () => ink?.clear(),
	};
}

type Source = {readonly subscribe: (listener: () => void) => () => void; readonly picture: () => Picture | undefined};

/** The rows of a picture, from top to bottom. They are painted already; React only shows them. */
function PictureView({subscribe, picture}: Source): ReactElement | null {
	const shown = useSyncExternalStore(subscribe, picture);
	useCursor().setCursorPosition(shown?.cursor);
	if (shown === undefined) return null;
	return (
		<Box flexDirection="column" height={shown.rows.length} overflow="hidden">
			{shown.rows.map((row, index) => <RowText key={index} ansi={row} />)}
		</Box>
	);
}

/** A frame costs React only the rows that changed. */
const RowText = memo(({ansi}: {readonly ansi: string}): ReactElement => <Text wrap="truncate">{ansi === '' ? ' ' : ansi}</Text>);

/** Catches what a component throws: Ink alone would show it and exit as if all were well. */
export class Boundary extends Component<{readonly onError: (error: Error) => void; readonly children: ReactNode}, {readonly failed: boolean}> {
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
