import {initialDisplay} from '../src/screen/model/app-state.ts';
import type {Ask} from '../src/pod/protocol.ts';
import {viewAsk} from '../src/screen/view/card/card-view.ts';
import {diffPage} from '../src/screen/view/pages/diff-page.ts';
import {textPageRows} from '../src/screen/view/pages/text-rows.ts';
import {paintRow} from '../src/screen/spans/paint-row.ts';
import {lineRows, type Row} from '../src/screen/spans/row.ts';
import {createTheme} from '../src/screen/spans/theme.ts';
import {loadHighlight} from '../src/screen/markdown/highlight.ts';
import {diffRows} from '../src/screen/rows/parts/tool-arguments.ts';

/** The ways to open a diff. Each returns the painted rows of the first window. */
export const openings = {card, 'side by side': split, '/diff': page, 'detail view': detail} as const;

export {loadHighlight};

/** Returns a diff of about 2,000 lines of TypeScript: in hunks of 15 lines, or in one hunk. */
export function makeDiff(isOneHunk: boolean): string {
	const hunks = Array.from({length: 143}, (_, hunk) => linesOf(hunk));
	const header = (at: number, count: number) => `@@ -${at},${count} +${at},${count} @@`;
	const body = isOneHunk
		? [header(1, hunks.length * 10), ...hunks.flat()]
		: hunks.flatMap((lines, hunk) => [header(hunk * 40 + 1, 10), ...lines]);
	return ['--- a/src/orders.ts', '+++ b/src/orders.ts', ...body, ''].join('\n');
}

/** Returns fourteen lines of a hunk: ten old lines and four changed versions of them. */
function linesOf(hunk: number): readonly string[] {
	const changed = (sign: string, name: string) => [
		`${sign}\tconst ${name}${hunk} = await readOrder(${hunk}, {customer: 'number ${hunk}', limit: 1_000});`,
		`${sign}\tif (${name}${hunk}.total > ${hunk} && ${name}${hunk}.lines.length > 0) report(\`\${${name}${hunk}.id}\`);`,
		`${sign}\treturn ${name}${hunk}.lines.map(line => line.amount * line.price).filter(Boolean);`,
		`${sign}\t// Checks the ${name} again, because a customer may change it while it is being read.`,
	];
	return [
		` }`,
		` `,
		` /** Returns the lines of order ${hunk}, which may be empty. */`,
		` export async function readLines${hunk}(customer: string, limit = 100): Promise<readonly Line[]> {`,
		...changed('-', 'order'),
		...changed('+', 'found'),
		` }`,
		` `,
	];
}

function card(diff: string): readonly string[] {
	return painted(viewAsk(askOf(diff), {columns: 120, maxRows: 34}).rows);
}

function split(diff: string): readonly string[] {
	return painted(viewAsk(askOf(diff), {columns: 200, maxRows: 44, isSplit: true}).rows);
}

function askOf(detail: string): Ask {
	return {
		id: 'a',
		title: 'Allow this edit to src/orders.ts?',
		detail,
		shows: 'diff',
		choices: [
			{choice: 'allow', label: 'Yes'},
			{choice: 'deny', label: 'No', refuses: true},
		],
	};
}

function page(diff: string): readonly string[] {
	const opened = diffPage({files: [], moreFiles: 0, git: {kind: 'diff', text: diff, truncated: false}});
	return painted(textPageRows(opened, {columns: 120, height: 36}, {display: initialDisplay}));
}

function detail(diff: string): readonly string[] {
	const rows = diffRows(diff, {columns: 120, view: 'detail', phase: 'waiting'}) ?? [];
	return painted(rows.slice(0, 36));
}

const theme = createTheme(3, {ground: {red: 20, green: 20, blue: 20}});

/** Draws the signs of a screen. This is slow the first time, and a process that shows a diff has done it before. */
export function drawSigns(): void {
	painted(lineRows([{text: '● bash ◔ … ⋯ → ┆ ␉ ❯ ·', style: 'dim'}], {columns: 80, gutter: {text: '│ '}}));
}

function painted(rows: readonly Row[]): readonly string[] {
	return rows.map(row => paintRow(row, theme));
}
