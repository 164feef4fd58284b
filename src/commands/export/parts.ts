import {inLanguage, t} from '../../language/index.ts';
import {narrowDetails, type Item, type Message, type ToolCall, type ToolResult} from '../../pod/protocol.ts';
import {itemsOf, type Block, type BlockOf} from '../../tui/transcript/fold/block.ts';
import {foldMany} from '../../tui/transcript/fold/fold.ts';
import {emptyFold} from '../../tui/transcript/fold/fold-state.ts';
import {inOrder, titleOf, titleSpans} from '../../tui/transcript/fold/system-title.ts';
import {argumentText, toolName} from '../../tui/transcript/fold/tool-title.ts';
import {cut} from '../../tui/text/width.ts';
import {sanitizeLine} from '../../tui/text/sanitize.ts';
import {spansText} from '../../tui/text/span.ts';
import {exportTexts, speakers} from './texts.ts';

/** A piece of an exported session. `title` is inert, and the texts are as they are stored. */
export type Part = {
	readonly kind: Block['kind'];
	/** The id of its first item. */
	readonly id: string;
	readonly title: string;
	readonly sections: readonly Section[];
	/** Whether a reader usually skips it. */
	readonly isFolded: boolean;
	readonly isRewound: boolean;
};

export type Section = {readonly label?: string; readonly text: string};

/** Returns the parts of a session in the order of its screen: they are made from the same blocks. */
export function partsOf(items: readonly Item[]): readonly Part[] {
	const state = emptyFold();
	for (const _ of foldMany(state, items));
	return state.blocks.flatMap(block =>
		partsOfBlock(block).map(part => ({...part, isRewound: block.rewound === true})),
	);
}

type Made = Omit<Part, 'isRewound'>;

function partsOfBlock<Kind extends Block['kind']>(block: BlockOf<Kind>): readonly Made[] {
	const {kind}: {kind: Kind} = block;
	return makers[kind](block);
}

const makers: {readonly [Kind in Block['kind']]: (block: BlockOf<Kind>) => readonly Made[]} = {
	user: ({id, item}) => [said('user', id, item.text)],
	assistant: ({id, item}) => (item.text === '' ? [] : [said('assistant', id, item.text)]),
	thinking: ({id, item}) => (item.text === '' ? [] : [{...said('thinking', id, item.text), isFolded: true}]),
	tool: block => [toolPart(block)],
	system: ({parts}) =>
		inOrder(parts).map(part => ({
			kind: 'system',
			id: part.item.id,
			title: inert(spansText(titleSpans(titleOf(part)))),
			sections: [{text: part.item.text}],
			isFolded: true,
		})),
	notice: block => noticeParts(block),
	usage: block => usageParts(block),
	compaction: ({id, item}) => [
		{kind: 'compaction', id, title: speakers.compaction, sections: [{text: item.summary}], isFolded: false},
	],
	child: ({id, child}) => [
		{
			kind: 'child',
			id,
			title: `${speakers.child} ${inert(child.started?.title ?? child.ended?.child ?? '')}`,
			sections: child.started === undefined ? [] : [{text: child.started.task}],
			isFolded: true,
		},
	],
};

function said(kind: 'user' | 'assistant' | 'thinking', id: string, text: string): Made {
	return {kind, id, title: speakers[kind], sections: [{text}], isFolded: false};
}

function toolPart({id, call, result}: BlockOf<'tool'>): Made {
	const state = stateOf(result);
	const name = call === undefined ? exportTexts.result : `${toolName(call.name)} ${inert(argumentText(call))}`.trim();
	return {
		kind: 'tool',
		id,
		title: state === undefined ? name : `${name} · ${state}`,
		sections: [
			...callSections(call),
			...(result === undefined ? [] : [{label: exportTexts.result, text: result.content}]),
		],
		isFolded: true,
	};
}

function callSections(call: ToolCall | undefined): readonly Section[] {
	return call === undefined ? [] : [{label: exportTexts.arguments, text: call.arguments}];
}

function stateOf(result: ToolResult | undefined): string | undefined {
	if (result === undefined) return exportTexts.noResult;
	if (result.details !== undefined && narrowDetails(result.details).denied !== undefined) return exportTexts.denied;
	return result.isError ? exportTexts.failed : undefined;
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
			: [`${end.outcome}${end.cause === undefined ? '' : `: ${inert(inLanguage(end.cause))}`}`]),
	];
	return facts.length === 0
		? []
		: [{kind: 'usage', id: block.id, title: facts.join(' · '), sections: [], isFolded: false}];
}

function inert(text: string): string {
	return cut(sanitizeLine(text), 200, '…');
}
