import type {AnswerDelta, AnswerEvent} from './answer-event.ts';

/**
Joins consecutive text deltas of the same part into one event. A fast server sends thousands of deltas in one moment,
and the history and the screen need far more time for an event than for its text.
*/
export function joinTexts(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
	if (events.length < 2) return events;
	const joined: AnswerEvent[] = [];
	let run: string[] = [];
	let first: AnswerDelta | undefined;

	function endRun(): void {
		if (first !== undefined) joined.push(run.length === 1 ? first : {...first, text: run.join('')});
		first = undefined;
	}

	for (const event of events) {
		const isText = event.type === 'delta' && event.data === undefined;
		if (isText && first !== undefined && event.kind === first.kind && event.id === first.id) run.push(event.text);
		else {
			endRun();
			if (isText) [first, run] = [event, [event.text]];
			else joined.push(event);
		}
	}
	endRun();
	return joined;
}
