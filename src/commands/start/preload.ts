import type {Preload} from '../../tui/state/app.ts';
import type {ModelSpec} from '../../worker/index.ts';
import type {Load} from './preload-list.ts';

/**
Loads what the first answer needs while you write your prompt: after Enter you would wait for it, and loading while text
streams in holds the text up. One module at a time, each when no key has come for a moment. A module that cannot be
loaded is loaded again when it is needed, and the error is reported then.
*/
export function createPreload(spec: ModelSpec, list: () => Promise<readonly Load[]> = loadList): Preload {
	let left: Load[] = [async () => (left = [...(await list())])];
	let pause: NodeJS.Timeout | undefined;
	let isOver = false;

	function wait(): void {
		clearTimeout(pause);
		if (left.length > 0 && !isOver) pause = setTimeout(() => void load(), pauseMs);
	}

	async function load(): Promise<void> {
		await left
			.shift()?.(spec)
			.catch(() => {});
		wait();
	}

	return {
		typed: wait,
		stop() {
			isOver = true;
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
