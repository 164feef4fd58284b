// Measures the cost of a frame in this process, in a session of 1,000 rows and in a session of 100,000 rows.
// Usage: node bench/frames.mjs [--samples 300]
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {importBundled} from './in-process.mjs';
import {median, percentile} from './statistics.mjs';

/**
Measures the milliseconds and bytes of a frame for each cause. `small` and `large` are the medians at 1,000 and at
100,000 rows, `ratio` is large / small, and `p95` is for 100,000 rows. The samples of both sessions alternate, so that
other work on the machine affects both.
*/
export async function frames({samples = 300} = {}) {
	const {openFramesScreen} = await importBundled('bench/frames-screen.ts');
	const [small, large] = [await openFramesScreen(1000), await openFramesScreen(100_000)];
	const costs = {};
	for (const name of Object.keys(small.frames)) {
		const [ofSmall, ofLarge] = [[], []];
		for (let sample = -50; sample < samples; sample++) {
			for (const [screen, list] of [
				[small, ofSmall],
				[large, ofLarge],
			]) {
				const cost = await screen.frames[name]();
				if (sample >= 0) list.push(cost);
			}
		}
		const ms = list => list.map(cost => cost.ms);
		costs[name] = {
			small: median(ms(ofSmall)),
			large: median(ms(ofLarge)),
			ratio: median(ms(ofLarge)) / median(ms(ofSmall)),
			p95: percentile(ms(ofLarge), 0.95),
			bytes: median(ofLarge.map(cost => cost.bytes)),
		};
	}
	small.close();
	large.close();
	return costs;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const {values} = parseArgs({options: {samples: {type: 'string', default: '300'}}});
	console.table(await frames({samples: Number(values.samples)}));
}
