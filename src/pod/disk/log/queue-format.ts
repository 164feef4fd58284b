import {hash} from 'node:crypto';
import {z} from 'zod';
import {queueMessageSchema, type QueueMessage} from '../../protocol/queue.ts';

/** The readable messages of a queue.json, and whether there was more than that. */
type QueueText = {readonly messages: readonly QueueMessage[]; readonly isDamaged: boolean};

/** The maximum number of messages in a queue. */
export const maxQueued = 1000;

/**
Returns the text of queue.json: `{"format": "inkpod.queue/1", "messages": [{"id", "segments", "command"?, "sum"}…]}`,
with one message a line. `sum` is its last key: the first 32 hex digits of sha256 of the message without it. So a cut or
changed line affects only its own message.
*/
export function encodeQueue(messages: readonly QueueMessage[]): string {
	return `${head}\n${messages.map(message => withSum(JSON.stringify({...message, sum: undefined}))).join(',\n')}${end}`;
}

/** Reads the text of queue.json. Files of earlier versions are one line, without sums. */
export function parseQueue(text: string): QueueText {
	const isLines = text.indexOf('\n') !== text.length - 1 && text.includes('\n');
	const {values, isWhole} = isLines ? readLines(text) : readOneLine(text);
	const messages = new Map<string, QueueMessage>();
	for (const value of values) {
		const message = queueMessageSchema.safeParse(value).data;
		if (message !== undefined && !messages.has(message.id)) messages.set(message.id, message);
	}
	return {messages: [...messages.values()], isDamaged: !isWhole || messages.size < values.length};
}

type Values = {readonly values: readonly unknown[]; readonly isWhole: boolean};

function readLines(text: string): Values {
	const lines = text.split('\n', maxQueued + linesAround + 1);
	const isFramed = lines[0] === head && text.endsWith(end) && lines.length <= maxQueued + linesAround;
	const within = isFramed ? lines.slice(1, -2) : lines;
	const values = within.map(line => summed(line.endsWith(',') ? line.slice(0, -1) : line));
	const isSeparated = within.every((line, index) => line.endsWith(',') === index < within.length - 1);
	return {values: isFramed ? values : values.filter(value => value !== undefined), isWhole: isFramed && isSeparated};
}

/** Returns the message of a line, or `undefined` if the line is not as it was written. */
function summed(line: string): unknown {
	const at = line.lastIndexOf(sumKey);
	const body = `${line.slice(0, at)}}`;
	return at !== -1 && withSum(body) === line ? parseJson(body) : undefined;
}

function withSum(text: string): string {
	return `${text.slice(0, -1)}${sumKey}${hash('sha256', text, 'hex').slice(0, sumLength)}"}`;
}

function readOneLine(text: string): Values {
	const values = fileSchema.safeParse(parseJson(text)).data?.messages;
	return values === undefined ? {values: [], isWhole: false} : {values, isWhole: true};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const format = 'inkpod.queue/1';
const fileSchema = z.object({format: z.literal(format), messages: z.array(z.unknown()).max(maxQueued)});
const head = `{"format":"${format}","messages":[`;
const end = '\n]}\n';
/** The head, the closing brackets, and what follows the last newline. */
const linesAround = 3;
const sumKey = ',"sum":"';
const sumLength = 32;
