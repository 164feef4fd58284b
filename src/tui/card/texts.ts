import {plural} from '../text/formats.ts';

export const cardLabel = 'Approval needed';

/** What an empty composer says while a card is up. */
export const placeholders = {reason: 'Type a reason to deny with it', choice: 'Choose an option above'} as const;

/** What the status line says of the card. */
export const cardStates = {
	waiting: 'finish typing first',
	choose: 'choose an option',
	reason: 'enter a reason',
} as const;

/** What Enter does now; `short` where there is little room. */
export type HintText = {readonly text: string; readonly short: string};

export const answered: HintText = {text: 'Answered', short: 'Answered'};

export function sendsMessage(queues: boolean): HintText {
	const verb = queues ? 'queue' : 'send';
	return {text: `Enter to ${verb} this message; the card stays open`, short: `Enter to ${verb} message`};
}

/** `label`: of the choice that denies. `takesReason`: the text of the composer goes with it. */
export function denies(label: string, takesReason: boolean): HintText {
	return takesReason
		? {text: `Enter to answer "${label}" with this reason`, short: 'Enter to deny with reason'}
		: {text: `Enter to answer "${label}"; your text stays here`, short: 'Enter to deny'};
}

export const writesRule: HintText = {
	text: 'Enter to write this rule · Esc to go back to the choices',
	short: 'Enter to write · Esc to go back',
};

export const answering: HintText = {text: 'Answering in a moment · Enter to answer now', short: 'Enter to answer now'};

export const answeringDigit: HintText = {
	text: `${answering.text} · keep typing to write text instead`,
	short: answering.short,
};

export const justAppeared: HintText = {
	text: 'Finish typing first: the card has just appeared',
	short: 'Finish typing first',
};

/** How to choose among `count` choices. */
export function choosing(count: number, takesReason: boolean): HintText {
	const keys = `${count > 1 ? `1-${count}` : '1'}, or ↑↓ and Enter`;
	return {text: takesReason ? `${keys} · type a reason to deny with it` : keys, short: keys};
}

/** Why a key did nothing. */
export const noteTexts = {
	unseen: {text: 'Scroll to the end to enable approval.', short: 'Scroll to the end.'},
	early: {text: 'The card has just appeared. Press the key again to answer.', short: 'Press it again.'},
	together: {text: 'Several keys arrived at once. Press one key to answer.', short: 'Press one key.'},
	held: {text: 'Release the key, then press it again.', short: 'Press it again.'},
} as const satisfies Record<string, HintText>;

export function reasonTooLong(maxLength: number): HintText {
	return {text: `A reason can have up to ${maxLength} characters. Shorten it.`, short: 'Shorten the reason.'};
}

export const ruleTitle = 'Write this rule and stop asking?';

/** Which of several cards this is. */
export function cardPlace(count: number): string {
	return count > 1 ? ` (1 of ${count})` : '';
}

export function withEscape(label: string): string {
	return `${label} (Esc)`;
}

type Shown = {readonly first: number; readonly shown: number; readonly total: number};

/** Where the window is in a card that scrolls, longest first. */
export function placeTexts({first, shown, total}: Shown): readonly string[] {
	const place = rowsText({first, shown, total});
	return [`${first + shown < total ? '▼' : '▲'} ${place} (PgUp, PgDn)`, place];
}

/** The same while its end was not shown. */
export function unseenTexts({first, shown, total}: Shown): readonly string[] {
	const hidden = total - first - shown;
	const more = plural(hidden, 'more row');
	return [
		`▼ ${rowsText({first, shown, total})}, ${hidden} more below: PgDn, Ctrl+End. Scroll to the end to enable approval.`,
		`▼ ${more}: PgDn. Scroll to the end to approve.`,
		`▼ ${more}: PgDn`,
		`▼ ${hidden} more`,
	];
}

function rowsText({first, shown, total}: Shown): string {
	return `rows ${first + 1}-${first + shown} of ${total}`;
}
