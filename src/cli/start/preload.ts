import {loadChunks, startChunks} from '../../screen/mount/start-chunks.ts';
import type {Preload} from '../../screen/control/app.ts';
import type {ModelSpec} from '../../worker/index.ts';
import type {Load} from './preload-list.ts';

/**
Prepares the session and loads the modules of the first answer while the user writes the prompt. Otherwise the user
would wait for them after Enter, and loading them during streaming would delay the text. It loads one module after
another, each after `pauseMs` without a key. If a module fails to load, inkpod tries again when it needs the module, and
reports the error then (docs/start.md). `prepare` is called in each of these pauses, and never rejects.
*/
export function createPreload(
	spec: ModelSpec,
	prepare: () => Promise<unknown>,
	list: () => Promise<readonly Load[]> = loadList,
): Preload {
	let rest: Load[] = [async () => (rest = [...(await list())])];
	let pause: NodeJS.Timeout | undefined;
	let isStopped = false;

	function wait(): void {
		clearTimeout(pause);
		if (rest.length > 0 && !isStopped) pause = setTimeout(() => void load(), pauseMs);
	}

	async function load(): Promise<void> {
		// `prepare` only waits for the disk, so it needs no separate pause. It is called in every pause, because the
		// pod may not be open yet in the first ones.
		void prepare();
		await rest
			.shift()?.(spec)
			.catch(() => {});
		wait();
	}

	return {
		typed: wait,
		stop() {
			isStopped = true;
			clearTimeout(pause);
		},
	};
}

/** The required pause without a key, in milliseconds. */
const pauseMs = 120;

async function loadList(): Promise<readonly Load[]> {
	// The modules of an answer import some modules of the pod. Without this step, they would load all of those modules
	// in one turn of the event loop.
	await loadChunks(startChunks.pod);
	const {preloadList} = await import('./preload-list.ts');
	return preloadList;
}
