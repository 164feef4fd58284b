import {stamp, type Clock} from './clock.ts';
import {context} from './context.ts';
import {closingResults, orphanNotice, type NoticeOptions} from './interruption.ts';
import type {Item, Message} from './item.ts';
import type {OriginRules} from './origin-rules.ts';
import {liveItems, projectedItems} from './projection.ts';
import {answerEnd} from './requests.ts';

/**
Returns the items that a request needs and history lacks. They are visible items, so a request never changes silently. A
result closes each call that lost its result. A notice reports each result that lost its call (a damaged line, a fork),
and each cut answer.
*/
export function repairs(items: readonly Item[], options: NoticeOptions): Item[] {
	const {clock, origins} = options;
	const closed = closingResults(items, {...options, cause: ': its result is lost'});
	const cut = endsInAnswer([...items, ...closed], origins) ? [cutNotice(clock, origins)] : [];
	return [...closed, ...cut, ...orphanNotice(items, options)];
}

/** Whether the last answer is complete. Then only the run_end is missing, or the run was paused after the answer. */
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
Returns whether the last answer was cut. Current models refuse a request that ends with their own words. A notification
does not complete a cut answer.
*/
function endsInAnswer(items: readonly Item[], origins: OriginRules): boolean {
	return (
		lastSpoken(projectedItems(items, origins), origins)?.role === 'assistant' ||
		context(items, origins).messages.at(-1)?.role === 'assistant'
	);
}

/** Makes the notice that asks the model to continue. The model reads its text, so the text never changes. */
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
