import type {Preload} from '../../tui/state/app.ts';
import type {ModelSpec} from '../../worker/index.ts';
import type {Load} from './preload-list.ts';

/**
Loads what the first answer needs while you write your prompt. After Enter you would wait for it, and loading during
streaming delays the text. Modules load one by one, each after `pauseMs` without a key. A module that fails to load is
loaded again when it is needed, and its error is reported then (docs/start.md).
*/
export function createPreload(spec: ModelSpec, list: () => Promise<readonly Load[]> = loadList): Preload {
	let rest: Load[] = [async () => (rest = [...(await list())])];
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

/** Milliseconds without a key. */
const pauseMs = 120;

async function loadList(): Promise<readonly Load[]> {
	const {preloadList} = await import('./preload-list.ts');
	return preloadList;
}
