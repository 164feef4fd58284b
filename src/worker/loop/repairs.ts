import {en} from '../../language/index.ts';
import {stamp, type Clock} from '../history/clock.ts';
import {composedMessages} from '../history/context.ts';
import {createExtension} from '../history/extension.ts';
import type {History} from '../history/history.ts';
import {closingResults, orphanNotice, type NoticeOptions} from '../loop/interruption.ts';
import type {Item, Message} from '../history/item.ts';
import type {OriginRules} from '../history/origin-rules.ts';
import {contentTypes, isPartial, liveItems, projectedItems} from '../history/projection.ts';
import {answerEnd} from '../history/requests.ts';

/**
Returns the items that a request needs but the history does not contain. They are visible items, so that the user sees
each change of a request. A result closes each call that lost its result. A notice reports each result that lost its
call (because of a damaged line or a fork), and each incomplete answer.
*/
export function repairs(items: readonly Item[], options: NoticeOptions): Item[] {
	const {closed, cut, orphans} = repairsOf(items, options);
	return [...closed, ...cut, ...orphans];
}

/** Returns `repairs([...history.items, ...added])`. Usually the function reads only the items since its last call. */
export type GrowingRepairs = (added?: readonly Item[]) => Item[];

/**
Creates a function that finds the repairs of a growing history. If no earlier call lacks a result, only the new items
need to be paired with each other. Everything is read again if the new items change the earlier context, or contain a
result without its call.
*/
export function createGrowingRepairs({items}: Pick<History, 'items'>, options: NoticeOptions): GrowingRepairs {
	const extension = createExtension(options.origins);
	/** No item before this index needs a repair. */
	let sound = 0;
	const repairsOfTail = (tail: readonly Item[], whole: () => readonly Item[]): Repairs | undefined => {
		if (!tail.every(item => extension.isPlain(item)) || !hasWords(tail, options.origins)) return undefined;
		const found = repairsOf(tail, options, whole);
		return found.orphans.length === 0 ? found : undefined;
	};
	return (added = []) => {
		const since = items.slice(sound);
		const whole = () => [...items, ...added];
		const {closed, cut, orphans} = repairsOfTail([...since, ...added], whole) ?? repairsOf(whole(), options);
		if (closed.length === 0 && orphans.length === 0 && !added.some(isPaired)) {
			for (const item of since) extension.note(item);
			sound = items.length;
		}
		return [...closed, ...cut, ...orphans];
	};
}

type Repairs = {readonly closed: readonly Item[]; readonly cut: readonly Item[]; readonly orphans: readonly Item[]};

/** `whole` returns all items. The function is needed if `items` are only the last items. */
function repairsOf(items: readonly Item[], options: NoticeOptions, whole = () => items): Repairs {
	const {clock, origins} = options;
	const closed = closingResults(items, {...options, cause: en`: its result is lost`});
	const ends = endsInAnswer([...items, ...closed], origins) ?? endsInAnswer([...whole(), ...closed], origins);
	const cut = ends === true ? [cutNotice(clock, origins)] : [];
	return {closed, cut, orphans: orphanNotice(items, options)};
}

/**
Tells whether these items contain a text or a result. If so, earlier items do not affect how the next request ends.
*/
function hasWords(items: readonly Item[], origins: OriginRules): boolean {
	return items.some(item => (item.type === 'tool_result' ? !isPartial(item) : isSpoken(item, origins)));
}

function isPaired({type}: Item): boolean {
	return type === 'tool_call' || type === 'tool_result';
}

/**
Tells whether the last answer is complete. In this case, only the run_end is missing, or the run was paused after the
answer.
*/
export function answerIsWhole(all: readonly Item[], origins: OriginRules): boolean {
	const items = liveItems(all);
	const last = items.findLastIndex(({type}) => type === 'request' || type === 'request_end');
	return (
		answerEnd(items[last])?.stop === 'end' &&
		lastSpoken(items, origins)?.role === 'assistant' &&
		!items.slice(last).some(item => item.type === 'message' && !isAside(item, origins))
	);
}

/**
Tells whether a request with these items would end with an answer of the model. Current models refuse such a request.
Remarks after the answer (`isAside`) make no difference. Returns `undefined` if a request would contain none of these
items.
*/
function endsInAnswer(items: readonly Item[], origins: OriginRules): boolean | undefined {
	const projected = projectedItems(items, origins);
	if (lastSpoken(projected, origins)?.role === 'assistant') return true;
	// If the last content is a message with text that is not from the model, the request ends with this message, so the
	// request does not have to be composed.
	const last = projected.findLast(({type}) => contentTypes.has(type));
	if (last?.type === 'message' && last.role !== 'assistant' && last.text.trim() !== '') return false;
	const message = composedMessages(items, origins).at(-1);
	return message && message.role === 'assistant';
}

/** Returns the notice that asks the model to continue. The model reads this text, so it must never change. */
function cutNotice(clock: Clock, origins: OriginRules): Item {
	return stamp(clock, {
		type: 'message',
		role: 'system',
		text: 'Your last answer was cut off. Continue from where it ends, without repeating it.',
		origin: origins.cutNotice,
	});
}

function lastSpoken(items: readonly Item[], origins: OriginRules): Message | undefined {
	const last = items.findLast(item => isSpoken(item, origins) || item.type === 'tool_result');
	return last?.type === 'message' ? last : undefined;
}

function isSpoken(item: Item, origins: OriginRules): boolean {
	return item.type === 'message' && item.text.trim() !== '' && !isAside(item, origins);
}

function isAside({origin}: Message, origins: OriginRules): boolean {
	return origin !== undefined && origins.isAside(origin);
}
