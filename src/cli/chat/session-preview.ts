import {cutText, parseItem, type Item} from '../../worker/index.ts';
import {
	bodyOf,
	failureOf,
	failureSentence,
	historyFile,
	readAt,
	readEnd,
	realFiles,
	spanOf,
	type OpenFile,
} from '../../pod/index.ts';
import {asWritten, waitingText} from '../../pod/protocol.ts';
import type {PreviewPart} from '../../screen/model/picker/entry.ts';
import {emptyPreview} from './texts.ts';

/**
Returns the beginnings of the user's last message in a session and of the last answer to it. It reads at most the last
`maxBytes` of the history, so the cost does not grow with the session. It does not check the chain. If the read fails, a
notice says so.
*/
export async function previewSession(dir: string, signal: AbortSignal): Promise<readonly PreviewPart[]> {
	const path = historyFile(dir);
	try {
		const file = await realFiles.open(path, 'r');
		try {
			return partsOf(withEnd(await lastMessages(file, signal), await readEnd(dir)));
		} finally {
			await file.close();
		}
	} catch (error) {
		return [{speaker: 'notice', text: failureSentence(failureOf(error), path, error)}];
	}
}

type LastMessages = {readonly user?: string; readonly model?: string};

/** Adds text that is not in the history yet: of the last answer, and of the last queued message. */
function withEnd(found: LastMessages, end: Awaited<ReturnType<typeof readEnd>>): LastMessages {
	const {streamed, waiting} = end?.open ?? {streamed: [], waiting: []};
	const answers = streamed.flatMap(item => (item.type === 'message' && item.role === 'assistant' ? [item.text] : []));
	const [last, answer] = [waiting.at(-1), answers.at(-1)];
	if (last !== undefined) return {user: waitingText(last)};
	return answer === undefined ? found : {...found, model: answer};
}

/** Reads a growing part of the end until it finds a user message. */
async function lastMessages(file: OpenFile, signal: AbortSignal): Promise<LastMessages> {
	const {size} = await file.stat();
	for (let length = firstBytes; ; length *= 4) {
		const taken = Math.min(length, maxBytes, size);
		const found = messagesIn(await readAt(file, size - taken, taken));
		const isAll = taken === Math.min(maxBytes, size);
		if (isAll || signal.aborted || found.user !== undefined) return found;
	}
}

/**
Reads from the last line back to the last user message, so that an older answer is not shown with it. Skips incomplete
lines: the first line of the part, and a line that is being written.
*/
function messagesIn(bytes: Buffer): LastMessages {
	let found: LastMessages = {};
	let rewoundTo: string | undefined;
	const restored = new Set<string>();
	for (let end = bytes.length; end > 0 && found.user === undefined;) {
		const start = bytes.lastIndexOf(newline, end - 1) + 1;
		const item = itemAt(bytes, start, end);
		end = start - 1;
		if (item === undefined) continue;
		if (rewoundTo !== undefined && item.id !== rewoundTo) continue;
		rewoundTo = item.type === 'rewind' && !restored.has(item.id) ? item.to : undefined;
		if (item.type === 'context' && item.op === 'restore') for (const id of item.ids) restored.add(id);
		found = withItem(found, item);
	}
	return found;
}

function itemAt(bytes: Buffer, start: number, end: number): Item | undefined {
	const span = spanOf(bytes, start, end);
	return span === undefined ? undefined : parseItem(bodyOf(bytes, span));
}

function withItem(found: LastMessages, item: Item): LastMessages {
	if (item.type !== 'message' || item.role === 'system' || item.text.trim() === '') return found;
	return item.role === 'user' ? {...found, user: item.text} : {model: item.text, ...found};
}

function partsOf({user, model}: LastMessages): readonly PreviewPart[] {
	const parts: PreviewPart[] = [];
	if (user !== undefined) parts.push({speaker: 'user', text: asWritten(beginning(user))});
	if (model !== undefined) parts.push({speaker: 'model', text: beginning(model)});
	return parts.length > 0 ? parts : [{speaker: 'notice', text: emptyPreview}];
}

function beginning(text: string): string {
	return cutText(text.slice(0, shownBytes).toWellFormed(), shownBytes).text;
}

const newline = 0x0a;
const firstBytes = 65_536;
const maxBytes = 4_194_304;
/** The preview cannot show more bytes. */
const shownBytes = 4096;
