import {parentPort} from 'node:worker_threads';
import {htmlToMarkdown} from '@mdream/js/core';

/** The message to the thread. The answer is the text. */
export type HtmlQuestion = {readonly html: string; readonly url: string};

const port = parentPort;
if (port === null) throw new Error('this file is run as a worker thread');
port.once('message', ({html, url}: HtmlQuestion) => {
	port.postMessage(htmlToMarkdown(html, {origin: url}));
});
