import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {originRules} from '../../../src/pod/ground/history/reader.ts';
import {composeRequest} from '../../../src/worker/history/context.ts';
import {createGrowingContext} from '../../../src/worker/history/growing-context.ts';
import {requestBody, type Item, type Settings} from '../../../src/worker/index.ts';
import {createItems} from '../../helpers/items.ts';
import {anyHistory, drafts, randomHistory} from '../../helpers/random-history.ts';

const {setup} = drafts();

/** Returns a history and, after it, a setup with these settings. */
function withSetup(items: readonly Item[], settings: Settings): readonly Item[] {
	return [...items, {...setup, id: 'last setup', at: '2027-01-01T00:00:00.000Z', settings}];
}

describe('a request without the thoughts up to a time', () => {
	it('has the same parts without them and without what the provider stored, in any history', () => {
		fc.assert(
			fc.property(anyHistory, fc.nat(), (random, place) => {
				const history = randomHistory(random);
				const until = history[place % history.length]?.at ?? '';
				const items = withSetup(history, {thoughtsAfter: until});
				const {request, sources, rewrites} = composeRequest(items, originRules);
				const before = composeRequest(withSetup(history, {}), originRules);
				const isOld = (part: object, of: ReadonlyMap<object, Item>) => (of.get(part)?.at ?? '') <= until;
				const expected = before.request.messages.map(message => {
					if (message.role !== 'assistant') return message;
					const parts = message.parts.flatMap(part => {
						if (!isOld(part, before.sources())) return [part];
						const {provider: _, ...rest} = part;
						return part.type === 'reasoning' ? [] : [rest];
					});
					return {...message, parts};
				});
				expect(request.messages).toEqual(expected);
				for (const message of request.messages)
					for (const part of message.role === 'assistant' ? [message, ...message.parts] : [message])
						expect(sources().get(part)).toBeDefined();
				const grown = createGrowingContext(items, originRules);
				grown.at(history.length);
				expect(grown.at(items.length)?.request).toEqual(request);
				expect(grown.at(items.length)?.rewrites(undefined)).toEqual(rewrites(undefined));
			}),
			{numRuns: 300},
		);
	});

	it('names what it leaves out, and is made for a model without tools too', () => {
		const make = createItems();
		const signed = (item: Item, name: string): Item => ({...item, provider: {[name]: {signature: 's'}}}) as Item;
		const [thought, call] = [
			signed(make.reasoning('Hm.'), 'anthropic'),
			signed(make.call('c', 'read_file', {}), 'p'),
		];
		const items = [make.setup(), make.user('Go'), thought, call, make.sent(), make.result('c', 'a', 'b')];
		const settings = {thoughtsAfter: call.at};
		const {rewrites} = composeRequest(withSetup(items, settings), originRules);
		expect(rewrites(undefined)).toEqual([
			{rule: 'unsent_thought', where: [thought.id]},
			{rule: 'bare_call', where: [call.id]},
		]);
		const plain = {...withSetup(items, {...settings, tools: false}).at(-1), tools: []} as Item;
		const {request} = composeRequest([...items, plain], originRules);
		expect(JSON.stringify(request.messages)).toContain('[Tool call: read_file]');
		expect(JSON.stringify(request.messages)).not.toContain('Hm.');
	});

	it.each([
		['anthropic/claude-sonnet-5', {}, 'anthropic', {signature: 'old'}],
		['openai/gpt-5.2', {}, 'openai', {itemId: 'rs_old', reasoningEncryptedContent: 'old'}],
		['google/gemini-3-pro-preview', {}, 'google', {thoughtSignature: 'old'}],
		['bedrock/anthropic.claude-sonnet-4-6', {}, 'amazonBedrock', {signature: 'old'}],
		['openrouter/x', {dialect: 'openrouter'}, 'openrouter', {reasoning_details: [{data: 'old'}]}],
		['deepseek/x', {dialect: 'deepseek'}, 'deepseek', {field: 'reasoning_content'}],
	])('has no signature of them in the body for %s', async (model, more, key, data) => {
		const make = createItems();
		const of = (item: Item, name: string): Item => ({...item, provider: {[key]: {...data, name}}}) as Item;
		const old = [
			make.user('Go'),
			of(make.reasoning('old'), 'r'),
			of(make.call('c', 'read_file', {path: 'a'}), 'c'),
			make.sent(),
			make.result('c', 'a', 'b'),
			make.assistant('Done.'),
			make.user('And?'),
		];
		const bodyOf = async (settings: Settings) => {
			const items = [...old, {...make.setup(), model, settings: {rules: 2, ...more, ...settings}}];
			const made = await requestBody(model, composeRequest(items, originRules).request);
			return made.ok ? made.body : made.sentence;
		};
		expect(await bodyOf({})).toContain('old');
		const fresh = await bodyOf({thoughtsAfter: old.at(-1)?.at});
		expect(fresh).not.toContain('old');
		expect(fresh).toContain('Done.');
	});
});
