import {loadChunks, nextTurn, startChunks} from './start-chunks.ts';
import type {ViewOptions} from './view.ts';

/**
Loads Ink and runs its code for the first time, in slices. inkpod reads keys and draws frames between the slices. The
caller must render the first frame with Ink in a later turn of the event loop.
*/
export async function loadInk(options: ViewOptions): Promise<void> {
	loading ??= load(options);
	await loading;
}

let loading: Promise<void> | undefined;

async function load(options: ViewOptions): Promise<void> {
	for (const chunks of [startChunks.first, startChunks.session, startChunks.ink]) await loadChunks(chunks);
	const {warmUps} = await import('./warm-ink.ts');
	for (const warmUp of warmUps) {
		await nextTurn();
		const remove = warmUp(options);
		await nextTurn();
		remove();
	}
}
