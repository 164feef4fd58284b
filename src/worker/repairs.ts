import {stamp, type Clock} from './clock.ts';
import {context} from './context.ts';
import {closingResults, isNotification, orphanNotice} from './interruption.ts';
import type {Item, Message} from './item.ts';
import {liveItems, projectedItems} from './projection.ts';

/**
What a request needs that history does not have, as items that everybody sees, never papered over in the request: a call
that lost its result is closed, a result that lost its call (a damaged line, a fork) and an answer that was cut are told
of.
*/
export function repairs(items: readonly Item[], clock: Clock): Item[] {
	const closed = closingResults(items, ': its result is lost', clock);
	const cut = endsInAnswer([...items, ...closed]) ? [cutNotice(clock)] : [];
	return [...closed, ...cut, ...orphanNotice(items, clock)];
}

/** The last answer came to its end: only the run_end is missing, or the run was paused after it. */
export function answerIsWhole(all: readonly Item[]): boolean {
	const items = liveItems(all);
	const request = items.findLastIndex(item => item.type === 'request');
	const last = items[request];
	return (
		last?.type === 'request' &&
		last.stop === 'end' &&
		lastSpoken(items)?.role === 'assistant' &&
		!items.slice(request).some(item => item.type === 'message' && !isAside(item))
	);
}

/**
Current models refuse a request that ends in their own words; what stands beside the conversation does not make a cut
answer whole.
*/
function endsInAnswer(items: readonly Item[]): boolean {
	return (
		lastSpoken(projectedItems(items))?.role === 'assistant' || context(items).messages.at(-1)?.role === 'assistant'
	);
}

function cutNotice(clock: Clock): Item {
	return stamp(clock, {
		type: 'message',
		role: 'system',
		text: 'Your last answer was cut off. Go on from where it ends, without repeating it.',
		origin: {kind: 'notice', about: 'cut'},
	});
}

function lastSpoken(items: readonly Item[]): Message | undefined {
	const last = items.findLast(
		item => (item.type === 'message' && item.text.trim() !== '' && !isAside(item)) || item.type === 'tool_result',
	);
	return last?.type === 'message' ? last : undefined;
}

/**
What a damaged file left behind, what was told from outside and wants no answer, what the project says to every agent,
where the session works, and what the person did beside the conversation, says nothing of where that stands.
*/
function isAside(message: Message): boolean {
	const {origin} = message;
	return (
		(isNotification(message) && !isNotification(message, {forRun: true})) ||
		origin?.kind === 'shell' ||
		origin?.kind === 'instructions' ||
		(origin?.kind === 'notice' &&
			(origin['about'] === 'torn' || origin['about'] === 'damaged' || origin['about'] === 'moved'))
	);
}
