import {median} from './statistics.mjs';

// `ratio`: whether to show a ratio to the floor. The floor's idle cost and its bytes are not comparable. `fine`:
// whether to show two decimals.
const figures = [
	{key: 'start.usable', title: 'start to usable', unit: 'ms', ratio: true},
	{key: 'start.cpu', title: 'CPU to usable', unit: 'ms', ratio: true},
	{key: 'turns.longest', title: 'longest turn of the event loop in the first 500 ms', unit: 'ms', ratio: true},
	{key: 'npx.usable', title: 'npx of the packed tarball, cold, to usable', unit: 'ms', ratio: true},
	{key: 'idle.rss', title: 'memory when idle', unit: 'MiB', ratio: true},
	{key: 'idle.cpu', title: 'CPU when idle, 5 s', unit: '%'},
	{key: 'idle.writes', title: 'writes when idle, 5 s', unit: ''},
	{key: 'echo.p50', title: 'key to screen, p50', unit: 'ms', ratio: true},
	{key: 'echo.p95', title: 'key to screen, p95', unit: 'ms', ratio: true},
	{key: 'echo.bytes', title: 'bytes a key', unit: 'B'},
	{key: 'warm.p50', title: 'key to screen after 1,000 keys, p50', unit: 'ms', ratio: true},
	{key: 'warm.p95', title: 'key to screen after 1,000 keys, p95', unit: 'ms', ratio: true},
	{key: 'enter.first', title: 'Enter to request, first message', unit: 'ms', ratio: true},
	{key: 'enter.second', title: 'Enter to request, second message', unit: 'ms', ratio: true},
	{key: 'stream.wall', title: '2,000 tokens of markdown', unit: 'ms', ratio: true},
	{key: 'stream.bytes', title: 'bytes for them', unit: 'B', ratio: true},
	{key: 'rate.cpu', title: 'CPU at 100 tokens/s', unit: '%', ratio: true},
	{key: 'rate.p50', title: 'key to screen meanwhile, p50', unit: 'ms', ratio: true},
	{key: 'rate.p95', title: 'key to screen meanwhile, p95', unit: 'ms', ratio: true},
	{key: 'resume.usable', title: 'resume of 2,000 turns to usable', unit: 'ms', ratio: true},
	{key: 'resume.rss', title: 'memory after it', unit: 'MiB', ratio: true},
	{key: 'resume.echoP50', title: 'key to screen in it, p50', unit: 'ms', ratio: true},
	{key: 'resume.echoP95', title: 'key to screen in it, p95', unit: 'ms', ratio: true},
	{key: 'resume.cpu', title: 'CPU in it at 100 tokens/s', unit: '%', ratio: true},
	{key: 'resume.rateP95', title: 'key to screen in it meanwhile, p95', unit: 'ms', ratio: true},
	{key: 'frames.large', title: 'dearest frame at 100,000 rows, in process', unit: 'ms', fine: true},
	{key: 'frames.ratio', title: 'the same against 1,000 rows', unit: '×', fine: true},
	{key: 'popup.first', title: 'first popup in 150,000 files, from the start', unit: 'ms'},
	{key: 'popup.echoP95', title: 'key to screen while they are indexed, p95', unit: 'ms'},
	{key: 'popup.indexed', title: 'their whole index, from the start', unit: 'ms'},
	{key: 'popup.p50', title: 'key to match after it, p50', unit: 'ms'},
	{key: 'popup.p95', title: 'key to match after it, p95', unit: 'ms'},
	{key: 'paste.ms', title: 'paste of 10 MB to its chip', unit: 'ms', ratio: true},
	{key: 'paste.ratio', title: 'the same against 5 MB', unit: '×'},
	{key: 'draft.p50', title: 'key to screen in a draft of 5,000 lines, p50', unit: 'ms'},
	{key: 'draft.p95', title: 'key to screen in a draft of 5,000 lines, p95', unit: 'ms'},
];

/**
Returns one Markdown table, with a row for each figure and a column for each subject. Cells show the median of the
rounds, and the range in brackets. The last columns are the medians of the ratios to the floor in the same round.
`lines`: {subject, round, metric, values}. `versions`: the versions of the peers by their names.
*/
export function markdownTable(lines, versions = {}) {
	const names = [...new Set(lines.map(line => line.subject))];
	const others = names.filter(name => name !== 'floor');
	const hasRatio = names.includes('floor') && others.length > 0;
	const titles = names.map(name => [name, versions[name] ?? []].flat().join(' '));
	const head = ['', ...titles, ...(hasRatio ? others.map(name => `${name} / floor`) : [])];
	const rows = figures
		.filter(({key}) => names.some(name => valuesOf(lines, name, key).size > 0))
		.map(figure => {
			const cells = names.map(name => cell([...valuesOf(lines, name, figure.key).values()], figure));
			const ratios = hasRatio ? others.map(name => ratioCell(lines, name, figure)) : [];
			return [figure.title, ...cells, ...ratios];
		});
	return [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');
}

/** Returns a line for each measurement that failed, or an empty text. */
export function failures(lines) {
	return lines
		.filter(({failure}) => failure !== undefined)
		.map(({subject, round, metric, failure}) => `\n${subject}, ${metric}, round ${round}: ${failure}\n`)
		.join('');
}

// Values of the same round are compared.
function valuesOf(lines, subject, key) {
	const [metric, name] = key.split('.');
	const measured = lines.filter(
		line => line.subject === subject && line.metric === metric && line.values[name] !== undefined,
	);
	return new Map(measured.map(line => [line.round, line.values[name]]));
}

function cell(values, {unit, fine = false}) {
	if (values.length === 0) return '-';
	const text = fine ? value => value.toFixed(2) : short;
	const range = values.length > 1 ? ` (${text(Math.min(...values))}–${text(Math.max(...values))})` : '';
	return `${text(median(values))}${unit === '' ? '' : ` ${unit}`}${range}`;
}

function ratioCell(lines, name, {key, ratio}) {
	if (!ratio) return '';
	const floor = valuesOf(lines, 'floor', key);
	const ratios = [...valuesOf(lines, name, key)]
		.filter(([round]) => floor.get(round) > 0)
		.map(([round, value]) => value / floor.get(round));
	return ratios.length === 0 ? '-' : `${short(median(ratios))}×`;
}

function short(value) {
	return value < 10 ? String(Math.round(value * 10) / 10) : Math.round(value).toLocaleString('en-US');
}
