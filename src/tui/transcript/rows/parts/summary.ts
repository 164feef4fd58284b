import {language, t} from '../../../../language/index.ts';
import {plural} from '../../../text/formats.ts';

/**
Returns the summary of a result in the user's language. The stored summary is part of the record and English, whatever
the language was when the tool ran. A summary that inkpod did not write, such as an error, stays as it is.
*/
export function shownSummary(summary: string): string {
	return language === 'en' ? summary : translateSummary(summary);
}

/** Translates the forms that inkpod's tools write. A part that has no form stays as it is. */
export function translateSummary(summary: string): string {
	for (const [form, words] of forms) {
		const match = form.exec(summary);
		if (match !== null) return words(...match.slice(1));
	}
	return summary;
}

type Form = readonly [RegExp, (...parts: readonly string[]) => string];

const forms: readonly Form[] = [
	[/^(\d+) lines?$/, count => plural(Number(count), 'line')],
	[/^(\d+) files?$/, count => plural(Number(count), 'file')],
	[/^(\d+) bytes?$/, count => plural(Number(count), 'byte')],
	[/^(\d+) edits?$/, count => plural(Number(count), 'edit')],
	[/^(\d+) places?$/, count => plural(Number(count), 'place')],
	[/^(\d+) match(?:es)?$/, count => plural(Number(count), 'match', 'matches')],
	[/^lines (\d+)-(\d+) of (\d+)$/, (first, last, all) => t`lines ${first}-${last} of ${all}`],
	[/^new file, (.+)$/, (size = '') => t`new file, ${translateSummary(size)}`],
	[/^overwritten, (.+)$/, (size = '') => t`overwritten, ${translateSummary(size)}`],
	[/^at least (.+)$/, (count = '') => t`at least ${translateSummary(count)}`],
	[/^(\d+) of (\d+) answered$/, (given, all) => t`${given} of ${all} answered`],
	[/^(\d+) of (\d+) · now: (.+)$/, (done, all, now) => t`${done} of ${all} · now: ${now}`],
	[/^(\d+) of (.+)$/, (shown, all = '') => t`${shown} of ${translateSummary(all)}`],
	[/^(\d+ \w+) in (\d+ \w+)$/, (what = '', where = '') => t`${translateSummary(what)} in ${translateSummary(where)}`],
	[/^ended by signal (SIG\w+)$/, signal => t`ended by signal ${signal}`],
	[/^timed out after ([\d.]+) s and was stopped$/, seconds => t`timed out after ${seconds} s and was stopped`],
	[/^running in background \((\w+)\)$/, id => t`running in background (${id})`],
	[/^moved to background \((\w+)\)$/, id => t`moved to background (${id})`],
	...fixed({
		'no matches': t`no matches`,
		'no files': t`no files`,
		'no tasks': t`no tasks`,
		'no answer': t`no answer`,
		'no output': t`no output`,
		'empty file': t`empty file`,
		'an error': t`an error`,
		'in the background': t`in the background`,
		finished: t`finished`,
		failed: t`failed`,
		stopped: t`stopped`,
		interrupted: t`interrupted`,
		accepted: t`accepted`,
		'changes requested': t`changes requested`,
		'not accepted yet': t`not accepted yet`,
		'printed, not carried out': t`printed, not carried out`,
	}),
];

function fixed(texts: Readonly<Record<string, string>>): readonly Form[] {
	return Object.entries(texts).map(([text, translation]) => [new RegExp(`^${text}$`), () => translation]);
}
