import type {Part} from '../tui/state/app.ts';
import type {ModelSpec} from '../worker/index.ts';
import type {Piece} from './answering.ts';

/**
Loads what the first answer is made with while the person writes what it will answer: behind Enter it would be waited for, and what is
loaded while text streams in holds the text up. One piece at a time, each when no key has come for a moment. What cannot be loaded is
asked for again when it is needed, and says then why.
*/
export function createForehand(spec: ModelSpec, pieces: () => Promise<readonly Piece[]> = async () => (await import('./answering.ts')).answering): Part {
	let left: Piece[] = [async () => (left = [...(await pieces())])];
	let pause: NodeJS.Timeout | undefined;
	let isOver = false;

	function wait(): void {
		clearTimeout(pause);
		if (left.length > 0 && !isOver) pause = setTimeout(() => void load(), pauseMs);
	}

	async function load(): Promise<void> {
		await left.shift()?.(spec).catch(() => {});
		wait();
	}

	return {
		edited(_, put) {
			if (!put) wait();
		},
		leave() {
			isOver = true;
			clearTimeout(pause);
		},
	};
}

/** Milliseconds without a key. */
const pauseMs = 120;
