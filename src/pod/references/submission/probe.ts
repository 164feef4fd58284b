import type {Exists} from '../../scope/disk-path.ts';
import {maxPathBytes} from '../../scope/locate.ts';

/** Looks up paths on disk, each path once and up to a limit. */
export type Probe = {
	exists(path: string): Promise<boolean>;
	/** Counts other work towards the same limit. */
	spend(): void;
	exhausted(): boolean;
};

/** Creates a probe. After `maxProbes` look-ups it is exhausted, and every new path counts as missing. */
export function createProbe(exists: Exists, maxProbes: number): Probe {
	const known = new Map<string, boolean>();
	let left = maxProbes;
	let exhausted = false;
	const spend = (): void => {
		if (left === 0) exhausted = true;
		else left -= 1;
	};
	return {
		spend,
		async exists(path) {
			const answer =
				known.get(path) ??
				(path === '' || path.includes('\0') || Buffer.byteLength(path) > maxPathBytes ? false : undefined);
			if (answer !== undefined) return answer;
			spend();
			if (exhausted) return false;
			const found = await exists(path);
			known.set(path, found);
			return found;
		},
		exhausted: () => exhausted,
	};
}
