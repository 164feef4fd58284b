import {type ExportedImage, noExportContext, type ExportContext, type Conversation} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {exportTexts, setupTitle, speakers} from './texts.ts';
import {t} from '../../language/index.ts';
import {modeText, redactionText} from '../../transcript/texts.ts';
import {
	narrowDetails,
	type Item,
	type ItemOf,
	type Message,
	type ToolCall,
	type ToolResult,
} from '../../pod/protocol.ts';
import {itemsOf, type Block, type BlockOf} from '../../transcript/block.ts';
import {foldMany} from '../../transcript/fold.ts';
import {emptyFold} from '../../transcript/fold-state.ts';
import {effectWords} from '../../transcript/command-effects.ts';
import {inOrder, titleOf, titleSpans} from '../../transcript/system-title.ts';
import {argumentText, toolName} from '../../transcript/tool-title.ts';
import {cut} from '../../text/width.ts';
import {spansText} from '../../text/span.ts';
import {unfinishedWords} from '../texts.ts';

/** A piece of an exported session. `title` is inert, and the texts are unchanged from the history. */
export type Part = {
	readonly kind: Block['kind'];
	/** The id of the first item of the part. */
	readonly id: string;
	readonly title: string;
	readonly sections: readonly Section[];
	readonly image?: ExportedImage;
	/** The parts of an inner conversation, such as a child session. */
	readonly inner?: readonly Part[] | undefined;
	/** Whether a reader usually skips the part. */
	readonly isFolded: boolean;
	/** Whether the part describes how the model was set up, and is not part of the conversation. */
	readonly isSetting?: true;
	readonly isRewound: boolean;
};

/** `language`: the language of code, which determines its colours. */
export type Section = {readonly label?: string; readonly text: string; readonly language?: string};

/** Tells whether the texts of a part are rendered as Markdown, as they are on the screen. */
export function isMarkdown({kind}: Pick<Part, 'kind'>): boolean {
	return kind === 'assistant' || kind === 'compaction';
}

/** Returns the conversation, which a reader wants first, and the settings. */
export function inReadingOrder(parts: readonly Part[]): {
	readonly conversation: readonly Part[];
	readonly settings: readonly Part[];
} {
	return {
		conversation: parts.filter(({isSetting}) => isSetting === undefined),
		settings: parts.filter(({isSetting}) => isSetting === true),
	};
}

/**
Returns the parts of a session in the same order as on the screen, because they are made from the same blocks. Text that
is not in the history yet is marked. The notices before your first message are settings.
*/
export function partsOf(
	items: readonly Item[],
	exportContext: ExportContext = noExportContext,
	open = noOpenEnd,
): readonly Part[] {
	const state = emptyFold();
	for (const _ of foldMany(state, items));
	const streamed = new Set(open.streamed.map(({id}) => id));
	const first = state.blocks.findIndex(({kind}) => kind === 'user');
	const shown = state.blocks.flatMap((block, index) => {
		const made = partsOfBlock(block, exportContext);
		const parts = block.kind === 'notice' && index < first ? asSettings(made) : made;
		return parts.map(part => ({...part, isRewound: block.rewound === true}));
	});
	return [
		...shown.map(part => (streamed.has(part.id) ? {...part, title: unfinishedWords(part.title)} : part)),
		...open.waiting.map(({id, text}) => ({
			...said('user', id, text),
			title: exportTexts.waiting,
			isRewound: false,
		})),
	];
}

/** The text of an exported session that is not in its history yet. */
export type ExportedEnd = {
	readonly streamed: ReadonlyArray<Pick<Item, 'id'>>;
	readonly waiting: ReadonlyArray<{readonly id: string; readonly text: string}>;
};

const noOpenEnd: ExportedEnd = {streamed: [], waiting: []};

type Made = Omit<Part, 'isRewound'>;

/** Returns parts as settings, without the notices that only name another part. */
function asSettings(parts: readonly Made[]): readonly Made[] {
	const isKnown = parts.some(({isSetting}) => isSetting === true);
	return parts.flatMap((part): readonly Made[] =>
		isKnown && part.isSetting === undefined ? [] : [{...part, isSetting: true}],
	);
}

function partsOfBlock<Kind extends Block['kind']>(block: BlockOf<Kind>, exportContext: ExportContext): readonly Made[] {
	const {kind}: {kind: Kind} = block;
	return makers[kind](block, exportContext);
}

type Maker<Kind extends Block['kind']> = (block: BlockOf<Kind>, exportContext: ExportContext) => readonly Made[];

const makers: {readonly [Kind in Block['kind']]: Maker<Kind>} = {
	user: ({id, item}) => [said('user', id, item.text)],
	assistant: ({id, item}) => (item.text === '' ? [] : [said('assistant', id, item.text)]),
	thinking: ({id, item}) => (item.text === '' ? [] : [{...said('thinking', id, item.text), isFolded: true}]),
	tool: (block, exportContext) => [
		toolPart(block),
		...(block.child === undefined ? [] : [childPart(block.id, block.child, exportContext)]),
	],
	system: ({parts}, {images}) =>
		inOrder(parts).map(part => {
			const image = images.get(part.item.id);
			return {
				kind: 'system',
				id: part.item.id,
				title: inert(spansText(titleSpans(titleOf(part)))),
				sections: [{text: part.item.text}],
				isFolded: image === undefined,
				image,
			};
		}),
	notice: noticeParts,
	usage: usageParts,
	compaction: ({id, item}, {conversations}) => [
		{kind: 'compaction', id, title: speakers.compaction, sections: [{text: item.summary}], isFolded: false},
		...conversationParts(id, exportTexts.conversation, conversations.get(id)),
	],
	child: ({id, child}, exportContext) => [childPart(id, child, exportContext)],
};

