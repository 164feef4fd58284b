import {t} from '../../language/index.ts';
import {
	answeredText,
	answeredTopic,
	namePairOf,
	type ItemOf,
	type Message,
	type Origin,
	type OriginOf,
} from '../../pod/protocol.ts';
import {countBodyLines, splitHeader, withoutFinalNewline} from '../../text/lines.ts';
import {blankRow, type Row} from '../spans/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Style} from '../../text/span.ts';
import type {BlockOf} from '../../transcript/block.ts';
import {formatBytes, plural} from '../../text/formats.ts';
import {textRows} from './parts/long-text.ts';
import {bodyLayout, headRow, headRows, type RenderContext, type Renderer} from './parts/render.ts';
import {modeText, redactedLineText, redactionText, partLabels, truncated, truncatedTo} from '../../transcript/texts.ts';
import {
	andMore,
	contextChanges,
	continuing,
	instructionsGone,
	interrupted,
	interruptions,
	leftOut,
	movedTo,
	keysAfterInterruption,
	planChanges,
	restoredFile,
	renamedTo,
	rewoundText,
	setupText,
} from './texts.ts';

/** Renders a notice as one row, with its details in the detail view. */
export const noticeRenderer: Renderer<'notice'> = {
	apart: false,
	folds: true,
	headless: true,
	head(block, context) {
		const {text, style} = wordsOf(block, context.resumeKeys);
		return {gutter: {text: 'derived' in block ? '■ ' : '· ', style}, spans: [{text, style}]};
	},
	body(block, context) {
		const head = noticeRenderer.head(block, context);
		return context.view === 'detail'
			? [...headRows(head, context), ...detailRows(block, context)]
			: [...('derived' in block && context.view === 'normal' ? [blankRow] : []), headRow(head, context)];
	},
};

type Words = {readonly text: string; readonly style: Style};

function wordsOf(block: BlockOf<'notice'>, keys = keysAfterInterruption('Enter', 'Ctrl+C')): Words {
	if ('derived' in block) return {text: [interrupted[block.derived], ...keys].join(' · '), style: 'warn'};
	const {item, origin, names = []} = block;
	if (item.type === 'message') return messageWords(item, origin);
	return changeWords(item, names);
}

function changeWords<Type extends ChangeType>(item: ChangeOf<Type>, names: readonly string[]): Words {
	const type: Type = item.type;
	return itemWords[type](item, names);
}

type ChangeType = 'setup' | 'rewind' | 'context' | 'title' | 'mode' | 'redaction';
type ChangeOf<Type extends ChangeType> = {readonly [Each in Type]: ItemOf<Each> & {readonly type: Each}}[Type];

/**
Returns a notice that was written for the model, in words for the user. If there are no such words, returns the
beginning of the stored text.
*/
function messageWords(item: Message, origin: Origin | undefined): Words {
	if (origin?.kind === 'instructions') return {text: instructionWords(origin, item), style: 'dim'};
	return {text: ownWords(item, origin) ?? firstLine(item), style: isWarning(origin) ? 'warn' : 'dim'};
}

function isWarning(origin: Origin | undefined): boolean {
	return origin?.kind === 'interrupt' || (origin?.kind === 'notice' && warningTopics.has(origin.about));
}

const warningTopics: ReadonlySet<string> = new Set(['truncated', answeredTopic]);

function ownWords(item: Message, origin: Origin | undefined): string | undefined {
	const {origin: stored = {kind: ''}} = item;
	const pair = namePairOf(item, answeredTopic);
	if (pair !== undefined) return sanitizeLine(answeredText(pair, t));
	if (origin?.kind === 'interrupt') return interruptions.get(origin.cause);
	if (origin?.kind === 'plan') return planChanges[origin.state](origin.mode, origin.sha256);
	return origin?.kind === 'notice' ? notices.get(origin.about)?.(stored) : undefined;
}

/** Maps the topic of a notice to its text. */
const notices: ReadonlyMap<string, (origin: RawOrigin) => string | undefined> = new Map([
	['cut', () => continuing],
	['moved', ({to}: RawOrigin) => (typeof to === 'string' ? movedTo(sanitizeLine(to)) : undefined)],
	[
		'restored',
		({path, after}: RawOrigin) =>
			typeof path === 'string' ? restoredFile(sanitizeLine(path), after === undefined) : undefined,
	],
]);

