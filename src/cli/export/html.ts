import {type ExportedImage, noExportContext, type ExportContext, type Conversation} from '../../pod/index.ts';
import {sanitize, sanitizeLine} from '../../text/sanitize.ts';
import type {ExportFacts} from './destination.ts';
import {exportTexts, speakers} from './texts.ts';
import {t} from '../../language/index.ts';
import {modeText} from '../../transcript/texts.ts';
import {narrowDetails, type Item, type Message, type ToolCall, type ToolResult} from '../../pod/protocol.ts';
import {itemsOf, type Block, type BlockOf} from '../../transcript/block.ts';
import {foldMany} from '../../transcript/fold.ts';
import {emptyFold} from '../../transcript/fold-state.ts';
import {effectWords} from '../../transcript/command-effects.ts';
import {inOrder, titleOf, titleSpans} from '../../transcript/system-title.ts';
import {argumentText, toolName} from '../../transcript/tool-title.ts';
import {cut} from '../../text/width.ts';
import {spansText} from '../../text/span.ts';
import {unfinishedWords} from '../texts.ts';

/**
Returns a session as one HTML page. It has no script and loads nothing. Its policy forbids both for all contents. Images
are in the page itself. All texts are escaped, and invisible and control characters are visible, as on the screen.
*/
export function htmlOf({rows}: ExportFacts, parts: readonly Part[]): string {
	const [, id = ''] = rows[0] ?? [];
	return [
		'<!doctype html>',
		'<html lang="en">',
		'<head>',
		'<meta charset="utf-8">',
		`<meta http-equiv="Content-Security-Policy" content="${policy}">`,
		'<meta name="viewport" content="width=device-width">',
		'<meta name="color-scheme" content="light dark">',
		'<meta name="referrer" content="no-referrer">',
		`<title>inkpod ${escaped(id)}</title>`,
		`<style>${style}</style>`,
		'</head>',
		'<body>',
		'<h1>inkpod</h1>',
		'<dl>',
		...rows.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`),
		'</dl>',
		...parts.map(partHtml),
		'</body>',
		'</html>',
		'',
	].join('\n');
}

/** A piece of an exported session. `title` is inert, and the texts are unchanged from the history. */
export type Part = {
	readonly kind: Block['kind'];
	/** The id of its first item. */
	readonly id: string;
	readonly title: string;
	readonly sections: readonly Section[];
	readonly image?: ExportedImage;
	/** The parts of an inner conversation, such as a child session. */
	readonly inner?: readonly Part[];
	/** Whether a reader usually skips it. */
	readonly isFolded: boolean;
	readonly isRewound: boolean;
};

export type Section = {readonly label?: string; readonly text: string};

/**
Returns the parts of a session in the same order as on the screen, because they are made from the same blocks. Text that
is not in the history yet is marked.
*/
export function partsOf(
	items: readonly Item[],
	exportContext: ExportContext = noExportContext,
	open = noOpenEnd,
): readonly Part[] {
	const state = emptyFold();
	for (const _ of foldMany(state, items));
	const streamed = new Set(open.streamed.map(({id}) => id));
	const shown = state.blocks.flatMap(block =>
		partsOfBlock(block, exportContext).map(part => ({...part, isRewound: block.rewound === true})),
	);
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

function partHtml({kind, id, title, sections, image, inner = [], isFolded, isRewound}: Part): string {
	const name = escaped(isRewound ? `${title} (${exportTexts.rewound})` : title);
	const open = `<section class="${kind}${isRewound ? ' rewound' : ''}" id="${escaped(sanitizeLine(id))}">`;
	const body = [
		...(image === undefined ? [] : [imageHtml(image, name)]),
		...sections.map(sectionHtml),
		...inner.map(partHtml),
	].join('');
	if (body === '') return `${open}<p>${name}</p></section>`;
	return isFolded
		? `${open}<details><summary>${name}</summary>${body}</details></section>`
		: `${open}<h2>${name}</h2>${body}</section>`;
}

/** No escapes are needed: the type is one of four, and base64 has no special characters. */
function imageHtml({mime, width, height, base64}: ExportedImage, name: string): string {
	return `<img alt="${name}" width="${width}" height="${height}" src="data:${mime};base64,${base64}">`;
}

function sectionHtml({label, text}: Section): string {
	// HTML ignores a newline right after <pre>, so an additional newline is written.
	return `${label === undefined ? '' : `<h3>${escaped(label)}</h3>`}<pre>\n${escaped(sanitize(text))}</pre>`;
}

function escaped(text: string): string {
	return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** Images may only come from the page itself. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:`;

const style = `
:root{color-scheme:light dark;--edge:#8884;--user:#0969da;--model:#0a7c6c;--bad:#b42318}
body{font:15px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
body{max-width:72rem;margin:2rem auto;padding:0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0 0 1.5rem}
dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}
section{content-visibility:auto;contain-intrinsic-size:auto 5rem}
section{border-left:3px solid var(--edge);padding:.1rem 0 .1rem .8rem;margin:.6rem 0}
section.user{border-color:var(--user)}section.assistant{border-color:var(--model)}
section.rewound{opacity:.55}
h1{font-size:1.2rem}h2{font-size:.95rem;margin:.2rem 0}
h3{font-size:.85rem;font-weight:normal;opacity:.7;margin:.4rem 0 0}
summary{cursor:pointer;overflow-wrap:anywhere}
img{max-width:100%;height:auto;max-height:40rem;object-fit:contain;object-position:left}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0;font:inherit}
section.usage p{margin:0;opacity:.6;font-size:.85rem}
@media(prefers-color-scheme:dark){:root{--user:#6cb6ff;--model:#57d3bb}}
@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}}
`.trim();

const noOpenEnd: ExportedEnd = {streamed: [], waiting: []};

type Made = Omit<Part, 'isRewound'>;

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
		...(found !== undefined && 'items' in found && {inner: partsOf(found.items, found)}),
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

/** The model does not read the diff of a change. */
function resultSections({content, details}: ToolResult): readonly Section[] {
	const {diff} = details === undefined ? {} : narrowDetails(details);
	const read = {label: exportTexts.result, text: content};
	return diff === undefined ? [read] : [{label: exportTexts.change, text: diff}, read];
}

function callSections(call: ToolCall | undefined): readonly Section[] {
	return call === undefined ? [] : [{label: exportTexts.arguments, text: call.arguments}];
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
	if (item.type === 'setup')
		return [
			{
				kind: 'notice',
				id,
				title: t`Model ${inert(item.model)}`,
				sections: [
					{label: exportTexts.prompt, text: item.prompt},
					{label: exportTexts.tools, text: JSON.stringify(item.tools, undefined, 2)},
				],
				isFolded: true,
			},
		];
	if (item.type === 'mode') return [{kind: 'notice', id, title: inert(modeText(item)), sections: [], isFolded: true}];
	if (item.type === 'title')
		return [{kind: 'notice', id, title: t`Renamed: ${inert(item.title)}`, sections: [], isFolded: true}];
	const title = item.type === 'rewind' ? t`Rewound` : t`Context: ${inert(item.op)}`;
	return [{kind: 'notice', id, title, sections: [{text: JSON.stringify(item)}], isFolded: true}];
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
