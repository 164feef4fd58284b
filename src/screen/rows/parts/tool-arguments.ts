import type {ToolCall} from '../../../pod/protocol.ts';
import {storedRows, type Row} from '../../spans/row.ts';
import {argumentInTitle, parseArguments} from '../../../transcript/tool-title.ts';
import {cutMiddle, noteRows} from './long-text.ts';
import {
	bodyLayout,
	showsAll,
	type RenderContext,
	preview,
	type Head,
	type Renderer,
	bodyGutter,
	moreRows,
	type PreviewOptions,
} from './render.ts';
import {hiddenCharacters, childStates, unknownChild} from '../../../transcript/texts.ts';
import {t} from '../../../language/index.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {formatCount, formatDuration} from '../../../text/formats.ts';
import type {Span, Style} from '../../../text/span.ts';
import type {BlockOf, ChildItems} from '../../../transcript/block.ts';
import {withoutFinalNewline} from '../../../text/lines.ts';
import {isDiff, parseDiff, type DiffKind} from '../diff/diff-layout.ts';
import {failureRows} from '../failures/failure-rows.ts';
import {plainLines, rowsOfDiff} from '../diff/diff-rows.ts';

/** The gutter of rows that are not the result of a call. */
export const argumentGutter: Span = {text: '  ┊ ', style: 'dim'};

/**
Returns the rows of all arguments of a call, with at least one row for each. An opened block leaves out the argument in
its title, if the title shows the whole argument at any width of the screen.
*/
export function argumentRows({name: tool, arguments: text}: ToolCall, context: RenderContext): Row[] {
	const layout = bodyLayout(context, argumentGutter);
	const args = parseArguments(text);
	if (args === undefined) {
		const {head, hidden, tail} = cutMiddle(text);
		if (hidden === 0) return text === '' ? [] : storedRows(text, layout, 'dim');
		return [
			...storedRows(head, layout, 'dim'),
			...noteRows(hiddenCharacters(hidden), layout),
			...storedRows(tail, layout, 'dim'),
		];
	}
	const inTitle = showsAll(context) ? undefined : argumentInTitle(tool, args);
	return Object.entries(args).flatMap(([name, value]) => {
		if (name === inTitle) return [];
		const [first = '', ...rest] = (typeof value === 'string' ? value : JSON.stringify(value)).split('\n');
		return [
			...storedRows(`${name}: ${first}`, layout, 'dim'),
			...rest.flatMap(line => storedRows(line, layout, 'dim')),
		];
	});
}

/** Renders a child session that the user started: one row, and its task in the detail view. */
export const childRenderer: Renderer<'child'> = {
	apart: true,
	folds: true,
	isLine: () => true,
	head: ({child}) => childHead(child),
	body: ({child}, context) =>
		context.view === 'detail' && child.started !== undefined ? preview(child.started.task, context) : [],
};

/** Returns the text of a child session for a screen reader. */
export function childWords({child}: Pick<BlockOf<'child'>, 'child'>): string {
	return [titleOf(child), ...(child.ended === undefined ? [childStates.running] : childFacts(child))].join(', ');
}

/**
Returns the outcome of a child session, its time and its tokens. Returns nothing for an unfinished child session,
because `view/` adds its current activity.
*/
export function childFacts({ended}: ChildItems): readonly string[] {
	if (ended === undefined) return [];
	const {outcome, usage, ms} = ended;
	const tokens = (usage.input ?? 0) + (usage.output ?? 0);
	return [
		...(outcome === 'finished' ? [] : [childStates[outcome]]),
		formatDuration(ms),
		...(tokens === 0 ? [] : [t`${formatCount(tokens)} tokens`]),
	];
}

