import {t} from '../language/index.ts';
import {rangeSuffix, shortUrl, type Message, type Origin, type OriginOf} from '../pod/protocol.ts';
import {formatBytes, imageSize, plural} from '../text/formats.ts';
import {countBodyLines, splitHeader} from '../text/lines.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {spansText, type Span, type Style} from '../text/span.ts';
import type {BlockOf, SystemPart} from './block.ts';
import {emptyText, exitText, partLabels, requiredBy, truncated, truncatedTo} from './texts.ts';

/**
The title of a part: its name and facts. `said` is the name for screen readers, without symbols. All texts are
sanitized.
*/
type Title = {readonly name: readonly Span[]; readonly facts: readonly Facts[]; readonly said?: string};
type Facts = {readonly texts: readonly string[]; readonly style: Style};

/**
Returns the shown parts of a block in the order of display: the workflow, then its knowledge in the order of the
history. The output of a command replaces its start.
*/
export function inOrder(parts: readonly SystemPart[]): readonly SystemPart[] {
	if (parts.length < 2) return parts;
	const isWorkflow = ({origin}: SystemPart) => origin?.kind === 'workflow';
	const shown = parts.filter(part => !isStart(part));
	return [...shown.filter(isWorkflow), ...shown.filter(part => !isWorkflow(part))];
}

/** Tells whether a part says that a command has started. */
export function isStart({origin}: SystemPart): boolean {
	return origin?.kind === 'shell' && origin.started === true;
}

/** Returns the short name of a part: `File src/a.ts:10-20`, `#style`. The name is sanitized. */
export function shortName(part: SystemPart): string {
	const {origin} = part;
	if (origin?.kind === 'knowledge') return `#${sanitizeLine(origin.slug)}`;
	return titleSpans(titleOf(part))
		.slice(0, 2)
		.map(span => span.text)
		.join('')
		.trim();
}

/** Returns the title of a part. `inGroup`: whether the block already names the workflow of the part. */
export function titleOf({origin, item}: SystemPart, inGroup = false): Title {
	if (origin === undefined) return unknownTitle(item);
	const make = titles[origin.kind] as MakeTitle | undefined;
	return make?.(origin, item, inGroup) ?? unknownTitle(item);
}

/** Returns the spans of a title. */
export function titleSpans({name, facts}: Title): readonly Span[] {
	return [...name, ...facts.map(each => ({text: factsText(each), style: each.style}))];
}

/** Returns the text of a block for a screen reader: its first part and the parts that belong to it. */
export function systemWords({parts}: Pick<BlockOf<'system'>, 'parts'>): string {
	const [first, ...rest] = inOrder(parts);
	const more = rest.length === 0 ? '' : t`, with ${rest.map(shortName).join(', ')}`;
	return first === undefined ? '' : titleWords(titleOf(first)) + more;
}

type MakeTitle = (origin: Origin, item: Message, inGroup: boolean) => Title;

