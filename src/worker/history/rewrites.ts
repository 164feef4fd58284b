/**
The rules by which a request deviates from the plain text of its items. This is the only list: all code that changes,
omits or adds something names its rule here. A name is stored in histories, so it never changes its meaning.
*/
export const rewriteRules = [
	/** A line says that something was left out between two answers, or before the first answer. */
	'gap_line',
	/** A heading precedes a summary, and the names of its files follow it. */
	'summary_heading',
	/** A blank text is left out. */
	'blank_text',
	/** A part that inkpod cannot read is left out. */
	'unread_part',
	/** An interrupted thought is left out. */
	'cut_thought',
	/** A thought without anything after it is left out. */
	'trailing_thought',
	/** A thought that another provider signed is left out. */
	'foreign_thought',
	/** A thought is left out because this server does not accept it, or no longer accepts it. */
	'unsent_thought',
	/** A server that requires thoughts gets a placeholder. */
	'thought_filler',
	/** Several thoughts are sent as one text. */
	'joined_thoughts',
	/** Several texts of an answer are sent as one text. */
	'joined_texts',
	/** A call without a result is left out. */
	'unanswered_call',
	/** A result without a call is left out. */
	'stray_result',
	/** A line replaces the output of a result that the user pruned. */
	'pruned_output',
	/** A result is sent right after its call, before messages that came between them. */
	'moved_result',
	/** A call or its result is sent as a text, because the model gets no tools. */
	'call_as_text',
	/** A call id that was used before gets a number. */
	'repeated_call_id',
	/** A hash replaces a call id that the server does not accept. */
	'call_id',
	/** A tool name that no server accepts is replaced. */
	'tool_name',
	/** Arguments are sent as the JSON value that they contain. Blank arguments are sent as an empty object. */
	'arguments_value',
	/** Arguments that are not a JSON object are sent as `{invalid_json: text}`. */
	'invalid_json',
	/** An error without text is sent as `(no message)`. */
	'no_message',
	/** The system prompt is sent at the start of the first user message. */
	'prompt_in_message',
	/** An error is sent as `{"error": text}`. */
	'error_object',
	/** U+FFFD replaces lone surrogates. */
	'well_formed',
	/** The last answer is sent without the spaces around its last text. */
	'trimmed_text',
	/** A user message is sent as part of the user message before it. */
	'merged_users',
	/** An answer is sent as part of the answer before it. */
	'joined_answers',
	/** An answer is added between a tool result and a user message. */
	'answer_line',
	/** The first call of another server's answer has a placeholder for its signature. */
	'foreign_call_mark',
	/** A call is sent without the server's own fields. */
	'bare_call',
	/** Marks tell the provider which part of the request it may cache. */
	'cache_marks',
	/** The request has an output limit that the settings do not name. */
	'output_limit',
	/** The request names beta features in a header. */
	'beta_header',
	/** Each tool has a flag that its definition lacks: its arguments stream, or its schema is not strict. */
	'tool_flags',
	/** The server is asked to report more in the stream: the usage, or why it stopped. */
	'stream_options',
	/** The server is asked not to store the conversation, and to return encrypted thoughts. */
	'not_stored',
	/** A line says that an image or a document is not sent, because its file is missing or changed. */
	'missing_media',
	/** A line says that an image or a document is not sent, because the model does not accept it. */
	'unsent_media',
] as const;

export type RewriteRule = (typeof rewriteRules)[number];

/** The rules that leave something out. */
export const leavingOut: readonly RewriteRule[] = [
	'blank_text',
	'unread_part',
	'cut_thought',
	'trailing_thought',
	'foreign_thought',
	'unsent_thought',
	'unanswered_call',
	'stray_result',
	'missing_media',
	'unsent_media',
];

/**
A rule that a request followed, and its places: ids of items, `setup`, or keys of the body. Only the last places are
named. `more` is the number of the other places.
*/
export type Rewrite = {readonly rule: string; readonly where: readonly string[]; readonly more?: number};

/**
The place where a request followed a rule: the id of an item, a key of the body, or a part of the request. For a part,
`IdOf` returns the id of its item.
*/
export type RewritePlace = string | object;

/** The rewrites that were noted while a request was made, by rule. */
export type RewriteNotes = ReadonlyMap<RewriteRule, readonly RewritePlace[]>;

export type NoteRewrite = (rule: RewriteRule, place: RewritePlace) => void;

export function createRewriteNotes(): {readonly note: NoteRewrite; readonly notes: RewriteNotes} {
	const notes = new Map<RewriteRule, RewritePlace[]>();
	return {
		notes,
		note(rule, place) {
			const known = notes.get(rule);
			if (known === undefined) notes.set(rule, [place]);
			else known.push(place);
		},
	};
}

/** Discards a note, for callers that do not need notes. */
export const ignoreRewrite: NoteRewrite = () => {};

/** Returns the id of the item that a part of the request comes from. */
type IdOf = (part: object) => string | undefined;

type Naming = {readonly idOf: IdOf; readonly unnamed?: ReadonlySet<RewritePlace> | undefined};

/** Returns the rewrites of a request as history stores them, in the order of the rules. */
export function rewritesOf(all: ReadonlyArray<RewriteNotes | undefined>, {idOf, unnamed}: Naming): readonly Rewrite[] {
	return rewriteRules.flatMap((rule): readonly Rewrite[] => {
		const noted = all.flatMap(notes => notes?.get(rule) ?? []);
		const places = unnamed === undefined ? noted : noted.filter(place => !unnamed.has(place));
		if (places.length === 0) return [];
		const where = places.slice(-maxPlaces).map(place => nameOf(place, idOf));
		const more = places.length - where.length;
		return [{rule, where, ...(more > 0 && {more})}];
	});
}

/**
The maximum number of places that one rewrite names. The limit keeps request items small, even in a session with
thousands of turns.
*/
const maxPlaces = 4;

function nameOf(place: RewritePlace, idOf: IdOf): string {
	if (typeof place === 'string') return place;
	const id = idOf(place);
	if (id === undefined) throw new Error('a rewrite names a part that is not in the request');
	return id;
}
