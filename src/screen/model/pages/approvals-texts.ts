import {t} from '../../../language/index.ts';
import type {Approval} from '../../../pod/protocol.ts';
import {permissionSources} from './texts.ts';

export const noApprovals = t`No call of this session has needed approval.`;

/** The answer on a card, or that a call ran or did not run without a card. */
export function answerWords({by, allowed, choice = ''}: Approval): string {
	const answer = by === 'user' ? answers.get(choice) : undefined;
	return answer ?? (allowed ? t`allowed` : t`denied`);
}

/** Who or what decided about a call. */
export function deciderWords({by, from, rule, source, mode}: Approval): string {
	switch (by) {
		case 'user':
			return from === undefined ? t`you` : (places.get(from) ?? t`you, from ${from}`);
		case 'rule': {
			const place = source === undefined ? t`a rule` : ruleSources[source];
			return rule === undefined ? place : `${place}: ${rule}`;
		}
		case 'mode':
			return t`mode ${mode ?? ''}`;
		case 'hook':
			return t`a hook`;
		case 'unattended':
			return t`nobody could approve`;
		default:
			return by satisfies never;
	}
}

/** The local date and time of a decision. */
export function decidedAt(at: string): string {
	const date = new Date(at);
	const two = (value: number) => String(value).padStart(2, '0');
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The answers that say more than yes or no. */
const answers: ReadonlyMap<string, string> = new Map([
	['allow', t`yes`],
	['deny', t`no`],
	['session', t`yes, this session`],
	['session_new', t`yes, this session`],
	['session_alike', t`yes, this session`],
	['always', t`yes, always`],
	['always_alike', t`yes, always`],
	['some', t`some files only`],
	['unconfined', t`yes, unconfined`],
	['accepted', t`plan accepted`],
	['changes', t`plan: changes`],
	['kept', t`plan kept`],
]);

/** Where the user answered, if it was not the terminal of the session. */
const places: ReadonlyMap<string, string> = new Map([
	['attached', t`you, attached`],
	['editor', t`you, in the editor`],
	['program', t`a program`],
]);

const ruleSources = {
	user: permissionSources.user,
	project: permissionSources.project,
	answered: t`allowed earlier`,
} as const;
