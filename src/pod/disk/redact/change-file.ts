import {isUtf8} from 'node:buffer';
import {streamedText} from '../../protocol/tail.ts';
import {queueMessageSchema} from '../../protocol/queue.ts';
import {isHash} from '../bodies/hashed-files.ts';
import {encodeQueue, parseQueue} from '../log/queue-file.ts';
import {decodeStream} from '../log/recover-stream.ts';
import {changeItem} from './change-item.ts';
import {changeValue} from './change-value.ts';
import {markOf, type Remover, type Rule} from './remover.ts';

/** The new contents of a file, and the number of texts that were removed. */
export type ChangedFile = {readonly bytes: Buffer; readonly count: number};

/**
Removes texts from a file that is not a history. Returns `undefined` if it contains none of them. `name` tells how the
file is read. A file that is named by its hash becomes a mark as a whole, because nothing may use its other contents.
*/
export function changeFile(name: string, bytes: Buffer, remover: Remover): ChangedFile | undefined {
	if (isHash(name)) return changeHashed(bytes, remover);
	if (name === 'queue.json') return changeQueue(bytes, remover);
	if (name === 'stream.log') return changeStream(bytes, remover);
	if (/^prompts-\d+\.jsonl$/.test(name)) return changeLines(bytes, remover);
	return name.endsWith('.json') ? changeJson(bytes, remover) : changeText(bytes, remover);
}

/** Returns the contents of a file that was removed as a whole. */
export function wholeMark(rule: Rule, bytes: number): Buffer {
	return Buffer.from(`${markOf(rule, bytes)}\n`);
}

/** Returns the text of a file. Bytes that are not UTF-8 are read as latin1, so that they can be written again. */
export function textOf(bytes: Buffer): string {
	return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

function changeHashed(bytes: Buffer, {rule, remove}: Remover): ChangedFile | undefined {
	const removed = remove(textOf(bytes));
	return removed && {bytes: wholeMark(rule, bytes.length), count: removed.marks.length};
}

function changeText(bytes: Buffer, {remove}: Remover): ChangedFile | undefined {
	const removed = remove(textOf(bytes));
	return (
		removed && {bytes: Buffer.from(removed.text, isUtf8(bytes) ? 'utf8' : 'latin1'), count: removed.marks.length}
	);
}

/** A value in JSON keeps its form. A text that is not JSON may change in any way. */
function changeJson(bytes: Buffer, remover: Remover): ChangedFile | undefined {
	const value = parseJson(bytes.toString());
	if (value === undefined) return changeText(bytes, remover);
	const changed = changeValue(value, remover);
	return changed && {bytes: Buffer.from(`${JSON.stringify(changed.value)}\n`), count: changed.marks.length};
}

/** Changes each line of a file as JSON. */
function changeLines(bytes: Buffer, remover: Remover): ChangedFile | undefined {
	let count = 0;
	const lines = bytes
		.toString('latin1')
		.split('\n')
		.map(line => {
			const changed = line === '' ? undefined : changeJson(Buffer.from(line, 'latin1'), remover);
			count += changed?.count ?? 0;
			return changed === undefined ? line : changed.bytes.toString('latin1').replace(/\n$/, '');
		});
	return count === 0 ? undefined : {bytes: Buffer.from(lines.join('\n'), 'latin1'), count};
}

/** Makes the checksums again. What cannot be read in a damaged queue is left out. */
function changeQueue(bytes: Buffer, remover: Remover): ChangedFile | undefined {
	const {messages, isDamaged} = parseQueue(bytes.toString());
	let count = isDamaged ? (changeText(bytes, remover)?.count ?? 0) : 0;
	const changed = messages.map(message => {
		const next = changeValue(message, {...remover, isKept: path => path[0] === 'id'});
		count += next?.marks.length ?? 0;
		return next === undefined ? message : queueMessageSchema.parse(next.value);
	});
	return count === 0 ? undefined : {bytes: Buffer.from(encodeQueue(changed)), count};
}

/** Joins the pieces of each item, because a text may be in several pieces. Then each item is one piece. */
function changeStream(bytes: Buffer, remover: Remover): ChangedFile | undefined {
	const {count: inPieces = 0} = changeLines(bytes, remover) ?? {};
	let count = 0;
	const items = decodeStream(bytes.toString()).map(item => {
		const changed = changeItem(item, {remover, isWhole: false, earlier: []});
		count += changed?.added ?? 0;
		return changed?.item ?? item;
	});
	if (inPieces === 0 && count === 0) return undefined;
	const lines = items.map(item => {
		const {length: offset} = streamedText(item) ?? '';
		return `${JSON.stringify({id: item.id, offset, text: '', item})}\n`;
	});
	return {bytes: Buffer.from(lines.join('')), count: Math.max(count, inPieces)};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
