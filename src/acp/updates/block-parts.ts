import {createHash} from 'node:crypto';
import {resolve} from 'node:path';
import type {ToolKind} from '@agentclientprotocol/sdk';
import type {ItemOf, Message, Origin} from '../../pod/protocol.ts';
import type {Block, BlockKind, BlockOf, SystemPart} from '../../transcript/block.ts';
import {titleOf, titleSpans} from '../../transcript/system-title.ts';
import {redactionText, setupTools} from '../../transcript/texts.ts';
import {updateTexts} from '../texts.ts';
import {fenced, plain} from './fenced.ts';
import type {Channel, Part, PartContext} from './parts.ts';
import {toolParts} from './tool-part.ts';

/** Returns the parts of a block of the transcript, in the order in which an editor shows them. */
export function partsOf(block: Block, context: PartContext): readonly Part[] {
	return makeParts(block, context);
}

function makeParts<Kind extends BlockKind>(block: BlockOf<Kind>, context: PartContext): readonly Part[] {
	const kind: Kind = block.kind;
	return makers[kind](block, context);
}

const makers: {readonly [Kind in BlockKind]: (block: BlockOf<Kind>, context: PartContext) => readonly Part[]} = {
	user: block => [textPart(block, 'user_message_chunk')],
	assistant: block => [textPart(block, 'agent_message_chunk')],
	thinking: block => [textPart(block, 'agent_thought_chunk')],
	tool: toolParts,
	system: ({parts, open}, context) => parts.map(part => systemPart(part, open, context)),
	notice: noticeParts,
	compaction: ({item, open}) => [
		seenPart(item.id, updateTexts.compacted(item.summarised), item.summary, {
			origin: {kind: 'compaction'},
			isFinal: !open,
		}),
	],
	usage: ({end}) =>
		end?.outcome === 'error'
			? [
					{
						kind: 'call',
						id: end.id,
						isFinal: true,
						call: {
							title: updateTexts.ended(inOneLine(end.cause ?? end.outcome)),
							kind: 'other',
							status: 'failed',
							_meta: {inkpod: {id: end.id, outcome: end.outcome}},
						},
					},
				]
			: [],
	child: ({id, child: {started, ended}}) => [
		{
			kind: 'call',
			id,
			isFinal: ended !== undefined,
			call: {
				title: updateTexts.child(inOneLine(started?.title ?? '')),
				kind: 'other',
				status: ended === undefined ? 'in_progress' : ended.outcome === 'finished' ? 'completed' : 'failed',
				content: started === undefined ? [] : [plain(started.task)],
				_meta: {inkpod: {id, child: started?.child ?? ended?.child}},
			},
		},
	],
};

function textPart(
	{id, item, open}: {readonly id: string; readonly item: {readonly text: string}; readonly open: boolean},
	channel: Channel,
): Part {
	return {kind: 'text', id, channel, text: item.text, isFinal: !open};
}

/** Returns a system message as a finished tool call. The content of the call is exactly the text that the model got. */
function systemPart({item, origin}: SystemPart, open: boolean, {pwd}: PartContext): Part {
	const title = titleSpans(titleOf({item, origin}))
		.map(span => span.text)
		.join('');
	const path = origin !== undefined && 'path' in origin && isFile(origin) ? resolve(pwd, origin.path) : undefined;
	return seenPart(item.id, title, item.text, {
		origin: item.origin,
		isFinal: !open,
		path,
	});
}

function isFile({kind}: Origin): boolean {
	return ['file', 'auto_read', 'editor', 'image', 'document', 'instructions'].includes(kind);
}

type Seen = {
	readonly origin: Message['origin'];
	readonly isFinal: boolean;
	readonly path?: string;
	readonly kind?: ToolKind;
};

/** Returns the part for a text that the model got. `sha256` is the hash of exactly this text. */
function seenPart(id: string, title: string, text: string, {origin, isFinal, path, kind = 'read'}: Seen): Part {
	const sha256 = createHash('sha256').update(text).digest('hex');
	return {
		kind: 'call',
		id,
		isFinal,
		call: {
			title,
			kind,
			status: 'completed',
			content: text === '' ? [] : [fenced(text)],
			...(path !== undefined && {locations: [{path}]}),
			_meta: {inkpod: {id, origin, sha256}},
		},
	};
}

function noticeParts(block: BlockOf<'notice'>, context: PartContext): readonly Part[] {
	if ('derived' in block) return [];
	const {item, open} = block;
	if (item.type === 'message') return [systemPart({item, origin: block.origin}, open, context)];
	if (item.type === 'setup') {
		const title = updateTexts.setup(inOneLine(item.model), setupTools(item.tools));
		return [seenPart(item.id, title, item.prompt, {origin: {kind: 'setup'}, isFinal: !open, kind: 'other'})];
	}
	const title = changeTitle(item);
	return [seenPart(item.id, title, '', {origin: {kind: item.type}, isFinal: !open, kind: 'other'})];
}

function changeTitle(item: ItemOf<'rewind' | 'context' | 'title' | 'mode' | 'redaction'>): string {
	if (item.type === 'title') return updateTexts.renamed(inOneLine(item.title));
	if (item.type === 'mode') return inOneLine(updateTexts.mode(item.approval ?? 'ask', item.readOnly === true));
	if (item.type === 'redaction') return redactionText(item);
	return item.type === 'rewind' ? updateTexts.rewound : updateTexts.changes[item.op];
}

/** Returns the beginning of an untrusted text, without line breaks and control characters. */
function inOneLine(text: string): string {
	return text
		.slice(0, 500)
		.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
		.trim();
}
