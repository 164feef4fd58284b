import type {Row} from '../spans/row.ts';
import type {Block} from '../../transcript/block.ts';
import type {Phase} from '../../transcript/phase.ts';

type RowCache = {
	/** `near` says on what the rows depend besides the block and its phase. */
	get(
		index: number,
		block: Block,
		phase: Phase,
		near: string,
		make: (block: Block, phase: Phase) => readonly Row[],
	): readonly Row[];
	drop(index: number | undefined): void;
	clear(): void;
};

/**
Caches rows by block index. A changed block invalidates its rows. Beyond `limit` rows, the least recently used ones are
dropped, but never those of the last `blocks` blocks.
*/
export function createRowCache(limit: number, blocks: number): RowCache {
	const entries = new Map<
		number,
		{
			readonly block: Block;
			readonly phase: Phase;
			readonly near: string;
			readonly rows: readonly Row[];
			readonly count: number;
		}
	>();
	let total = 0;

	function drop(index: number | undefined): void {
		if (index === undefined) return;
		total -= entries.get(index)?.count ?? 0;
		entries.delete(index);
	}

	return {
		get(index, block, phase, near, make) {
			const known = entries.get(index);
			const holds = known !== undefined && known.block === block && known.phase === phase && known.near === near;
			const rows = holds ? known.rows : make(block, phase);
			drop(index);
			entries.set(index, {block, phase, near, rows, count: rows.length});
			total += rows.length;
			for (const oldest of entries.keys()) {
				if (total <= limit || entries.size <= blocks) break;
				drop(oldest);
			}
			return rows;
		},
		drop,
		clear() {
			entries.clear();
			total = 0;
		},
	};
}