/** The stored origin, which may have fields that this version does not know. */
type RawOrigin = NonNullable<Message['origin']>;

const itemWords: {readonly [Type in ChangeType]: (item: ChangeOf<Type>, names: readonly string[]) => Words} = {
	setup: ({model, prompt, tools, settings}) => ({
		text: sanitizeLine(setupText({model, tools, promptChars: prompt.length, settings})),
		style: 'dim',
	}),
	rewind: ({to}, [name]) => ({
		text: rewoundText(name ?? sanitizeLine(to), name !== undefined),
		style: 'warn',
	}),
	context: ({op, ids, rule}, names) => ({
		text:
			rule === undefined
				? contextChanges[op](listOf(names, ids.length))
				: leftOut[rule.reason](plural(ids.length, 'old tool output'), formatBytes(rule.bytes)),
		style: 'dim',
	}),
	title: ({title}) => ({text: renamedTo(sanitizeLine(title)), style: 'dim'}),
	mode: item => ({text: sanitizeLine(modeText(item)), style: 'dim'}),
	redaction: item => ({text: redactionText(item), style: 'warn'}),
};

/** Returns a text with the first names and the number of the other names. */
function listOf(names: readonly string[], count: number): string {
	const different = [...new Set(names)];
	const shown = different.slice(0, maxShown);
	const more = different.length - shown.length + count - names.length;
	return [shown.join(', '), ...(more > 0 ? [andMore(more)] : [])].join(' ');
}

const maxShown = 3;

function instructionWords(origin: OriginOf<'instructions'>, item: Message): string {
	return `${partLabels.instructions} ${sanitizeLine(origin.path)}: ${instructionFacts(origin, item)}`;
}

function instructionFacts(
	{path, truncated: isTruncated, gone, bytes, totalBytes}: OriginOf<'instructions'>,
	{text}: Message,
): string {
	if (gone === true) return instructionsGone;
	const body = countBodyLines(splitHeader(text, path.split('\n').length).body);
	// The last line of a truncated file says that it was truncated. That line does not belong to the file.
	const lines = plural(isTruncated && bytes !== undefined ? body - 1 : body, 'line');
	if (bytes === undefined || totalBytes === undefined) return `${lines}${isTruncated ? `, ${truncated}` : ''}`;
	return `${lines}, ${isTruncated ? truncatedTo(bytes, totalBytes) : formatBytes(bytes)}`;
}

function firstLine({text}: Message): string {
	return splitHeader(text).header.slice(0, 2000);
}

/** Returns rows with the details that the row of the notice does not show. */
function detailRows(block: BlockOf<'notice'>, context: RenderContext): Row[] {
	if ('derived' in block) return [];
	const text =
		block.item.type === 'message'
			? messageDetail(block.item, block.origin)
			: changeDetail(block.item, block.names ?? []);
	if (text === '') return [];
	return textRows(withoutFinalNewline(text), bodyLayout(context), () => 'dim');
}

function changeDetail<Type extends ChangeType>(item: ChangeOf<Type>, names: readonly string[]): string {
	const type: Type = item.type;
	return itemDetails[type](item, names);
}

/**
Returns the text for the detail view. If the row shows words for the user, returns the whole stored text. Otherwise
returns the text without its header, because the row already shows the header.
*/
function messageDetail(item: Message, origin: Origin | undefined): string {
	return ownWords(item, origin) === undefined ? splitHeader(item.text).body : item.text;
}

const itemDetails: {readonly [Type in ChangeType]: (item: ChangeOf<Type>, names: readonly string[]) => string} = {
	setup: ({prompt, tools, settings}) =>
		[
			`settings ${JSON.stringify(settings)}`,
			...tools.map(
				({name, description, parameters}) => `tool ${name}: ${description} ${JSON.stringify(parameters)}`,
			),
			'',
			prompt,
		].join('\n'),
	rewind: () => '',
	title: () => '',
	mode: () => '',
	redaction: ({lines}) => lines.map(({id, rule, marks}) => redactedLineText(id, rule, marks)).join('\n'),
	context: ({ids}, names) =>
		ids
			.map((id, index) => (names[index] === undefined || names[index] === id ? id : `${names[index]} (${id})`))
			.join('\n'),
};
