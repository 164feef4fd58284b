import {parentPort} from 'node:worker_threads';
import {useBytePaths} from '../../ground/files/use-byte-paths.ts';
import type {Scope} from '../../scope/scope.ts';
import {createPathSearch, type PathMatches} from './path-search.ts';

/** The messages to the thread and from it. Each question has an id, and only one question is open at a time. */
export type PathQuestion = {readonly id: number; readonly scope: Scope; readonly text: string; readonly limit: number};
export type PathAnswer = {readonly id: number; readonly found: PathMatches};

const port = parentPort;
if (port === null) throw new Error('this file is run as a worker thread');

// A bug ends the thread, and the main thread reports it. Otherwise the caller would wait forever.
const search = createPathSearch({onError: fail});
port.on('message', ({id, scope, text, limit}: PathQuestion) => {
	if (!scope.pwd.isWellFormed()) useBytePaths();
	search.search(scope, text, limit).then(found => port.postMessage({id, found} satisfies PathAnswer), fail);
});

function fail(error: unknown): void {
	setImmediate(() => {
		throw error;
	});
}
