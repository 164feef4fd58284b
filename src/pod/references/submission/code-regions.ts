/**
Returns a test that tells whether a position of `text` is in inline code or in a Markdown fence. The caller must pass
ascending positions.
*/
export function codeRegions(text: string): (at: number) => boolean {
	const regions = text.includes('`') || text.includes('~~~') ? findRegions(text) : [];
	let next = 0;
	return at => {
		let region = regions[next];
		while (region !== undefined && region.end <= at) region = regions[++next];
		return region !== undefined && region.start <= at;
	};
}

type Region = {readonly start: number; readonly end: number};
type Run = {readonly start: number; readonly length: number; readonly block: number};

function findRegions(text: string): Region[] {
	const regions: Region[] = [];
	const runs: Run[] = [];
	let fence: {readonly mark: string; readonly start: number} | undefined;
	let block = 0;
	let start = 0;
	for (const line of text.split('\n')) {
		const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
		if (fence !== undefined) {
			if (mark?.startsWith(fence.mark) && line.trim() === mark) {
				regions.push({start: fence.start, end: start + line.length});
				fence = undefined;
			}
		} else if (mark !== undefined && !(mark.startsWith('`') && line.trim().slice(mark.length).includes('`'))) {
			fence = {mark, start};
			block += 1;
		} else if (line.trim() === '') {
			block += 1;
		} else {
			for (const run of line.matchAll(/`+/g)) runs.push({start: start + run.index, length: run[0].length, block});
		}
		start += line.length + 1;
	}
	if (fence !== undefined) regions.push({start: fence.start, end: text.length});
	return [...regions, ...pairs(runs)].toSorted((a, b) => a.start - b.start);
}

/** Returns the pairs of backtick runs. A run is closed by the next run of the same length in the same paragraph. */
function pairs(runs: readonly Run[]): Region[] {
	const nextSame = new Map<string, Run>();
	const closers = new Map<Run, Run>();
	for (const run of runs.toReversed()) {
		const key = `${run.block}/${run.length}`;
		const closer = nextSame.get(key);
		if (closer !== undefined) closers.set(run, closer);
		nextSame.set(key, run);
	}
	const regions: Region[] = [];
	let closedAt = -1;
	for (const run of runs) {
		const closer = closers.get(run);
		if (closer === undefined || run.start <= closedAt) continue;
		regions.push({start: run.start + run.length, end: closer.start});
		closedAt = closer.start;
	}
	return regions;
}
