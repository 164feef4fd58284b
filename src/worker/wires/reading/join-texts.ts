import type {AddedText, EventReader} from './event-reader.ts';

/**
Returns the events with one for each run of texts of the same part. A fast server sends thousands of texts at once, and
each event costs the provider package, the history and the screen far more than its text.
*/
export function joinTexts(events: readonly unknown[], addedText: EventReader['addedText']): readonly unknown[] {
	if (events.length < 2 || addedText === undefined) return events;
	const joined: unknown[] = [];
	let run: Run | undefined;
	for (const event of events) {
		const added = addedText(event);
		if (added !== undefined && added.place === run?.added.place) {
			run.texts.push(added.text);
			continue;
		}
		if (run !== undefined) joined.push(eventOf(run));
		run = added === undefined ? undefined : {event, added, texts: [added.text]};
		if (run === undefined) joined.push(event);
	}
	if (run !== undefined) joined.push(eventOf(run));
	return joined;
}

/**
Returns the events with several for each long text. The provider package copies each event many times, and a server may
send a whole answer in one.
*/
export function splitTexts(events: readonly unknown[], addedText: EventReader['addedText']): readonly unknown[] {
	if (addedText === undefined) return events;
	return events.flatMap(event => {
		const added = addedText(event);
		return added === undefined || added.text.length <= maxText ? [event] : piecesOf(added);
	});
}

function piecesOf({text, event}: AddedText): readonly unknown[] {
	const pieces: unknown[] = [];
	for (let from = 0; from < text.length;) {
		const end = from + maxText;
		const to = isInPair(text, end) ? end - 1 : end;
		pieces.push(event(text.slice(from, to)));
		from = to;
	}
	return pieces;
}

function isInPair(text: string, at: number): boolean {
	return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** The characters of the text of an event. Answers have more only from servers that do not stream. */
const maxText = 65_536;

type Run = {readonly event: unknown; readonly added: AddedText; readonly texts: string[]};

function eventOf({event, added, texts}: Run): unknown {
	return texts.length === 1 ? event : added.event(texts.join(''));
}