type Child = BlockOf<'child'>['child'];

/** Returns the title and the task of a child, and then its whole conversation. */
function childPart(id: string, {started, ended}: Child, {conversations}: ExportContext): Made {
	const title = inert(started?.title ?? ended?.child ?? '');
	const found = started === undefined ? undefined : conversations.get(started.id);
	return {
		kind: 'child',
		id: started?.id ?? id,
		title: `${speakers.child} ${title}`,
		sections: [
			...(started === undefined ? [] : [{label: exportTexts.task, text: started.task}]),
			...(found !== undefined && 'sentence' in found ? [{text: found.sentence}] : []),
		],
		inner: found !== undefined && 'items' in found ? partsOf(found.items, found) : undefined,
		isFolded: true,
	};
}

function conversationParts(id: string, title: string, found: Conversation | undefined): readonly Made[] {
	if (found === undefined) return [];
	const common = {kind: 'child', id: `${id}-conversation`, title, isFolded: true} as const;
	return 'items' in found
		? [{...common, sections: [], inner: partsOf(found.items, found)}]
		: [{...common, sections: [{text: found.sentence}]}];
}

function said(kind: 'user' | 'assistant' | 'thinking', id: string, text: string): Made {
	return {kind, id, title: speakers[kind], sections: [{text}], isFolded: false};
}

function toolPart({id, call, result}: BlockOf<'tool'>): Made {
	const effects = result?.details === undefined ? [] : effectWords(narrowDetails(result.details));
	const name = call === undefined ? exportTexts.result : `${toolName(call.name)} ${inert(argumentText(call))}`.trim();
	return {
		kind: 'tool',
		id,
		title: [name, ...stateOf(result), ...effects].join(' · '),
		sections: [...callSections(call), ...(result === undefined ? [] : resultSections(result))],
		isFolded: true,
	};
}

/**
Returns the sections of a result: the diff of a change, and the text that the model read. The model did not read the
diff.
*/
function resultSections({content, details}: ToolResult): readonly Section[] {
	const {diff} = details === undefined ? {} : narrowDetails(details);
	const read = {label: exportTexts.result, text: content};
	return diff === undefined ? [read] : [{label: exportTexts.change, text: diff, language: 'diff'}, read];
}

function callSections(call: ToolCall | undefined): readonly Section[] {
	return call === undefined ? [] : [{label: exportTexts.arguments, text: call.arguments, language: 'json'}];
}

function stateOf(result: ToolResult | undefined): readonly string[] {
	if (result === undefined) return [exportTexts.noResult];
	if (result.details !== undefined && narrowDetails(result.details).denied !== undefined) return [exportTexts.denied];
	return result.isError ? [exportTexts.failed] : [];
}

function noticeParts(block: BlockOf<'notice'>): readonly Made[] {
	if ('derived' in block) return [];
	const {id, item} = block;
	if (item.type === 'message')
		return [{kind: 'notice', id, title: firstLine(item), sections: [{text: item.text}], isFolded: true}];
	if (item.type === 'setup') return setupParts(item);
	if (item.type === 'mode') return [{kind: 'notice', id, title: inert(modeText(item)), sections: [], isFolded: true}];
	if (item.type === 'redaction')
		return [{kind: 'notice', id, title: redactionText(item), sections: [], isFolded: true}];
	if (item.type === 'title')
		return [{kind: 'notice', id, title: t`Renamed: ${inert(item.title)}`, sections: [], isFolded: true}];
	const title = item.type === 'rewind' ? t`Rewound` : t`Context: ${inert(item.op)}`;
	return [{kind: 'notice', id, title, sections: [{text: JSON.stringify(item)}], isFolded: true}];
}

/** Returns a notice that the setup changed, and the setup itself. */
function setupParts({id, model, prompt, tools, settings}: ItemOf<'setup'>): readonly Made[] {
	const notice = {kind: 'notice', isFolded: true} as const;
	const known = Object.keys(settings).length > 0;
	return [
		{...notice, id: `${id}-change`, title: t`Model ${inert(model)}`, sections: []},
		{
			...notice,
			id,
			title: setupTitle(inert(model)),
			sections: [
				...(known ? [{label: exportTexts.settings, ...json(settings)}] : []),
				{label: exportTexts.prompt, text: prompt},
				{label: exportTexts.tools, ...json(tools)},
			],
			isSetting: true,
		},
	];
}

function json(value: unknown): Section {
	return {text: JSON.stringify(value, undefined, 2), language: 'json'};
}

function firstLine({text, origin}: Message): string {
	const kind = origin?.kind ?? 'notice';
	return `${inert(kind)}: ${cut(inert(text.split('\n', 1)[0] ?? ''), 100, '…')}`;
}

function usageParts(block: BlockOf<'usage'>): readonly Made[] {
	const [item] = itemsOf(block);
	if (item === undefined) return [];
	const {own, end} = block;
	const facts = [
		...(own?.model === undefined || own.model === '' ? [] : [inert(own.model)]),
		...(own?.input === undefined ? [] : [t`${own.input} in`]),
		...(own?.output === undefined ? [] : [t`${own.output} out`]),
		...(end === undefined || end.outcome === 'finished'
			? []
			: [`${end.outcome}${end.cause === undefined ? '' : `: ${inert(end.cause)}`}`]),
	];
	return facts.length === 0
		? []
		: [{kind: 'usage', id: block.id, title: facts.join(' · '), sections: [], isFolded: false}];
}

function inert(text: string): string {
	return cut(sanitizeLine(text), 200, '…');
}
