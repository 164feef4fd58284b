import {createStore} from 'zustand/vanilla';
import {Screen} from './mount.tsx';
import type {View, ViewOptions} from './view.ts';
import {createReading, type Entry} from '../view/spoken/reading.ts';
import {spokenCaret} from '../view/spoken/spoken-composer.ts';
import {createSpokenScreen} from './spoken-screen.ts';

/**
Creates the view of the chat for screen readers. New text is written once, as lines that stay in the terminal. Below
this text are a few changing lines: the open page or card, the status, and your message with the cursor.
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
		// Texts that were already read stay in the terminal, so a new component must not repeat them.
		onUnmount: () => log.setState([], true),
	});
}
