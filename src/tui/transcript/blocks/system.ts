import {rangeSuffix, type Message, type Origin, type OriginOf} from '../../../pod/protocol.ts';
import {lineRows, type Row, type Span} from '../../screen/row.ts';
import {sanitizeLine} from '../../screen/sanitize.ts';
import type {SystemPart} from '../block.ts';
import {formatBytes, plural} from './format.ts';
import {bodyLayout, headRow, headRows, preview, splitHeader, type RenderContext, type Renderer} from './render.ts';

/** What was given to the model: a file, a directory, a workflow with the knowledge that it requires, a command's output, or anything that came without a known origin. */
export const systemRenderer: Renderer<'system'> = {
	apart: true,
	headless: true,
	head({parts}) {
		const [first, ...rest] = ordered(parts);
		const more = rest.length === 0 ? [] : [{text: ` with ${rest.map(part => titleText(part)).join(', ')}`, style: 'dim'} satisfies Span];
		return {gutter, spans: [...(first === undefined ? [] : titleOf(first)), ...more]};
	},
	body({parts, open}, context) {
		return ordered(parts).flatMap((part, index) => partRows(part, {index, open}, context));
	},
};

const gutter: Span = {text: '◇ ', style: 'accent'};

/** The workflow first, then its knowledge in the order of history. */
function ordered(parts: readonly SystemPart[]): readonly SystemPart[] {
	return parts.length < 2 ? parts : [...parts.filter(part => part.origin?.kind === 'workflow'), ...parts.filter(part => part.origin?.kind !== 'workflow')];
}

function partRows(part: SystemPart, {index, open}: {readonly index: number; readonly open: boolean}, context: RenderContext): Row[] {
	const {item, origin} = part;
	const head = {gutter, spans: titleOf(part)};
	const first = origin === undefined && context.view === 'normal' ? [headRow(head, context)] : headRows(head, context);
	const title = index === 0 ? first : lineRows(head.spans, bodyLayout(context, {text: '  ├ ', style: 'dim'}));
	if (origin?.kind !== 'shell') {
		const {body, note} = splitBody(item, origin);
		return [...title, ...preview(body, context, {note})];
	}
	const {body, note} = splitOutput(item, origin, open);
	// A number is in the title already.
	return [...title, ...preview(body, context, {from: open ? 'end' : 'start', note: origin.exitCode === undefined || context.view === 'detail' ? note : undefined})];
}

/** The item's first line is its header, which the title stands for; the last line of a truncated one is the note. Both are known by the origin, not by how they look. */
function splitBody({text}: Message, origin: Origin | undefined): {readonly body: string; readonly note?: string} {
	const {body} = splitHeader(text);
	return origin !== undefined && 'truncated' in origin && origin.truncated ? splitLast(body) : {body};
}

/** A command's output: behind a header of as many lines as the command, and before a last line that says how it ended, once it has. */
function splitOutput({text}: Message, {command}: OriginOf<'shell'>, open: boolean): {readonly body: string; readonly note?: string} {
	let body = text;
	for (let lines = command.split('\n').length; lines > 0; lines--) body = splitHeader(body).body;
	return open ? {body} : splitLast(body);
}

function splitLast(body: string): {readonly body: string; readonly note: string} {
	const last = body.lastIndexOf('\n');
	return {body: body.slice(0, Math.max(0, last)), note: body.slice(last + 1)};
}

function titleOf(part: SystemPart): Span[] {
	const {origin, item} = part;
	const title = origin === undefined ? undefined : (titles[origin.kind] as ((origin: Origin, item: Message) => Span[]) | undefined)?.(origin, item);
	return title ?? [{text: sanitizeLine(splitHeader(item.text).header), style: 'bold'}];
}

function titleText(part: SystemPart): string {
	return titleOf(part).slice(0, 2).map(span => span.text).join('');
}

const titles: {readonly [Kind in Origin['kind']]?: (origin: OriginOf<Kind>, item: Message) => Span[]} = {
	file: origin => [...named('File', origin.path, rangeSuffix(origin.range)), facts(fileFacts(origin))],
	auto_read: origin => [...named('Auto-read', origin.path, rangeSuffix(origin.range)), facts(fileFacts(origin))],
	dir: origin => [...named('Dir', origin.path, ''), facts([plural(origin.entries, 'entry', 'entries')])],
	workflow: ({slug, arguments: args}) => [...named('Workflow', `/${slug}`, ''), ...(args === undefined || args === '' ? [] : [{text: ` ${sanitizeLine(args)}`}])],
	shell: origin => [...named('!', origin.command, ''), facts(shellFacts(origin))],
	knowledge: ({slug, workflow}) => [...named('Knowledge', `#${slug}`, ''), facts([`required by /${workflow}`])],
};

function named(label: string, name: string, suffix: string): Span[] {
	return [{text: `${label} `, style: 'bold'}, {text: sanitizeLine(name) + suffix, style: 'path'}];
}

function facts(list: readonly string[]): Span {
	return {text: list.map(fact => ` · ${fact}`).join(''), style: 'dim'};
}

function fileFacts(origin: OriginOf<'file'> | OriginOf<'auto_read'>): string[] {
	return [plural(origin.lines, 'line'), ...(origin.truncated ? cutFacts(origin) : [formatBytes(origin.bytes)])];
}

/** Nothing is said of a command that has not ended, and what its last line says is not said twice. */
function shellFacts(origin: OriginOf<'shell'>): string[] {
	return [...(origin.exitCode === undefined ? [] : [`exit ${origin.exitCode}`]), ...(origin.truncated ? cutFacts(origin) : [])];
}

function cutFacts({bytes, totalBytes}: {readonly bytes: number; readonly totalBytes: number}): string[] {
	return [`truncated ${formatBytes(bytes)} of ${formatBytes(totalBytes)}`];
}
