import {describe, expect, it} from 'vitest';
import {attributeRequest} from '../../../../src/pod/ground/history/reader.ts';
import type {Item, ReadMedia} from '../../../../src/worker/index.ts';
import type {Attribution} from '../../../../src/worker/wires/attribution/attribute.ts';
import {dialectNames} from '../../../../src/worker/wires/dialects.ts';
import {wireOf} from '../../../../src/worker/wires/load.ts';
import {createItems} from '../../../helpers/items.ts';
import {unlistedForms} from '../../../helpers/wire-forms.ts';

const chat = (dialect: string) => ({rules: 2, wire: 'openai-compatible', dialect});
const models: ReadonlyArray<readonly [model: string, settings: Record<string, unknown>]> = [
	['anthropic/claude-sonnet-5', {reasoning: 'high'}],
	['anthropic/qwen3', {rules: 2, maxOutputTokens: 900, topP: 0.5}],
	['openai/gpt-5.2', {rules: 2, reasoningSummary: 'auto', cacheKey: 'k'}],
	['openai/gpt-4.1', {temperature: 0.1}],
	['azure/gpt-5-prod', {rules: 2}],
	['google/gemini-3-pro', {reasoning: 'low'}],
	['google/gemma-3', {}],
	['vertex/gemini-2.5-pro', {maxOutputTokens: 10}],
	['bedrock/us.anthropic.claude-sonnet-5', {temperature: 0.5}],
	['bedrock/mistral.large', {}],
	['openai-compatible/local', {}],
	['offline', {}],
	['scripted:x', {temperature: 1}],
	...dialectNames.map(dialect => [`own/${dialect}`, chat(dialect)] as const),
];

const facts = {bytes: 9, sha256: 'b'.repeat(64)};
const png = {kind: 'image', path: 'a', mime: 'image/png', bytes: 8, width: 3, height: 4, sha256: 'a'.repeat(64)};
const pdf = {kind: 'document', path: 'd', mime: 'application/pdf', bytes: 7, sha256: 'd'.repeat(64)};

describe('the attribution of a request', () => {
	it.each(models)('finds an item or a rule for each byte to %s', async (model, settings) => {
		const {body, pieces, unknown} = await attributed(itemsFor(model, settings));
		expect(unknown).toEqual([]);
		expect(pieces.map(({text}) => text).join('')).toBe(body);
		const ids = new Set(pieces.flatMap(({source}) => (source.kind === 'item' ? [source.id] : [])));
		for (const id of ['user', 'file', 'says', 'call', 'result', 'broken', 'failed', 'summary'])
			expect([id, ids.has(id)]).toEqual([id, true]);
	});

	it.each(models)('takes only listed values for the form of the wire to %s', async (model, settings) => {
		const {body, pieces} = await attributed(itemsFor(model, settings));
		const wire = wireOf(model, settings) ?? 'none';
		expect(unlistedForms(wire, {body, pieces})).toEqual([]);
		const asForm = [{text: body, source: {kind: 'form'} as const}];
		expect(unlistedForms(wire, {body, pieces: asForm}).length).toBeGreaterThan(20);
	});

	it('reports other bytes and a header without a source', async () => {
		const items = itemsFor('anthropic/claude-sonnet-5', {});
		const {body} = await attributed(items);
		const same = await attributed(items, {body, headers: []});
		expect(same.unknown).toEqual([]);
		const headers = [['x-extra', '1'] as const];
		const other = await attributed(items, {body: ` ${body}`, headers});
		expect(other.unknown).toEqual(['(the bytes that were received)', 'header x-extra']);
	});

	it.each(models)(
		'names the item of an image and of a document to %s, with other images and joined texts',
		async (model, settings) => {
			const make = createItems();
			const gif = {...facts, kind: 'image', path: 'b', mime: 'image/gif', width: 1, height: 2};
			const items = [
				{...make.setup(), model, settings: {...settings, input: ['image', 'document']}},
				make.user('Look.'),
				{...make.item('message', {role: 'system', text: '[Image: a]', origin: png}), id: 'image'},
				{...make.item('message', {role: 'system', text: '[Document: d]', origin: pdf}), id: 'document'},
				make.item('message', {role: 'system', text: '[Image: b]', origin: gif}),
				make.item('message', {role: 'system', text: '[Image: c]', origin: {...png, sha256: 'c'.repeat(64)}}),
				make.user('Well?'),
			];
			const data: Readonly<Record<string, string>> = {
				[png.sha256]: 'iVBORw0KGgo=',
				[pdf.sha256]: 'JVBERi0=',
				[gif.sha256]: 'R0lG',
			};
			const readMedia: ReadMedia = async ({sha256}) => data[sha256];
			const made = await attributeRequest(items, {readMedia});
			if (!made.ok) throw new Error(made.sentence);
			const {body, pieces, unknown} = made.attribution;
			expect(unknown).toEqual([]);
			expect(pieces.map(({text}) => text).join('')).toBe(body);
			const sources = pieces.flatMap(({text, source}) =>
				'part' in source && source.part === 'bytes' ? [[source.id, text]] : [],
			);
			const hasWire = /[/]/.test(model);
			const isSent = ([id]: readonly string[]) => hasWire && sources.some(each => each[0] === id);
			expect([['image'], ['document']].map(isSent)).toEqual([hasWire, hasWire]);
		},
	);

	it('does not exist before the first setup', async () => {
		expect(await attributeRequest([createItems().user('Hello.')])).toEqual({ok: false});
	});
});

async function attributed(
	items: readonly Item[],
	received?: {readonly body: string; readonly headers: ReadonlyArray<readonly [string, string]>},
): Promise<Attribution> {
	const made = await attributeRequest(items, received && {received});
	if (!made.ok) throw new Error(made.sentence);
	return made.attribution;
}

/** A conversation that follows as many rules as one can. */
function itemsFor(model: string, settings: Record<string, unknown>): readonly Item[] {
	const make = createItems();
	const named = <Made extends Item>(id: string, item: Made): Made => ({...item, id});
	const parameters = {type: 'object', properties: {path: {type: 'string'}}, required: ['path']};
	const tools = [{name: 'read_file', description: 'Reads.', parameters}];
	const own = model
		.slice(0, model.indexOf('/'))
		.replace('bedrock', 'amazonBedrock')
		.replace('vertex', 'googleVertex');
	const signed = {[own]: {signature: 'U2lnbmVk', itemId: 'rs_1', reasoningEncryptedContent: 'c2VhbGVk'}};
	const summary = named('summary', {...make.compaction('All was said.'), firstKept: 'summary', refs: ['a.md']});
	return [
		{...make.setup(), model, settings, tools},
		make.user('Forgotten.'),
		summary,
		named('user', make.user('Hello "you" \u00e9 \ud83d')),
		named('file', make.file('a.md', 'a\n')),
		named('thought', {...make.reasoning('I think.'), provider: signed}),
		named('says', make.assistant('Let me see. ')),
		named('call', {...make.call('call:1', 'read_file', {path: 'a.md', n: [1, null]}), provider: {[own]: {}}}),
		named('broken', make.call('call:1', 'fly away!', '{"path":')),
		make.request('tool_calls'),
		named('result', make.result('call:1', 's', 'a\n')),
		named('failed', make.result('call:1', 's', 'No such tool.', true)),
		named('mute', make.call('2', 'read_file', '')),
		make.request('tool_calls'),
		make.result('2', 's', '', true),
		make.assistant('One.'),
		make.assistant('Two.'),
		make.request(),
		make.user('And?'),
	];
}
