import {rangeSuffix, type Message, type Origin, type OriginOf} from '../../../pod/protocol.ts';
import {lineRows, type Row} from '../../text/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Span} from '../../text/span.ts';
import type {SystemPart} from '../fold/block.ts';
import {formatBytes, plural} from '../../text/formats.ts';
import {bodyLayout, countBodyLines, headRow, headRows, noOutput, preview, splitHeader, type RenderContext, type Renderer, type StaleState} from './render.ts';

/** What was given to the model: a file, a directory, a workflow with the knowledge that it requires, a command's output, or anything that came without a known origin. */
export const systemRenderer: Renderer<'system'> = {
	apart: true,
	headless: true,
	head({parts}, context) {
		const [first, ...rest] = inOrder(parts);
		const more = rest.length === 0 ? [] : [{text: ` with ${rest.map(part => shortName(part)).join(', ')}`, style: 'dim'} satisfies Span];
		return {gutter, spans: first === undefined ? [] : [...titleOf(first), ...more, ...badgeOf(first, context)]};
	},
	body({parts, open}, context) {
		const all = inOrder(parts);
		return all.flatMap((part, index) => partRows(part, {isFirst: index === 0, inGroup: all.length > 1, open}, context));
	},
};

const gutter: Span = {text: '◇ ', style: 'accent'};

/** The parts of a block as they are shown: the workflow first, then its knowledge in the order of history. */
export function inOrder(parts: readonly SystemPart[]): readonly SystemPart[] {
	return parts.length < 2 ? parts : [...parts.filter(part => part.origin?.kind === 'workflow'), ...parts.filter(part => part.origin?.kind !== 'workflow')];
}

/** What a part is called where there is no room for more: `File src/a.ts:10-20`, `#style`. Inert. */
export function shortName(part: SystemPart): string {
	const {origin} = part;
	if (origin?.kind === 'knowledge') return `#${sanitizeLine(origin.slug)}`;
	return titleOf(part).slice(0, 2).map(span => span.text).join('').trim();
}

function partRows(part: SystemPart, {isFirst, inGroup, open}: {readonly isFirst: boolean; readonly inGroup: boolean; readonly open: boolean}, context: RenderContext): Row[] {
	const {item, origin} = part;
	const spans = [...titleOf(part, inGroup), ...badgeOf(part, context)];
	const head = {gutter, spans};
	const first = origin === undefined && context.view === 'normal' ? [headRow(head, context)] : headRows(head, context);
	const title = isFirst ? first : lineRows(spans, {...bodyLayout(context), gutter: {text: '  ├ ', style: 'dim'}});
	if (origin === undefined) return [...title, ...preview(splitHeader(item.text).body, context, {empty: ''})];
	if (origin.kind !== 'shell') {
		const {body, note} = splitBody(item, origin);
		return [...title, ...preview(body, context, {note})];
	}
	const {body, note} = splitOutput(item, origin, open);
	// A number is in the title already.
	return [...title, ...preview(body, context, {...(open ? {from: 'end', empty: ''} : {empty: noOutput}), note: origin.exitCode === undefined || context.view === 'detail' ? note : undefined})];
}

/** The item's header, which the title stands for, and the last line of a truncated one, which is the note: known by the origin, not by how they look. */
function splitBody({text}: Message, origin: Origin): {readonly body: string; readonly note?: string} {
	// A path may hold newlines.
	const {body} = splitHeader(text, 'path' in origin ? origin.path.split('\n').length : 1);
	return 'truncated' in origin && origin.truncated ? splitLast(body) : {body};
}

/** A command's output: behind a header of as many lines as the command, and before a last line that says how it ended, once it has. */
function splitOutput({text}: Message, {command}: OriginOf<'shell'>, open: boolean): {readonly body: string; readonly note?: string} {
	const {body} = splitHeader(text, command.split('\n').length);
	if (open) return {body};
	const {note} = splitLast(body);
	return note === '' ? {body} : {body: body.slice(0, body.length - note.length), note};
}

function splitLast(body: string): {readonly body: string; readonly note: string} {
	const last = body.lastIndexOf('\n');
	return {body: body.slice(0, Math.max(0, last)), note: body.slice(last + 1)};
}

function titleOf(part: SystemPart, inGroup = false): Span[] {
	const {origin, item} = part;
	const title = origin === undefined ? undefined : (titles[origin.kind] as ((origin: Origin, item: Message, inGroup: boolean) => Span[]) | undefined)?.(origin, item, inGroup);
	return title ?? unknownTitle(item);
}

/** Of an origin that this version does not know, its name is what is known. */
function unknownTitle({text, origin}: Message): Span[] {
	const {header} = splitHeader(text);
	const first = sanitizeLine(header.length > 2000 ? `${header.slice(0, 2000)}…` : header);
	return [first === '' ? {text: '(empty)', style: 'dim'} : {text: first, style: 'bold'}, ...(origin === undefined ? [] : [facts([sanitizeLine(origin.kind)])])];
}

/** What the disk says of a file since the model saw it. */
function badgeOf({item}: SystemPart, {stale}: RenderContext): Span[] {
	const state = stale?.(item.id);
	return state === undefined ? [] : [{text: ' · ', style: 'dim'}, {text: badges[state], style: 'warn'}];
}

const badges: {readonly [State in StaleState]: string} = {changed: '▲ changed on disk', gone: '▲ gone from disk'};

const titles: {readonly [Kind in Origin['kind']]?: (origin: OriginOf<Kind>, item: Message, inGroup: boolean) => Span[]} = {
	file: origin => [...named('File', origin.path, rangeSuffix(origin.range)), facts(fileFacts(origin))],
	auto_read: origin => [...named('Auto-read', origin.path, rangeSuffix(origin.range)), facts(fileFacts(origin))],
	dir: origin => [...named('Dir', origin.path, ''), facts([plural(origin.entries, 'entry', 'entries'), ...(origin.truncated ? ['truncated'] : [])])],
	workflow: ({slug, arguments: args}, item) => [...named('Workflow', `/${slug}`, ''), ...(args === undefined || args === '' ? [] : [{text: ` ${sanitizeLine(args)}`}]), facts([documentLines(item)])],
	shell: origin => [...named('!', origin.command, ''), ...shellFacts(origin)],
	knowledge: ({slug, workflow}, item, inGroup) => [...named('Knowledge', `#${slug}`, ''), facts([documentLines(item), ...(inGroup ? [] : [`required by /${sanitizeLine(workflow)}`])])],
};

function documentLines({text}: Message): string {
	return plural(countBodyLines(splitHeader(text).body), 'line');
}

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
function shellFacts(origin: OriginOf<'shell'>): Span[] {
	const {exitCode, truncated} = origin;
	const exit: Span[] = exitCode === undefined ? [] : [{text: ` · exit ${exitCode}`, style: exitCode === 0 ? 'dim' : 'error'}];
	return [...exit, ...(truncated ? [facts(cutFacts(origin))] : [])];
}

function cutFacts({bytes, totalBytes}: {readonly bytes: number; readonly totalBytes: number}): string[] {
	return [`truncated ${formatBytes(bytes)} of ${formatBytes(totalBytes)}`];
}
