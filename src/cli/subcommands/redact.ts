import type {UnwantedWish} from '../keep/redact.ts';
import {redactTexts} from '../keep/redact-texts.ts';
import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId} from '../start/texts.ts';

export const redact = subcommand({
	name: 'redact',
	words: '<id>',
	about: 'remove a secret from all files of a session; the session still verifies',
	completes: 'sessions',
	options: {
		text: {value: '-', shown: 'list', about: 'remove the text on stdin'},
		pattern: {value: 'RE', shown: 'list', about: 'remove what a regular expression matches'},
		item: {value: 'ITEM', shown: 'list', about: 'remove the texts of an item'},
		'dry-run': {shown: 'list', about: 'only report what would be removed'},
		everywhere: {shown: 'list', about: 'also search all other sessions'},
	},
	read(words, values) {
		const id = onlyWord(words);
		if (id === undefined) return needsOneId('redact');
		const unwanted = unwantedOf(values);
		if (typeof unwanted === 'string') return unwanted;
		const {'dry-run': isTrial = false, everywhere: isEverywhere = false} = values;
		return {command: 'redact', id, unwanted, isTrial, isEverywhere, ...where(values)};
	},
	async run(launch, {env, stdin, stdout, stderr}) {
		const command = await import('../keep/redact.ts');
		return command.redact({...launch, env, stdin, stdout, stderr});
	},
});

type Values = {readonly text?: string; readonly pattern?: string; readonly item?: string};

/** Returns what to remove, or a sentence about a mistake. */
function unwantedOf({text, pattern, item}: Values): UnwantedWish | string {
	if ([text, pattern, item].filter(one => one !== undefined && one !== '').length !== 1) return redactTexts.needsOne;
	if (text !== undefined) return text === '-' ? {kind: 'text'} : redactTexts.textFromStdin;
	if (pattern !== undefined) return {kind: 'pattern', source: pattern};
	return {kind: 'item', id: item ?? ''};
}
