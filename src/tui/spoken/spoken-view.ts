import {createStore} from 'zustand/vanilla';
import {Screen} from '../render.tsx';
import type {View, ViewOptions} from '../screen/view.ts';
import {createReading, type Entry} from './reading.ts';
import {spokenCaret} from './spoken-composer.ts';
import {createSpokenScreen} from './spoken-screen.ts';

/**
The chat for screen readers. What is new is written once, as lines that stay in the terminal; below them are a few lines
that change: the page or the card that is open, the status, and the message that you write, with the cursor in it.
*/
export function createSpokenView(options: ViewOptions): View {
	const reading = createReading();
	const log = createStore<readonly Entry[]>(() => []);
	return createSpokenScreen(options, {
		component: Screen,
		extra: {log},
		caretOf: spokenCaret,
		follow(frame) {
			const entries = reading.next(frame);
			if (entries.length > 0) log.setState([...log.getState(), ...entries], true);
		},
		// What was said stays on the terminal: new components must not say it again.
		onUnmount: () => log.setState([], true),
	});
}
