/** Why inkpod stops reading an answer. */
type RefusalReason = 'answer_too_large' | 'event_too_large' | 'encoding' | 'not_decodable' | 'bad_status';

/** An answer that is not read to its end. */
export class AnswerRefused extends Error {
	readonly reason: RefusalReason;
	/** What the server did, as the predicate of a sentence. */
	readonly predicate: string;
	/** `detail` is a size, a name or a status. */
	constructor(reason: RefusalReason, detail: string) {
		const predicate = predicates[reason](detail);
		super(`it ${predicate}`);
		this.name = 'AnswerRefused';
		this.reason = reason;
		this.predicate = predicate;
	}
}

const predicates: {readonly [Reason in RefusalReason]: (detail: string) => string} = {
	answer_too_large: size => `sent an answer larger than ${size}`,
	event_too_large: size => `sent a single event larger than ${size}`,
	encoding: names => `sent an answer in an encoding that inkpod does not read (${names})`,
	not_decodable: name => `sent an answer with broken compression (${name})`,
	bad_status: status => `answered with ${status}, which is not an HTTP status`,
};

/** Returns the refusal among an error and its causes, however a library wrapped it. */
export function refusalIn(error: unknown): AnswerRefused | undefined {
	let current = error;
	for (let depth = 0; depth < maxDepth && current instanceof Error; depth++) {
		if (current instanceof AnswerRefused) return current;
		current = current.cause;
	}
	return undefined;
}

const maxDepth = 16;
