import {t} from '../../language/index.ts';
import type {RedactResult} from '../../pod/index.ts';
import {plural} from '../../text/formats.ts';

/** The texts of `inkpod redact`. */
export const redactTexts = {
	paste: t`Paste the text, then press Enter and Ctrl+D.`,
	notUtf8: t`The text on stdin is not UTF-8.`,
	tooShort: (bytes: number) => t`The text must have at least ${bytes} bytes. A shorter text is in too many words.`,
	tooLong: t`The text is longer than 1 MB.`,
	needsOne: t`inkpod redact needs one of --text -, --pattern RE or --item ITEM.`,
	textFromStdin: t`Use --text - and give the text on stdin. Other programs can see arguments.`,
};

type Shown = Extract<RedactResult, {ok: true}>;
type Mode = {readonly isTrial: boolean; readonly isEverywhere: boolean};

/** Returns the report of a removal. */
export function redactReport(
	id: string,
	{found, sent, shorter}: Shown,
	{isTrial, isEverywhere}: Mode,
): readonly string[] {
	const count = found.reduce((all, one) => all + one.count, 0);
	const isSent = sent.some(({isLocal}) => !isLocal);
	return [
		summary(id, count, {isTrial, isEverywhere}),
		...found.map(({path, count: inFile}) => `  ${path}: ${inFile}`),
		...sent.map(sentLine),
		...(isSent ? [t`It left this machine: revoke it.`] : []),
		...(shorter === 0 ? [] : [t`${plural(shorter, 'match', 'matches')} with fewer than 4 bytes stayed.`]),
		...(isEverywhere || count === 0 ? [] : [t`Other sessions were not searched. Add --everywhere to search them.`]),
	];
}

function summary(id: string, count: number, {isTrial, isEverywhere}: Mode): string {
	if (count === 0) return isEverywhere ? t`Not found in any session.` : t`Not found in session ${id}.`;
	const texts = plural(count, 'text');
	if (isTrial) return t`Found ${texts}. Nothing was changed.`;
	return isEverywhere ? t`Removed ${texts} from all sessions.` : t`Removed ${texts} from session ${id}.`;
}

function sentLine({provider, host, isLocal, count, first, last}: Shown['sent'][number]): string {
	const requests = plural(count, 'request');
	const to = host === undefined ? t`${provider} (the record does not name its host)` : `${host} (${provider})`;
	const place = isLocal ? t`${to} on this machine` : to;
	return count === 1
		? t`Sent with ${requests} to ${place}: ${first}`
		: t`Sent with ${requests} to ${place}: ${first} to ${last}`;
}
