/**
Splits an event stream into the texts of its events (html.spec.whatwg.org/multipage/server-sent-events.html): lines end
in LF, CRLF or CR, and several `data` lines make one event. Comments and other fields are skipped. Unlike a browser, the
splitter also accepts a last event without an empty line after it, because some servers close the connection there.
*/
type EventSplitter = {
	/** Returns the events that these bytes complete. */
	push(bytes: Uint8Array): readonly string[];
	/** Returns the event that the end of the stream completes. The result is empty if there is none. */
	end(): readonly string[];
};

export function createEventSplitter(): EventSplitter {
	const decoder = new TextDecoder();
	/** The pieces of the incomplete line. A single line may arrive in many pieces. */
	let pieces: string[] = [];
	let data: string[] = [];
	/** Whether the last character was a CR. An LF that follows it is part of the same line end. */
	let afterReturn = false;

	function endLine(line: string, events: string[]): void {
		if (line === '') {
			if (data.length > 0) events.push(data.join('\n'));
			data = [];
		} else if (line.startsWith('data:')) data.push(line.slice(line.charAt(5) === ' ' ? 6 : 5));
		else if (line === 'data') data.push('');
		// In llama.cpp before 2025 (tools/server/server.cpp, server_sent_event), the error is a field of the stream.
		else if (line.startsWith('error:')) data.push(`{"error":${line.slice(6)}}`);
	}

	function split(text: string, events: string[]): void {
		let from = afterReturn && text.startsWith('\n') ? 1 : 0;
		if (text !== '') afterReturn = text.endsWith('\r');
		lineEnd.lastIndex = from;
		for (let found = lineEnd.exec(text); found !== null; found = lineEnd.exec(text)) {
			pieces.push(text.slice(from, found.index));
			from = lineEnd.lastIndex;
			const line = pieces.join('');
			pieces = [];
			endLine(line, events);
		}
		if (from < text.length) pieces.push(text.slice(from));
	}

	return {
		push(bytes) {
			const events: string[] = [];
			split(decoder.decode(bytes, {stream: true}), events);
			return events;
		},
		end() {
			const events: string[] = [];
			split(`${decoder.decode()}\n\n`, events);
			return events;
		},
	};
}

const lineEnd = /\r\n|\n|\r/g;
