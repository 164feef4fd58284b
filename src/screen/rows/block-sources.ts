import type {Item, ItemOf, ItemType, Message} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {itemsOf, type Block, type SystemPart} from '../../transcript/block.ts';
import {inOrder, shortName} from '../../transcript/system-title.ts';
import type {Conversation} from './conversation.ts';
import {argumentsOf, asJson, emptyText, orphanedResult, outputOf, sources} from '../../transcript/texts.ts';

/** The stored text of an item of a block, unchanged. An item without text is shown as JSON. */
export type BlockSource = {
	/** The id of the block. */
	readonly id: string;
	/** The name of the text. It is sanitized and fits in one row. */
	readonly name: string;
	readonly text: string;
	readonly extension: 'txt' | 'md' | 'json' | 'diff';
	/** Whether the text is the output of a call. */
	readonly isOutput?: boolean;
};

/**
Returns the texts of a block that you can open, in the order in which the screen shows them. The text of a compaction
comes first, followed by the texts of the conversation in which the model wrote the summary.
*/
export function blockSources(block: Block, conversation?: Conversation): readonly BlockSource[] {
	const inner = conversation !== undefined && 'blocks' in conversation ? conversation.blocks : [];
	return [block, ...inner].flatMap(textsOfBlock).map(text => ({...text, id: block.id}));
}

/** Returns the index of the most useful text: the output of a call, or else the first text. */
export function mainSource(parts: readonly BlockSource[]): number {
	return Math.max(
		0,
		parts.findIndex(part => part.isOutput === true),
	);
}

type Text = Omit<BlockSource, 'id'>;

function textsOfBlock(block: Block): readonly Text[] {
	if (block.kind === 'system') return inOrder(block.parts).map(partText);
	return itemsOf(block).flatMap(item => textsOf(item, block));
}

function textsOf<Type extends ItemType>(item: SourceOf<Type>, block: Block): readonly Text[] {
	const type: Type = item.type;
	return texts[type](item, block);
}

type SourceOf<Type extends ItemType> = {readonly [Each in Type]: ItemOf<Each> & {readonly type: Each}}[Type];

const texts: {readonly [Type in ItemType]: (item: SourceOf<Type>, block: Block) => readonly Text[]} = {
	message: item => [messageText(item), ...(item.provider === undefined ? [] : [json(sources.provider, item)])],
	reasoning(item) {
		const {text} = item;
		return text === ''
			? [json(sources.thoughts, item)]
			: [{name: `${sources.thoughts}: ${firstWords(text)}`, text, extension: 'md'}];
	},
	tool_call: item => [{name: argumentsOf(sanitizeLine(item.name)), text: item.arguments, extension: 'json'}],
	tool_result({content}, block) {
		return [{name: outputOf(callName(block)), text: content, extension: 'txt', isOutput: true}];
	},
	setup: item => [{name: sources.systemPrompt, text: item.prompt, extension: 'md'}, json(sources.setup, item)],
	rewind: item => [json(sources.rewind, item)],
	context: item => [json(sources.context, item)],
	request: item => [json(sources.request, item)],
	request_end: item => [json(sources.requestEnd, item)],
	run_end: item => [json(sources.runEnd, item)],
	child_started: item => [{name: sources.task, text: item.task, extension: 'md'}, json(sources.childStarted, item)],
	child_ended: item => [json(sources.childEnded, item)],
	title: item => [{name: sources.title, text: item.title, extension: 'txt'}, json(sources.rename, item)],
	mode: item => [json(sources.mode, item)],
	redaction: item => [json(sources.redaction, item)],
	compaction: item => [{name: sources.summary, text: item.summary, extension: 'md'}, json(sources.compaction, item)],
};

function messageText({role, text, unread}: Message): Text {
	if (unread !== undefined)
		return {name: `${sources.unread}: ${firstWords(unread.type)}`, text: unread.data ?? '', extension: 'json'};
	const {name, extension} = speakers[role];
	return {name: `${name}: ${firstWords(text)}`, text, extension};
}

const speakers: {readonly [Role in Message['role']]: Pick<Text, 'name' | 'extension'>} = {
	user: {name: sources.user, extension: 'md'},
	assistant: {name: sources.assistant, extension: 'md'},
	system: {name: sources.system, extension: 'txt'},
};

function partText(part: SystemPart): Text {
	const isDocument = part.origin?.kind === 'workflow' || part.origin?.kind === 'knowledge';
	return {name: shortName(part), text: part.item.text, extension: isDocument ? 'md' : 'txt'};
}

function callName(block: Block): string {
	return sanitizeLine((block.kind === 'tool' ? block.call?.name : undefined) ?? orphanedResult);
}

function json(name: string, item: Item): Text {
	return {name: asJson(name), text: `${JSON.stringify(item, undefined, 2)}\n`, extension: 'json'};
}

function firstWords(text: string): string {
	return sanitizeLine(/\S.{0,60}/.exec(text)?.[0] ?? emptyText);
}
