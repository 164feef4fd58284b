import {parentPort} from 'node:worker_threads';
import {streamHtmlToMarkdown} from '@mdream/js/core';

/** The message to the thread. The answer is the text, or nothing if the text would be too long. */
export type HtmlQuestion = {readonly html: string; readonly url: string};

const port = parentPort;
if (port === null) throw new Error('this file is run as a worker thread');
port.once('message', ({html, url}: HtmlQuestion) => {
	// A bug ends the thread, which the main thread notices.
	void converted(html, url).then(text => port.postMessage(text));
});

/**
Converts a page piece by piece. Absolute links can make the text a thousand times longer than the page, and a thread
that suddenly needs too much memory would end the whole process. So the text is measured after each piece.
*/
async function converted(html: string, url: string): Promise<string | undefined> {
	const pieces: string[] = [];
	let length = 0;
	for await (const piece of streamHtmlToMarkdown(streamOf(html), {origin: url})) {
		length += piece.length;
		if (length > maxLength) return undefined;
		pieces.push(piece);
	}
	return pieces.join('');
}

/** The maximum length of the text. */
const maxLength = 16 * 1024 * 1024;
const pieceLength = 128 * 1024;

function streamOf(html: string): ReadableStream<string> {
	let at = 0;
	return new ReadableStream<string>(
		{
			pull(controller) {
				if (at >= html.length) return controller.close();
				// A piece does not end in the middle of a character.
				const isHalf = /[\uD800-\uDBFF]/.test(html.charAt(at + pieceLength - 1));
				const end = at + pieceLength - (isHalf ? 1 : 0);
				controller.enqueue(html.slice(at, end));
				at = end;
			},
		},
		{highWaterMark: 0},
	);
}
