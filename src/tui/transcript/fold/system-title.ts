import {rangeSuffix, type Message, type Origin, type OriginOf} from '../../../pod/protocol.ts';
import {formatBytes, plural} from '../../text/formats.ts';
import {countBodyLines, splitHeader} from '../../text/lines.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {spansText, type Span} from '../../text/span.ts';
import type {Style} from '../../text/theme.ts';
import type {BlockOf, SystemPart} from './block.ts';
import {emptyText, exitText, partLabels, requiredBy, truncated, truncatedTo} from '../texts.ts';

/** What a part is called, and what is known of it; `said` is its name without signs. All inert. */
export type Title = {readonly name: readonly Span[]; readonly facts: readonly Facts[]; readonly said?: string};
export type Facts = {readonly texts: readonly string[]; readonly style: Style};

/** The parts of a block as they are shown: the workflow first, then its knowledge in the order of history. */
export function inOrder(parts: readonly SystemPart[]): readonly SystemPart[] {
	if (parts.length < 2) return parts;
	const isWorkflow = ({origin}: SystemPart) => origin?.kind === 'workflow';
	return [...parts.filter(isWorkflow), ...parts.filter(part => !isWorkflow(part))];
}

/** What a part is called where there is no room for more: `File src/a.ts:10-20`, `#style`. Inert. */
export function shortName(part: SystemPart): string {
	const {origin} = part;
	if (origin?.kind === 'knowledge') return `#${sanitizeLine(origin.slug)}`;
	return titleSpans(titleOf(part))
		.slice(0, 2)
		.map(span => span.text)
		.join('')
		.trim();
}

/** The title of a part. `inGroup`: the block says already what the part belongs to. */
export function titleOf({origin, item}: SystemPart, inGroup = false): Title {
	if (origin === undefined) return unknownTitle(item);
	const make = titles[origin.kind] as MakeTitle | undefined;
	return make?.(origin, item, inGroup) ?? unknownTitle(item);
}

/** A title as it is shown. */
export function titleSpans({name, facts}: Title): readonly Span[] {
	return [...name, ...facts.map(each => ({text: factsText(each), style: each.style}))];
}

/** A block as a screen reader says it: its first part, and what belongs to it. */
export function systemWords({parts}: Pick<BlockOf<'system'>, 'parts'>): string {
	const [first, ...rest] = inOrder(parts);
	const more = rest.length === 0 ? '' : `, with ${rest.map(shortName).join(', ')}`;
	return first === undefined ? '' : titleWords(titleOf(first)) + more;
}

type MakeTitle = (origin: Origin, item: Message, inGroup: boolean) => Title;

const titles: {readonly [Kind in Origin['kind']]?: (origin: OriginOf<Kind>, item: Message, inGroup: boolean) => Title} =
	{
		file: origin => ({
			name: named(partLabels.file, origin.path, rangeSuffix(origin.range)),
			facts: [dim(fileFacts(origin))],
		}),
		auto_read: origin => ({
			name: named(partLabels.autoRead, origin.path, rangeSuffix(origin.range)),
			facts: [dim(fileFacts(origin))],
		}),
		dir: origin => ({
			name: named(partLabels.dir, origin.path, ''),
			facts: [dim([plural(origin.entries, 'entry', 'entries'), ...(origin.truncated ? [truncated] : [])])],
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
		knowledge: ({slug, workflow}, item, inGroup) => ({
			name: named(partLabels.knowledge, `#${slug}`, ''),
			facts: [dim([documentLines(item), ...(inGroup ? [] : [requiredBy(sanitizeLine(workflow))])])],
		}),
	};

/** Of an origin that this version does not know, its name is what is known. */
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

/** A command that has not ended has no exit code. What its last line says is not said twice. */
function shellFacts(origin: OriginOf<'shell'>): readonly Facts[] {
	const {exitCode, truncated} = origin;
	const exit: Facts[] =
		exitCode === undefined ? [] : [{texts: [exitText(exitCode)], style: exitCode === 0 ? 'dim' : 'error'}];
	return [...exit, ...(truncated ? [dim(cutFacts(origin))] : [])];
}

function cutFacts({bytes, totalBytes}: {readonly bytes: number; readonly totalBytes: number}): readonly string[] {
	return [truncatedTo(bytes, totalBytes)];
}
