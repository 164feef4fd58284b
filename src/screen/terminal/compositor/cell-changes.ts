import {endOfStyle, startStyle} from './sgr.ts';
import {sureCells, type RowChange} from './row-change.ts';

/**
Returns the changes of single runs of cells between two rows of the same length, or `undefined` if the rows must be
written differently. Each character must be as wide in every terminal, so that a run lands where it belongs.
*/
export function cellChanges(before: string, next: string): readonly RowChange[] | undefined {
	const old = cellsOf(before);
	const fresh = old === undefined ? undefined : cellsOf(next);
	if (old === undefined || fresh === undefined || old.length !== fresh.length) return undefined;
	if (endOf(old) !== endOf(fresh)) return undefined;
	// A blank at the end counts as not written, and a run would write it.
	if (fresh.at(-1)?.text === ' ') return undefined;
	return runsOf(old, fresh).map(({from, to}) => ({
		column: fresh[from]?.column ?? 0,
		bytes: painted(fresh.slice(from, to)),
	}));
}

type Cell = {readonly text: string; readonly style: string; readonly column: number};
/** Returns the column after the last cell. */
function endOf(cells: readonly Cell[]): number {
	const last = cells.at(-1);
	return last === undefined ? 0 : last.column + sureCells(last.text.charCodeAt(0));
}

type Run = {readonly from: number; readonly to: number};

function cellsOf(row: string): readonly Cell[] | undefined {
	const cells: Cell[] = [];
	const state = startStyle();
	let style = '';
	let column = 0;
	for (let index = 0; index < row.length;) {
		const code = row.charCodeAt(index);
		if (code === 0x1b) {
			const end = state.read(row, index);
			if (end === index) return undefined;
			index = end;
			style = state.text();
			continue;
		}
		const width = sureCells(code);
		if (width === 0) return undefined;
		cells.push({text: row.charAt(index), style, column});
		column += width;
		index++;
	}
	return cells;
}

/** Returns the runs of cells that differ. Runs that are close become one, because a move costs bytes. */
function runsOf(old: readonly Cell[], fresh: readonly Cell[]): readonly Run[] {
	const runs: Array<{from: number; to: number}> = [];
	for (const [at, cell] of fresh.entries()) {
		const known = old[at];
		if (known?.text === cell.text && known.style === cell.style && known.column === cell.column) continue;
		const last = runs.at(-1);
		if (last !== undefined && at - last.to < closeCells) last.to = at + 1;
		else runs.push({from: at, to: at + 1});
	}
	return runs;
}

/** About as many cells as a move has bytes. */
const closeCells = 8;

function painted(cells: readonly Cell[]): string {
	let bytes = '';
	let style = '';
	for (const cell of cells) {
		if (cell.style !== style) bytes += endOfStyle(style) + cell.style;
		bytes += cell.text;
		({style} = cell);
	}
	return bytes + endOfStyle(style);
}
