import {t} from '../../language/index.ts';
import type {Message, Origin, OriginOf} from '../../pod/protocol.ts';
import {lineRows, type Row} from '../spans/row.ts';
import {splitHeader} from '../../text/lines.ts';
import type {Span} from '../../text/span.ts';
import type {SystemPart} from '../../transcript/block.ts';
import {inOrder, isStart, shortName, titleOf, titleSpans} from '../../transcript/system-title.ts';
import {outputRows} from './parts/tool-arguments.ts';
import {bodyLayout, headRow, headRows, preview, showsAll, type RenderContext, type Renderer} from './parts/render.ts';
import {noOutput, staleBadges} from '../../transcript/texts.ts';

/**
Renders context for the model: a file, a directory, a workflow with its required knowledge, a command's output, or a
message of unknown origin.
*/
export const systemRenderer: Renderer<'system'> = {
	apart: true,
	folds: true,
	headless: true,
	head({parts}, context) {
		const [first, ...rest] = inOrder(parts);
		const more =
			rest.length === 0 ? [] : [{text: t` with ${rest.map(shortName).join(', ')}`, style: 'dim'} satisfies Span];
		return {
			gutter,
			spans: first === undefined ? [] : [...titleSpans(titleOf(first)), ...more, ...badgeOf(first, context)],
		};
	},
	body({parts, open}, context) {
		const all = inOrder(parts);
		return all.flatMap((part, index) =>
			partRows(part, {isFirst: index === 0, inGroup: all.length > 1, open}, context),
		);
	},
};

const gutter: Span = {text: '◇ ', style: 'accent'};

function partRows(
	part: SystemPart,
	{isFirst, inGroup, open}: {readonly isFirst: boolean; readonly inGroup: boolean; readonly open: boolean},
	context: RenderContext,
): Row[] {
	const {item, origin} = part;
	const spans = [...titleSpans(titleOf(part, inGroup)), ...badgeOf(part, context)];
	const head = {gutter, spans};
	const first =
		origin === undefined && context.view === 'normal' ? [headRow(head, context)] : headRows(head, context);
	const title = isFirst ? first : lineRows(spans, {...bodyLayout(context), gutter: {text: '  ├ ', style: 'dim'}});
	if (origin === undefined) return [...title, ...preview(splitHeader(item.text).body, context, {empty: ''})];
	// The title contains everything that the text says. Only the detail view also shows the text that is sent.
	if (origin.kind === 'image' || origin.kind === 'document')
		return [...title, ...preview(context.view === 'detail' ? item.text : '', context, {empty: ''})];
	if (origin.kind !== 'shell') {
		const {body, note} = splitBody(item, origin);
		return [...title, ...preview(body, context, {note})];
	}
	const isRunning = open || isStart(part);
	const {body, note} = splitOutput(item, origin, isRunning);
	// The exit code is left out, because the title already shows it.
	return [
		...title,
		...outputRows(body, context, 'own', {
			empty: isRunning ? '' : noOutput,
			note: origin.exitCode === undefined || showsAll(context) ? note : undefined,
		}),
	];
}

/**
Splits the text of an item. The header is removed, because the title replaces it. The note about truncation is returned
separately. What is removed depends on the origin, not on the text.
*/
function splitBody({text}: Message, origin: Origin): {readonly body: string; readonly note?: string} {
	// A path may contain newlines.
	const {body} = splitHeader(text, 'path' in origin ? origin.path.split('\n').length : 1);
	return 'truncated' in origin && origin.truncated ? splitLast(body) : {body};
}

/**
Splits the text of a command into its parts. The header has as many lines as the command. The last line says how the
command ended.
*/
function splitOutput(
	{text}: Message,
	{command}: OriginOf<'shell'>,
	open: boolean,
): {readonly body: string; readonly note?: string} {
	const {body} = splitHeader(text, command.split('\n').length);
	if (open) return {body};
	const {note} = splitLast(body);
	return note === '' ? {body} : {body: body.slice(0, body.length - note.length), note};
}

function splitLast(body: string): {readonly body: string; readonly note: string} {
	const last = body.lastIndexOf('\n');
	return {body: body.slice(0, Math.max(0, last)), note: body.slice(last + 1)};
}

/** Returns a badge if the file on disk has changed since the model saw it. */
function badgeOf({item}: SystemPart, {stale}: RenderContext): Span[] {
	const state = stale?.(item.id);
	return state === undefined
		? []
		: [
				{text: ' · ', style: 'dim'},
				{text: staleBadges[state], style: 'warn'},
			];
}
