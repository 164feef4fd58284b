import {render, type Instance} from 'ink';
import {createStore} from 'zustand/vanilla';
import type {Layout} from '../layout.ts';
import {Screen} from '../render.tsx';
import {createSpokenStreamOn} from '../terminal/spoken-stream.ts';
import type {View, ViewOptions} from '../screen/view.ts';
import {createReading, type Entry} from './reading.ts';
import {spokenCaret} from './spoken-composer.ts';
import {SpokenLogContext} from './spoken-transcript.tsx';

/**
The view for screen readers. What is new is written once, as lines that stay in the terminal; below them are a few lines
that change: the page or the card that is open, the status, and the message that you write, with the cursor in it.
*/
export function createSpokenView(options: ViewOptions): View {
	const reading = createReading();
	const stream = createSpokenStreamOn(options.stdout);
	let mounted: Mounted | undefined;
	let unsaid: readonly Entry[] = [];
	let isOn = false;
	return {
		start() {
			isOn = true;
		},
		stop() {
			isOn = false;
			mounted?.unmount();
			mounted = undefined;
			stream.leave();
		},
		close() {},
		show(frame) {
			const entries = [...unsaid, ...reading.next(frame)];
			unsaid = isOn ? [] : entries;
			if (!isOn) return;
			if (mounted === undefined) mounted = mount(options, stream.stdout, frame, entries);
			else mounted.show(frame, entries);
			const caret = spokenCaret(frame);
			queueMicrotask(() => {
				if (isOn) stream.flush(caret);
			});
		},
		forget: () => stream.forget(),
	};
}

type Mounted = {readonly show: (frame: Layout, entries: readonly Entry[]) => void; readonly unmount: () => void};

function mount({stdin, theme, onError}: ViewOptions, stdout: NodeJS.WriteStream, frame: Layout, entries: readonly Entry[]): Mounted {
	const shown = createStore<Layout>(() => frame);
	const log = createStore<readonly Entry[]>(() => entries);
	const ink: Instance = render(
		<SpokenLogContext value={log}>
			<Screen shown={shown} theme={theme} onError={onError} />
		</SpokenLogContext>,
		{stdin, stdout, isScreenReaderEnabled: true, alternateScreen: false, exitOnCtrlC: false, patchConsole: false, interactive: true},
	);
	return {
		show(next, more) {
			if (more.length > 0) log.setState([...log.getState(), ...more], true);
			shown.setState(next, true);
		},
		unmount() {
			ink.unmount();
			ink.cleanup();
		},
	};
}