const titles: {readonly [Kind in Origin['kind']]?: (origin: OriginOf<Kind>, item: Message, inGroup: boolean) => Title} =
	{
		file: origin => ({
			name: named(partLabels.file, origin.path, rangeSuffix(origin.range)),
			facts: [dim(fileFacts(origin))],
		}),
		editor: ({path, lines, bytes}) => ({
			name: named(partLabels.editor, path, ''),
			facts: [dim([plural(lines, 'line'), formatBytes(bytes)])],
		}),
		auto_read: origin => ({
			name: named(partLabels.autoRead, origin.path, rangeSuffix(origin.range)),
			facts: [dim(fileFacts(origin))],
		}),
		image: ({path, width, height, bytes}) => ({
			name: named(partLabels.image, path, ''),
			facts: [dim([imageSize(width, height), formatBytes(bytes)])],
		}),
		document: ({path, bytes}) => ({
			name: named(partLabels.document, path, ''),
			facts: [dim(['PDF', formatBytes(bytes)])],
		}),
		dir: origin => ({
			name: named(partLabels.dir, origin.path, ''),
			facts: [dim([plural(origin.entries, 'entry', 'entries'), ...(origin.truncated ? [truncated] : [])])],
		}),
		web: origin => ({
			name: named(partLabels.web, shortUrl(origin.finalUrl), ''),
			facts: [
				dim([String(origin.status), ...(origin.truncated ? webCut(origin) : [formatBytes(origin.textBytes)])]),
			],
		}),
		resource: ({server, uri, lines, mime, ...size}) => ({
			name: named(partLabels.resource, `${server}:${uri}`, ''),
			facts: [
				dim([
					...(mime === undefined ? [] : [sanitizeLine(mime)]),
					plural(lines, 'line'),
					...(size.truncated ? cutFacts(size) : [formatBytes(size.bytes)]),
				]),
			],
		}),
		prompt: ({server, name, arguments: args = '', messages}) => ({
			name: [
				...named(partLabels.prompt, `/${server}:${name}`, ''),
				...(args === '' ? [] : [{text: ` ${sanitizeLine(args)}`}]),
			],
			facts: [dim([plural(messages, 'message')])],
		}),
		workflow: ({slug, arguments: args = ''}, item) => ({
			name: [
				...named(partLabels.workflow, `/${slug}`, ''),
				...(args === '' ? [] : [{text: ` ${sanitizeLine(args)}`}]),
			],
			facts: [dim([documentLines(item)])],
		}),
		shell: origin => ({
			name: named('!', origin.command, ''),
			facts: shellFacts(origin),
			said: `${partLabels.command} ${sanitizeLine(origin.command)}`,
		}),
		diagnostics: ({command, findings}) => ({
			name: named(partLabels.diagnostics, command, ''),
			facts: [dim([plural(findings, 'new line')])],
		}),
		btw: ({question, model}) => ({
			name: named(partLabels.btw, question, ''),
			facts: [dim([sanitizeLine(model)])],
		}),
		knowledge: ({slug, workflow}, item, inGroup) => ({
			name: named(partLabels.knowledge, `#${slug}`, ''),
			facts: [dim([documentLines(item), ...(inGroup ? [] : [requiredBy(sanitizeLine(workflow))])])],
		}),
	};

/**
Returns the title of a part of unknown origin: the first line of its text, and the kind of its origin if there is one.
*/
function unknownTitle({text, origin}: Message): Title {
	const {header} = splitHeader(text);
	const first = sanitizeLine(header.length > 2000 ? `${header.slice(0, 2000)}…` : header);
	return {
		name: [first === '' ? {text: emptyText, style: 'dim'} : {text: first, style: 'bold'}],
		facts: origin === undefined ? [] : [dim([sanitizeLine(origin.kind)])],
	};
}

function titleWords({name, facts, said = spansText(name)}: Title): string {
	return [said, ...facts.flatMap(({texts}) => texts)].join(', ');
}

function documentLines({text}: Message): string {
	return plural(countBodyLines(splitHeader(text).body), 'line');
}

function named(label: string, name: string, suffix: string): Span[] {
	return [
		{text: `${label} `, style: 'bold'},
		{text: sanitizeLine(name) + suffix, style: 'path'},
	];
}

function dim(texts: readonly string[]): Facts {
	return {texts, style: 'dim'};
}

function factsText({texts}: Facts): string {
	return texts.map(text => ` · ${text}`).join('');
}

function fileFacts(origin: OriginOf<'file'> | OriginOf<'auto_read'>): readonly string[] {
	return [plural(origin.lines, 'line'), ...(origin.truncated ? cutFacts(origin) : [formatBytes(origin.bytes)])];
}

/**
Returns the facts about a command. A command that is still running has no exit code. Facts that the last line of the
output contains are not repeated.
*/
function shellFacts(origin: OriginOf<'shell'>): readonly Facts[] {
	const {exitCode, truncated} = origin;
	const exit: Facts[] =
		exitCode === undefined ? [] : [{texts: [exitText(exitCode)], style: exitCode === 0 ? 'dim' : 'error'}];
	return [...exit, ...(truncated ? [dim(cutFacts(origin))] : [])];
}

function webCut({sentBytes, textBytes}: OriginOf<'web'>): readonly string[] {
	return [truncatedTo(sentBytes, textBytes)];
}

function cutFacts({bytes, totalBytes}: {readonly bytes: number; readonly totalBytes: number}): readonly string[] {
	return [truncatedTo(bytes, totalBytes)];
}