/**
Returns the rows of a text with a unified diff. They show line numbers, syntax colours and marks for changed words.
Returns `undefined` if the text has no hunk. Only lines that the header of a hunk includes belong to the diff. Other
text stays unchanged. Only the detail view shows the headers. In other views the title and the line numbers replace
them.
*/
export function diffRows(content: string, context: RenderContext): readonly Row[] | undefined {
	const lines = parseDiff(withoutFinalNewline(content).split('\n'));
	if (!isDiff(lines)) return undefined;
	const {columns, view, isSpoken = false, isSplit = false} = context;
	const layout = {columns, gutter: bodyGutter.text, isSpoken, isSplit};
	if (view === 'detail')
		return rowsOfDiff(lines, {...layout, rest: bodyGutter.text, isPlain: !showsAll(context)}).rows;
	const {rows, left} = rowsOfDiff(lines, {...layout, isPlain: true}, diffLines);
	return [...rows, ...moreRows(left, 'more', context)];
}

/** Returns the text of a diff without the headers, as an opened block shows it. */
export function plainDiff(content: string): string {
	return plainLines(parseDiff(withoutFinalNewline(content).split('\n')))
		.map(({text}) => text)
		.join('\n');
}

/** Counts the added and removed lines of a diff. Returns `undefined` if the text has no hunk. */
export function diffCounts(content: string): {readonly added: number; readonly removed: number} | undefined {
	const lines = parseDiff(withoutFinalNewline(content).split('\n'));
	if (!isDiff(lines)) return undefined;
	const count = (kind: DiffKind) => lines.filter(line => line.kind === kind).length;
	return {added: count('added'), removed: count('removed')};
}

/**
Returns the rows of a command's output, with the output's own colours. The normal view shows the end of the output,
without blank lines at both ends. For a command that failed, it shows the lines that say what failed, if there are any.
`failed` is the command line of a command that ran and failed.
*/
export function outputRows(
	output: string,
	context: RenderContext,
	state: CommandState,
	{failed, ...options}: Pick<PreviewOptions, 'note' | 'empty'> & {readonly failed?: string | undefined} = {},
): readonly Row[] {
	const body = showsAll(context) ? output : withoutBlankEnds(output);
	const failures = context.view === 'normal' && failed !== undefined ? failureRows(body, failed, context) : undefined;
	if (failures !== undefined) return failures;
	return preview(body, context, {...options, from: 'end', lines: shownLines[state], hasColours: true});
}

/** Removes the blank lines at the beginning and at the end. If all lines are blank, one line stays. */
export function withoutBlankEnds(text: string): string {
	const start = text.search(/\S/u);
	if (start === -1) return text === '' ? '' : '\n';
	return text.slice(text.lastIndexOf('\n', start) + 1).trimEnd();
}

function childHead(child: ChildItems): Head {
	const {glyph, style: sign} = signs[child.ended?.outcome ?? 'running'];
	const facts = childFacts(child);
	const style = child.ended?.outcome === 'failed' ? 'error' : 'dim';
	return {
		gutter: {text: `${glyph} `, style: sign},
		spans: [
			{text: titleOf(child)},
			...(facts.length === 0 ? [] : [{text: ['', ...facts].join(' · '), style} as const]),
		],
	};
}

function titleOf({started}: ChildItems): string {
	return started === undefined ? unknownChild : sanitizeLine(started.title);
}

const signs: {readonly [State in keyof typeof childStates]: {readonly glyph: string; readonly style: Style}} = {
	running: {glyph: '◔', style: 'info'},
	finished: {glyph: '●', style: 'ok'},
	failed: {glyph: '×', style: 'error'},
	stopped: {glyph: '■', style: 'warn'},
	interrupted: {glyph: '■', style: 'warn'},
};

/**
The number of lines of a diff in the normal view. It is higher than for other output, because the diff is the content of
an edit.
*/
const diffLines = 24;

/** The state of a command. It determines how many of the last lines are shown. */
type CommandState = 'running' | 'done' | 'failed' | 'own';

/** The number of lines of an output in the normal view. `own` is a command that the user ran. */
const shownLines: {readonly [State in CommandState]: number} = {running: 4, done: 4, failed: 10, own: 30};
