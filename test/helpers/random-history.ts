import fc from 'fast-check';
import {stamp, type Draft, type Item} from '../../src/worker/index.ts';
import {countedClock} from './clock.ts';

/** Returns short functions that make items. */
export function drafts() {
	const clock = countedClock();
	const make = <D extends Draft>(draft: D) => stamp(clock, draft);
	const user = (text: string) => make({type: 'message', role: 'user', text});
	const says = (text: string) => make({type: 'message', role: 'assistant', text});
	const request = () =>
		make({type: 'request', model: 'm', usage: {}, requestHash: '', startedAt: '', endedAt: '', stop: 'end'});
	const end = (outcome: 'finished' | 'paused' = 'finished') => make({type: 'run_end', outcome});
	return {
		clock,
		setup: make({
			type: 'setup',
			model: 'm',
			prompt: 'p',
			tools: [{name: 'read_file', description: 'Reads.', parameters: {type: 'object'}}],
			settings: {},
		}),
		user,
		says,
		request,
		end,
		file: (text: string) => make({type: 'message', role: 'system', text, origin: {kind: 'file'}}),
		thinks: (text: string) => make({type: 'reasoning', text, ms: 1, provider: {p: {signature: text}}}),
		call: (callId: string) => make({type: 'tool_call', callId, name: 't', arguments: '{}'}),
		/** Makes the output of a stopped call so far. */
		partial: (callId: string, of: string) =>
			make({
				type: 'tool_result',
				callId,
				summary: 'interrupted',
				content: `half of ${callId}`,
				isError: false,
				ms: 1,
				partialOf: of,
			}),
		result: (callId: string, content = `of ${callId}`) =>
			make({type: 'tool_result', callId, summary: '', content, isError: false, ms: 1}),
		compaction: (
			firstKept: string,
			{keptIds = [], summary = 'So far.'}: {readonly keptIds?: string[]; readonly summary?: string} = {},
		) =>
			make({
				type: 'compaction',
				summary,
				firstKept,
				keptIds,
				refs: [],
				refused: [],
				before: 0,
				after: 0,
				model: 'm',
				usage: {},
			}),
		rewind: (to: string) => make({type: 'rewind', to}),
		change: (op: 'drop' | 'restore' | 'pin' | 'prune', ...ids: string[]) => make({type: 'context', op, ids}),
		/** Makes a file that a compaction read again. */
		again: (of: Item, text: string) =>
			make({type: 'message', role: 'system', text, origin: {kind: 'auto_read', compaction: of.id}}),
		turn: (name: string): Item[] => [user(`${name}?`), says(`${name}.`), request(), end()],
	};
}

type Random = {readonly kind: number; readonly id: string; readonly at: number; readonly ids: readonly number[]};

/** The parts of `randomHistory`. */
export const anyHistory: fc.Arbitrary<Random[]> = fc.array(
	fc.record({
		kind: fc.nat(20),
		id: fc.constantFrom('1', '2', '3'),
		at: fc.nat(100),
		ids: fc.array(fc.nat(100), {minLength: 1, maxLength: 4}),
	}),
	{maxLength: 40},
);

/**
Makes a history of any items in any order, with rewinds, compactions, drops, restores and pins of any earlier items.
*/
export function randomHistory(random: readonly Random[]): Item[] {
	const make = drafts();
	const items: Item[] = [make.setup, make.user('first')];
	const plain: ReadonlyArray<(step: Random) => Item> = [
		() => make.user('u'),
		() => make.file('f'),
		() => make.says('a'),
		() => make.says(''),
		() => make.thinks('t'),
		({id}) => make.call(id),
		({id}) => make.call(id),
		({id}) => make.result(id),
		({id}) => make.result(id),
		make.request,
		() => make.end(),
		({id, at}) => make.partial(id, items[at % items.length]!.id),
	];
	for (const step of random) {
		const idAt = (at: number) => items[at % items.length]!.id;
		const ids = step.ids.map(idAt);
		const acts = [
			() => make.rewind(idAt(step.at)),
			() => make.compaction(idAt(step.at), {keptIds: ids}),
			() => make.change('drop', ...ids),
			() => make.change('drop', ...ids),
			() => make.change('restore', ...ids),
			() => make.change('restore', idAt(items.length - 1)),
			() => make.change('pin', ...ids),
			() => make.change('prune', ...ids),
			() => make.again(items.findLast(({type}) => type === 'compaction') ?? make.setup, 'r'),
		];
		items.push((plain[step.kind] ?? acts[step.kind - plain.length]!)(step));
	}
	return items;
}
