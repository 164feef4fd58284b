import {loadChunks, startChunks} from '../../screen/mount/start-chunks.ts';
import type {Preload} from '../../screen/control/app.ts';
import type {ModelSpec} from '../../worker/index.ts';
import type {Load} from './preload-list.ts';

/**
Prepares the session and loads the modules of the first answer while the user writes the prompt. Otherwise the user
would wait for them after Enter, and loading them during streaming would delay the text. It takes one step after
another, each after `pauseMs` without a key. If a step fails, inkpod tries again when it needs the result, and reports
the error then (docs/start.md).
*/
export function createPreload(
	spec: ModelSpec,
	prepare: () => Promise<unknown>,
	list: () => Promise<readonly Load[]> = loadList,
): Preload {
	let rest: Load[] = [async () => (rest = [prepare, ...(await list())])];
	let pause: NodeJS.Timeout | undefined;
	let isStopped = false;

	function wait(): void {
		clearTimeout(pause);
		if (rest.length > 0 && !isStopped) pause = setTimeout(() => void load(), pauseMs);
	}

	async function load(): Promise<void> {
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
	// The modules of an answer import some modules of the pod, and would load all of them in one turn.
	await loadChunks(startChunks.pod);
	const {preloadList} = await import('./preload-list.ts');
	return preloadList;
}
