import {hash} from 'node:crypto';
import type {Draft} from '../../worker/index.ts';
import {rangeSuffix, type FileRef, type Origin} from '../protocol.ts';
import {countedLines} from '../text/counted-lines.ts';
import {onOneLine} from '../text/one-line.ts';

/** Returns the draft of the system item for a text that an editor sent. The text is not changed. */
export function sentDraft({path, range, sent = {uri: '', text: ''}}: FileRef): Draft<'message'> {
	const {uri, mime, text} = sent;
	const origin: Origin = {
		kind: 'editor',
		path: path.toWellFormed(),
		uri,
		...(mime !== undefined && {mime}),
		bytes: Buffer.byteLength(text),
		lines: countedLines(text),
		sha256: hash('sha256', text),
	};
	// The system prompt calls the contents of a [File: …] data, whoever sent them.
	const header = `[File: ${onOneLine(path)}${rangeSuffix(range)}]`;
	return {type: 'message', role: 'system', text: `${header}\n${text}`, origin};
}
