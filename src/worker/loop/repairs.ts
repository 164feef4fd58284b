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
Returns the items that a request needs and that the history lacks. They are visible items, so that a request never
changes unnoticed. A result closes each call that lost its result. A notice reports each result that lost its call (a
damaged line, a fork), and each cut answer.
*/
export function repairs(items: readonly Item[], options: NoticeOptions): Item[] {
	const {closed, cut, orphans} = repairsOf(items, options);
	return [...closed, ...cut, ...orphans];
}

/** Returns `repairs([...history.items, ...added])`. Usually it reads only the items since the last call. */
export type GrowingRepairs = (added?: readonly Item[]) => Item[];

/**
Creates the repairs of a history that grows. After a place where no call is open, the next items are paired among
themselves. Everything is read again if they change the context before them, or have a result without its call.
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

/** `whole`: all items, if these are only the last of them. */
function repairsOf(items: readonly Item[], options: NoticeOptions, whole = () => items): Repairs {
	const {clock, origins} = options;
	const closed = closingResults(items, {...options, cause: en`: its result is lost`});
	const ends = endsInAnswer([...items, ...closed], origins) ?? endsInAnswer([...whole(), ...closed], origins);
	const cut = ends === true ? [cutNotice(clock, origins)] : [];
	return {closed, cut, orphans: orphanNotice(items, options)};
}

/** Whether the last words before a request are among these items, whatever is before them. */
function hasWords(items: readonly Item[], origins: OriginRules): boolean {
	return items.some(item => (item.type === 'tool_result' ? !isPartial(item) : isSpoken(item, origins)));
}

function isPaired({type}: Item): boolean {
	return type === 'tool_call' || type === 'tool_result';
}

/**
Tells whether the last answer is complete. If it is, only the run_end is missing, or the run was paused after the
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
Tells whether the last answer was cut. Current models refuse a request that ends with their own words. A notification
does not complete a cut answer. Returns `undefined` if a request has no message of these items.
*/
function endsInAnswer(items: readonly Item[], origins: OriginRules): boolean | undefined {
	const projected = projectedItems(items, origins);
	if (lastSpoken(projected, origins)?.role === 'assistant') return true;
	// A request ends with such a message, wherever its other parts are. It need not be composed to see that.
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
		text: 'Your last answer was cut off. Go on from where it ends, without repeating it.',
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
