/** A piece of text in one style. The text is sanitized when it becomes part of a row. */
export type Span = {
	readonly text: string;
	readonly style?: Style | readonly Style[];
	/** The web address that this text contains or is a part of: see `webAddress` in screen/spans/links.ts. */
	readonly link?: string;
};

/** The name of a style, which says what a text means, such as `error`. Only theme.ts defines how a style looks. */
export type Style =
	| 'plain'
	| 'dim'
	| 'bold'
	| 'italic'
	| 'underline'
	| 'strike'
	| 'inverse'
	| 'accent'
	| 'user'
	| 'user.words'
	| 'user.fill'
	| 'error'
	| 'warn'
	| 'ok'
	| 'info'
	| 'chip'
	| 'chip.failed'
	| 'path'
	| 'code'
	| 'heading'
	| 'heading.1'
	| 'heading.2'
	| 'heading.3'
	| 'heading.4'
	| 'added'
	| 'removed'
	| 'added.fill'
	| 'removed.fill'
	| 'added.word'
	| 'removed.word'
	| 'link'
	| 'quote'
	| 'selection'
	| 'match'
	| 'match.current'
	| 'syntax.keyword'
	| 'syntax.string'
	| 'syntax.comment'
	| 'syntax.number'
	| 'syntax.title'
	| 'syntax.type'
	| 'syntax.attribute'
	| 'syntax.variable'
	| 'syntax.meta'
	| OutputStyle;

/** The colours that a command used in its own output. */
type OutputStyle = `output.${'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'}`;

/** Tells whether two spans have the same text, style and link. */
export function isSameSpan(one: Span | undefined, other: Span | undefined): boolean {
	if (one === other) return true;
	if (one === undefined || other === undefined) return false;
	return one.text === other.text && one.link === other.link && isSameStyle(one.style, other.style);
}

function isSameStyle(one: Span['style'], other: Span['style']): boolean {
	if (one === other) return true;
	if (typeof one !== 'object' || typeof other !== 'object') return false;
	return one.length === other.length && one.every((style, index) => style === other[index]);
}

/** Tells whether the spans together have exactly this text, in any styles. */
export function hasText(spans: readonly Span[], text: string): boolean {
	return spansText(spans) === text;
}

/** Returns the text of spans. */
export function spansText(spans: readonly Span[]): string {
	const [first] = spans;
	if (first !== undefined && spans.length === 1) return first.text;
	let text = '';
	for (const span of spans) text += span.text;
	return text;
}

/** Returns the part `[from, to)` of spans, counted in code units of their text. */
export function sliceSpans(spans: readonly Span[], from: number, to: number): Span[] {
	const parts: Span[] = [];
	let at = 0;
	for (const span of spans) {
		const end = at + span.text.length;
		if (end > at && end > from && at < to)
			parts.push(
				from <= at && end <= to ? span : {...span, text: span.text.slice(Math.max(0, from - at), to - at)},
			);
		if (end >= to) break;
		at = end;
	}
	return parts;
}

/** Returns the list of spans for a text: one span, or none for an empty text. */
export function spanOf(text: string, style?: Span['style']): readonly Span[] {
	return text === '' ? [] : [style === undefined ? {text} : {text, style}];
}
