import {Box, Text, useCursor} from 'ink';
import {Component, useSyncExternalStore, type ReactElement, type ReactNode} from 'react';
import {AlertRows} from './alerts.tsx';
import {statusFacts} from './app-frame.ts';
import type {App} from './app-state.ts';
import {AskCard} from './card/ask-card.tsx';
import {Composer} from './composer/composer.tsx';
import type {Frame} from './frame.ts';
import {lineRows} from './screen/row.ts';
import {StatusLine} from './status-line.tsx';
import {TranscriptView} from './transcript/transcript.tsx';

/** Where the screen's component gets its frames: whoever paces them. */
export type FrameSource = {
	readonly subscribe: (listener: () => void) => () => void;
	readonly frame: () => Frame;
};

/** The screen, from top to bottom. Every part has its rows already; React only shows them. */
export function AppScreen({app, source}: {readonly app: App; readonly source: FrameSource}): ReactElement {
	const {size, transcript, transcriptHeight, between, ask, above, overlay, composer, cursor} = useSyncExternalStore(source.subscribe, source.frame);
	useCursor().setCursorPosition(cursor);
	return (
		<Box flexDirection="column" height={size.rows} overflow="hidden">
			{overlay === undefined && transcript.rows.length > 0
				? <TranscriptView rows={transcript.rows} height={transcriptHeight} />
				: <PlainRows rows={overlay ?? welcomeRows(app, size.columns)} height={transcriptHeight} />}
			<AlertRows rows={between} />
			{ask === undefined ? undefined : <AskCard view={ask} />}
			<StatusLine facts={statusFacts(app)} columns={size.columns} clock={app.options.now} />
			{above.length === 0 ? undefined : <PlainRows rows={above} height={above.length} />}
			<Composer view={composer} />
		</Box>
	);
}

function welcomeRows({options}: App, columns: number): string[] {
	return options.welcome.flatMap(spans => lineRows(spans, {columns, theme: options.theme, gutter: {text: ' '}}).map(row => row.ansi));
}

function PlainRows({rows, height}: {readonly rows: readonly string[]; readonly height: number}): ReactElement {
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			{rows.slice(0, height).map((row, index) => <Text key={index} wrap="truncate">{row === '' ? ' ' : row}</Text>)}
		</Box>
	);
}

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
