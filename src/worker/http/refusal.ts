/** Why inkpod stops reading an answer. */
export type RefusalReason = 'answer_too_large' | 'event_too_large' | 'encoding' | 'not_decodable' | 'bad_status';

/** An answer that is not read to its end. Its message is the end of a sentence that begins with `it`, the server. */
export class AnswerRefused extends Error {
	readonly reason: RefusalReason;
	/** `detail`: a size, a name or a status. */
	constructor(reason: RefusalReason, detail: string) {
		super(sentenceEnds[reason](detail));
		this.name = 'AnswerRefused';
		this.reason = reason;
	}
}

/** Ends of a sentence about the server. */
const sentenceEnds: {readonly [Reason in RefusalReason]: (detail: string) => string} = {
	answer_too_large: size => `it sent an answer larger than ${size}`,
	event_too_large: size => `it sent a single event larger than ${size}`,
	encoding: names => `it sent an answer in an encoding that inkpod does not read (${names})`,
	not_decodable: name => `it sent an answer with broken compression (${name})`,
	bad_status: status => `it answered with ${status}, which is not an HTTP status`,
};

/** The refusal among an error and its causes, however a library has wrapped it. */
export function refusalIn(error: unknown): AnswerRefused | undefined {
	let current = error;
	for (let depth = 0; depth < maxDepth && current instanceof Error; depth++) {
		if (current instanceof AnswerRefused) return current;
		current = current.cause;
	}
	return undefined;
}

const maxDepth = 16;
