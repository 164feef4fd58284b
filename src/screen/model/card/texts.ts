import {t} from '../../../language/index.ts';
import {plural} from '../../../text/formats.ts';

/**
The labels of the card for a screen reader. `question` is the label if the model asks a question and there is nothing to
approve.
*/
export const cardLabels = {approval: t`Approval needed`, question: t`Question`} as const;

/** The row that opens more choices. A screen reader does not read the arrow. */
export const moreChoices = {drawn: t`→ more`, spoken: t`More choices: right arrow`} as const;

/** A screen reader reads these words before the marked choice if several choices are on one line. */
export const selectedMark = t`(selected) `;

/**
Returns the title of a question that a child session asks. The child's own title comes last, because a model wrote it.
*/
export function titleOfChild(child: string, title: string): string {
	return t`${title} · asked by ${child.length > 40 ? `${child.slice(0, 39)}…` : child}`;
}

/** An empty composer shows these texts while a card is open. */
export const placeholders = {
	reason: t`Type to say no, and what to do instead`,
	choice: t`Choose an option above`,
} as const;

export const typesReason = t`type to say no, and why`;

/** The status line shows these texts about the card. */
export const cardStates = {
	choose: t`choose an option`,
	reason: t`enter a reason`,
} as const;

/** A hint that says what Enter does. `short` is for narrow screens. */
export type HintText = {readonly text: string; readonly short: string};

export const answered: HintText = {text: t`Answered`, short: t`Answered`};

export function sendsMessage(queues: boolean): HintText {
	const verb = queues ? t`queue` : t`send`;
	return {text: t`Enter to ${verb} this message; the card stays open`, short: t`Enter to ${verb} message`};
}

/** `label` names the choice that denies. `takesReason`: the composer's text is sent as the reason. */
export function denies(label: string, takesReason: boolean): HintText {
	return takesReason
		? {text: t`Enter to answer "${label}" with this reason`, short: t`Enter to deny with reason`}
		: {text: t`Enter to answer "${label}"; your text stays here`, short: t`Enter to deny`};
}

export const writesRule: HintText = {
	text: t`Enter to write this rule · Esc to go back to the choices`,
	short: t`Enter to write · Esc to go back`,
};

/**
Says what Esc does. `label` names the choice that denies, if there is no call. `mayStop`: a second Esc stops the turn.
*/
export function escapes(label: string | undefined, mayStop: boolean): string {
	const once = label === undefined ? t`Esc: deny this call` : t`Esc: ${label}`;
	return mayStop ? t`${once} · Esc Esc: stop the turn` : once;
}

/** Explains how to choose among `count` choices. `escape` says what Esc does. */
export function choosing(count: number, escape: string): HintText {
	return {text: `${t`${digits(count)}, or ↑↓ and Enter`} · ${escape}`, short: escape};
}

/** Explains how to mark several of `count` options. The choice after them sends the answer. */
export function marking(count: number, escape: string): HintText {
	const keys = t`${digits(count)} mark · ${count + 1} send`;
	return {text: `${keys} · ${escape}`, short: keys};
}

function digits(count: number): string {
	return count > 1 ? `1-${count}` : '1';
}

/** The notes that explain why a key did not answer the card. `typed_…` means that the digit is in the draft. */
export const noteTexts = {
	unseen: {text: t`Read to the end first: PgDn, Ctrl+End.`, short: t`Read to the end first.`},
	early: {text: t`The card has just appeared. Press the key again to answer.`, short: t`Press the key again.`},
	together: {text: t`Several keys arrived at once. Press one key to answer.`, short: t`Press one key.`},
	held: {text: t`Release the key, then press it again.`, short: t`Press the key again.`},
	digit: {
		text: t`Digits alone are neither a message nor a reason. Delete them, then press one.`,
		short: t`Clear your text, then press one key.`,
	},
	typed_together: {
		text: t`Several keys arrived together in your message. Delete them, then press one.`,
		short: t`Clear your text, then press one key.`,
	},
	typed_held: {
		text: t`The held key was typed into your message. Delete it, then press it once.`,
		short: t`Clear your text, then press one key.`,
	},
} as const satisfies Record<string, HintText>;

export function reasonTooLong(maxLength: number): HintText {
	return {text: t`A reason can have up to ${maxLength} characters. Shorten it.`, short: t`Shorten the reason.`};
}

export const ruleTitle = t`Write this rule and stop asking?`;

/** Returns the position of this card if several questions are open. */
export function cardPlace(count: number): string {
	return count > 1 ? t` (1 of ${count})` : '';
}

export function withEscape(label: string): string {
	return t`${label} (Esc)`;
}

type Shown = {readonly first: number; readonly shown: number; readonly total: number};

/** Returns texts for the scroll position of a card, the longest one first. */
export function placeTexts({first, shown, total}: Shown): readonly string[] {
	const place = rowsText({first, shown, total});
	return [t`${first + shown < total ? '▼' : '▲'} ${place} (PgUp, PgDn)`, place];
}

/**
Returns the texts for the scroll position of a card whose end the screen has not shown yet, the longest one first.
*/
export function unseenTexts({first, shown, total}: Shown): readonly string[] {
	const hidden = total - first - shown;
	const more = plural(hidden, 'more row');
	return [
		t`▼ ${rowsText({first, shown, total})} · ${hidden} more below: PgDn, Ctrl+End. Read to the end, then choose.`,
		t`▼ ${more}: PgDn. Read to the end, then choose.`,
		t`▼ ${more}: PgDn`,
		t`▼ ${hidden} more`,
	];
}

function rowsText({first, shown, total}: Shown): string {
	return t`rows ${first + 1}-${first + shown} of ${total}`;
}
