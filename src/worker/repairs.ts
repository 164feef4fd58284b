import {en} from '../language/index.ts';
import {stamp, type Clock} from './clock.ts';
import {context} from './context.ts';
import {closingResults, orphanNotice, type NoticeOptions} from './interruption.ts';
import type {Item, Message} from './item.ts';
import type {OriginRules} from './origin-rules.ts';
import {contentTypes, liveItems, projectedItems} from './projection.ts';
import {answerEnd} from './requests.ts';

/**
Returns the items that a request needs and that the history lacks. They are visible items, so that a request never
changes unnoticed. A result closes each call that lost its result. A notice reports each result that lost its call (a
damaged line, a fork), and each cut answer.
*/
export function repairs(items: readonly Item[], options: NoticeOptions): Item[] {
	const {clock, origins} = options;
	const closed = closingResults(items, {...options, cause: en`: its result is lost`});
	const cut = endsInAnswer([...items, ...closed], origins) ? [cutNotice(clock, origins)] : [];
	return [...closed, ...cut, ...orphanNotice(items, options)];
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
does not complete a cut answer.
*/
function endsInAnswer(items: readonly Item[], origins: OriginRules): boolean {
	const projected = projectedItems(items, origins);
	if (lastSpoken(projected, origins)?.role === 'assistant') return true;
	// A request ends with such a message, wherever its other parts are. It need not be composed to see that.
	const last = projected.findLast(({type}) => contentTypes.has(type));
	if (last?.type === 'message' && last.role !== 'assistant' && last.text.trim() !== '') return false;
	return context(items, origins).messages.at(-1)?.role === 'assistant';
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
	const last = items.findLast(
		item =>
			(item.type === 'message' && item.text.trim() !== '' && !isAside(item, origins)) ||
			item.type === 'tool_result',
	);
	return last?.type === 'message' ? last : undefined;
}

function isAside({origin}: Message, origins: OriginRules): boolean {
	return origin !== undefined && origins.isAside(origin);
}
