// Measures how long the first and the second diff of about 2,000 lines take in a new process, from the text to the
// painted rows of the first window. Prints a table of medians in milliseconds: the elapsed time, and the time that the
// thread itself ran, which depends less on the load of the machine.
// Usage: node bench/diffs.mjs [--rounds N]
// With --profile NAME, it opens one diff in this process, for `node --cpu-prof bench/diffs.mjs --profile card`.
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {importBundled} from './in-process.mjs';

const {values} = parseArgs({
	options: {
		rounds: {type: 'string', default: '5'},
		profile: {type: 'string'},
		hunk: {type: 'string', default: 'many'},
	},
});

if (values.profile === undefined) await measure();
else await openTwice(values.profile, values.hunk);

async function measure() {
	const {openings} = await importBundled('bench/diff-open.ts');
	const rows = Object.keys(openings).flatMap(name => ['many', 'one'].map(hunk => ({name, hunk})));
	process.stdout.write(
		'| opening | hunks | first ms | of which ran | second ms | of which ran |\n|---|---|---|---|---|---|\n',
	);
	for (const {name, hunk} of rows) {
		const rounds = Array.from({length: Number(values.rounds)}, () => inFreshProcess(name, hunk));
		const figures = ['first', 'firstRan', 'second', 'secondRan'].map(key =>
			median(rounds.map(round => round[key])),
		);
		process.stdout.write(`| ${[name, hunk, ...figures.map(ms => ms.toFixed(1))].join(' | ')} |\n`);
	}
}

function inFreshProcess(name, hunk) {
	const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--profile', name, '--hunk', hunk], {
		encoding: 'utf8',
	});
	if (child.status !== 0) throw new Error(child.stderr);
	return JSON.parse(child.stdout);
}

async function openTwice(name, hunk) {
	const {openings, makeDiff, loadHighlight, drawSigns} = await importBundled('bench/diff-open.ts');
	await loadHighlight();
	drawSigns();
	const [diff, again] = [makeDiff(hunk === 'one'), makeDiff(hunk === 'one').replaceAll('order', 'offer')];
	const timed = text => {
		const [startedAt, ranBefore] = [performance.now(), process.threadCpuUsage()];
		openings[name](text);
		const {user, system} = process.threadCpuUsage(ranBefore);
		return [performance.now() - startedAt, (user + system) / 1000];
	};
	const [[first, firstRan], [second, secondRan]] = [timed(diff), timed(again)];
	process.stdout.write(JSON.stringify({first, firstRan, second, secondRan}));
}

function median(numbers) {
	return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}
