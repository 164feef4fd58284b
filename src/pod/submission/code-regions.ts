/**
Answers, for growing positions, whether a position of `text` lies inside backticks or a fence, as Markdown counts them.
*/
export function codeRegions(text: string): (at: number) => boolean {
	const regions = text.includes('`') || text.includes('~~~') ? findRegions(text) : [];
	let next = 0;
	return at => {
		while (next < regions.length && regions[next]!.end <= at) next += 1;
		return next < regions.length && regions[next]!.start <= at;
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

/** A run of backticks is closed by the next one of the same length in the same paragraph. */
function pairs(runs: readonly Run[]): Region[] {
	const nextSame = new Map<string, number>();
	const closer = runs.map(() => -1);
	for (let at = runs.length - 1; at >= 0; at -= 1) {
		const key = `${runs[at]!.block}/${runs[at]!.length}`;
		closer[at] = nextSame.get(key) ?? -1;
		nextSame.set(key, at);
	}
	const regions: Region[] = [];
	for (let at = 0; at < runs.length; at += 1) {
		const end = runs[closer[at]!];
		if (end === undefined) continue;
		regions.push({start: runs[at]!.start + runs[at]!.length, end: end.start});
		at = closer[at]!;
	}
	return regions;
}
